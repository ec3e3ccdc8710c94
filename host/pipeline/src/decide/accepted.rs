//! A candidate that passed the gates, and the passages of the session that it cites.

use acreta_compare::Statement;
use acreta_types::{Candidate, Event, MemoryType};

/// Evidence that was found in the trace.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ResolvedCitation {
    pub(crate) event: Event,
    pub(crate) quote: String,
}

/// A candidate that passed, with its evidence resolved.
#[derive(Debug, Clone)]
pub(crate) struct AcceptedCandidate {
    pub(crate) candidate: Candidate,
    pub(crate) memory_type: MemoryType,
    pub(crate) citations: Vec<ResolvedCitation>,
    /// Supported only by tool output or injected text, or an instruction supported only by the agent.
    pub(crate) untrusted: bool,
    pub(crate) newest_ms: u64,
    /// The extractors that found it, if there are several; sorted.
    pub(crate) found_by: Vec<String>,
}

impl AcceptedCandidate {
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

/// Reports whether an extractor marked a candidate as uncertain.
pub(crate) fn is_pending(candidate: &Candidate) -> bool {
    candidate.attrs.get(CERTAINTY) == Some(PENDING)
}

/// Returns the id that acreta gave the agent's note that a candidate comes from; empty if it is not known.
pub(crate) fn note_id(candidate: &Candidate) -> Option<&str> {
    candidate.attrs.get(NOTE)
}

/// Returns the id of the memory that a note says it replaces.
pub(crate) fn replaced(candidate: &Candidate) -> Option<&str> {
    candidate.attrs.get(REPLACES)
}

/// Reports whether an extractor offers a candidate as a person's own words, and as nothing otherwise.
pub(crate) fn is_spoken(candidate: &Candidate) -> bool {
    candidate.attrs.get(CERTAINTY) == Some(SPOKEN)
}

const CERTAINTY: &str = "certainty";
const PENDING: &str = "pending";
const SPOKEN: &str = "spoken";
const NOTE: &str = "note";
const REPLACES: &str = "replaces";
/// Set by the host.
pub(crate) const FOUND_BY: &str = "found_by";
