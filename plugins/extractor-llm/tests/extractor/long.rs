//! Sessions too long to be read whole: a model says where to read, and everything stays bounded.

use crate::support::{
    Log, Script, Session, by, content, event, extract, failure, finds, keeps_all_but, step,
};
use extractor_llm::{Level, Request, Settings};
use serde_json::json;

const RULE: &str = "our releases are cut from the branch stable and never from main, the mirror pulls only that one";
const CAUSE: &str = "the watcher lost events because inotify ran out of watches on the build host";

/// Where the person says the rule and the agent the cause.
const SAID: u64 = 702;
const FOUND: u64 = 304;

/// Long turns of tools, here and there a prompt; 9,000 events are 5 MB.
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

/// Reads around the prompt that stands out, searches for the cause, and reads what the search gave.
fn guide(request: &Request) -> Result<String, extractor_llm::Failure> {
    match step(request).as_str() {
        "navigate" => {
            let state = content(request);
            let hit = state
                .lines()
                .find(|line| line.contains("inotify") && line.starts_with("304: "));
            let reply = if hit.is_some() {
                json!({"read": [{"from": FOUND - 4, "to": FOUND + 4}], "search": [], "done": true})
            } else {
                json!({"read": [{"from": SAID - 10, "to": SAID + 20}], "search": ["INOTIFY", "x"], "done": false})
            };
            Ok(reply.to_string())
        }
        "window" => finds(
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
        ),
        _ => keeps_all_but(request, &[]),
    }
}

/// With windows this small the session of 1,200 events has too many.
fn small() -> Settings {
    Settings {
        window_tokens: 2_000,
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
        ["navigate", "window", "navigate", "window", "verify"]
    );
    assert!(
        largest(&models) <= 16_000 * 3 + 8_000,
        "{}",
        largest(&models)
    );
    let asked = models.asked.borrow();
    assert!(
        content(&asked[0]).contains("our releases are cut"),
        "the outline shows what was said"
    );
    assert!(
        content(&asked[2]).contains("Read so far: 692-722"),
        "{}",
        content(&asked[2])
    );
    assert!(
        content(&asked[2]).contains("- Releases are cut from"),
        "what was found is told"
    );
}

#[test]
fn a_model_that_never_has_enough_is_stopped() {
    // It asks for everything, over and over.
    let greedy = |request: &Request| {
        match step(request).as_str() {
        "navigate" => Ok(json!({"read": [{"from": 0, "to": 900_000}], "search": ["step", "line", "go on"], "done": false}).to_string()),
        _ => guide(request),
    }
    };
    let (session, models, log) = (session(9_000), Script::new(greedy), Log::default());
    let settings = Settings::default();
    extract(&session, &models, &log, &settings);
    assert!(
        models.count("window") <= settings.most_windows,
        "{:?}",
        models.steps()
    );
    assert!(
        models.count("navigate") <= settings.most_steps,
        "{:?}",
        models.steps()
    );
    assert!(
        largest(&models) <= 16_000 * 3 + 8_000,
        "{}",
        largest(&models)
    );
    // One pass for the lines, at most one for the places of the rules' evidence, one for each step.
    assert!(
        session.passes.get() <= 2 + settings.most_steps as u32,
        "{}",
        session.passes.get()
    );
    // What was read is not read again.
    let asked = models.asked.borrow();
    let windows: Vec<&Request> = asked.iter().filter(|one| step(one) == "window").collect();
    let first = |request: &&Request| {
        content(request)
            .lines()
            .find(|line| line.starts_with('['))
            .map(str::to_owned)
    };
    let mut starts: Vec<_> = windows.iter().map(first).collect();
    starts.dedup();
    assert!(starts.len() > 1, "{starts:?}");
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
        (2, Err("unavailable")),
        (2, Ok("{\"read\": [], \"search\": [], \"done\": false}")),
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
        assert_eq!(by_model, nth == 2, "{reply:?}: {found:?}");
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
