//! Reads the sessions of Kilo Code, which is based on OpenCode and stores its sessions in OpenCode's tables, under
//! another root. Its extension for VS Code was based on Cline before, with one folder per task.

use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Root, Session, Sink, path as place,
};
use adapter_opencode::Program;

/// The adapter.
pub struct Kilo;

acreta_sdk::adapter!(Kilo);

/// Folders with the tasks of the extension for VS Code: its storage, and the root it is granted as.
const EXTENSION: [&str; 2] = ["kilocode.kilo-code", "kilo-vscode"];

impl Adapter for Kilo {
    fn describe() -> Description {
        let reason = "Kilo Code keeps its sessions here; they are read to learn from finished work \
                      and never changed.";
        let store = Root::new(
            "kilo",
            &["$XDG_DATA_HOME/kilo", "~/.local/share/kilo", "<data>/kilo"],
            &["kilo.db", "kilo-*.db", "storage/session/**/*.json"],
            reason,
        );
        let named = Root::new("kilo-db", &["$KILO_DB"], &["*.db"], reason);
        let tasks = Root::new(
            "kilo-vscode",
            &["<config>/Code/User/globalStorage/kilocode.kilo-code"],
            adapter_cline::TASKS,
            reason,
        );
        Description::new(Program::Kilo.agent(), vec![store, named, tasks])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        if !place::is_below(&EXTENSION, path) {
            return adapter_opencode::sessions(path, Program::Kilo);
        }
        let tasks = adapter_cline::tasks(path)?.into_iter();
        Ok(tasks
            .map(|session| session.of_agent(Program::Kilo.agent()))
            .collect())
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        if place::is_below(&EXTENSION, &session.path) {
            adapter_cline::read_task(session, from, sink)
        } else {
            adapter_opencode::read(session, from, sink)
        }
    }
}
