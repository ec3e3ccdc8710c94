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
        let chats = |name, folder: &str| {
            let reason = format!(
                "{folder} keeps the chats with GitHub Copilot here, one file per chat; they are \
                 read to learn from finished work and never changed."
            );
            let patterns = [
                "workspaceStorage/*/chatSessions/*.json",
                "workspaceStorage/*/chatSessions/*.jsonl",
                "globalStorage/emptyWindowChatSessions/*.json",
                "globalStorage/emptyWindowChatSessions/*.jsonl",
            ];
            Root::new(
                name,
                &[&format!("<config>/{folder}/User")],
                &patterns,
                &reason,
            )
        };
        let events = Root::new(
            AGENT,
            &["$COPILOT_HOME/session-state", "~/.copilot/session-state"],
            &["**/events.jsonl", "*.jsonl"],
            "The command line of GitHub Copilot keeps one file per session here; they are read to \
             learn from finished work and never changed.",
        );
        let roots = vec![
            events,
            chats("copilot-code", "Code"),
            chats("copilot-insiders", "Code - Insiders"),
        ];
        Description::new(AGENT, roots)
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
