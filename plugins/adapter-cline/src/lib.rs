//! Reads the sessions of Cline: those of its terminal program, and the tasks of its extension for VS Code. Each is one
//! document, rewritten as a whole on every change.
//!
//! Extensions that were forked from Cline store their tasks alike: their adapters are a few lines over [`tasks`] and
//! [`read_task`].

mod author;
mod emit;
mod session;
mod task;
mod xml;

use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Root, Session, Sink, file_probe, path as place,
};

pub use task::{read as read_task, sessions as tasks};

/// Name of the agent whose sessions are read.
const AGENT: &str = "cline";

/// The files of an extension's storage that are tasks.
pub const TASKS: &[&str] = &["tasks/*/api_conversation_history.json"];

/// Extensions that were forked from Cline: the name of their storage and of the root it is granted as.
const FORKS: [&str; 4] = [
    "kilocode.kilo-code",
    "kilo-vscode",
    "rooveterinaryinc.roo-cline",
    "roo-vscode",
];

/// The adapter.
pub struct Cline;

#[cfg(feature = "component")]
acreta_sdk::adapter!(Cline);

impl Adapter for Cline {
    fn describe() -> Description {
        let reason = "Cline keeps its sessions here; they are read to learn from finished work and \
                      never changed.";
        let program = Root::new(
            "cline",
            &[
                "$CLINE_DATA_DIR/sessions",
                "$CLINE_DIR/data/sessions",
                "~/.cline/data/sessions",
            ],
            &["*/*.messages.json"],
            reason,
        );
        let older = Root::new("cline-tasks", &["~/.cline/data"], TASKS, reason);
        let extension = Root::new(
            "cline-vscode",
            &["<config>/Code/User/globalStorage/saoudrizwan.claude-dev"],
            TASKS,
            reason,
        );
        Description::new(AGENT, vec![program, older, extension])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        let head = file_probe::beginning(path)?;
        match head.iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(b'{') => session::sessions(path, &head),
            Some(b'[') if !place::is_below(&FORKS, path) => tasks(path),
            _ => Ok(Vec::new()),
        }
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        let head = file_probe::beginning(&session.path)?;
        match head.iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(b'[') => read_task(session, from, sink),
            _ => session::read(session, from, sink),
        }
    }
}
