//! Who contributes to memory, and a contribution as evidence keeps it.

use acreta_model::Reading;
use acreta_store::{ContributedCandidate, Contribution, QuotedEvent};

use crate::decide::kept::{Cited, Kept};
use crate::decide::precedence::Precedence;
use crate::grounds::is_spoken;

/// Who contributes, and in which state it was read.
#[derive(Debug, Clone)]
pub(crate) struct Contributor {
    pub(crate) agent: String,
    pub(crate) session_id: String,
    pub(crate) run_id: String,
    pub(crate) events: u64,
    pub(crate) last_ms: Option<u64>,
    pub(crate) created_ms: u64,
    pub(crate) voice: Voice,
    /// How its session was read; absent for what people say.
    pub(crate) reading: Option<Reading>,
    pub(crate) precedence: Precedence,
}

impl Contributor {
    pub(crate) fn made(&self, contribution: &Contribution) -> bool {
        contribution.agent == self.agent && contribution.session_id == self.session_id
    }
}

/// Whose words they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    /// Worked out from a session, or brought over from other notes.
    Derived,
    /// A person's own, said to acreta itself: never mixed into another memory.
    Person,
}

pub(crate) fn contribution(kept: &Kept, contributor: &Contributor) -> Contribution {
    let mut evidence: Vec<QuotedEvent> = kept.citations.iter().map(quoted).collect();
    if kept.untrusted {
        // What the agent only repeats is still the tool's word.
        for quoted in &mut evidence {
            "tool".clone_into(&mut quoted.role);
        }
    }
    Contribution {
        agent: contributor.agent.clone(),
        session_id: contributor.session_id.clone(),
        run_id: contributor.run_id.clone(),
        events: contributor.events,
        last_ms: contributor.last_ms,
        newest_ms: kept.newest_ms,
        created_ms: contributor.created_ms,
        reading: contributor.reading.clone(),
        candidate: ContributedCandidate {
            memory_type: kept.memory_type,
            kind: kept.candidate.kind.clone(),
            title: kept.candidate.title.clone(),
            body: kept.candidate.body.clone(),
            confidence: kept.candidate.confidence,
            tags: kept.candidate.tags.clone(),
        },
        evidence,
    }
}

pub(crate) fn quoted(cited: &Cited) -> QuotedEvent {
    let event = &cited.event;
    QuotedEvent {
        event_id: event.id.clone(),
        record: event.origin.record.clone(),
        start: event.origin.start,
        end: event.origin.end,
        // Injected text stands in a user's turn, but no user said it.
        role: if is_spoken(cited) {
            event.role.clone()
        } else {
            "tool".to_owned()
        },
        at_ms: event.at_ms,
        quote: cited.quote.clone(),
    }
}
