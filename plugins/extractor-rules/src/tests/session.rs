//! Invariants of every session: a summary if anything happened, no secrets, deterministic results, no panic on any text.

use super::*;

#[test]
fn a_session_in_which_nothing_happened_has_an_empty_summary() {
    let cases: [&[DialogueStep<'_>]; 5] = [
        &[],
        &[("user", "text", "hello", &[])],
        &[("assistant", "text", "", &[])],
        &[("system", "note", "api_error", &[])],
        &[("user", "text", "\u{1b}[31m\u{202e}", &[])],
    ];
    for steps in cases {
        let outcome = check(steps);
        assert!(outcome.candidates.is_empty());
        let summary = outcome.summary;
        assert_eq!((summary.title.as_str(), summary.body.as_str()), ("", ""));
    }
}

#[test]
fn work_that_nobody_asked_for_is_told_by_the_agents_account() {
    let summary = check(&[(
        "assistant",
        "text",
        "Moved the retry budget into the uploader. All tests pass.",
        &[],
    )])
    .summary;
    assert_eq!(summary.title, "Moved the retry budget into the uploader");
}

#[test]
fn a_title_has_no_loose_end() {
    for request in [
        "add a retry budget to the uploader:\\",
        "add a retry budget to the uploader.",
        "add a retry budget to the uploader: ",
    ] {
        let title = check(&[user(request)]).summary.title;
        assert_eq!(title, "Add a retry budget to the uploader");
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
fn only_requests_are_listed_as_asked() {
    let summary = check(&[
        user("Now i've got it, thanks"),
        agent("Good."),
        user("The export misses the last row."),
        agent("Found it."),
        user("perfect"),
        agent("Glad to hear it."),
        user("Great. Could you add a test for that?"),
        agent("Added."),
    ])
    .summary;
    let asked = summary.body.split("##").nth(1).unwrap_or("");
    assert_eq!(
        asked.trim(),
        "Asked\n- The export misses the last row.\n- Could you add a test for that?"
    );
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

/// Cuts texts of all sorts at random offsets; no rule and no reader may panic.
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
        let steps: Vec<DialogueStep<'_>> = texts
            .iter()
            .map(|text| {
                let (role, kind) = roles[next() % roles.len()];
                (role, kind, text.as_str(), attrs)
            })
            .collect();
        check(&steps);
    }
}
