//! Forked threads: their own records, their parent's, and the files of both.

use std::path::PathBuf;

use acreta_sdk::adapter::testing::{ReadResult, START, attribute, read};
use adapter_codex::Codex;

use crate::support::{
    Home, attr, fixture, message, meta, read_whole, session, user_message, wrapped,
};

const FORK: &str = "019ee20a-7711";
const PARENT: &str = "019ee201-5c00-7d11-8a44-0c1d2e3f4a01";

/// Returns the texts, each with the thread that it was copied from.
fn origins(told: &ReadResult) -> Vec<(&str, Option<&str>)> {
    let origin = |event| attribute(event, "copied_from");
    let events = told.events.iter();
    events.map(|event| (&*event.text, origin(event))).collect()
}

#[test]
fn the_beginning_of_a_fork_is_read_from_its_parent() {
    let path = fixture(FORK);
    let known = session(&path);
    assert_eq!(known.parent.as_deref(), Some(PARENT));
    assert_eq!(attr(&known, "relation"), Some("fork"));
    let (told, cursor) = read::<Codex>(&known, &START);
    assert_eq!(
        origins(&told),
        [
            ("Where do we validate postcodes?", Some(PARENT)),
            (
                "In `parcel/address.py`, with one regular expression per country.",
                Some(PARENT)
            ),
            (
                "Leave the validation where it is, but load the expressions from `countries.toml`.",
                None
            ),
            ("They are read from `countries.toml` now.", None),
        ]
    );
    assert_eq!(told.messages(), [""; 0]);
    let first = &told.events[0];
    assert_eq!(first.id, format!("{PARENT}@976"));
    assert_eq!((&*first.origin.record, first.origin.end), ("msg_p1", 0));
    assert_eq!(read::<Codex>(&known, &cursor).0.events.len(), 0);
}

/// Copies the fork under this name to a separate home, with these files next to it.
fn moved(name: &str, beside: &[(&str, &[u8])]) -> (Home, PathBuf) {
    let home = Home::new();
    for (name, bytes) in beside {
        home.write(name, bytes);
    }
    let path = home.write(name, &bytes_of(FORK));
    (home, path)
}

fn bytes_of(part: &str) -> Vec<u8> {
    std::fs::read(fixture(part)).unwrap()
}

#[test]
fn the_parent_may_lie_anywhere_beside_the_fork() {
    let name = format!("rollout-2026-06-20T10-00-00-{PARENT}.jsonl");
    let plain = bytes_of("019ee201-5c00");
    let packed = zstd::encode_all(&*plain, 3).unwrap();
    let table = [
        (
            "sessions/2026/06/20/a.jsonl",
            "archived_sessions/",
            "",
            &plain,
        ),
        (
            "sessions/2026/06/20/a.jsonl",
            "sessions/2025/12/31/",
            "",
            &plain,
        ),
        (
            "archived_sessions/a.jsonl",
            "sessions/2026/06/20/",
            "",
            &plain,
        ),
        ("sessions/a.jsonl", "sessions/2026/06/20/", ".zst", &packed),
        // Without a folder of sessions.
        ("a.jsonl", "", "", &plain),
    ];
    for (fork, folder, ending, bytes) in table {
        let parent = format!("{folder}{name}{ending}");
        let (_home, fork) = moved(fork, &[(&parent, bytes)]);
        let told = read_whole(&fork);
        assert_eq!(told.events.len(), 4, "{parent}: {:?}", told.messages());
    }
}

#[test]
fn a_fork_without_its_parent_says_so() {
    let unlike = format!("sessions/notes-{PARENT}.jsonl");
    let (_home, fork) = moved(
        "sessions/2026/06/20/rollout-a-fork.jsonl",
        &[(&unlike, &bytes_of("019ee201-5c00"))],
    );
    let told = read_whole(&fork);
    assert_eq!(
        told.messages(),
        [format!(
            "the beginning of this fork lies in `{PARENT}`, which is not here"
        )]
    );
    assert_eq!(told.events.len(), 2);
    assert!(origins(&told).iter().all(|(_, origin)| origin.is_none()));
}

