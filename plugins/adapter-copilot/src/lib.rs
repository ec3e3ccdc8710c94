//! Reads the sessions of GitHub Copilot: the event logs of its command line, which only grow, and
//! the chats in VS Code, which are documents or logs of changes to one.
//!
//! The person's words are emitted as typed, without the context around them.

mod chat;
mod events;
mod log;
mod places;
mod record;
mod replay;
mod sessions;
mod state;
mod vscode;

use acreta_sdk::adapter::{Adapter, Cursor, Description, Failure, Root, Session, Sink, file_probe};

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "copilot";

/// The adapter.
pub struct Copilot;

acreta_sdk::adapter!(Copilot);

impl Adapter for Copilot {
    fn describe() -> Description {
        let chats = |name: &str, folder: &str| Root {
            name: name.to_owned(),
            candidates: vec![format!("<config>/{folder}/User")],
            patterns: [
                "workspaceStorage/*/chatSessions/*.json",
                "workspaceStorage/*/chatSessions/*.jsonl",
                "globalStorage/emptyWindowChatSessions/*.json",
                "globalStorage/emptyWindowChatSessions/*.jsonl",
            ]
            .map(str::to_owned)
            .into(),
            reason: format!(
                "{folder} keeps the chats with GitHub Copilot here, one file per chat; they are \
                 read to learn from finished work and never changed."
            ),
        };
        let events = Root {
            name: AGENT.to_owned(),
            candidates: vec![
                "$COPILOT_HOME/session-state".to_owned(),
                "~/.copilot/session-state".to_owned(),
            ],
            patterns: vec!["**/events.jsonl".to_owned(), "*.jsonl".to_owned()],
            reason: "The command line of GitHub Copilot keeps one file per session here; they are \
                     read to learn from finished work and never changed."
                .to_owned(),
        };
        Description {
            agent: AGENT.to_owned(),
            roots: vec![
                events,
                chats("copilot-code", "Code"),
                chats("copilot-insiders", "Code - Insiders"),
            ],
            attrs: Vec::new(),
        }
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        let found = sessions::sessions(path)?;
        if !found.is_empty() {
            return Ok(found);
        }
        vscode::sessions(path)
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        if vscode::is_chat(&file_probe::beginning(&session.path)?) {
            return vscode::read(session, from, sink);
        }
        log::read(session, from, sink)
    }
}
