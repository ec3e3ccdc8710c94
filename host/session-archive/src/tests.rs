//! Tests of the trace archive: names, writing, archiving, reading, damage.

use std::collections::BTreeSet;
use std::sync::Arc;

use acreta_fs::faults::{Errno, Failure, Recorder, Times};
use acreta_fs::{Directory, Faults, NoFaults};
use acreta_redact::Redactor;
use acreta_types::{Attrs, Cursor, Event, EventSink, Origin, Session, TraceReader};
use camino::{Utf8Path, Utf8PathBuf};

use crate::{TraceArchive, TraceFile, TraceLimits, TraceWriter, clean_cursor, clean_session};

struct TestArchive {
    _folder: tempfile::TempDir,
    root: Utf8PathBuf,
    archive: TraceArchive,
}

impl TestArchive {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        let directory = Directory::open(&root, NoFaults::shared()).unwrap();
        Self {
            _folder: folder,
            root,
            archive: TraceArchive::new(&directory),
        }
    }

    fn writer(&self, limits: TraceLimits) -> TraceWriter {
        let redactor = Arc::new(Redactor::new(&[]).unwrap());
        self.archive
            .write("claude", "s1", redactor, limits)
            .unwrap()
    }

    /// Archives `events` and opens the result.
    fn keep(&self, events: Vec<Event>) -> TraceFile {
        let mut writer = self.writer(TraceLimits::default());
        writer.emit(events).unwrap();
        writer.finish().unwrap().keep().unwrap();
        self.archive.open("claude", "s1").unwrap()
    }

    fn names(&self) -> Vec<String> {
        let folder = self.root.join("claude");
        let entries = folder.read_dir_utf8().unwrap();
        entries
            .map(|entry| entry.unwrap().file_name().to_owned())
            .collect()
    }
}

fn event(id: &str, role: &str, text: &str) -> Event {
    Event {
        id: id.to_owned(),
        origin: Origin {
            record: format!("record-{id}"),
            start: 10,
            end: 20,
        },
        role: role.to_owned(),
        kind: "text".to_owned(),
        at_ms: None,
        text: text.to_owned(),
        attrs: Attrs::default(),
    }
}

fn ids(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| event.id.as_str()).collect()
}

fn secret() -> String {
    format!("ghp_{}", "aB3dE6gH9".repeat(4))
}

#[test]
fn every_session_has_a_name_of_its_own() {
    let plain = [
        "claude",
        "A",
        "123e4567-e89b-12d3-a456-426614174000",
        "ses_0aZ.1",
    ];
    for id in plain {
        assert_eq!(
            TraceArchive::relative_path("codex", id),
            format!("codex/{id}.jsonl")
        );
    }
    let long = "a".repeat(129);
    let digest = TraceArchive::relative_path("a", "..")
        .file_stem()
        .unwrap()
        .to_owned();
    let hostile = [
        "",
        ".",
        "..",
        "a..b",
        "/etc/passwd",
        "../../x",
        "a/b",
        "a\\b",
        "-rf",
        "_x",
        ".hidden",
        "a b",
        "ü",
        "a\0b",
        "a\n",
        "NUL",
        "con.txt",
        "COM1",
        "a.",
        &long,
        &digest,
    ];
    let mut names = BTreeSet::new();
    for id in hostile {
        let path = TraceArchive::relative_path(id, id);
        let (agent, name) = path.as_str().split_once('/').unwrap();
        let name = name.strip_suffix(".jsonl").unwrap();
        assert_eq!(agent, name, "{id:?}");
        assert!(name.len() == 34 && name.starts_with("x-"), "{id:?}: {name}");
        assert!(names.insert(name.to_owned()), "{id:?}");
    }
}

