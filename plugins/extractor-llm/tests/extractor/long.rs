//! Sessions too long to be read whole: a model chooses what to read, and everything stays bounded.

use crate::support::{
    Log, Script, Session, by, content, event, extract, failure, finds, keeps_all_but, number_of,
    record, step,
};
use extractor_llm::{Level, Request, Settings};
use serde_json::json;

const RULE: &str = "our releases are cut from the branch stable and never from main, the mirror pulls only that one";
const CAUSE: &str = "the watcher lost events because inotify ran out of watches on the build host";

/// Numbers of the events with the person's rule and the agent's cause.
const SAID: u64 = 702;
const FOUND: u64 = 304;

/// Long turns of tools with occasional prompts; 9,000 events are 5 MB.
fn session(events: u64) -> Session {
    Session::made(events, |number| match number {
        SAID => event(number, "person", RULE),
        FOUND => event(number, "agent", &format!("So it was this: {CAUSE}.")),
        _ if number % 100 == 1 => event(
            number,
            "person",
            &format!("go on with part {number} of the migration of the files"),
        ),
        _ => match number % 3 {
            0 => event(
                number,
                "call",
                &format!(
                    "{{\"command\": \"sed -n {number}p src/part-{}.rs\"}}",
                    number % 89
                ),
            ),
            1 => event(
                number,
                "result",
                &format!("line {number} of the output, as it is. ").repeat(36),
            ),
            _ => event(
                number,
                "agent",
                &format!("Step {number} is done, the next one follows. ").repeat(6),
            ),
        },
    })
}

/// Reads around the unusual prompt, searches for the cause, and reads the hits.
fn guide(request: &Request) -> Result<String, extractor_llm::Failure> {
    match step(request).as_str() {
        "navigate" => {
            let found = finds(
                request,
                &[
                    (
                        "convention",
                        "Releases are cut from the branch stable, never from main",
                        RULE,
                    ),
                    (
                        "insight",
                        "The watcher lost events for want of inotify watches",
                        CAUSE,
                    ),
                ],
            )?;
            let state = content(request);
            let (actions, done) = if number_of(request, CAUSE).is_some() {
                (json!([]), true)
            } else if state.lines().any(|line| line.starts_with("304: ")) {
                (json!([read(FOUND - 4, FOUND + 4)]), false)
            } else {
                let search = |text: &str| json!({"do": "search", "from": 0, "to": 0, "text": text});
                (
                    json!([read(SAID - 10, SAID + 20), search("INOTIFY"), search("x")]),
                    false,
                )
            };
            let mut reply: serde_json::Value = serde_json::from_str(&found).expect("JSON");
            reply["actions"] = actions;
            reply["done"] = done.into();
            Ok(reply.to_string())
        }
        _ => keeps_all_but(request, &[]),
    }
}

fn read(from: u64, to: u64) -> serde_json::Value {
    json!({"do": "read", "from": from, "to": to, "text": ""})
}

/// Windows so small that the session of 1,200 events has too many.
fn small() -> Settings {
    Settings {
        window_tokens: 1_200,
        ..Settings::default()
    }
}

fn largest(models: &Script) -> usize {
    let asked = models.asked.borrow();
    let bytes = |request: &Request| -> usize {
        request
            .messages
            .iter()
            .map(|message| message.content.len())
            .sum()
    };
    asked.iter().map(bytes).max().unwrap_or(0)
}

#[test]
fn a_model_finds_its_way_through_five_megabytes() {
    let (session, models, log) = (session(9_000), Script::new(guide), Log::default());
    let found = extract(&session, &models, &log, &Settings::default());
    let titles: Vec<&str> = found
        .iter()
        .filter(|one| by(one) == "model")
        .map(|one| one.title.as_str())
        .collect();
    assert!(
        titles.contains(&"Releases are cut from the branch stable, never from main"),
        "{found:?}"
    );
    assert!(
        titles.contains(&"The watcher lost events for want of inotify watches"),
        "{found:?}"
    );
    assert_eq!(
        models.steps(),
        ["navigate", "navigate", "navigate", "verify"]
    );
    assert!(
        largest(&models) <= 16_000 * 3 + 10_000,
        "{}",
        largest(&models)
    );
    let asked = models.asked.borrow();
    assert!(
        content(&asked[0]).contains("our releases are cut"),
        "the outline shows what was said"
    );
    assert!(
        content(&asked[1]).contains("Read so far: 692-722"),
        "{}",
        content(&asked[1])
    );
    assert!(
        content(&asked[2]).contains("#1 learning/convention: Releases are cut from"),
        "what was found is told"
    );
    // The log shows what was read.
    for line in [
        "read events 692-722: ",
        "search `INOTIFY`: 1 hits",
        "read events 300-308: ",
        "step 3 of 12: 1 added",
    ] {
        assert!(log.holds(Level::Info, line), "{line}: {:?}", log.0);
    }
}

