//! A candidate that passed the gates, and the passages of the session that it cites.

use acreta_model::{Candidate, Event, MemoryType};
use acreta_relate::Statement;

/// Evidence that was found in the trace.
#[derive(Debug, Clone)]
pub(crate) struct Cited {
    pub(crate) event: Event,
    pub(crate) quote: String,
}

/// A candidate that passed, with its evidence resolved.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    pub(crate) candidate: Candidate,
    pub(crate) memory_type: MemoryType,
    pub(crate) citations: Vec<Cited>,
    /// Only a tool's output or injected text stands behind it, or the agent alone behind an instruction.
    pub(crate) untrusted: bool,
    pub(crate) newest_ms: u64,
}

impl Kept {
    pub(crate) fn statement(&self) -> Statement {
        let candidate = &self.candidate;
        Statement::new(
            self.memory_type,
            &candidate.kind,
            &candidate.title,
            &candidate.body,
        )
    }
}

/// Reports whether an extractor is not sure of a candidate.
pub(crate) fn is_pending(candidate: &Candidate) -> bool {
    candidate.attrs.get(CERTAINTY) == Some(PENDING)
}

const CERTAINTY: &str = "certainty";
const PENDING: &str = "pending";
