//! Reading a growing file: in steps as at once, and never from a file that was replaced.

use std::io::Cursor as Bytes;

use acreta_sdk::adapter::{Cursor, Event};

use crate::support::{
    ReadResult, START, any_session, assert_same, fixture, fixture_names, line, read, read_whole,
    session,
};

/// Files up to this size are cut at every offset, larger ones around every line break.
const SMALL: usize = 2500;

#[test]
fn two_steps_tell_what_one_tells() {
    for name in fixture_names() {
        let bytes = fixture(&name);
        let whole = read_whole(&bytes).events;
        let cuts: Vec<usize> = if bytes.len() <= SMALL {
            (0..bytes.len()).step_by(3).collect()
        } else {
            memchr::memchr_iter(b'\n', &bytes)
                .map(|at| at + 1)
                .collect()
        };
        for cut in cuts {
            assert_same(
                &in_steps(&bytes, &[cut]),
                &whole,
                &format!("{name} cut at {cut}"),
            );
        }
    }
}

#[test]
fn many_steps_tell_what_one_tells() {
    for name in fixture_names() {
        let bytes = fixture(&name);
        let whole = read_whole(&bytes).events;
        for step in [97, 1013] {
            let cuts: Vec<usize> = (0..bytes.len()).step_by(step).collect();
            assert_same(
                &in_steps(&bytes, &cuts),
                &whole,
                &format!("{name} by {step}"),
            );
        }
    }
}

/// Reads a file once at each of these sizes, and once more when it is whole.
fn in_steps(bytes: &[u8], sizes: &[usize]) -> Vec<Event> {
    let mut cursor = START;
    let mut events = Vec::new();
    for size in sizes.iter().copied().chain([bytes.len()]) {
        let (told, next) = read(&any_session(), Bytes::new(&bytes[..size]), &cursor);
        assert!(next.offset >= cursor.offset && next.offset <= size as u64);
        events.extend(told.events);
        cursor = next;
    }
    events
}

#[test]
fn a_file_that_did_not_grow_tells_nothing_new() {
    let bytes = fixture("demo-queue-retries.jsonl");
    let session = session("/claude/demo.jsonl", &bytes).unwrap();
    let (first, cursor) = read(&session, Bytes::new(&bytes), &START);
    assert_eq!(cursor.offset, bytes.len() as u64);
    let (second, again) = read(&session, Bytes::new(&bytes), &cursor);
    assert!(!first.events.is_empty() && second.events.is_empty());
    assert_eq!((cursor.offset, cursor.state), (again.offset, again.state));
}

#[test]
fn an_unfinished_tail_is_left_until_it_is_finished() {
    let first = line("a", "one");
    let second = line("b", "two");
    for cut in 1..second.len() {
        let half = format!("{first}\n{}", &second[..cut]);
        let (told, cursor) = read(&any_session(), Bytes::new(half.as_bytes()), &START);
        assert_eq!(told.texts(), [("user", "text", "one")], "{half}");
        assert_eq!(
            told.messages(),
            ["unfinished at the end of the file, left for the next read"]
        );
        assert_eq!(cursor.offset, first.len() as u64 + 1);
        let whole = format!("{first}\n{second}");
        let (told, cursor) = read(&any_session(), Bytes::new(whole.as_bytes()), &cursor);
        assert_eq!(told.texts(), [("user", "text", "two")]);
        assert_eq!(cursor.offset, whole.len() as u64);
    }
}

#[test]
fn a_cursor_fits_only_the_file_it_was_made_for() {
    let bytes = fixture("split-message.jsonl");
    let (_, cursor) = read(&any_session(), Bytes::new(&bytes), &START);
    let offset = cursor.offset;
    let mut rewritten = bytes.clone();
    let near_the_end = rewritten.len() - 20;
    rewritten[near_the_end] ^= 1;
    let shorter = &bytes[..bytes.len() - 1];
    let table: [(&str, &[u8], Cursor); 5] = [
        ("shorter", shorter, cursor.clone()),
        ("rewritten", &rewritten, cursor.clone()),
        (
            "beyond the end",
            &bytes,
            Cursor {
                offset: offset + 1,
                state: cursor.state,
            },
        ),
        (
            "without a state",
            &bytes,
            Cursor {
                offset,
                state: Vec::new(),
            },
        ),
        (
            "with another's state",
            &bytes,
            Cursor {
                offset,
                state: b"\x00\xff{}".to_vec(),
            },
        ),
    ];
    for (name, file, cursor) in table {
        let mut told = ReadResult::default();
        let failed = adapter_claude::read(&any_session(), Bytes::new(file), &cursor, &mut told);
        let failure = failed.expect_err(name);
        assert_eq!(
            (&*failure.code, failure.retryable),
            ("invalid-cursor", false),
            "{name}"
        );
        assert!(told.events.is_empty(), "{name}");
    }
}

#[test]
fn a_repeated_record_is_told_once_however_far_apart() {
    let mut file = line("a", "first");
    for number in 0..1000 {
        file.push_str(&format!("\n{}", line(&format!("n{number}"), "more")));
    }
    file.push('\n');
    let (_, cursor) = read(&any_session(), Bytes::new(file.as_bytes()), &START);
    file.push_str(&format!("{}\n{}\n", line("a", "first"), line("b", "last")));
    let (told, _) = read(&any_session(), Bytes::new(file.as_bytes()), &cursor);
    assert_eq!(told.texts(), [("user", "text", "last")]);
}

#[test]
fn the_state_stays_small() {
    let mut file = String::new();
    for number in 0..5000 {
        file.push_str(&format!(
            "{{\"type\":\"assistant\",\"sessionId\":\"s\",\"uuid\":\"u{number}\",\"message\":{{\
             \"id\":\"msg_{number}\",\"content\":[{{\"type\":\"tool_use\",\"id\":\"toolu_{number}\",\
             \"name\":\"Bash\",\"input\":{{}}}}]}}}}\n{{\"type\":\"queue-operation\",\
             \"operation\":\"enqueue\",\"content\":\"{}\",\"sessionId\":\"s\"}}\n",
            "x".repeat(100)
        ));
    }
    let (told, cursor) = read(&any_session(), Bytes::new(file.as_bytes()), &START);
    assert_eq!(told.events.len(), 5000);
    assert!(cursor.state.len() < 32 * 1024, "{}", cursor.state.len());
}