#[test]
fn a_model_that_never_has_enough_is_stopped() {
    // Requests everything, over and over.
    let greedy = |request: &Request| {
        match step(request).as_str() {
        "navigate" => Ok(json!({"add": [], "change": [], "withdraw": [], "done": false, "actions": [
            {"do": "read", "from": 0, "to": 900_000}, {"do": "search", "text": "step"}, {"do": "search", "text": "line"},
            {"do": "outline", "from": 1, "to": 0}, {"do": "dance"},
        ]}).to_string()),
        _ => guide(request),
    }
    };
    let (session, models, log) = (session(9_000), Script::new(greedy), Log::default());
    let settings = Settings::default();
    extract(&session, &models, &log, &settings);
    assert_eq!(models.count("navigate"), settings.most_steps);
    assert!(
        largest(&models) <= 16_000 * 3 + 10_000,
        "{}",
        largest(&models)
    );
    // One pass for the lines and one for each step.
    assert!(
        session.passes.get() <= 1 + settings.most_steps as u32,
        "{}",
        session.passes.get()
    );
    // Nothing is read twice, and reading continues where it was.
    let asked = models.asked.borrow();
    let first = |request: &Request| -> Option<u64> {
        let line = record(request).lines().find(|line| line.starts_with('['))?;
        line[1..].split(' ').next()?.parse().ok()
    };
    let starts: Vec<u64> = asked.iter().filter_map(first).collect();
    assert_eq!(starts.len(), settings.most_steps - 1, "{starts:?}");
    assert!(
        starts.windows(2).all(|pair| pair[0] < pair[1]),
        "{starts:?}"
    );
    assert!(
        asked
            .iter()
            .any(|one| content(one).contains("⟦outline of parts⟧"))
    );
}

#[test]
fn a_model_that_asks_for_nothing_reads_on() {
    let idle = |request: &Request| match step(request).as_str() {
        "navigate" => Ok(
            json!({"add": [], "change": [], "withdraw": [], "actions": [], "done": false})
                .to_string(),
        ),
        _ => guide(request),
    };
    let (models, log) = (Script::new(idle), Log::default());
    extract(&session(1_200), &models, &log, &small());
    assert_eq!(models.count("navigate"), 12, "{:?}", models.steps());
    assert!(log.holds(Level::Info, "read events 1-"), "{:?}", log.0);
}

#[test]
fn a_budget_ends_the_journey_early_and_leaves_a_last_look() {
    for calls in [3, 4, 5, 6] {
        let (models, log) = (
            Script::new(guide).with_budget(calls, 10_000_000),
            Log::default(),
        );
        let found = extract(&session(1_200), &models, &log, &small());
        assert_eq!(
            models.steps().last().map(String::as_str),
            Some("verify"),
            "{calls}: {:?}",
            models.steps()
        );
        assert!(models.steps().len() <= calls as usize);
        assert!(found.iter().any(|one| by(one) == "model"), "{calls}");
    }
    let models = Script::new(guide).with_budget(2, 10_000_000);
    let found = extract(&session(1_200), &models, &Log::default(), &small());
    assert!(models.steps().is_empty() && found.iter().all(|one| by(one) == "rules"));
}

#[test]
fn a_guide_that_fails_leaves_what_was_found() {
    let cases: [(usize, Result<&str, &str>); 4] = [
        (1, Err("timeout")),
        (1, Ok("<html>")),
        (3, Err("unavailable")),
        (3, Ok("{\"add\": [], \"done\": true}")),
    ];
    for (nth, reply) in cases {
        let asked = std::cell::Cell::new(0);
        let models = Script::new(move |request| {
            if step(request) == "navigate" {
                asked.set(asked.get() + 1);
                if asked.get() == nth {
                    return reply.map(str::to_owned).map_err(failure);
                }
            }
            guide(request)
        });
        let log = Log::default();
        let found = extract(&session(1_200), &models, &log, &small());
        let by_model = found
            .iter()
            .any(|one| by(one) == "model" && one.title.starts_with("Releases"));
        assert_eq!(by_model, nth == 3, "{reply:?}: {found:?}");
        if reply.is_err() || nth == 1 {
            assert!(log.holds(Level::Warn, "were not read"), "{:?}", log.0);
        }
    }
}

#[test]
fn the_way_is_the_same_every_time() {
    let asked = || {
        let models = Script::new(guide);
        extract(&session(1_200), &models, &Log::default(), &small());
        format!("{:?}", models.asked.borrow())
    };
    assert_eq!(asked(), asked());
}
