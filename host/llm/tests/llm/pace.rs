//! Pauses: those the provider asks for, backoff between attempts, and calls per minute.

use std::time::Duration;

use acreta_llm::Code;

use crate::server::{ScriptedServer, ServerStep};
use crate::support::{ModelHome, ask};

#[test]
fn the_pause_a_provider_asks_for_is_kept() {
    let cases = [
        (("retry-after", "7"), vec![7_000]),
        (("retry-after", "0.25"), vec![250]),
        (("retry-after-ms", "1500"), vec![1_500]),
        (("retry-after", "60"), vec![60_000]),
    ];
    for ((name, value), expected) in cases {
        let busy = ServerStep::error(429, "slow down").with(name, value);
        let server = ScriptedServer::start([busy, ServerStep::openai("Yes.", (20, 2))]);
        let home = ModelHome::openai(&server);
        let session = home.session();
        assert_eq!(session.complete(&ask("Is it?")).unwrap().content, "Yes.");
        let slept = home.clock.slept();
        let expected: Vec<_> = expected.into_iter().map(Duration::from_millis).collect();
        assert_eq!(slept, expected, "{name} {value}");
        assert_eq!(session.usage().calls, 2);
    }
}

#[test]
fn a_pause_that_is_too_long_is_not_waited_for() {
    let server =
        ScriptedServer::start([ServerStep::error(429, "tomorrow").with("retry-after", "3600")]);
    let home = ModelHome::openai(&server);
    let error = home.session().complete(&ask("Is it?")).unwrap_err();
    assert_eq!(error.code(), Code::RateLimited);
    assert!(error.is_retryable());
    assert_eq!(error.help(), Some("it asks for a pause of 3600 s"));
    assert_eq!((server.calls().len(), home.clock.slept().len()), (1, 0));
}

#[test]
fn our_own_pauses_grow_and_are_the_same_for_the_same_seed() {
    let slept = |header: &'static str, value: &str| {
        let server = ScriptedServer::start([ServerStep::error(500, "oops").with(header, value)]);
        let home = ModelHome::openai(&server);
        home.session().complete(&ask("Is it?")).unwrap_err();
        home.clock.slept()
    };
    let pauses = slept("x-nothing", "");
    assert_eq!(pauses.len(), 2);
    for (pause, longest) in pauses.iter().zip([500, 1_000]) {
        let longest = Duration::from_millis(longest);
        assert!(*pause >= longest / 2 && *pause <= longest, "{pause:?}");
    }
    assert_eq!(slept("x-nothing", ""), pauses);
    for nonsense in ["soon", "-5", "NaN", "Wed, 21 Oct 2026 07:28:00 GMT"] {
        assert_eq!(slept("retry-after", nonsense), pauses, "{nonsense}");
    }
}

#[test]
fn calls_keep_the_distance_of_so_many_in_a_minute() {
    let server = ScriptedServer::start([ServerStep::openai("Yes.", (20, 2))]);
    let mut home = ModelHome::openai(&server);
    home.provider().requests_per_minute = Some(30);
    let llm_session = home.session();
    for index in 0..4 {
        llm_session
            .complete(&ask(&format!("Number {index}?")))
            .unwrap();
    }
    assert_eq!(home.clock.slept(), [Duration::from_secs(2); 3]);
}