#[test]
fn a_kept_trace_reads_as_it_was_told() {
    let place = TestArchive::new();
    let mut first = event("1", "user", "Use \"SQLite\"\nnot Postgres");
    first.at_ms = Some(2_000);
    first.attrs.push("model", "m");
    let mut second = event("2", "assistant", "ünïcode 🦀");
    second.at_ms = Some(1_000);
    let third = event("3", "tool", "");

    let mut writer = place.writer(TraceLimits::default());
    writer.emit(vec![first.clone(), second.clone()]).unwrap();
    writer.emit(vec![third.clone()]).unwrap();
    writer.diagnose("line 7", 70, 80, "not JSON");
    writer.diagnose("line 8", 80, 90, "records of the unknown type `cost-state`");
    let pending = writer.finish().unwrap();
    assert_eq!(pending.target(), "claude/s1.jsonl");

    let stats = pending.stats().clone();
    assert_eq!(
        (stats.events, stats.first_ms, stats.last_ms),
        (3, Some(1_000), Some(2_000))
    );
    assert_eq!(
        stats.by_role.into_iter().collect::<Vec<_>>(),
        [("assistant", 1), ("tool", 1), ("user", 1)]
    );
    assert_eq!(
        (
            stats.diagnostics_total,
            stats.diagnostics[0].message.as_str()
        ),
        (1, "not JSON")
    );
    assert_eq!(stats.unknown_types, 1, "a new type is no damage");
    assert!(!place.archive.contains("claude", "s1").unwrap());

    let mut before = pending.open().unwrap();
    assert_eq!(
        before.next(u32::MAX).unwrap(),
        [first.clone(), second.clone(), third.clone()]
    );
    let bytes = pending.keep().unwrap().bytes;
    assert_eq!(place.names(), ["s1.jsonl"]);
    let path = place.archive.path("claude", "s1");
    assert_eq!(path.metadata().unwrap().len(), bytes);

    let mut after = TraceFile::open_path(&path, NoFaults::shared()).unwrap();
    assert_eq!(after.count(), 3);
    assert_eq!(after.next(u32::MAX).unwrap(), [first, second, third]);
    assert_eq!(after.next(u32::MAX).unwrap(), []);
}

#[cfg(unix)]
#[test]
fn archived_traces_are_their_owners() {
    use std::os::unix::fs::PermissionsExt;

    let place = TestArchive::new();
    place.keep(vec![event("1", "user", "x")]);
    for (path, mode) in [("claude", 0o700), ("claude/s1.jsonl", 0o600)] {
        let permissions = place.root.join(path).metadata().unwrap().permissions();
        assert_eq!(permissions.mode() & 0o777, mode, "{path}");
    }
}

#[test]
fn a_dropped_trace_leaves_the_earlier_one() {
    let place = TestArchive::new();
    place.keep(vec![event("old", "user", "old")]);

    let mut writer = place.writer(TraceLimits::default());
    writer.emit(vec![event("new", "user", "new")]).unwrap();
    drop(writer);
    let mut writer = place.writer(TraceLimits::default());
    writer.emit(vec![event("new", "user", "new")]).unwrap();
    let pending = writer.finish().unwrap();
    assert!(pending.path().exists());
    drop(pending);

    assert_eq!(place.names(), ["s1.jsonl"]);
    assert!(
        place
            .archive
            .open("claude", "s1")
            .unwrap()
            .resolve("old")
            .unwrap()
            .is_some()
    );
}

#[test]
fn two_writers_of_a_session_do_not_meet() {
    let place = TestArchive::new();
    let (mut one, mut two) = (
        place.writer(TraceLimits::default()),
        place.writer(TraceLimits::default()),
    );
    one.emit(vec![event("one", "user", "1")]).unwrap();
    two.emit(vec![event("two", "user", "2")]).unwrap();
    let (one, two) = (one.finish().unwrap(), two.finish().unwrap());
    two.keep().unwrap();
    one.keep().unwrap();
    assert_eq!(place.names(), ["s1.jsonl"]);
    assert_eq!(
        ids(&place
            .archive
            .open("claude", "s1")
            .unwrap()
            .next(100)
            .unwrap()),
        ["one"]
    );
}

#[test]
fn secrets_reach_no_part_of_the_file() {
    let place = TestArchive::new();
    let mut first = event("1", "tool", &format!("key: {}", secret()));
    first.attrs.push("command", secret());
    let mut writer = place.writer(TraceLimits::default());
    writer.emit(vec![first]).unwrap();
    writer.diagnose("1", 0, 0, &format!("bad line {}", secret()));
    let pending = writer.finish().unwrap();
    let stats = pending.keep().unwrap();

    assert_eq!(stats.redactions.of("github-token"), 3);
    assert_eq!(
        stats.diagnostics[0].message,
        "bad line [redacted:github-token]"
    );
    let text = std::fs::read_to_string(place.archive.path("claude", "s1")).unwrap();
    assert!(
        !text.contains(&secret()) && text.matches("[redacted:github-token]").count() == 2,
        "{text}"
    );
}