#[test]
fn forks_of_forks_are_followed_and_never_in_a_circle() {
    let thread = |letter: &str| format!("019f0000-0000-7000-8000-00000000000{letter}");
    let file = |letter: &str, base: Option<&str>| {
        let base = base.map_or(String::new(), |base| {
            let base = thread(base);
            format!(r#","history_base":{{"thread_id":"{base}","end_byte_offset":9999,"end_ordinal_exclusive":99}}"#)
        });
        let meta = wrapped(
            "session_meta",
            &format!(r#"{{"id":"{}"{base}}}"#, thread(letter)),
        );
        vec![meta, message("user", &format!("from {letter}"))]
    };
    let name = |letter: &str| {
        format!(
            "sessions/rollout-2026-06-01T00-00-00-{}.jsonl",
            thread(letter)
        )
    };
    let home = Home::new();
    home.lines(&name("a"), &file("a", None));
    home.lines(&name("b"), &file("b", Some("a")));
    let youngest = home.lines(&name("c"), &file("c", Some("b")));
    let told = read_whole(&youngest);
    let (a, b) = (thread("a"), thread("b"));
    assert_eq!(
        origins(&told),
        [
            ("from a", Some(&*a)),
            ("from b", Some(&*b)),
            ("from c", None),
        ]
    );
    home.lines(&name("a"), &file("a", Some("c")));
    let told = read_whole(&youngest);
    assert_eq!(told.messages().len(), 1);
    assert_eq!(told.events.last().map(|event| &*event.text), Some("from c"));
}

#[test]
fn what_an_older_fork_copied_is_its_parents() {
    let path = fixture("019ee300-4002");
    let parent = "019ed99c-0a11-7c30-9b21-4be10f6d2a01";
    let known = session(&path);
    assert_eq!(known.parent.as_deref(), Some(parent));
    assert_eq!(
        origins(&read_whole(&path)),
        [
            (
                "tests/test_labels.py fails about once in ten runs. Find out why and fix it.",
                Some(parent)
            ),
            ("The test races the wall clock.", Some(parent)),
            (
                "Write down why in docs/testing.md: the clock is always an argument.",
                None
            ),
            ("Written.", None),
        ]
    );
    // Newer versions record where the copy ends.
    let home = Home::new();
    let other = wrapped("session_meta", r#"{"id":"another"}"#);
    let path = home.lines(
        "rollout.jsonl",
        &[
            meta(""),
            other,
            message("user", "theirs"),
            wrapped("event_msg", r#"{"type":"thread_settings_applied"}"#),
            message("user", "mine"),
            user_message("mine"),
        ],
    );
    assert_eq!(
        origins(&read_whole(&path)),
        [("theirs", Some("another")), ("mine", None)]
    );
}

#[test]
fn what_a_subagent_inherited_is_its_parents() {
    let home = Home::new();
    let counted = |ordinal: u64, text: &str| {
        message("user", text).replacen("\"type\"", &format!("\"ordinal\":{ordinal},\"type\""), 1)
    };
    let path = home.lines(
        "rollout.jsonl",
        &[
            meta(
                r#","source":{"subagent":{"thread_spawn":{"parent_thread_id":"mother","depth":1}}},"subagent_history_start_ordinal":2"#,
            ),
            counted(1, "theirs"),
            counted(2, "mine"),
        ],
    );
    let known = session(&path);
    assert_eq!(known.parent.as_deref(), Some("mother"));
    assert_eq!(attr(&known, "relation"), Some("subagent"));
    let told = read_whole(&path);
    assert_eq!(origins(&told), [("theirs", Some("mother")), ("mine", None)]);
    assert!(told.events.iter().all(|event| event.kind == "injected"));
}

#[test]
fn a_thread_that_was_turned_back_is_a_session_of_its_own() {
    let home = Home::new();
    let thread = crate::support::THREAD;
    let path = home.lines(
        &format!("sessions/rollout-2026-06-01T00-00-00-{thread}_019f1111-new.jsonl"),
        &[meta(""), message("user", "again")],
    );
    let known = session(&path);
    assert_eq!(known.id, "019f1111-new");
    assert_eq!(known.parent.as_deref(), Some(thread));
    assert_eq!(attr(&known, "relation"), Some("fork"));
}
