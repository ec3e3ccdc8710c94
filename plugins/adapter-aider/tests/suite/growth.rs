//! A growing chat history: reading in steps gives the same as reading at once.

use acreta_sdk::adapter::Adapter;
use acreta_sdk::adapter::testing::{ReadResult, START, files, read, steps};
use adapter_aider::Aider;

use crate::support::{fixtures, scratch, session};

const HEADER: &str = "\n# aider chat started at 2026-01-01 00:00:00\n\n> Aider v1  \n\n";

#[test]
fn steps_tell_what_the_whole_tells() {
    let scratch = tempfile::tempdir().unwrap();
    for path in files(&fixtures()) {
        for step in [5, 64, 500] {
            steps::<Aider>(&path, scratch.path(), step);
        }
    }
}

#[test]
fn a_block_that_grew_refuses_the_cursor() {
    let table: [(&str, &str, Option<&[&str]>); 11] = [
        ("#### one  \n", "\n#### two  \n", Some(&["two"])),
        ("#### one  \n", "#### more  \n", None),
        ("reply\n\n", "#### heading  \n", None),
        (
            "> ^C again to exit  \n\nreply\n\n\n",
            "#### next  \n",
            Some(&["next"]),
        ),
        ("reply\n\n", "more of it\n", None),
        ("reply\n\n", "> Tokens: 5 sent, 6 received.  \n", None),
        (
            "reply\n\n",
            "> Applied edit to a.py  \n",
            Some(&["Applied edit to a.py"]),
        ),
        ("> one  \n", "> more  \n", None),
        ("> one\n", "\nmore  \n", None),
        ("> one  \n", "\nreply\n", Some(&["reply"])),
        // A header of a session stands below a blank line; this is a reply.
        (
            "#### one  \n",
            "# aider chat started at 2026-01-01 00:00:00\n",
            Some(&["# aider chat started at 2026-01-01 00:00:00"]),
        ),
    ];
    let scratch = scratch();
    for (before, new, expected) in table {
        scratch.write(&format!("{HEADER}{before}"));
        let session = session(&scratch.path());
        let (_, cursor) = read::<Aider>(&session, &START);
        scratch.write(&format!("{HEADER}{before}{new}"));
        let mut told = ReadResult::default();
        let read = Aider::read(&session, &cursor, &mut told);
        let context = format!("{before:?} and {new:?}");
        match expected {
            Some(texts) => {
                read.unwrap();
                let told: Vec<_> = told.events.iter().map(|event| &*event.text).collect();
                assert_eq!(told, texts, "{context}");
            }
            None => {
                assert_eq!(read.unwrap_err().code, "invalid-cursor", "{context}");
                assert!(told.events.is_empty(), "{context}");
            }
        }
    }
}

#[test]
fn a_session_ends_where_the_next_begins() {
    let scratch = scratch();
    let first = format!("{HEADER}#### one  \n");
    scratch.write(&first);
    let session = session(&scratch.path());
    let (_, cursor) = read::<Aider>(&session, &START);
    let next = HEADER.replace("2026-01-01", "2026-01-02");
    scratch.write(&format!("{first}{next}#### two  \n"));
    let (told, end) = read::<Aider>(&session, &cursor);
    assert!(told.events.is_empty());
    assert_eq!(end.offset, first.len() as u64 + 1);
}