#[test]
fn a_file_of_secrets_goes_from_the_result_of_the_call_that_reads_it() {
    let place = TestArchive::new();
    let of_call = |id: &str, kind: &str, call: &str, text: &str| {
        let mut event = event(id, "tool", text);
        event.kind = kind.to_owned();
        event.attrs.push("call_id", call);
        event
    };
    let word = ["rK82vQ!pLx", "Wn4TzB"].concat();
    let hash = "3f786850e387550fdab836ed7e6dc881de23001b";
    let mut trace = place.keep(vec![
        of_call(
            "1",
            "tool-call",
            "a",
            r#"{"command":"cat .vault_pass; ls"}"#,
        ),
        of_call("2", "tool-call", "b", r#"{"command":"git rev-parse HEAD"}"#),
        of_call("3", "tool-result", "b", hash),
        of_call("4", "tool-result", "a", &format!("{word}\nsite.yml\n")),
    ]);
    let texts: Vec<String> = trace
        .next(100_000)
        .unwrap()
        .into_iter()
        .map(|it| it.text)
        .collect();
    assert_eq!(texts[2..], [hash, "[redacted:secret-file]\nsite.yml\n"]);
}

#[test]
fn a_text_without_secrets_goes_once_it_is_known_to_be_one() {
    let archive = TestArchive::new();
    let named = |id: &str, text: &str| {
        let attrs = Attrs(vec![(
            "who".to_owned(),
            "Kestrel-Ember-Otter-47".to_owned(),
        )]);
        Event {
            attrs,
            ..event(id, "user", text)
        }
    };
    let mut trace = archive.keep(vec![
        named("1", "hello"),
        named("2", "hello"),
        event(
            "3",
            "user",
            "The password is Kestrel-Ember-Otter-47, use it.",
        ),
        named("4", "hello"),
    ]);
    let events = trace.next(1024 * 1024).unwrap();
    let who: Vec<&str> = events.iter().filter_map(|it| it.attrs.get("who")).collect();
    assert_eq!(who[..2], ["Kestrel-Ember-Otter-47"; 2]);
    assert!(who[2].starts_with("[redacted:"), "{who:?}");
}

#[test]
fn calls_that_may_be_notes_are_known() {
    for (kind, tool, text, expected) in [
        ("tool-call", "mcp__acreta__memory_note", "{}", true),
        ("tool-call", "Bash", "acreta memory note 'No deploys'", true),
        (
            "tool-call",
            "use_mcp_tool",
            "{\"tool_name\":\"memory_note\"}",
            true,
        ),
        ("tool-call", "Bash", "cargo test", false),
        ("tool-result", "Bash", "acreta memory_note", false),
    ] {
        let call = Event {
            kind: kind.to_owned(),
            attrs: Attrs(vec![("tool".to_owned(), tool.to_owned())]),
            ..event("1", "assistant", text)
        };
        let archive = TestArchive::new();
        let mut writer = archive.writer(TraceLimits::default());
        writer.emit(vec![call]).unwrap();
        assert_eq!(writer.stats().may_have_notes, expected, "{tool} {text}");
    }
}

#[test]
fn what_an_adapter_says_is_brought_into_bounds() {
    let place = TestArchive::new();
    let long_id = "x".repeat(300);
    let mut odd = event("", "robot", "b");
    odd.kind = "Not A Kind".to_owned();
    let events = vec![
        event("a", "user", "1"),
        event("a", "user", "2"),
        event("a~2", "user", "3"),
        event("a", "user", "4"),
        odd,
        event(&long_id, "user", "5"),
    ];
    let mut writer = place.writer(TraceLimits::default());
    writer.emit(events).unwrap();
    let pending = writer.finish().unwrap();

    let read = pending.open().unwrap().next(u32::MAX).unwrap();
    assert_eq!(ids(&read)[..5], ["a", "a~2", "a~2~2", "a~3", "event-5"]);
    assert!(read[5].id.starts_with("x-") && read[5].id.len() == 34);
    assert_eq!(
        (read[4].role.as_str(), read[4].kind.as_str()),
        ("system", "note")
    );
    let messages: Vec<&str> = pending
        .stats()
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.message.as_str())
        .collect();
    assert_eq!(
        messages[..6],
        [
            "event id `a` came again, now `a~2`",
            "event id `a~2` came again, now `a~2~2`",
            "event id `a` came again, now `a~3`",
            "event without an id",
            "event `event-5` has kind `Not A Kind`, taken as `note`",
            "event `event-5` has role `robot`, taken as `system`",
        ]
    );
    assert_eq!(pending.stats().diagnostics[0].record, "record-a");
}

