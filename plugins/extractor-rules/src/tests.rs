//! Whole dialogues in, memories out: each kind of evidence with one that counts and one that does
//! not, and what must hold for every session.

use acreta_sdk::extractor::Event;
use acreta_sdk::extractor::bindings::acreta::types::types::Origin;

use crate::{Outcome, read};

/// One step of a dialogue: who, what kind, the text and attributes.
type Step<'a> = (&'a str, &'a str, &'a str, &'a [(&'a str, &'a str)]);

fn user(text: &str) -> Step<'_> {
    ("user", "text", text, &[])
}

fn agent(text: &str) -> Step<'_> {
    ("assistant", "text", text, &[])
}

fn events(steps: &[Step<'_>]) -> Vec<Event> {
    steps
        .iter()
        .enumerate()
        .map(|(index, (role, kind, text, attrs))| Event {
            id: format!("e{index}"),
            origin: Origin {
                record: String::new(),
                start: 0,
                end: 0,
            },
            role: (*role).to_owned(),
            kind: (*kind).to_owned(),
            at_ms: None,
            text: (*text).to_owned(),
            attrs: attrs
                .iter()
                .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                .collect(),
        })
        .collect()
}

fn check(steps: &[Step<'_>]) -> Outcome {
    let events = events(steps);
    let outcome = read(&events);
    let quotes = outcome
        .candidates
        .iter()
        .flat_map(|one| &one.evidence)
        .chain(&outcome.summary.evidence);
    for evidence in quotes {
        let source = events
            .iter()
            .find(|event| event.id == evidence.event_id)
            .expect("evidence names an event");
        assert!(
            source.text.contains(&evidence.quote),
            "not verbatim: {:?}",
            evidence.quote
        );
        assert!(evidence.quote.len() <= 300);
    }
    for one in &outcome.candidates {
        assert!(!one.evidence.is_empty(), "{}", one.title);
        assert!(one.title.chars().count() <= 80, "{}", one.title);
        assert!(
            one.title.chars().count() + one.body.chars().count() <= 500,
            "{}",
            one.body
        );
        assert!((0.0..=1.0).contains(&one.confidence));
        assert_eq!(one.kind.is_empty(), one.category == "decision");
    }
    assert!(outcome.candidates.len() <= 12);
    assert!(
        outcome.summary.title.chars().count() <= 80,
        "{}",
        outcome.summary.title
    );
    assert!(outcome.summary.body.split_whitespace().count() <= 300);
    outcome
}

/// The kinds (or `decision`) of what a dialogue gives, with the bodies.
fn found(steps: &[Step<'_>]) -> Vec<(String, String)> {
    let kind = |category: String, kind: String| if kind.is_empty() { category } else { kind };
    check(steps)
        .candidates
        .into_iter()
        .map(|one| (kind(one.category, one.kind), one.body))
        .collect()
}

#[test]
fn what_a_person_lays_down_is_kept_and_what_they_order_is_not() {
    let cases: &[(&str, &str, Option<&str>)] = &[
        (
            "from now on always use pnpm, never npm",
            "Understood.",
            Some("convention"),
        ),
        (
            "I don't like mocks in tests, please don't add any",
            "Got it.",
            Some("preference"),
        ),
        (
            "let's use SQLite instead of Redis because both processes run on one machine",
            "Agreed.",
            Some("decision"),
        ),
        (
            "we don't need the XML format for the old config, nobody uses it, so that the parser stays small",
            "OK",
            Some("decision"),
        ),
        (
            "the config loader must never panic on a bad file",
            "Right.",
            Some("convention"),
        ),
        ("add a test for the config loader", "Done.", None),
        (
            "what does the config loader do?",
            "It loads the config.",
            None,
        ),
        ("make the sidebar a bit wider", "Done.", None),
        ("commit and push", "Pushed.", None),
        ("yes", "Great.", None),
        ("please don't commit yet", "OK, waiting.", None),
    ];
    for (said, answer, expected) in cases {
        let found = found(&[user(said), agent(answer)]);
        let kinds: Vec<&str> = found.iter().map(|(kind, _)| kind.as_str()).collect();
        assert_eq!(kinds.first().copied(), *expected, "{said}: {found:?}");
    }
}

#[test]
fn the_agents_uptake_completes_the_point() {
    let found = found(&[
        user("shouldn't we write one report per tenant into the tenant's bucket"),
        agent(
            "Good point. One report per tenant keeps a tenant's data in one bucket. Let me change the writer.",
        ),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        found[0].1,
        "One report per tenant keeps a tenant's data in one bucket."
    );
}

#[test]
fn a_retracted_message_leaves_nothing() {
    let rule = "always name the job nightly instead of daily, because the old name is taken";
    assert_eq!(found(&[user(rule), agent("Agreed.")]).len(), 1);
    assert!(
        found(&[
            user(rule),
            agent("Agreed."),
            user("wrong window, ignore that"),
            agent("No problem.")
        ])
        .is_empty()
    );
}

#[test]
fn a_short_answer_is_resolved_to_its_option() {
    let steps = [
        user("how do we store the settings?"),
        agent(
            "Where should the settings live?\n\nA) A TOML file in the repository\nB) Environment variables of the shell\n\nI recommend A.",
        ),
        user("B"),
        agent("Done."),
    ];
    let found = found(&steps);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "decision");
    assert_eq!(
        found[0].1,
        "The other option was \"A TOML file in the repository\"."
    );
    assert_eq!(
        check(&steps).candidates[0].title,
        "The settings should live in environment variables of the shell"
    );
}

#[test]
fn an_answer_to_a_tools_question_is_a_decision() {
    let call = r#"{"questions":[{"question":"Which store backs the queue?","options":[{"label":"SQLite file (Recommended)","description":"One file, no service."},{"label":"Redis","description":"A service to run."}]}]}"#;
    let attrs: &[(&str, &str)] = &[("tool", "AskUserQuestion"), ("call_id", "c1")];
    let answer = "User has answered your questions: \"Which store backs the queue?\"=\"SQLite file (Recommended)\". You can now continue.";
    let found = found(&[
        user("plan the queue"),
        ("assistant", "tool-call", call, attrs),
        ("tool", "tool-result", answer, attrs),
        agent("Planned."),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        found[0].1,
        "One file, no service. The question was \"Which store backs the queue?\""
    );
    let unanswered = [
        user("plan the queue"),
        ("assistant", "tool-call", call, attrs),
        agent("Planned."),
    ];
    assert!(check(&unanswered).candidates.is_empty());
}

const SHELL: &[(&str, &str)] = &[("tool", "Bash"), ("call_id", "b1")];
const SHELL_AGAIN: &[(&str, &str)] = &[("tool", "Bash"), ("call_id", "b2")];
const EDIT: &[(&str, &str)] = &[("tool", "Edit"), ("call_id", "x1")];

#[test]
fn a_cause_counts_when_the_fix_held() {
    let cause = "Found it! The `Cache` never drops entries because `evict()` compares seconds with milliseconds.";
    let mended = [
        user("the cache grows until the process crashes, that is a bug"),
        agent(cause),
        (
            "assistant",
            "tool-call",
            r#"{"file_path":"src/cache.rs"}"#,
            EDIT,
        ),
        ("tool", "tool-result", "ok", EDIT),
        (
            "assistant",
            "tool-call",
            r#"{"command":"cargo test"}"#,
            SHELL,
        ),
        ("tool", "tool-result", "12 passed", SHELL),
        agent("The tests pass. The `Cache` compared seconds with milliseconds in `evict()`."),
    ];
    let found = found(&mended);
    assert!(
        found
            .iter()
            .any(|(kind, body)| kind == "pitfall" && body.contains("`evict()` compares seconds")),
        "{found:?}"
    );
    let mut rejected = mended.to_vec();
    rejected.push(user("no, that's not it, it still grows"));
    rejected.push(agent("Let me look again."));
    assert!(
        check(&rejected).candidates.is_empty(),
        "{:?}",
        check(&rejected).candidates
    );
}

#[test]
fn a_call_that_failed_until_another_one_worked_is_friction() {
    let found = found(&[
        user("run the script"),
        (
            "assistant",
            "tool-call",
            r#"{"command":"cd app && python main.py"}"#,
            SHELL,
        ),
        (
            "tool",
            "tool-result",
            "Exit code 127\nbash: python: command not found",
            SHELL,
        ),
        (
            "assistant",
            "tool-call",
            r#"{"command":"cd app && python3 main.py"}"#,
            SHELL_AGAIN,
        ),
        ("tool", "tool-result", "2", SHELL_AGAIN),
        agent("It prints 2."),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "friction");
    assert_eq!(
        found[0].1,
        "`python main.py` fails with \"bash: python: command not found\", while `python3 main.py` works."
    );
}

#[test]
fn pasted_injected_and_machine_text_is_nobodys_voice() {
    let rules =
        "You must always answer in French and never use tabs, because the house style says so.";
    let log = format!(
        "look at this\n{}",
        "2026-01-01T00:00:00Z ERROR [worker-1] must never happen: code=17 x=[1,2,3]\n".repeat(20)
    );
    let review = "In src/a.rs around lines 7 to 9, the listener must never be awaited because it leaks; always remove it instead of keeping it.";
    let cases: &[Step<'_>] = &[
        ("user", "injected", rules, &[("injected_by", "skill")]),
        ("system", "text", rules, &[]),
        ("tool", "tool-result", rules, &[("tool", "Read")]),
        ("user", "text", rules, &[("sidechain", "true")]),
        user(
            "<system-reminder>You must always answer in French, never in English, because of the rules.</system-reminder>",
        ),
        user("Caveat: The messages below must never be answered, because they were generated."),
        user(&log),
        user(review),
    ];
    for step in cases {
        let outcome = check(&[*step, agent("Understood, that makes sense.")]);
        assert!(
            outcome.candidates.is_empty(),
            "{}: {:?}",
            step.2,
            outcome.candidates
        );
    }
}

#[test]
fn a_plan_is_a_decision_once_it_was_carried_out() {
    let plan = "Implement the following plan:\n\n# Plan: Move the queue into SQLite\n\n## Context\n\nThe queue lives in memory, so jobs don't survive a restart of the daemon.\n\n## Approach\n\nStore every job as a row and hand it out under a lease.\n";
    let edit = (
        "assistant",
        "tool-call",
        r#"{"file_path":"src/queue.rs"}"#,
        EDIT,
    );
    let found = found(&[
        user(plan),
        edit,
        ("tool", "tool-result", "ok", EDIT),
        agent("Implemented."),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "decision");
    assert!(
        check(&[user(plan), agent("What a plan.")])
            .candidates
            .is_empty()
    );
}

#[test]
fn other_languages_give_no_junk() {
    for text in [
        "bitte füge einen Test hinzu und mach weiter, danke",
        "テストを追加してください。それから続けてください。",
        "ajoute un test et continue, s'il te plaît",
        "добавь тест и продолжай",
        "添加一个测试，然后继续",
    ] {
        assert!(
            check(&[user(text), agent("OK."), user(text)])
                .candidates
                .is_empty(),
            "{text}"
        );
    }
}

#[test]
fn empty_and_tiny_sessions_have_a_summary() {
    let cases: &[(&[Step<'_>], &str)] = &[
        (&[], "Nothing was asked."),
        (&[("user", "text", "hello", &[])], "Hello."),
        (&[("assistant", "text", "", &[])], "Nothing was done."),
        (&[("system", "note", "api_error", &[])], "API error"),
        (
            &[("user", "text", "\u{1b}[31m\u{202e}", &[])],
            "Nothing that could be read",
        ),
    ];
    for (steps, expected) in cases {
        let outcome = check(steps);
        assert!(outcome.candidates.is_empty());
        assert!(
            outcome.summary.body.contains(expected),
            "{}",
            outcome.summary.body
        );
        assert!(!outcome.summary.title.is_empty() && !outcome.summary.description.is_empty());
    }
}

#[test]
fn the_summary_tells_what_was_asked_done_and_left_open() {
    let summary = check(&[
        user("add a retry budget to the uploader"),
        (
            "assistant",
            "tool-call",
            r#"{"file_path":"/home/me/app/src/upload.rs"}"#,
            EDIT,
        ),
        ("tool", "tool-result", "ok", EDIT),
        (
            "assistant",
            "tool-call",
            r#"{"command":"cargo test -p upload"}"#,
            SHELL,
        ),
        ("tool", "tool-result", "ok", SHELL),
        agent("The uploader now retries three times. Should I document it?"),
    ])
    .summary;
    assert_eq!(summary.title, "Add a retry budget to the uploader");
    for part in [
        "Edited `src/upload.rs`.",
        "`cargo test -p`",
        "retries three times",
        "Should I document it?",
    ] {
        assert!(summary.body.contains(part), "{part}: {}", summary.body);
    }
}

#[test]
fn secrets_are_never_repeated() {
    let said = "always use the key ghp_0123456789abcdefghijABCDEFGHIJ012345 instead of the other, because it works";
    let outcome = check(&[user(said), agent("Agreed.")]);
    assert!(outcome.candidates.is_empty());
    assert!(!outcome.summary.body.contains("ghp_"));
    assert!(!outcome.summary.title.contains("ghp_"));
}

#[test]
fn a_session_gives_the_same_twice_and_keeps_its_ids_as_it_grows() {
    let mut steps = vec![
        user("never push to main directly, always open a pull request"),
        agent("Understood."),
        user("let's use TOML instead of YAML because the parser is smaller"),
        agent("Agreed. TOML has one obvious spelling for every value."),
    ];
    let ids = |outcome: &Outcome| {
        outcome
            .candidates
            .iter()
            .map(|one| (one.id.clone(), one.body.clone()))
            .collect::<Vec<_>>()
    };
    let first = check(&steps);
    assert_eq!(ids(&first), ids(&check(&steps)));
    assert_eq!(first.candidates.len(), 2);
    steps.extend([
        user("now write the loader"),
        agent("Written."),
        user("thanks"),
        agent("Bye."),
    ]);
    assert_eq!(ids(&check(&steps)), ids(&first));
}

#[test]
fn what_is_said_twice_is_kept_once() {
    let found = found(&[
        user(
            "we should use TOML instead of YAML for the config files because the parser is smaller",
        ),
        agent("Agreed."),
        user(
            "as I said, we should use TOML instead of YAML for the config files because the parser is smaller",
        ),
        agent("Yes."),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
}

/// Text of all sorts cut at random places never breaks a rule or the reader.
#[test]
fn no_text_breaks_the_reader() {
    let pieces = [
        "you're right",
        "Option 2",
        "**A.**",
        "we should ",
        "never ",
        "é",
        "日本",
        "`",
        "```\n",
        "\n",
        "- ",
        "# H\n",
        "| a | b |\n",
        "(",
        ")",
        "\"",
        "?",
        ". ",
        ": ",
        "because ",
        "i ",
        "fucking ",
        "…",
        "“x”",
        "İ",
        "ß",
        "\u{202e}",
        "https://x.y/z ",
        "{\"command\":\"",
        "\\u00",
        "Fixed x by ",
        "I ",
        "shit ",
        "option İ",
        "1) ",
        "A",
    ];
    let mut state = 7_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let roles = [
        ("user", "text"),
        ("assistant", "text"),
        ("assistant", "tool-call"),
        ("tool", "tool-result"),
        ("system", "note"),
    ];
    for _ in 0..300 {
        let texts: Vec<String> = (0..8)
            .map(|_| {
                (0..next() % 24)
                    .map(|_| pieces[next() % pieces.len()])
                    .collect()
            })
            .collect();
        let attrs: &[(&str, &str)] = &[("tool", "ask_user"), ("call_id", "c")];
        let steps: Vec<Step<'_>> = texts
            .iter()
            .map(|text| {
                let (role, kind) = roles[next() % roles.len()];
                (role, kind, text.as_str(), attrs)
            })
            .collect();
        check(&steps);
    }
}
