//! Reads the sessions of OpenCode, wherever it keeps them: a database of many sessions, the tree of
//! small files that came before it, a session exported as one document, and the database of the
//! program of the same name that was written in Go.
//!
//! A session is the same wherever it comes from: the same id, the same events under the same ids.
//! Of a database only the tables of the conversation are read, never those with credentials.

mod database;
mod export;
mod go;
mod info;
mod newer;
mod tell;
mod tool;
mod tree;

use acreta_sdk::adapter::database::MAGIC;
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Root, Session, Sink, failure, glance,
};

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "opencode";

/// The field of an exported session that holds the conversation.
const MESSAGES: &str = "messages";

/// A cursor that says nothing: the session is read whole every time.
const START: Cursor = Cursor {
    offset: 0,
    state: Vec::new(),
};

/// The adapter.
pub struct OpenCode;

acreta_sdk::adapter!(OpenCode);

impl Adapter for OpenCode {
    fn describe() -> Description {
        let root = |name: &str, candidates: &[&str], patterns: &[&str], reason: &str| Root {
            name: name.to_owned(),
            candidates: candidates.iter().map(|&text| text.to_owned()).collect(),
            patterns: patterns.iter().map(|&text| text.to_owned()).collect(),
            reason: reason.to_owned(),
        };
        Description {
            agent: AGENT.to_owned(),
            roots: vec![
                root(
                    "opencode",
                    &[
                        "$XDG_DATA_HOME/opencode",
                        "~/.local/share/opencode",
                        "<data>/opencode",
                    ],
                    &["opencode.db", "opencode-*.db", "storage/session/**/*.json"],
                    "OpenCode keeps its sessions in a database here, older ones in files; they are \
                     read to learn from finished work and never changed.",
                ),
                root(
                    "opencode-db",
                    &["$OPENCODE_DB"],
                    &["*.db"],
                    "OpenCode was told to keep its sessions in this database; they are read to \
                     learn from finished work and never changed.",
                ),
            ],
            attrs: Vec::new(),
        }
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        let head = glance::beginning(path)?;
        match Store::of(&head) {
            Some(Store::Database) => database::sessions(path),
            Some(Store::Export) => export::sessions(path),
            Some(Store::Tree) => tree::sessions(path, &head),
            None => Ok(Vec::new()),
        }
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        let head = glance::beginning(&session.path)?;
        match Store::of(&head) {
            Some(Store::Database) => database::read(session, sink),
            Some(Store::Export) => export::read(session, from, sink),
            Some(Store::Tree) => tree::read(session, sink),
            None => Err(failure::unreadable("the file holds no session any more")),
        }
    }
}

/// What a file is.
enum Store {
    Database,
    /// One session with all its messages.
    Export,
    /// What is known of a session whose messages lie in files of their own.
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
        // Not where a part of the document was cut off: the files of a tree are small.
        let is_whole = outline.items.is_none() && outline.fault.is_none();
        let session = acreta_sdk::adapter::json::Scanner::new(head)
            .object()
            .ok()?;
        (is_whole && info::is_session(session)).then_some(Store::Tree)
    }
}