#[test]
fn one_id_a_hundred_thousand_times_is_no_trouble() {
    let place = TestArchive::new();
    let mut writer = place.writer(TraceLimits::default());
    writer
        .emit((0..100_000).map(|_| event("same", "user", "x")).collect())
        .unwrap();
    let stats = writer.finish().unwrap().keep().unwrap();
    assert_eq!(
        (
            stats.events,
            stats.diagnostics_total,
            stats.diagnostics.len()
        ),
        (100_000, 99_999, 1_000)
    );
    let mut trace = place.archive.open("claude", "s1").unwrap();
    assert_eq!(trace.count(), 100_000);
    assert!(trace.resolve("same~100000").unwrap().is_some());
}

#[test]
fn secrets_go_wherever_an_adapter_puts_them() {
    let place = TestArchive::new();
    let hostile = |number: u64| {
        let mut event = event(&format!("{number}-{}", secret()), "user", "plain");
        event.origin.record = format!("record {}", secret());
        event.attrs.push(format!("key {}", secret()), "value");
        event.attrs.push("key", format!("value {}", secret()));
        event
    };
    let mut writer = place.writer(TraceLimits::default());
    writer.emit(vec![hostile(1), hostile(2)]).unwrap();
    writer.diagnose(&format!("record {}", secret()), 0, 1, &secret());
    let stats = format!("{:?}", writer.stats());
    let trace = writer.finish().unwrap();
    let written = std::fs::read_to_string(trace.path()).unwrap();
    for text in [stats, written] {
        assert!(!text.contains(&secret()), "{text}");
    }
    let events = trace.open().unwrap().next(u32::MAX).unwrap();
    assert_ne!(events[0].id, events[1].id, "still told apart");

    let redactor = Redactor::new(&[]).unwrap();
    let mut session = Session {
        id: format!("1-{}", secret()),
        agent: "claude".to_owned(),
        path: "/claude/1.jsonl".to_owned(),
        project_dir: Some(format!("/src/{}", secret())),
        parent: Some(secret()),
        started_ms: None,
        updated_ms: None,
        revision: secret(),
        attrs: Attrs(vec![(secret(), secret())]),
    };
    clean_session(&mut session, &redactor);
    assert!(!format!("{session:?}").contains(&secret()), "{session:?}");
    let once = session.clone();
    clean_session(&mut session, &redactor);
    assert_eq!(session, once);

    // A cursor is the adapter's own: with a secret in it the next read starts anew.
    for (state, is_kept) in [("{\"calls\":[]}".to_owned(), true), (secret(), false)] {
        let cursor = Cursor {
            offset: 9,
            state: state.into_bytes(),
        };
        let kept = clean_cursor(cursor.clone(), &redactor);
        assert_eq!(kept == cursor, is_kept, "{cursor:?}");
        assert_eq!(kept == Cursor::default(), !is_kept, "{cursor:?}");
    }
}

#[test]
fn long_texts_are_cut_between_characters_after_redaction() {
    let place = TestArchive::new();
    let limits = TraceLimits {
        event_text_bytes: 21,
        ..TraceLimits::default()
    };
    let mut cut_before = event("1", "tool", "aaaaaaaaaaaaaaaaaaaaüb");
    cut_before.attrs.push("truncated_bytes", "100");
    let split = event("2", "tool", &format!("token {}", secret()));
    let mut writer = place.writer(limits);
    writer.emit(vec![cut_before, split]).unwrap();
    let read = writer
        .finish()
        .unwrap()
        .open()
        .unwrap()
        .next(u32::MAX)
        .unwrap();
    assert_eq!(read[0].text, "a".repeat(20));
    assert_eq!(
        read[0].attrs.0,
        [("truncated_bytes".to_owned(), "103".to_owned())]
    );
    assert_eq!(read[1].text, "token [redacted:githu");
}

