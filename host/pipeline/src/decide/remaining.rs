//! Memory without the contributions of one session, and the memories that the session's candidates match.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use acreta_compare::comparable_words;
use acreta_store::{Contribution, Memory, Status, Trust};
use acreta_types::MemoryType;

use crate::decide::accepted::AcceptedCandidate;
use crate::decide::contributor::{Contributor, ContributorVoice, contribution};
use crate::decide::fold::{fold, fold_memory, statement};
use crate::decide::folded::FoldedMemory;
use crate::decide::near::Near;
use crate::decide::opinions::Opinions;
use crate::decide::precedence::Precedence;
use crate::decide::verdict::{JoinContent, MatchDecision, MatchableMemory, decide};
use crate::memory::planned::{body_of, contributions_of, own_words};
use acreta_compare::Statement;

/// Texts with less overlap are not compared, unless their titles are near.
const NEAR: f64 = 0.15;

/// Like [`NEAR`], for titles alone: a text that revokes another shares little but its subject.
const NEAR_TITLE: f64 = 0.1;

/// A memory without the contributions of this session.
pub(crate) struct RemainingMemory<'a> {
    pub(crate) memory: &'a Memory,
    /// Contributions of others, and of this session if it may not change its own.
    pub(crate) others: Vec<Contribution>,
    pub(crate) own: Vec<Contribution>,
    /// Its text before this run, from all its contributions.
    pub(crate) text: Option<FoldedMemory>,
    /// Held by a person: edited, confirmed or written by hand.
    pub(crate) is_protected: bool,
}

impl RemainingMemory<'_> {
    /// Reports whether contributions of the session may not be changed by it.
    pub(crate) fn is_fixed(&self, contributor: &Contributor) -> bool {
        self.others.iter().any(|one| contributor.made(one))
    }

    pub(crate) fn is_superseded(&self) -> bool {
        is_superseded(self.memory)
    }

    /// Reports whether nothing is left of it without this session.
    fn is_only_own(&self) -> bool {
        self.others.is_empty() && !self.is_protected
    }

    fn known(&self) -> MatchableMemory {
        let mut statements = Vec::new();
        if self.is_protected {
            statements.push(own_words(self.memory));
        }
        statements.extend(fold(&self.others).map(|folded| folded.statement()));
        statements.extend(self.others.iter().chain(&self.own).map(statement));
        MatchableMemory {
            id: self.memory.id.clone(),
            statements,
            newest_ms: self
                .others
                .iter()
                .map(|contribution| contribution.newest_ms)
                .max()
                .unwrap_or(0),
        }
    }
}

/// Memories that the session contributed to, and those that its candidates may match.
pub(crate) struct RemainingMemories<'a>(pub(crate) BTreeMap<&'a str, RemainingMemory<'a>>);

impl<'a> RemainingMemories<'a> {
    pub(crate) fn of(
        memories: &'a [Arc<Memory>],
        contributor: &Contributor,
        kept: &[AcceptedCandidate],
        opinions: &Opinions,
    ) -> Self {
        let (mut wanted, mut titles) = (Near::new(NEAR), Near::new(NEAR_TITLE));
        for kept in kept {
            wanted.add(words(&kept.candidate.title, &kept.candidate.body));
            titles.add(comparable_words(&kept.candidate.title));
        }
        let near = |title: &str, body: &str| {
            let may_be_wanted = wanted.may_find(title) || wanted.may_find(body);
            (may_be_wanted && wanted.find(&words(title, body)).next().is_some())
                || (titles.may_find(title)
                    && titles.find(&comparable_words(title)).next().is_some())
        };
        let remaining = memories
            .iter()
            .filter(|memory| memory.memory_type != MemoryType::Summary && !memory.is_archived())
            .filter_map(|memory| {
                let all = contributions_of(memory);
                let is_own = all.iter().any(|one| contributor.made(one));
                // A superseded statement may be said again, and is then news.
                let is_near = !is_superseded(memory)
                    && (near(memory.title(), body_of(memory))
                        || opinions.touch(&memory.id)
                        || all
                            .iter()
                            .any(|one| near(&one.candidate.title, &one.candidate.body)));
                if !is_own && !is_near {
                    return None;
                }
                let is_fixed = contributor.precedence == Precedence::Extends;
                let (own, others): (Vec<_>, Vec<_>) = all
                    .iter()
                    .cloned()
                    .partition(|one| contributor.made(one) && !is_fixed);
                let current = RemainingMemory {
                    memory,
                    text: fold_memory(&memory.id, all),
                    others,
                    own,
                    is_protected: memory.is_protected(),
                };
                Some((memory.id.as_str(), current))
            })
            .collect();
        Self(remaining)
    }
}

