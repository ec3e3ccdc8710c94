//! Reads the sessions of OpenCode from all of its stores: a database of many sessions, the tree of small files that
//! came before it, a session exported as one document, and the database of the program of the same name that was
//! written in Go.
//!
//! A session is the same in every store: the same id, the same events under the same ids. Of a database only the tables
//! of the conversation are read, never those with credentials.
//!
//! Programs that were forked from OpenCode store their sessions alike. Their adapters are a few lines over [`sessions`]
//! and [`read`]; [`Program`] tells the programs apart.

mod database;
mod emit;
mod export;
mod go;
mod info;
mod newer;
mod program;
mod tool;
mod tree;

use acreta_sdk::adapter::database::MAGIC;
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Root, Session, Sink, failure, file_probe,
};

pub use program::Program;

/// Name of the agent whose sessions are read.
const AGENT: &str = "opencode";

/// The field of an exported session that holds the conversation.
const MESSAGES: &str = "messages";

/// An empty cursor: the session is read whole every time.
const START: Cursor = Cursor {
    offset: 0,
    state: Vec::new(),
};

/// The adapter.
pub struct OpenCode;

#[cfg(feature = "component")]
acreta_sdk::adapter!(OpenCode);

impl Adapter for OpenCode {
    fn describe() -> Description {
        let store = Root::new(
            "opencode",
            &[
                "$XDG_DATA_HOME/opencode",
                "~/.local/share/opencode",
                "<data>/opencode",
            ],
            &["opencode.db", "opencode-*.db", "storage/session/**/*.json"],
            "OpenCode keeps its sessions in a database here, older ones in files; they are \
             read to learn from finished work and never changed.",
        );
        let named = Root::new(
            "opencode-db",
            &["$OPENCODE_DB"],
            &["*.db"],
            "OpenCode was told to keep its sessions in this database; they are read to \
             learn from finished work and never changed.",
        );
        Description::new(AGENT, vec![store, named])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        sessions(path, Program::OpenCode)
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        read(session, from, sink)
    }
}

/// Lists the sessions in one file; empty if it is not this program's.
pub fn sessions(path: &str, program: Program) -> Result<Vec<Session>, Failure> {
    let head = file_probe::beginning(path)?;
    let found = match Store::of(&head) {
        Some(Store::Database) => database::sessions(path, program)?,
        Some(Store::Export | Store::Tree) if Program::of_file(path) != program => Vec::new(),
        Some(Store::Export) => export::sessions(path)?,
        Some(Store::Tree) => tree::sessions(path, &head)?,
        None => Vec::new(),
    };
    let named = found.into_iter();
    Ok(named
        .map(|session| session.of_agent(program.agent()))
        .collect())
}

/// Emits a session that [`sessions`] found.
pub fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
    let head = file_probe::beginning(&session.path)?;
    match Store::of(&head) {
        Some(Store::Database) => database::read(session, sink),
        Some(Store::Export) => export::read(session, from, sink),
        Some(Store::Tree) => tree::read(session, sink),
        None => Err(failure::unreadable("the file holds no session any more")),
    }
}

/// Kind of a file.
enum Store {
    Database,
    /// One session with all its messages.
    Export,
    /// Description of a session whose messages are in separate files.
    Tree,
}

impl Store {
    fn of(head: &[u8]) -> Option<Self> {
        if head.starts_with(MAGIC) {
            return Some(Store::Database);
        }
        let outline = Outline::of(head, MESSAGES)?;
        if let Some(info) = outline.field("info") {
            return info::is_session(info).then_some(Store::Export);
        }
        // Not if the document is truncated: the files of a tree are small.
        let is_whole = outline.items.is_none() && outline.fault.is_none();
        let session = acreta_sdk::adapter::json::Scanner::new(head)
            .object()
            .ok()?;
        (is_whole && info::is_session(session)).then_some(Store::Tree)
    }
}
