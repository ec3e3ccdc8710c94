//! What the person says: standing rules, choices, answers and plans, and what is not their voice.

use super::*;

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
fn a_decision_needs_somebody_who_takes_it_up() {
    let said = "the importer should only accept UTF-8 files, no other encodings";
    let edit = (
        "assistant",
        "tool-call",
        r#"{"file_path":"src/import.rs"}"#,
        EDIT,
    );
    let done: &[Step<'_>] = &[
        user(said),
        edit,
        ("tool", "tool-result", "ok", EDIT),
        agent("The importer is changed."),
    ];
    let kept = check(done).candidates;
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(
        kept[0].title,
        "The importer should only accept UTF-8 files, no other encodings"
    );
    assert_eq!(
        kept[0].body,
        "Decided by the user; `import.rs` was edited then."
    );
    let ignored: &[Step<'_>] = &[user(said), agent("Here is the list of files.")];
    assert!(check(ignored).candidates.is_empty());
    let musing = [
        user("semantically we should merge both reports, which is potentially tricky"),
        agent("There are three ways to do that."),
    ];
    assert!(check(&musing).candidates.is_empty());
}

#[test]
fn a_change_of_a_plan_comes_with_its_reason() {
    let plan = "Implement the following plan:\n\n# Plan: Smaller requests\n\n## Context\n\nRequests are large.\n\n### 1. Keep the shared header first in every request\n\nRationale: The server caches the longest prefix that two requests share.\n\n### 2. Update tests\n\nUpdate what breaks.\n";
    let edit = (
        "assistant",
        "tool-call",
        r#"{"file_path":"src/request.rs"}"#,
        EDIT,
    );
    let kept = check(&[
        user(plan),
        edit,
        ("tool", "tool-result", "ok", EDIT),
        agent("Implemented."),
    ])
    .candidates;
    let change = kept
        .iter()
        .find(|one| one.title == "Keep the shared header first in every request");
    assert_eq!(
        change.map(|one| one.body.as_str()),
        Some("The server caches the longest prefix that two requests share."),
        "{kept:?}"
    );
}

#[test]
fn kinds_of_evidence_can_be_left_out() {
    let events = events(&[
        user("from now on always use pnpm, never npm"),
        agent("Understood."),
    ]);
    for (left_out, expected) in [
        (&[][..], 1),
        (&["standing"], 0),
        (&["claim", "habit"], 1),
        (&["nonsense"], 1),
    ] {
        let mut reading = crate::Reading::without(left_out);
        for event in &events {
            reading.take(event);
        }
        assert_eq!(reading.finish().candidates.len(), expected, "{left_out:?}");
    }
}
