//! Tests of adapters outside a sandbox: a sink that collects everything, and the checks that every adapter has to pass.

mod conformance;
mod native;
mod scratch;
mod traces;

use std::path::{Path, PathBuf};

use crate::adapter::{Cursor, Event, Failure, Session, Sink};

use crate::adapter::Adapter;

pub use conformance::{conformance, steps};
pub use scratch::Scratch;
pub use traces::{Trace, strangers, traces};

/// The cursor at the start of a session.
pub const START: Cursor = Cursor {
    offset: 0,
    state: Vec::new(),
};

/// Result of one read.
#[derive(Debug, Default)]
pub struct ReadResult {
    pub events: Vec<Event>,
    /// Size of each batch: events and bytes of text.
    pub batches: Vec<(usize, usize)>,
    /// Record, span and message.
    pub diagnostics: Vec<(String, u64, u64, String)>,
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
    pub fn messages(&self) -> Vec<&str> {
        self.diagnostics
            .iter()
            .map(|(.., message)| &**message)
            .collect()
    }

    /// Returns the texts as (role, kind, text).
    pub fn texts(&self) -> Vec<(&str, &str, &str)> {
        self.events
            .iter()
            .map(|event| (&*event.role, &*event.kind, &*event.text))
            .collect()
    }

    /// Counts events by role: `user`, `assistant`, `tool`, `system`.
    pub fn by_role(&self) -> [usize; 4] {
        ["user", "assistant", "tool", "system"].map(|role| {
            self.events
                .iter()
                .filter(|event| event.role == role)
                .count()
        })
    }
}

/// Returns the value of an attribute.
pub fn attribute<'a>(event: &'a Event, key: &str) -> Option<&'a str> {
    let found = event.attrs.iter().find(|(name, _)| name == key);
    found.map(|(_, value)| &**value)
}

/// Lists the sessions in a file.
///
/// # Panics
/// If the adapter fails.
pub fn sessions<A: Adapter>(path: &Path) -> Vec<Session> {
    A::sessions(&path.to_string_lossy()).unwrap_or_else(|failure| panic!("{path:?}: {failure:?}"))
}

/// Returns the session of a file that holds exactly one.
///
/// # Panics
/// If it holds another number of sessions.
pub fn only_session<A: Adapter>(path: &Path) -> Session {
    let mut found = sessions::<A>(path);
    assert_eq!(found.len(), 1, "{path:?}");
    found.remove(0)
}

/// Reads a session once.
///
/// # Panics
/// If the adapter fails.
pub fn read<A: Adapter>(session: &Session, from: &Cursor) -> (ReadResult, Cursor) {
    let mut told = ReadResult::default();
    let cursor = A::read(session, from, &mut told)
        .unwrap_or_else(|failure| panic!("{}: {failure:?}", session.path));
    (told, cursor)
}

/// Renders one event per line: id, role, kind, text, and attributes except the ignored ones.
pub fn render(events: &[Event], ignored: &[&str]) -> String {
    let mut lines = String::new();
    for event in events {
        let text = format!("{:?}", &event.text[..event.text.floor_char_boundary(70)]);
        lines.push_str(&format!(
            "{} {}/{} {text}",
            event.id, event.role, event.kind
        ));
        for (key, value) in &event.attrs {
            if !ignored.contains(&&**key) {
                lines.push_str(&format!(" {key}={value}"));
            }
        }
        lines.push('\n');
    }
    lines
}

/// Compares two lists of events.
///
/// # Panics
/// At the first difference.
pub fn assert_same(found: &[Event], expected: &[Event], context: &str) {
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            format!("{found:?}") == format!("{expected:?}"),
            "{context}: event {index} is {found:?}, not {expected:?}"
        );
    }
    assert_eq!(found.len(), expected.len(), "{context}: number of events");
}

/// Writes a file and creates its parent folders.
///
/// # Panics
/// If the file cannot be written.
pub fn put(path: &Path, content: impl AsRef<[u8]>) {
    let folder = path.parent().unwrap_or(path);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(path, content));
    if let Err(error) = written {
        panic!("{path:?}: {error}");
    }
}

/// Creates a database from a file with SQL.
///
/// # Panics
/// If the database cannot be created.
#[cfg(feature = "databases")]
pub fn database(sql: &Path, target: &Path) {
    let text = std::fs::read_to_string(sql).unwrap_or_else(|error| panic!("{sql:?}: {error}"));
    let made = rusqlite::Connection::open(target).and_then(|it| it.execute_batch(&text));
    if let Err(error) = made {
        panic!("{sql:?}: {error}");
    }
}

/// Lists every file under a folder, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Lists real sessions of an agent, if `folder` has one folder per agent; prints a note if the folder is missing.
pub fn real_sessions(folder: impl AsRef<Path>, agent: &str) -> Vec<PathBuf> {
    let folder = folder.as_ref();
    if !folder.is_dir() {
        println!("skipped: no {}", folder.display());
        return Vec::new();
    }
    files(&folder.join(agent))
}
