//! Memories that are no longer in use: archived, rejected, or removed by hand. The same evidence does not bring them
//! back; a session may repeat what it withdrew itself.

use acreta_store::{ArchivedBy, Contribution, Memory, Snapshot};
use acreta_types::MemoryType;

use crate::decide::accepted::AcceptedCandidate;
use crate::decide::contributor::Contributor;
use crate::decide::fold::statement;
use crate::decide::verdict::{belong_together, resembles};
use crate::memory::planned::{contributions_of, own_words};
use acreta_compare::Statement;

/// A memory that is out of use.
pub(crate) struct Tombstone<'a> {
    /// `None` if its file is gone.
    memory: Option<&'a Memory>,
    contributions: &'a [Contribution],
    statements: Vec<Statement>,
    why: TombstoneReason,
}

/// Reason why it is out of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TombstoneReason {
    Rejected,
    Archived(Option<ArchivedBy>),
    Removed,
}

/// Decision about a candidate that repeats such a memory.
pub(crate) enum TombstoneAnswer<'a> {
    /// It stays out; id and reason.
    No(&'a str, &'static str),
    /// It is restored under its old id.
    Restore(&'a Memory),
}

/// Equality of shorter quotes proves nothing.
const TELLING_QUOTE: usize = 24;

impl<'a> Tombstone<'a> {
    pub(crate) fn all(snapshot: &'a Snapshot) -> Vec<Tombstone<'a>> {
        let archived = snapshot
            .memories
            .iter()
            .filter(|memory| memory.memory_type != MemoryType::Summary && memory.is_archived())
            .map(|memory| {
                let state = memory.state.as_ref();
                let contributions = contributions_of(memory);
                let mut statements = vec![own_words(memory)];
                statements.extend(contributions.iter().map(statement));
                Tombstone {
                    memory: Some(memory),
                    contributions,
                    statements,
                    why: if state.is_some_and(|state| state.rejected) {
                        TombstoneReason::Rejected
                    } else {
                        TombstoneReason::Archived(state.and_then(|state| state.archived_by))
                    },
                }
            });
        let removed = snapshot.removed.iter().map(|removed| Tombstone {
            memory: None,
            contributions: &removed.evidence.contributions,
            statements: removed
                .evidence
                .contributions
                .iter()
                .map(statement)
                .collect(),
            why: TombstoneReason::Removed,
        });
        archived.chain(removed).collect()
    }

    /// Returns the decision about a candidate that joins no active memory.
    pub(crate) fn answer(
        gone: &'a [Tombstone<'a>],
        kept: &AcceptedCandidate,
        candidate: &Statement,
        contributor: &Contributor,
        update_overlap: f64,
    ) -> Option<TombstoneAnswer<'a>> {
        gone.iter().find_map(|gone| {
            let mut statements = gone.statements.iter();
            statements
                .any(|one| resembles(one, candidate, update_overlap))
                .then(|| gone.returns(kept, candidate, contributor, update_overlap))?
        })
    }

    fn returns(
        &'a self,
        kept: &AcceptedCandidate,
        candidate: &Statement,
        contributor: &Contributor,
        update_overlap: f64,
    ) -> Option<TombstoneAnswer<'a>> {
        let id = self.memory.map_or("", |memory| memory.id.as_str());
        let is_same_evidence = self.shares_evidence(kept, contributor);
        let mut statements = self.statements.iter();
        let says_same = statements.any(|one| belong_together(one, candidate, update_overlap, None));
        let restored = || {
            self.memory
                .filter(|_| says_same)
                .map(TombstoneAnswer::Restore)
        };
        match self.why {
            TombstoneReason::Archived(Some(ArchivedBy::Withdrawal)) => restored(),
            TombstoneReason::Archived(Some(
                ArchivedBy::Decay | ArchivedBy::Merge | ArchivedBy::Agent,
            )) if !is_same_evidence => restored(),
            _ if !is_same_evidence => None,
            TombstoneReason::Rejected => Some(TombstoneAnswer::No(
                id,
                "a person rejected this, and the evidence is the same",
            )),
            TombstoneReason::Removed => Some(TombstoneAnswer::No(
                id,
                "a person removed this, and the evidence is the same",
            )),
            TombstoneReason::Archived(_) => Some(TombstoneAnswer::No(
                id,
                "it is in the archive, and the evidence is the same",
            )),
        }
    }

    fn shares_evidence(&self, kept: &AcceptedCandidate, contributor: &Contributor) -> bool {
        self.contributions.iter().any(|contribution| {
            contributor.made(contribution)
                || contribution.evidence.iter().any(|quoted| {
                    quoted.quote.len() >= TELLING_QUOTE
                        && kept
                            .citations
                            .iter()
                            .any(|cited| cited.quote == quoted.quote)
                })
        })
    }
}
