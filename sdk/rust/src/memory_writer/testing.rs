//! Tests of memory-writers outside a sandbox: actions, a context, and a host with a table of types.

use std::cell::RefCell;

use super::{Action, Candidate, Context, Host, MemoryType, Session, Summary};

/// Builds the context of a run.
pub fn context() -> Context {
    Context {
        run_id: "run-1".to_owned(),
        now_ms: 1_771_582_272_000,
        repo_name: "boat".to_owned(),
        raw_trace_path: "meta/traces/sessions/agent/session.jsonl".to_owned(),
        coding_agent: "agent".to_owned(),
        attrs: Vec::new(),
    }
}

/// Builds an action that adds a learning.
pub fn add(memory_id: &str, title: &str, body: &str) -> Action {
    Action {
        id: memory_id.to_owned(),
        operation: "add".to_owned(),
        memory_id: memory_id.to_owned(),
        target: None,
        current: None,
        sources: Vec::new(),
        created_ms: 1_771_582_272_000,
        updated_ms: 1_771_582_272_000,
        related: Vec::new(),
        candidate: Some(Candidate {
            id: "c1".to_owned(),
            category: "learning".to_owned(),
            kind: "convention".to_owned(),
            title: title.to_owned(),
            body: body.to_owned(),
            confidence: 0.8,
            tags: vec!["build".to_owned()],
            evidence: Vec::new(),
            attrs: Vec::new(),
        }),
        summary: None,
        session: Some(Session {
            id: "session".to_owned(),
            agent: "agent".to_owned(),
            path: "/session.jsonl".to_owned(),
            project_dir: None,
            parent: None,
            started_ms: None,
            updated_ms: None,
            revision: "1".to_owned(),
            attrs: Vec::new(),
        }),
        attrs: Vec::new(),
    }
}

/// Builds an action that adds the summary of a session.
pub fn add_summary(memory_id: &str, title: &str, body: &str) -> Action {
    Action {
        candidate: None,
        summary: Some(Summary {
            title: title.to_owned(),
            description: title.to_owned(),
            body: body.to_owned(),
            tags: Vec::new(),
            evidence: Vec::new(),
            attrs: Vec::new(),
        }),
        ..add(memory_id, title, body)
    }
}

/// A host with the types that a test gives it.
#[derive(Debug, Default)]
pub struct ScriptedHost {
    pub memory_types: Vec<MemoryType>,
    pub settings: Vec<(String, String)>,
    /// Logged messages with their level.
    pub logged: RefCell<Vec<(String, String)>>,
}

impl ScriptedHost {
    /// Builds a host with types of these names, in these folders; those with kinds have `kinds`.
    pub fn with_types(types: &[(&str, &str, &[&str])]) -> Self {
        let entry = |(name, folder, kinds): &(&str, &str, &[&str])| MemoryType {
            name: (*name).to_owned(),
            kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(),
            folder: (*folder).to_owned(),
            definition: String::new(),
            example: String::new(),
        };
        Self {
            memory_types: types.iter().map(entry).collect(),
            ..Self::default()
        }
    }
}

impl Host for ScriptedHost {
    fn memory_types(&self) -> Vec<MemoryType> {
        self.memory_types.clone()
    }

    fn setting(&self, key: &str) -> Option<String> {
        let found = self.settings.iter().find(|(name, _)| name == key);
        found.map(|(_, value)| value.clone())
    }

    fn log(&self, level: &str, message: &str) {
        let line = (level.to_owned(), message.to_owned());
        self.logged.borrow_mut().push(line);
    }
}
