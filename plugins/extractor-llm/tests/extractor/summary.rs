//! The summary: by a model if there is one, by the rules otherwise, always from evidence.

use crate::support::{Log, Script, Session, content, failure, step, summarise};
use extractor_llm::Level;
use serde_json::json;

fn dialogue() -> Session {
    Session::of(&[
        ("person", "make the exit of the program faster"),
        ("call", "{\"command\": \"time ./run src/exit.rs\"}"),
        ("result", "2.1s"),
        (
            "agent",
            "Telemetry waited for a timeout; it is detached now. Should Windows get the same?",
        ),
    ])
}

#[test]
fn a_model_tells_it_from_requests_and_conclusions() {
    let models = Script::new(|request| {
        assert_eq!(
            (step(request).as_str(), request.purpose.as_str()),
            ("summary", "summarise")
        );
        let record = content(request);
        for part in [
            "make the exit of the program faster",
            "exit.rs",
            "⟦what the person said⟧\n[1] make the exit",
            "ended: Telemetry waited for a timeout",
            "Should Windows get the same?",
        ] {
            assert!(record.contains(part), "{part} in {record}");
        }
        Ok(json!({
            "title": "Faster exit\nof the program",
            "description": "Telemetry no longer delays the exit.",
            "body": format!("## Done\n- Telemetry is detached.\n{}", "many more words\n".repeat(120)),
            "open": ["Whether Windows needs the same.", " "],
        })
        .to_string())
    });
    let summary = summarise(&dialogue(), &models, &Log::default());
    assert_eq!(summary.title, "Faster exit of the program");
    assert!(
        summary
            .body
            .starts_with("## Done\n- Telemetry is detached.")
    );
    assert!(
        summary
            .body
            .ends_with("## Open\n- Whether Windows needs the same."),
        "{}",
        summary.body
    );
    assert_eq!(summary.attrs, [("by".to_owned(), "model".to_owned())]);
    let quotes: Vec<&str> = summary
        .evidence
        .iter()
        .map(|one| one.quote.as_str())
        .collect();
    assert_eq!(quotes[0], "make the exit of the program faster");
    assert!(quotes[1].ends_with("Should Windows get the same?"));
}

#[test]
fn what_a_model_does_not_tell_the_rules_tell() {
    let told = [
        Err("no-provider"),
        Err("budget"),
        Ok("<html>"),
        Ok("{\"title\": \"\", \"body\": \"\"}"),
    ];
    for reply in told {
        let log = Log::default();
        let models = Script::new(move |_| reply.map(str::to_owned).map_err(failure));
        let summary = summarise(&dialogue(), &models, &log);
        assert!(summary.body.contains("## Asked"), "{}", summary.body);
        assert_eq!(summary.attrs, [("by".to_owned(), "rules".to_owned())]);
        assert!(
            log.holds(Level::Warn, "the summary is by the rules"),
            "{reply:?}"
        );
    }
    let models = Script::new(|_| Err(failure("never asked"))).with_budget(0, 0);
    assert_eq!(
        summarise(&dialogue(), &models, &Log::default()).attrs[0].1,
        "rules"
    );
    assert!(models.steps().is_empty());
}

#[test]
fn a_session_without_a_word_asks_nobody_and_is_not_told() {
    let models = Script::new(|_| Err(failure("never asked")));
    let summary = summarise(&Session::of(&[]), &models, &Log::default());
    assert!(summary.title.is_empty() && models.steps().is_empty());
}

#[test]
fn a_long_session_is_one_request_of_a_window() {
    let session = Session::made(6_000, |number| {
        let voice = if number % 4 == 1 { "person" } else { "agent" };
        crate::support::event(
            number,
            voice,
            &format!("words of number {number} ").repeat(8),
        )
    });
    let models = Script::new(|_| Err(failure("timeout")));
    summarise(&session, &models, &Log::default());
    let asked = models.asked.borrow();
    assert_eq!(asked.len(), 1);
    assert!(
        content(&asked[0]).len() <= 16_000 * 3,
        "{}",
        content(&asked[0]).len()
    );
    assert!(content(&asked[0]).contains("words of number 6000"));
}
