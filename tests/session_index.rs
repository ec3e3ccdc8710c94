//! The index of sessions: its bound, and how it is built beside searches.

use serde_json::json;

use crate::support::{Project, ran};

impl Project {
    /// Adds a session of Claude Code of that day: `replies` texts of 40 KB each, which have the word.
    fn talkative(&self, day: u32, word: &str, replies: usize) {
        let root = self.real_root();
        let id = format!("{day:08}-1111-4222-8333-444455556666");
        let line = |number: usize, kind: &str, text: &str| {
            let content = match kind {
                "user" => json!(text),
                _ => json!([{ "type": "text", "text": text }]),
            };
            let message = match kind {
                "user" => json!({ "role": "user", "content": content }),
                _ => json!({ "id": format!("m{number}"), "role": "assistant", "content": content,
                    "usage": { "input_tokens": 10, "output_tokens": 1 } }),
            };
            json!({
                "type": kind, "uuid": format!("e{number}"), "sessionId": id, "cwd": root, "version": "2.1.0",
                "timestamp": format!("2026-05-{day:02}T10:00:{number:02}.000Z"), "message": message,
            })
            .to_string()
        };
        let mut lines = vec![line(0, "user", &format!("Count the boats of day {day}."))];
        let text = format!("{word} {}", "one boat and another boat\n".repeat(1_600));
        lines.extend((1..=replies).map(|number| line(number, "assistant", &text)));
        let path = format!(".claude/projects/boats/{id}.jsonl");
        self.write(&path, (lines.join("\n") + "\n").as_bytes());
    }

    /// Searches with an index of so many megabytes; returns whether something was found, and what was said besides.
    fn found_within(&self, megabytes: u32, word: &str) -> (bool, String) {
        let mut command = self.command(&["sessions", "search", word]);
        command.env("ACRETA_SESSIONS__INDEX_MB", megabytes.to_string());
        let found = ran(command.output().unwrap()).succeeded();
        (found.stdout.contains("assistant: "), found.stderr)
    }
}

#[test]
fn the_index_of_sessions_is_bounded_and_says_what_it_leaves_out() {
    let project = Project::new();
    project.talkative(1, "aardvark", 18);
    project.talkative(2, "buffalo", 18);
    project.synced();
    assert!(project.found_within(1, "aardvark").0, "both have room");
    // With the third one there is no room for the first.
    project.talkative(3, "capybara", 18);
    project.synced();
    project.found_within(1, "capybara");
    let (is_found, said) = project.found_within(1, "aardvark");
    assert!(
        !is_found && said.contains("1 older session is left out"),
        "{said}"
    );
    for newer in ["buffalo", "capybara"] {
        assert!(project.found_within(1, newer).0, "{newer}");
    }
    // What its agent recorded counts nevertheless.
    let mut usage = project.command(&["usage", "--since", "2026-05-01", "--json"]);
    let usage = ran(usage
        .env("ACRETA_SESSIONS__INDEX_MB", "1")
        .output()
        .unwrap());
    assert_eq!(usage.succeeded().json()["total"]["output_tokens"], 54);

    let (is_found, said) = project.found_within(5, "aardvark");
    assert!(is_found && !said.contains("left out"), "{said}");
}

#[test]
fn who_searches_first_does_not_wait_for_the_index() {
    let project = Project::new();
    project.talkative(1, "aardvark", 1);
    project.talkative(2, "buffalo", 1);
    project.synced();
    let search = || {
        let mut command = project.command(&["sessions", "search", "aardvark"]);
        command.env("ACRETA_SESSIONS__WAIT_SECONDS", "0");
        ran(command.output().unwrap()).succeeded()
    };
    let first = search();
    assert_eq!(first.stdout, "", "nothing was read yet");
    let said = "0 of 2 sessions are indexed; the rest is being read in the background";
    assert!(first.stderr.contains(said), "{}", first.stderr);
    // Nobody else reads them: no search has time to.
    let found = (0..600).find(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        search().stdout.contains("aardvark")
    });
    assert!(found.is_some(), "the index was never built");
}
