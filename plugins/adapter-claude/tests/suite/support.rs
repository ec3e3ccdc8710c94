//! A sink that collects everything, and short forms to compare with.

use std::io::{Cursor as Bytes, Read, Seek};
use std::path::{Path, PathBuf};

use acreta_sdk::adapter::{Cursor, Event, Failure, Session, Sink};

/// Result of one read.
#[derive(Default)]
pub(crate) struct ReadResult {
    pub(crate) events: Vec<Event>,
    /// Size of each batch: events and bytes of text.
    pub(crate) batches: Vec<(usize, usize)>,
    pub(crate) diagnostics: Vec<(String, u64, u64, String)>,
}

impl Sink for ReadResult {
    fn emit(&mut self, batch: Vec<Event>) -> Result<(), Failure> {
        let bytes = batch.iter().map(|event| event.text.len()).sum();
        self.batches.push((batch.len(), bytes));
        self.events.extend(batch);
        Ok(())
    }

    fn diagnose(&mut self, record: &str, start: u64, end: u64, message: &str) {
        self.diagnostics
            .push((record.to_owned(), start, end, message.to_owned()));
    }
}

impl ReadResult {
    pub(crate) fn messages(&self) -> Vec<&str> {
        self.diagnostics
            .iter()
            .map(|(.., message)| &**message)
            .collect()
    }

    /// Returns the texts as (role, kind, text).
    pub(crate) fn texts(&self) -> Vec<(&str, &str, &str)> {
        self.events
            .iter()
            .map(|event| (&*event.role, &*event.kind, &*event.text))
            .collect()
    }
}

pub(crate) const START: Cursor = Cursor {
    offset: 0,
    state: Vec::new(),
};

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/claude")
}

pub(crate) fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(fixtures().join(name)).unwrap()
}

/// Lists every fixture, by its path under the folder of fixtures.
pub(crate) fn fixture_names() -> Vec<String> {
    let root = fixtures();
    let mut names: Vec<String> = files(&root)
        .iter()
        .map(|path| {
            path.strip_prefix(&root)
                .unwrap()
                .to_str()
                .unwrap()
                .to_owned()
        })
        .collect();
    names.sort();
    names
}

/// Lists every file under a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

pub(crate) fn session(path: &str, bytes: &[u8]) -> Option<Session> {
    adapter_claude::sessions(path, Bytes::new(bytes))
        .unwrap()
        .pop()
}

/// A placeholder session for any file.
pub(crate) fn any_session() -> Session {
    Session {
        id: "s".to_owned(),
        agent: "claude".to_owned(),
        path: "/claude/s.jsonl".to_owned(),
        project_dir: None,
        parent: None,
        started_ms: None,
        updated_ms: None,
        revision: String::new(),
        attrs: Vec::new(),
    }
}

pub(crate) fn read(
    session: &Session,
    file: impl Read + Seek,
    from: &Cursor,
) -> (ReadResult, Cursor) {
    let mut told = ReadResult::default();
    let cursor = adapter_claude::read(session, file, from, &mut told).unwrap();
    (told, cursor)
}

pub(crate) fn read_whole(bytes: &[u8]) -> ReadResult {
    read(&any_session(), Bytes::new(bytes), &START).0
}

/// Builds a `user` record with `text`, which is inserted unescaped.
pub(crate) fn line(uuid: &str, text: &str) -> String {
    format!(
        r#"{{"type":"user","sessionId":"s","message":{{"role":"user","content":"{text}"}},"uuid":"{uuid}"}}"#
    )
}

/// Renders one event per line: id, role, kind, text, attributes.
pub(crate) fn render(events: &[Event], ignored: &[&str]) -> String {
    let mut lines = String::new();
    for event in events {
        let (id, further) = event.id.split_once('#').unwrap_or((&event.id, ""));
        let id = if id.len() == 36 { &id[..8] } else { id };
        let text = format!("{:?}", &event.text[..event.text.floor_char_boundary(70)]);
        lines.push_str(&format!(
            "{id}{}{further} ",
            if further.is_empty() { "" } else { "#" }
        ));
        lines.push_str(&format!("{}/{} {text}", event.role, event.kind));
        for (key, value) in &event.attrs {
            if !ignored.contains(&&**key) {
                lines.push_str(&format!(" {key}={value}"));
            }
        }
        lines.push('\n');
    }
    lines
}

/// Fails at the first difference between two lists of events.
pub(crate) fn assert_same(found: &[Event], expected: &[Event], context: &str) {
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            parts(found) == parts(expected),
            "{context}: event {index} is {found:?}, not {expected:?}"
        );
    }
    assert_eq!(found.len(), expected.len(), "{context}: number of events");
}

/// Returns all fields of an event.
fn parts(event: &Event) -> impl PartialEq + use<'_> {
    let Event {
        id,
        origin,
        role,
        kind,
        at_ms,
        text,
        attrs,
    } = event;
    (
        id,
        (&origin.record, origin.start, origin.end),
        role,
        kind,
        at_ms,
        text,
        attrs,
    )
}
