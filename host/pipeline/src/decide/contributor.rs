//! The contributor to memory, and its contributions as stored in evidence.

use acreta_store::{ContributedCandidate, Contribution, QuotedEvent};
use acreta_types::Reading;

use crate::attribution::{is_persons, is_spoken};
use crate::decide::accepted::{AcceptedCandidate, ResolvedCitation};
use crate::decide::precedence::Precedence;

/// The session or person that contributes, and the state in which it was read.
#[derive(Debug, Clone)]
pub(crate) struct Contributor {
    pub(crate) agent: String,
    pub(crate) session_id: String,
    pub(crate) run_id: String,
    pub(crate) events: u64,
    pub(crate) last_ms: Option<u64>,
    pub(crate) created_ms: u64,
    pub(crate) voice: ContributorVoice,
    /// The reading of its session; absent for people's own words.
    pub(crate) reading: Option<Reading>,
    pub(crate) precedence: Precedence,
}

impl Contributor {
    pub(crate) fn made(&self, contribution: &Contribution) -> bool {
        contribution.agent == self.agent && contribution.session_id == self.session_id
    }
}

/// Origin of the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContributorVoice {
    /// Derived from a session, or imported from other notes.
    Derived,
    /// A person's own words to acreta: never merged into another memory.
    Person,
}

pub(crate) fn contribution(kept: &AcceptedCandidate, contributor: &Contributor) -> Contribution {
    let mut evidence: Vec<QuotedEvent> = kept.citations.iter().map(quoted).collect();
    if kept.untrusted {
        // Text that the agent only repeats is still the tool's.
        for quoted in &mut evidence {
            "tool".clone_into(&mut quoted.role);
        }
    }
    let candidate = ContributedCandidate {
        memory_type: kept.memory_type,
        kind: kept.candidate.kind.clone(),
        title: kept.candidate.title.clone(),
        body: kept.candidate.body.clone(),
        confidence: kept.candidate.confidence,
        tags: kept.candidate.tags.clone(),
    };
    Contribution {
        newest_ms: kept.newest_ms,
        found_by: kept.found_by.clone(),
        ..contributor.contributes(candidate, evidence)
    }
}

impl Contributor {
    /// Returns what it says with this evidence, as of its last event.
    pub(crate) fn contributes(
        &self,
        candidate: ContributedCandidate,
        evidence: Vec<QuotedEvent>,
    ) -> Contribution {
        Contribution {
            agent: self.agent.clone(),
            session_id: self.session_id.clone(),
            run_id: self.run_id.clone(),
            events: self.events,
            last_ms: self.last_ms,
            newest_ms: self.last_ms.unwrap_or(self.created_ms),
            created_ms: self.created_ms,
            found_by: Vec::new(),
            reading: self.reading.clone(),
            candidate,
            evidence,
        }
    }
}

pub(crate) fn quoted(cited: &ResolvedCitation) -> QuotedEvent {
    let event = &cited.event;
    QuotedEvent {
        event_id: event.id.clone(),
        record: event.origin.record.clone(),
        start: event.origin.start,
        end: event.origin.end,
        // An answer to a question tool is the person's. Injected text is in a user's turn, but no user said it.
        role: if is_persons(cited) {
            "user".to_owned()
        } else if is_spoken(cited) {
            event.role.clone()
        } else {
            "tool".to_owned()
        },
        at_ms: event.at_ms,
        quote: cited.quote.clone(),
    }
}
