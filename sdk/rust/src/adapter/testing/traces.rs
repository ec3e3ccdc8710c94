//! Whole reads of real sessions: checks that each has to satisfy, and a printed line about each.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use crate::adapter::Session;

use super::{ReadResult, START, real_sessions, sessions};
use crate::adapter::Adapter;

/// One file and its sessions.
pub struct Trace {
    pub path: PathBuf,
    /// Each session with the result of a whole read.
    pub sessions: Vec<(Session, ReadResult)>,
}

impl Trace {
    /// Counts events by role, over all sessions.
    pub fn by_role(&self) -> [usize; 4] {
        self.sessions.iter().fold([0; 4], |sum, (_, told)| {
            let one = told.by_role();
            std::array::from_fn(|role| sum[role] + one[role])
        })
    }

    /// Counts each diagnostic, over all sessions.
    pub fn messages(&self) -> BTreeMap<&str, usize> {
        let mut counted = BTreeMap::new();
        for message in self.sessions.iter().flat_map(|(_, told)| told.messages()) {
            *counted.entry(message).or_default() += 1;
        }
        counted
    }
}

/// Reads every real file of an agent and prints a line about each. Checks that ids are unique, and that a session
/// without events has a diagnostic. `folder` has one folder per agent.
///
/// # Panics
/// If a check fails.
pub fn traces<A: Adapter>(folder: &str) -> Vec<Trace> {
    let paths = real_sessions(folder, &A::describe().agent);
    paths.into_iter().map(trace::<A>).collect()
}

/// Checks that an adapter claims no real file of another agent in `folder`.
///
/// # Panics
/// If it claims one.
pub fn strangers<A: Adapter>(folder: &str) {
    let agent = A::describe().agent;
    for path in real_sessions(folder, "") {
        let is_own = path.iter().any(|part| part == &*agent);
        let claimed = A::sessions(&path.to_string_lossy()).unwrap_or_default();
        assert!(is_own || claimed.is_empty(), "`{agent}` claims {path:?}");
    }
}

fn trace<A: Adapter>(path: PathBuf) -> Trace {
    let mut ids = HashSet::new();
    let mut read = Vec::new();
    for session in sessions::<A>(&path) {
        assert!(ids.insert(session.id.clone()), "{path:?}: {}", session.id);
        let mut told = ReadResult::default();
        if let Err(failure) = A::read(&session, &START, &mut told) {
            panic!("{path:?} {}: {failure:?}", session.id);
        }
        let events: HashSet<_> = told.events.iter().map(|event| &*event.id).collect();
        assert_eq!(events.len(), told.events.len(), "{path:?} {}", session.id);
        let is_empty = session.attrs.iter().any(|(key, _)| key == "empty");
        let says_why = is_empty || !told.diagnostics.is_empty();
        assert!(
            says_why || !told.events.is_empty(),
            "{path:?} {}",
            session.id
        );
        read.push((session, told));
    }
    let trace = Trace {
        path,
        sessions: read,
    };
    let name = trace.path.file_name().unwrap_or_default();
    println!(
        "{name:?}: {} sessions, {:?} events, {:?}",
        trace.sessions.len(),
        trace.by_role(),
        trace.messages()
    );
    trace
}
