//! Summaries, and what holds for every session: deterministic results, no panic on any text.

use super::*;

const SHELL: &[(&str, &str)] = &[("tool", "Bash"), ("call_id", "b1")];
const EDIT: &[(&str, &str)] = &[("tool", "Edit"), ("call_id", "x1")];

#[test]
fn a_session_in_which_nothing_happened_has_an_empty_summary() {
    let cases: [&[Step<'_>]; 5] = [
        &[],
        &[user("hello")],
        &[agent("")],
        &[("system", "note", "api_error", &[])],
        &[user("\u{1b}[31m\u{202e}")],
    ];
    for steps in cases {
        let summary = check(steps).summary;
        assert_eq!((summary.title.as_str(), summary.body.as_str()), ("", ""));
    }
}

#[test]
fn the_summary_tells_what_was_asked_done_and_left_open() {
    let summary = check(&[
        user("add a retry budget to the uploader:\n```\nnever mind the log\n```"),
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
        ("tool", "tool-result", "Should this be open? No.", SHELL),
        agent("The uploader now retries three times. Should I document it?"),
    ])
    .summary;
    assert_eq!(summary.title, "Add a retry budget to the uploader");
    assert_eq!(
        summary.body,
        "## Asked\n- Add a retry budget to the uploader.\n\n## Done\n- The uploader now retries three times.\n\
         - Edited `src/upload.rs`.\n- Ran `cargo test -p`.\n\n## Open\n- Should I document it?\n"
    );
}

#[test]
fn work_that_nobody_asked_for_is_told_by_the_agents_account() {
    let said = agent("Moved the retry budget into the uploader. All tests pass.");
    let title = check(&[said]).summary.title;
    assert_eq!(title, "Moved the retry budget into the uploader");
}

#[test]
fn remarks_of_a_few_words_are_not_listed_as_asked() {
    let summary = check(&[
        user("The export misses the last row."),
        agent("Found it in the reader."),
        user("perfect"),
        agent("Glad to hear it."),
        user("thanks a lot"),
        agent("Sure."),
        user("Great. Could you add a test for that?"),
        agent("Added."),
    ])
    .summary;
    let asked = summary.body.split("##").nth(1).unwrap_or("");
    let lines = "Asked\n- The export misses the last row.\n- Could you add a test for that?";
    assert_eq!(asked.trim(), lines);
}

#[test]
fn encoded_and_redacted_text_is_not_repeated() {
    let key = "Ab3".repeat(40);
    for said in [
        format!("always use the key {key} here"),
        "always use the key [REDACTED] here".to_owned(),
    ] {
        let outcome = check(&[
            user(&said),
            agent("Agreed, that is what I will do from here on."),
        ]);
        assert!(outcome.candidates.is_empty());
        assert!(!outcome.summary.body.contains("the key"));
    }
}

#[test]
fn a_given_title_counts_if_it_says_something() {
    let long = "word ".repeat(20);
    for (given, expected) in [
        ("Fix double booking race", Some("Fix double booking race")),
        (
            "stale calendar for berth A12.",
            Some("Stale calendar for berth A12"),
        ),
        ("New session - 2026-11-17T10:00:00.000Z", None),
        ("refactor", None),
        (long.as_str(), None),
        ("two\nlines of it", None),
        ("", None),
    ] {
        assert_eq!(given_title(given).as_deref(), expected, "{given}");
    }
}

#[test]
fn a_session_gives_the_same_twice_and_keeps_its_ids_as_it_grows() {
    let mut steps = vec![
        user("never push to main directly, always open a pull request"),
        agent("Understood. Where do the settings live?\nA) in TOML files\nB) in YAML files"),
        user("A"),
        agent("Agreed."),
    ];
    let ids = |steps: &[Step<'_>]| -> Vec<(String, String)> {
        let candidates = check(steps).candidates.into_iter();
        candidates.map(|one| (one.id, one.body)).collect()
    };
    let first = ids(&steps);
    assert_eq!(first, ids(&steps));
    assert_eq!(first.len(), 2);
    steps.extend([user("now write the loader"), agent("Written.")]);
    assert_eq!(ids(&steps), first);
}

/// Joins texts of all sorts at random; no rule and no reader may panic.
#[test]
fn no_text_breaks_the_reader() {
    check(&[agent("A) x\nB) y"), user("(\u{3000}é, b")]);
    let pieces = [
        "Option 2",
        "**A.**",
        "A) x B) y",
        "never ",
        "always ",
        "é",
        "日本",
        "必ず",
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
        "…",
        "“x”",
        "İ",
        "ß",
        "\u{202e}",
        "https://x.y/z ",
        "{\"command\":\"",
        "\\u00",
        "{\"question\":\"a?\"}",
        "1) ",
        "2b ",
        "A",
        "B, ",
        "\u{3000}",
        "the second",
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
    for _ in 0..400 {
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
