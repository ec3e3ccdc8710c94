//! What was remembered once and is not any more: archived, rejected, or removed by hand. The same
//! evidence does not bring it back; what a session took back itself, it may say again.

use acreta_model::MemoryType;
use acreta_store::{ArchivedBy, Contribution, Memory, Snapshot};

use crate::decide::contributor::Contributor;
use crate::decide::fold::statement;
use crate::decide::kept::Kept;
use crate::decide::verdict::resembles;
use crate::memory::planned::{contributions_of, own_words};
use acreta_relate::Statement;

/// A memory that is out of use.
pub(crate) struct Gone<'a> {
    /// None when its file is gone.
    memory: Option<&'a Memory>,
    contributions: &'a [Contribution],
    statements: Vec<Statement>,
    why: Why,
}

/// Why it is out of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    Rejected,
    Archived(Option<ArchivedBy>),
    Removed,
}

/// What that means for a candidate that says the same.
pub(crate) enum Return<'a> {
    /// It stays out; why.
    No(&'a str, &'static str),
    /// It comes back under its old id.
    Restore(&'a Memory),
}

/// Quotes shorter than this prove nothing by being equal.
const TELLING_QUOTE: usize = 24;

impl<'a> Gone<'a> {
    pub(crate) fn all(snapshot: &'a Snapshot) -> Vec<Gone<'a>> {
        let archived = snapshot
            .memories
            .iter()
            .filter(|memory| memory.memory_type != MemoryType::Summary && memory.is_archived())
            .map(|memory| {
                let state = memory.state.as_ref();
                let contributions = contributions_of(memory);
                let mut statements = vec![own_words(memory)];
                statements.extend(contributions.iter().map(statement));
                Gone {
                    memory: Some(memory),
                    contributions,
                    statements,
                    why: if state.is_some_and(|state| state.rejected) {
                        Why::Rejected
                    } else {
                        Why::Archived(state.and_then(|state| state.archived_by))
                    },
                }
            });
        let removed = snapshot.removed.iter().map(|removed| Gone {
            memory: None,
            contributions: &removed.evidence.contributions,
            statements: removed
                .evidence
                .contributions
                .iter()
                .map(statement)
                .collect(),
            why: Why::Removed,
        });
        archived.chain(removed).collect()
    }

    /// What becomes of a candidate that no memory in use takes in.
    pub(crate) fn answer(
        gone: &'a [Gone<'a>],
        kept: &Kept,
        candidate: &Statement,
        contributor: &Contributor,
        update_overlap: f64,
    ) -> Option<Return<'a>> {
        gone.iter()
            .filter(|gone| {
                let mut statements = gone.statements.iter();
                statements.any(|one| resembles(one, candidate, update_overlap))
            })
            .find_map(|gone| gone.returns(kept, contributor))
    }

    fn returns(&'a self, kept: &Kept, contributor: &Contributor) -> Option<Return<'a>> {
        let id = self.memory.map_or("", |memory| memory.id.as_str());
        let is_same_evidence = self.shares_evidence(kept, contributor);
        match self.why {
            Why::Archived(Some(ArchivedBy::Withdrawal)) => self.memory.map(Return::Restore),
            Why::Archived(Some(ArchivedBy::Decay | ArchivedBy::Merge | ArchivedBy::Agent))
                if !is_same_evidence =>
            {
                self.memory.map(Return::Restore)
            }
            _ if !is_same_evidence => None,
            Why::Rejected => Some(Return::No(
                id,
                "a person rejected this, and the evidence is the same",
            )),
            Why::Removed => Some(Return::No(
                id,
                "a person removed this, and the evidence is the same",
            )),
            Why::Archived(_) => Some(Return::No(
                id,
                "it is in the archive, and the evidence is the same",
            )),
        }
    }

    fn shares_evidence(&self, kept: &Kept, contributor: &Contributor) -> bool {
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