fn is_superseded(memory: &Memory) -> bool {
    let state = memory.state.as_ref();
    state.is_some_and(|state| state.status == Status::Superseded)
}

/// Reports whether two statements are worth comparing.
pub(crate) fn is_near(one: &Statement, other: &Statement) -> bool {
    one.overlap(other) >= NEAR || one.title_overlap(other) >= NEAR_TITLE
}

fn words(title: &str, body: &str) -> BTreeSet<String> {
    comparable_words(&format!("{title}\n{body}"))
}

/// The memory that a candidate joins.
pub(crate) struct Placement {
    pub(crate) id: String,
    pub(crate) overlap: f64,
    pub(crate) says: JoinContent,
}

/// Returns the memory that each candidate joins, if any. Best pairs first. Memories that stand without this session
/// are matched first; from a memory that is only this session's own, only the id is reused. A memory takes one
/// candidate of a session, or as many as it already has from it.
pub(crate) fn place(
    remaining: &RemainingMemories<'_>,
    candidates: &[Statement],
    kept: &[AcceptedCandidate],
    contributor: &Contributor,
    update_overlap: f64,
    opinions: &Opinions,
) -> BTreeMap<usize, Placement> {
    let (only_own, left): (Vec<_>, Vec<_>) = remaining
        .0
        .values()
        .partition(|current| current.is_only_own());
    let mut placed = in_place(remaining, kept, contributor);
    for group in [left, only_own] {
        let known: Vec<MatchableMemory> = group.iter().map(|current| current.known()).collect();
        let mut proposals: Vec<(usize, Placement)> = Vec::new();
        for (index, candidate) in candidates.iter().enumerate() {
            if placed.contains_key(&index) {
                continue;
            }
            let opinion = |id: &str| opinions.on(&kept[index].candidate.id, id);
            let near = group.iter().zip(&known).filter(|(_, memory)| {
                let mut statements = memory.statements.iter();
                opinion(&memory.id).is_some() || statements.any(|one| is_near(candidate, one))
            });
            for (current, memory) in near {
                // An untrusted candidate stays separate from a trusted memory.
                let is_weaker = kept[index].untrusted && current.memory.trust() > Trust::Untrusted;
                let known = std::slice::from_ref(memory);
                let newest_ms = kept[index].newest_ms;
                let verdict = decide(candidate, newest_ms, known, update_overlap, &opinion);
                if let MatchDecision::Join { id, overlap, says } = verdict
                    && ((contributor.voice == ContributorVoice::Derived && !is_weaker)
                        || says == JoinContent::NothingNew)
                {
                    proposals.push((index, Placement { id, overlap, says }));
                }
            }
        }
        proposals.sort_by(|(left_index, left), (right_index, right)| {
            right
                .overlap
                .total_cmp(&left.overlap)
                .then_with(|| left.id.cmp(&right.id))
                .then_with(|| left_index.cmp(right_index))
        });
        let mut room: BTreeMap<&str, usize> = group
            .iter()
            .map(|current| (current.memory.id.as_str(), current.own.len().max(1)))
            .collect();
        for (index, placement) in proposals {
            let Some(room) = room.get_mut(placement.id.as_str()) else {
                continue;
            };
            if *room > 0 && !placed.contains_key(&index) {
                *room -= 1;
                placed.insert(index, placement);
            }
        }
    }
    placed
}

/// Returns the candidates that repeat an earlier contribution of their session verbatim: they stay where they are.
fn in_place(
    remaining: &RemainingMemories<'_>,
    kept: &[AcceptedCandidate],
    contributor: &Contributor,
) -> BTreeMap<usize, Placement> {
    let mut placed = BTreeMap::new();
    for (index, kept) in kept.iter().enumerate() {
        let fresh = contribution(kept, contributor);
        let is_same =
            |own: &Contribution| own.candidate == fresh.candidate && own.evidence == fresh.evidence;
        let mut remaining = remaining.0.iter();
        if let Some((id, _)) = remaining.find(|(_, current)| current.own.iter().any(is_same)) {
            let placement = Placement {
                id: (*id).to_owned(),
                overlap: 1.0,
                says: JoinContent::NothingNew,
            };
            placed.insert(index, placement);
        }
    }
    placed
}