#[test]
fn too_much_text_refuses_the_trace() {
    let place = TestArchive::new();
    let mut writer = place.writer(TraceLimits {
        emitted_bytes: 10,
        ..TraceLimits::default()
    });
    writer.emit(vec![event("1", "user", "12345")]).unwrap();
    let failure = writer.emit(vec![event("2", "user", "123456")]).unwrap_err();
    assert_eq!(failure.code, "limit");
    assert!(
        failure
            .message
            .ends_with("claude/s1.jsonl` has more than 10 bytes of text"),
        "{}",
        failure.message
    );
    // No gaps: a batch that would fit is refused as well, and the trace cannot be finished.
    assert_eq!(
        writer.emit(vec![event("3", "user", "")]).unwrap_err(),
        failure
    );
    assert!(writer.finish().is_err());
    assert_eq!(place.names(), Vec::<String>::new());
}

#[test]
fn pages_follow_each_other_and_start_again() {
    let place = TestArchive::new();
    let mut trace = place.keep(
        (0..10)
            .map(|number| event(&number.to_string(), "user", "12345"))
            .collect(),
    );
    assert_eq!(ids(&trace.next(12).unwrap()), ["0", "1"]);
    assert_eq!(ids(&trace.next(0).unwrap()), ["2"]);
    // Reading elsewhere does not move the page.
    assert_eq!(trace.read("9").unwrap().unwrap().id, "9");
    assert_eq!(trace.read("10").unwrap(), None);
    assert_eq!(trace.find("12345", 2).unwrap().len(), 2);
    assert_eq!(ids(&trace.next(10).unwrap()), ["3", "4"]);
    trace.rewind();
    assert_eq!(trace.next(u32::MAX).unwrap().len(), 10);
}

#[test]
fn pages_are_bounded_whatever_is_asked() {
    let place = TestArchive::new();
    let text = "x".repeat(1024 * 1024);
    let mut trace = place.keep(
        (0..9)
            .map(|number| event(&number.to_string(), "user", &text))
            .collect(),
    );
    assert_eq!(trace.next(u32::MAX).unwrap().len(), 4);
    assert_eq!(trace.find("X", u32::MAX).unwrap().len(), 4);
}

#[test]
fn texts_are_found_whatever_their_case() {
    let place = TestArchive::new();
    let mut trace = place.keep(vec![
        event("needle", "user", "nothing"),
        event("2", "user", "A Needle, said \"SHE\"\nand left"),
        event("3", "user", "ÜBER needle"),
    ]);
    let cases: &[(&str, u32, &[&str])] = &[
        ("needle", 10, &["2", "3"]),
        ("NEEDLE", 1, &["2"]),
        ("\"she\"\nAND", 10, &["2"]),
        ("über", 10, &["3"]),
        ("record", 10, &[]),
        ("", 10, &[]),
        ("needle", 0, &[]),
    ];
    for (text, limit, expected) in cases {
        assert_eq!(ids(&trace.find(text, *limit).unwrap()), *expected, "{text}");
    }
}

#[test]
fn damage_is_an_error_that_names_the_file() {
    let place = TestArchive::new();
    place.keep(vec![event("1", "user", "fine"), event("2", "user", "gone")]);
    let path = place.archive.path("claude", "s1");
    let whole = std::fs::read(&path).unwrap();
    let second = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let mut trace = place.archive.open("claude", "s1").unwrap();

    for damage in [
        &whole[..whole.len() - 5],
        b"\xff\xfe\n",
        b"{}\n",
        b"[1]",
        b"\n",
    ] {
        overwrite(&path, damage);
        let error = place.archive.open("claude", "s1").unwrap_err();
        let failure = error.to_failure();
        assert_eq!(failure.code, "io");
        assert!(
            failure.message.contains(path.as_str()),
            "{}",
            failure.message
        );
    }
    // Damaged after it was opened: the readable part is still returned.
    let mut half = whole;
    half[second..].fill(b'x');
    overwrite(&path, &half);
    assert_eq!(trace.read("1").unwrap().unwrap().text, "fine");
    let failures = [
        trace.read("2").unwrap_err(),
        trace.next(u32::MAX).unwrap_err(),
    ];
    for failure in failures {
        assert_eq!(failure.code, "io");
        assert!(
            failure
                .message
                .contains(&format!("{path}` is damaged at byte {second}")),
            "{}",
            failure.message
        );
    }

    assert!(place.archive.open("claude", "other").is_err());
}

