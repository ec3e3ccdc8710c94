//! Reading a growing file, and a conversation that goes back to an earlier entry.

use acreta_sdk::adapter::testing::{ReadResult, START, files, read, steps};
use acreta_sdk::adapter::{Adapter, Cursor};
use adapter_pi::Pi;

use crate::support::{fixtures, scratch, session};

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/x"}"#;

/// Ids of entries, each with its parent's or an empty one.
type Entries<'a> = &'a [(&'a str, &'a str)];

/// Builds a file with a prompt per entry.
fn tree(entries: Entries<'_>) -> String {
    let mut text = format!("{HEADER}\n");
    for (id, parent) in entries {
        let parent = match *parent {
            "" => "null".to_owned(),
            id => format!("\"{id}\""),
        };
        text.push_str(&format!(
            "{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":{parent},\
             \"message\":{{\"role\":\"user\",\"content\":\"{id}\"}}}}\n"
        ));
    }
    text
}

fn ids(told: &ReadResult) -> Vec<&str> {
    told.events.iter().map(|event| &*event.id).collect()
}

#[test]
fn steps_tell_what_the_whole_tells() {
    let scratch = tempfile::tempdir().unwrap();
    for path in files(&fixtures()) {
        for step in [61, 500, 1013] {
            steps::<Pi>(&path, scratch.path(), step);
        }
    }
}

#[test]
fn the_branch_is_found_in_every_tree() {
    let line: Entries<'_> = &[("a", ""), ("b", "a"), ("c", "b")];
    let table: &[(&str, Entries<'_>, &[&str], usize)] = &[
        ("a line", line, &["a", "b", "c"], 0),
        (
            "one branch left",
            &[("a", ""), ("b", "a"), ("c", "a")],
            &["a", "c"],
            1,
        ),
        ("a new root", &[("a", ""), ("b", "a"), ("c", "")], &["c"], 2),
        (
            "branches in branches",
            &[
                ("a", ""),
                ("b", "a"),
                ("c", "b"),
                ("d", "b"),
                ("e", "a"),
                ("f", "d"),
            ],
            &["a", "b", "d", "f"],
            2,
        ),
        (
            "a lost parent",
            &[("a", ""), ("b", "a"), ("d", "c")],
            &["a", "b", "d"],
            0,
        ),
        ("its own parent", &[("a", ""), ("b", "b")], &["a", "b"], 0),
        (
            "a parent behind it",
            &[("a", ""), ("b", "c"), ("c", "b")],
            &["a", "b", "c"],
            0,
        ),
    ];
    let scratch = scratch();
    for (name, entries, expected, left) in table {
        let told = scratch.told(&tree(entries));
        assert_eq!(ids(&told), *expected, "{name}");
        let message = format!("{left} entries stand on branches that were left");
        assert_eq!(told.messages().contains(&&*message), *left > 0, "{name}");
    }
}

/// Reads `before`, then `after` from the cursor; none when the cursor is refused.
fn grown(before: &str, after: &str) -> Option<Vec<String>> {
    let scratch = scratch();
    scratch.write(before);
    let session = session(&scratch.path());
    let (_, cursor): (_, Cursor) = read::<Pi>(&session, &START);
    scratch.write(after);
    let mut told = ReadResult::default();
    match Pi::read(&session, &cursor, &mut told) {
        Ok(_) => Some(ids(&told).into_iter().map(str::to_owned).collect()),
        Err(failure) => {
            assert_eq!(failure.code, "invalid-cursor");
            assert!(told.events.is_empty());
            None
        }
    }
}

#[test]
fn going_back_refuses_the_cursor() {
    let known: Entries<'_> = &[("a", ""), ("b", "a")];
    let table: [(&str, Entries<'_>, Option<&[&str]>); 6] = [
        ("nothing new", &[], Some(&[])),
        ("going on", &[("c", "b")], Some(&["c"])),
        (
            "a branch within what is new",
            &[("c", "b"), ("d", "c"), ("e", "c")],
            Some(&["c", "e"]),
        ),
        ("back to an earlier entry", &[("c", "a")], None),
        ("back to the beginning", &[("c", "")], None),
        ("from an entry nobody knows", &[("d", "c")], None),
    ];
    for (name, new, expected) in table {
        let before = tree(known);
        let after = tree(&[known, new].concat());
        let told = grown(&before, &after);
        let expected = expected.map(|ids| ids.iter().map(|id| (*id).to_owned()).collect());
        assert_eq!(told, expected, "{name}");
    }
}

#[test]
fn another_file_refuses_the_cursor() {
    let (before, after) = (tree(&[("a", "")]), tree(&[("z", ""), ("b", "z")]));
    assert_eq!(grown(&before, &after), None);
    assert_eq!(grown(&after, &before), None);
}
