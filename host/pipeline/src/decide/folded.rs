//! Result of folding contributions: the text and the numbers of a memory.

use acreta_compare::Statement;
use acreta_store::{Proposal, ProposalOperation};
use acreta_types::{MemoryType, Trust};

/// The content of a memory, computed from its contributions.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FoldedMemory {
    pub(crate) memory_type: MemoryType,
    pub(crate) kind: String,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) confidence: f32,
    pub(crate) tags: Vec<String>,
    pub(crate) created_ms: u64,
    /// Time of the evidence that the text comes from.
    pub(crate) updated_ms: u64,
    /// The session that the text comes from, as agent and id; `None` if no session is known.
    pub(crate) source: Option<(String, String)>,
    /// Titles of earlier texts that a later one contradicts.
    pub(crate) contradicted: Vec<String>,
    pub(crate) trust: Trust,
}

impl FoldedMemory {
    /// Proposes this content to the person.
    pub(crate) fn proposal(
        &self,
        operation: ProposalOperation,
        run_id: &str,
        reason: &str,
    ) -> Proposal {
        Proposal {
            run_id: run_id.to_owned(),
            operation,
            title: self.title.clone(),
            body: self.body.clone(),
            kind: self.kind.clone(),
            tags: self.tags.clone(),
            confidence: self.confidence,
            reason: reason.to_owned(),
        }
    }

    /// Reports whether a file written from `other` would have the same text.
    pub(crate) fn reads_like(&self, other: &FoldedMemory) -> bool {
        (&self.title, &self.body, &self.kind, &self.tags)
            == (&other.title, &other.body, &other.kind, &other.tags)
    }

    /// Reports whether a file written from `other` would be the same, byte for byte.
    pub(crate) fn renders_like(&self, other: &FoldedMemory) -> bool {
        self.reads_like(other)
            && (
                self.confidence,
                self.created_ms,
                self.updated_ms,
                &self.source,
            ) == (
                other.confidence,
                other.created_ms,
                other.updated_ms,
                &other.source,
            )
    }

    pub(crate) fn statement(&self) -> Statement {
        Statement::new(self.memory_type, &self.kind, &self.title, &self.body)
    }
}