#[test]
fn whatever_fails_at_the_disk_the_archive_is_old_or_new() {
    let write = |root: &Utf8Path, faults: Arc<dyn Faults>, text: &str| -> Result<(), String> {
        let directory = Directory::open(root, faults).map_err(|error| error.to_string())?;
        let redactor = Arc::new(Redactor::new(&[]).unwrap());
        let archive = TraceArchive::new(&directory);
        let mut writer = archive
            .write("claude", "s1", redactor, TraceLimits::default())
            .map_err(|error| error.to_string())?;
        // More than any buffer holds, so that a write happens before the end.
        let events = (0..3).map(|number| event(&number.to_string(), "user", &text.repeat(30_000)));
        writer
            .emit(events.collect())
            .map_err(|failure| failure.message)?;
        let pending = writer.finish().map_err(|error| error.to_string())?;
        pending.keep().map_err(|error| error.to_string())?;
        Ok(())
    };
    for nth in 0.. {
        let place = TestArchive::new();
        write(&place.root, NoFaults::shared(), "old").unwrap();
        let recorder = Arc::new(Recorder::failing(Failure {
            kind: None,
            nth,
            errno: Errno::NoSpace,
            times: Times::Once,
        }));
        let faults: Arc<dyn Faults> = recorder.clone();
        let result = write(&place.root, faults, "new");
        let read = place
            .archive
            .open("claude", "s1")
            .unwrap()
            .next(u32::MAX)
            .unwrap();
        assert_eq!(read.len(), 3);
        if recorder.failed() == 0 {
            result.unwrap();
            assert!(nth > 5 && read[2].text.starts_with("new"), "{nth}");
            break;
        }
        assert!(result.unwrap_err().contains("claude"), "{nth}");
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "damages a file behind the archive's back"
)]
fn overwrite(path: &Utf8Path, bytes: &[u8]) {
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn a_trace_goes_on_from_its_mark_and_from_nowhere_else() {
    let place = TestArchive::new();
    let redactor = || Arc::new(Redactor::new(&[]).unwrap());
    let first = vec![event("a", "user", "one"), event("b", "tool", "two")];
    let mut writer = place.writer(TraceLimits::default());
    writer.emit(first).unwrap();
    let pending = writer.finish().unwrap();
    let mark = pending.mark();
    pending.keep().unwrap();

    // A run that was killed after `keep` leaves more than the mark says: that part is dropped.
    let resume = |mark| {
        let limits = TraceLimits::default();
        place
            .archive
            .resume("claude", "s1", redactor(), limits, mark)
            .unwrap()
    };
    for _ in 0..2 {
        let mut writer = resume(mark).unwrap();
        writer.emit(vec![event("c", "user", "three")]).unwrap();
        let stats = writer.finish().unwrap().keep().unwrap();
        assert_eq!((stats.events, stats.by_role["user"]), (3, 2));
        let mut archived = place.archive.open("claude", "s1").unwrap();
        let events = TraceReader::next(&mut archived, u32::MAX).unwrap();
        assert_eq!(ids(&events), ["a", "b", "c"]);
    }

    let whole = std::fs::metadata(place.root.join("claude/s1.jsonl")).unwrap();
    let digest = mark.digest;
    let table = [
        (mark.bytes - 1, mark.events, digest),
        (mark.bytes, mark.events + 1, digest),
        (whole.len() + 1, 4, digest),
        (mark.bytes, mark.events, [0; 32]),
    ];
    for (bytes, events, digest) in table {
        let mark = crate::TraceMark {
            bytes,
            events,
            digest,
        };
        assert!(resume(mark).is_none(), "{mark:?}");
    }
    assert_eq!(place.names(), ["s1.jsonl"]);
    let missing = place
        .archive
        .resume("claude", "s2", redactor(), TraceLimits::default(), mark);
    assert!(missing.unwrap().is_none());
}
