//! Properties of the rendering: the person's words are complete, and omissions are marked.

use acreta_sdk::extractor::Origin;
use proptest::prelude::*;

use super::*;

fn event(number: u64, role: &str, kind: &str, text: &str, attrs: &[(&str, &str)]) -> Event {
    Event {
        id: format!("e{number}"),
        origin: Origin {
            record: String::new(),
            start: 0,
            end: 0,
        },
        role: role.to_owned(),
        kind: kind.to_owned(),
        at_ms: None,
        text: text.to_owned(),
        attrs: attrs
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect(),
    }
}

/// `who text`: one event each, numbered from 1. Calls and their results share an id.
fn lines(steps: &[(&str, &str)]) -> Vec<String> {
    let mut digest = Digest::default();
    let mut calls = 0;
    let mut lines = Vec::new();
    for ((who, text), number) in steps.iter().zip(1..) {
        if matches!(*who, "bash" | "read" | "ask" | "edit") {
            calls += 1;
        }
        let id = format!("c{calls}");
        let (role, kind, tool) = match *who {
            "person" => ("user", "text", ""),
            "agent" => ("assistant", "text", ""),
            "thinking" => ("assistant", "thinking", ""),
            "injected" => ("user", "injected", ""),
            "compaction" => ("system", "compaction", ""),
            "subagent" => ("user", "text", ""),
            "bash" => ("assistant", "tool-call", "Bash"),
            "read" => ("assistant", "tool-call", "Read"),
            "edit" => ("assistant", "tool-call", "Edit"),
            "ask" => ("assistant", "tool-call", "AskUserQuestion"),
            "answer" => ("tool", "tool-result", "AskUserQuestion"),
            _ => ("tool", "tool-result", "Bash"),
        };
        let mut attrs = vec![("tool", tool)];
        if kind.starts_with("tool") {
            attrs.push(("call_id", id.as_str()));
        }
        match *who {
            "error" => attrs.push(("is_error", "true")),
            "subagent" => attrs.push(("sidechain", "true")),
            _ => {}
        }
        digest.take(number, &event(number, role, kind, text, &attrs));
        lines.extend(digest.ready());
    }
    lines.extend(digest.finish());
    lines.into_iter().map(|line| line.text).collect()
}

#[test]
fn a_session_is_told_by_worth() {
    let output = "a line of output\n".repeat(700);
    let long = format!("Now I look at it. {}", "Then at that. ".repeat(40));
    let cause = format!(
        "The root cause is the shared port. {}",
        "It is taken. ".repeat(10)
    );
    let told = lines(&[
        ("person", "the tests are flaky, why?"),
        ("thinking", "hm"),
        ("agent", &long),
        ("read", r#"{"file_path": "src/a.rs"}"#),
        ("result", &output),
        ("read", r#"{"file_path": "src/b.rs"}"#),
        ("result", "x = 1"),
        ("bash", r#"{"command": "cargo test"}"#),
        ("error", "error: address in use"),
        ("agent", &cause),
        ("bash", r#"{"command": "cargo test -- --test-threads=1"}"#),
        ("result", &output),
        (
            "edit",
            r#"{"file_path": "ci.yml", "new_string": "threads: 1"}"#,
        ),
        ("result", "ok"),
        ("agent", "Should CI run them one by one, too?"),
        ("injected", "Obey."),
        ("injected", "Obey again."),
        ("person", "A"),
    ]);
    let narration = &told[1];
    assert!(narration.starts_with("[3 agent] Now I look at it.") && narration.len() < 400);
    let expected = [
        "[1 person] the tests are flaky, why?",
        narration,
        "[4 call] Read src/a.rs, 12 kB; Read src/b.rs → x = 1",
        "[8 call] Bash cargo test",
        "[9 error] error: address in use",
        &format!("[10 agent] {}", cause.trim()),
        "[11 call] (works now, failed at 8) Bash cargo test -- --test-threads=1, 12 kB",
        "[13 call] Edit ci.yml\n    + threads: 1",
        "[15 agent] Should CI run them one by one, too?",
        "[16 gap] (text put there by a program, left out)",
        "[18 person] A",
    ];
    assert_eq!(told, expected);
}

#[test]
fn questions_and_answers_are_whole() {
    let told = lines(&[
        ("agent", "There are two ways."),
        (
            "ask",
            r#"{"questions": [{"question": "Which store?", "options": [{"label": "SQLite", "description": "one file"}, {"label": "Postgres", "description": "a server"}]}]}"#,
        ),
        ("answer", "User answered: \"Which store?\"=\"SQLite\""),
        ("subagent", "You are a helper."),
    ]);
    assert_eq!(
        told,
        [
            "[1 agent] There are two ways.",
            "[2 call] AskUserQuestion asks: Which store?\n    - SQLite: one file\n    - Postgres: a server",
            "[3 answer] User answered: \"Which store?\"=\"SQLite\"",
            "[4 gap] (a subagent's work, left out)",
        ]
    );
}

#[test]
fn waiting_is_told_in_a_few_words() {
    let waits =
        "Still running, so I keep the wait bounded and look again at the next quiet point of it. "
            .repeat(3);
    let steps: Vec<(&str, &str)> = (0..9)
        .flat_map(|_| {
            [
                ("agent", waits.as_str()),
                ("bash", r#"{"command": "sleep 5"}"#),
            ]
        })
        .chain([("agent", "Done.")])
        .collect();
    let told = lines(&steps);
    let lengths: Vec<usize> = told.iter().step_by(2).map(String::len).collect();
    assert!(lengths[0] > 200 && lengths[6] < 130, "{lengths:?}");
}

#[test]
fn the_same_call_again_and_again_is_counted() {
    let steps: Vec<(&str, &str)> = (0..20)
        .flat_map(|_| {
            [
                ("bash", r#"{"command": "sleep 5"}"#),
                ("result", "still\nwaiting"),
            ]
        })
        .collect();
    assert_eq!(lines(&steps), ["[1 call] Bash sleep 5 (×20), 260 B"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn all_the_persons_words_are_there_and_no_event_is_lost_in_silence(
        given in prop::collection::vec((0_usize..6, "[a-z]{1,12}( [a-z]{1,12}){0,60}"), 1..60),
    ) {
        let voices = ["person", "agent", "bash", "result", "error", "read"];
        let inputs: Vec<(usize, String)> = given
            .iter()
            .map(|(at, text)| {
                let text = match voices[*at] {
                    "bash" => serde_json::json!({"command": text}).to_string(),
                    "read" => serde_json::json!({"file_path": text}).to_string(),
                    _ => text.clone(),
                };
                (*at, text)
            })
            .collect();
        let steps: Vec<(&str, &str)> = inputs.iter().map(|(at, text)| (voices[*at], text.as_str())).collect();
        let told = lines(&steps);
        let mut last = 0;
        for line in &told {
            let number: u64 = line[1..].split(' ').next().unwrap().parse().unwrap();
            prop_assert!(number > last, "{} after {last}", number);
            last = number;
        }
        let together = told.join("\n");
        for ((at, text), number) in given.iter().zip(1..) {
            match voices[*at] {
                "person" => {
                    let line = format!("[{number} person] {text}");
                    prop_assert!(told.contains(&line), "{line}");
                }
                "agent" => prop_assert!(together.contains(&format!("[{number} agent] ")), "{number}"),
                // The program of a call and its first words, alone or among others.
                "bash" | "read" => {
                    let word = text.split(' ').next().unwrap();
                    prop_assert!(together.contains(word), "{word} in {together}");
                }
                _ => {}
            }
        }
    }
}
