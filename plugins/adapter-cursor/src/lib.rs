//! Reads the sessions of Cursor from its four stores: the editor's database for all folders, the one per folder, the
//! command line's database per session, and transcripts.
//!
//! One conversation may be in several of them, under the same id. A file is identified by its content. The editor's
//! databases also hold credentials: only `vault` decides which rows are read.

mod author;
mod bubble;
mod composer;
mod editor;
mod message;
mod plain;
mod root;
mod store;
mod transcript;
mod vault;
mod workspace;

use acreta_sdk::adapter::database::{Database, MAGIC};
use acreta_sdk::adapter::{Adapter, Cursor, Description, Failure, Root, Session, Sink, file_probe};

use crate::vault::Vault;

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "cursor";

/// The adapter.
pub struct CursorAgent;

acreta_sdk::adapter!(CursorAgent);

/// Cursor of a database, which is read whole each time.
const START: Cursor = Cursor {
    offset: 0,
    state: Vec::new(),
};

impl Adapter for CursorAgent {
    fn describe() -> Description {
        let editor = Root::new(
            "cursor-editor",
            &["<config>/Cursor/User"],
            &[
                "globalStorage/state.vscdb",
                "workspaceStorage/*/state.vscdb",
            ],
            "Cursor's editor keeps its conversations in databases here, beside other settings; only \
             the conversations are read, to learn from finished work, and nothing is changed.",
        );
        let command_line = Root::new(
            "cursor-cli",
            &["~/.cursor"],
            &[
                "chats/*/*/store.db",
                "projects/*/agent-transcripts/**/*.jsonl",
                "projects/*/agent-transcripts/**/*.txt",
            ],
            "Cursor's command line keeps its sessions and their transcripts here; they are read to \
             learn from finished work and never changed.",
        );
        Description::new(AGENT, vec![editor, command_line])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        match Shape::of(path)? {
            Shape::Editor(vault) => editor::sessions(path, &vault),
            Shape::Store(database) => store::sessions(path, &database),
            Shape::Lines => transcript::sessions(path),
            Shape::Plain => plain::sessions(path),
            Shape::Foreign => Ok(Vec::new()),
        }
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        match Shape::of(&session.path)? {
            Shape::Editor(vault) => {
                editor::read(session, &vault, sink)?;
                Ok(START)
            }
            Shape::Store(database) => {
                store::read(session, &database, sink)?;
                Ok(START)
            }
            Shape::Plain => plain::read(session, from, sink),
            Shape::Lines | Shape::Foreign => transcript::read(session, from, sink),
        }
    }
}

/// Kind of a file.
enum Shape {
    /// The editor's state, for all folders or for one.
    Editor(Vault),
    /// One session of the command line.
    Store(Database),
    /// A transcript with a record per line, or not a file of Cursor's.
    Lines,
    /// A transcript as plain text.
    Plain,
    /// Another program's database.
    Foreign,
}

impl Shape {
    fn of(path: &str) -> Result<Self, Failure> {
        let beginning = file_probe::beginning(path)?;
        if beginning.starts_with(MAGIC) {
            let database = Database::open(path)?;
            if store::is_own(&database)? {
                return Ok(Shape::Store(database));
            }
            let vault = Vault::of(database)?;
            return Ok(vault.map_or(Shape::Foreign, Shape::Editor));
        }
        Ok(if plain::is_own(&beginning) {
            Shape::Plain
        } else {
            Shape::Lines
        })
    }
}
