//! Reads the tasks of Roo Code, an extension for VS Code that was forked from Cline.

use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Root, Session, Sink, path as place,
};

/// Name of the agent whose sessions are read.
const AGENT: &str = "roo";

/// Folders with the tasks: the extension's storage, and the root it is granted as.
const STORAGE: [&str; 2] = ["rooveterinaryinc.roo-cline", "roo-vscode"];

/// The adapter.
pub struct Roo;

acreta_sdk::adapter!(Roo);

impl Adapter for Roo {
    fn describe() -> Description {
        let root = Root::new(
            "roo-vscode",
            &["<config>/Code/User/globalStorage/rooveterinaryinc.roo-cline"],
            adapter_cline::TASKS,
            "Roo Code keeps its tasks here; they are read to learn from finished work and never \
             changed.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        if !place::is_below(&STORAGE, path) {
            return Ok(Vec::new());
        }
        let tasks = adapter_cline::tasks(path)?.into_iter();
        Ok(tasks.map(|session| session.of_agent(AGENT)).collect())
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        adapter_cline::read_task(session, from, sink)
    }
}
