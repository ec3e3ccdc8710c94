//! Memory as it stands without one session, and which of it the session's candidates are about.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use acreta_model::MemoryType;
use acreta_relate::comparable_words;
use acreta_store::{Contribution, Memory, Status, Trust};

use crate::decide::contributor::{Contributor, Voice, contribution};
use crate::decide::fold::{fold, fold_memory, statement};
use crate::decide::folded::Folded;
use crate::decide::kept::Kept;
use crate::decide::near::Near;
use crate::decide::opinions::Opinions;
use crate::decide::verdict::{Known, Says, Verdict, decide};
use crate::memory::planned::{body_of, contributions_of, own_words};
use acreta_relate::Statement;

/// Below this overlap two texts are not worth comparing, unless their titles are.
const NEAR: f64 = 0.15;

/// The same for titles alone: one that takes another back shares little but its subject.
const NEAR_TITLE: f64 = 0.1;

/// A memory as it stands without this session.
pub(crate) struct Stood<'a> {
    pub(crate) memory: &'a Memory,
    /// What others contributed, and this session where its earlier contributions stay.
    pub(crate) left: Vec<Contribution>,
    pub(crate) own: Vec<Contribution>,
    /// What it said before this run, from all its contributions.
    pub(crate) before: Option<Folded>,
    /// Held by a person: edited, confirmed or written by hand.
    pub(crate) held: bool,
}

impl Stood<'_> {
    /// Reports whether the session contributed to what is left of it.
    pub(crate) fn is_behind(&self, contributor: &Contributor) -> bool {
        self.left.iter().any(|one| contributor.made(one))
    }

    /// Nothing is left of it without this session.
    fn is_withdrawn(&self) -> bool {
        self.left.is_empty() && !self.held
    }

    fn known(&self) -> Known {
        let mut statements = Vec::new();
        if self.held {
            statements.push(own_words(self.memory));
        }
        statements.extend(fold(&self.left).map(|folded| folded.statement()));
        statements.extend(self.left.iter().map(statement));
        if self.held || self.left.is_empty() {
            statements.extend(self.own.iter().map(statement));
        }
        Known {
            id: self.memory.id.clone(),
            statements,
            newest_ms: self
                .left
                .iter()
                .map(|contribution| contribution.newest_ms)
                .max()
                .unwrap_or(0),
        }
    }
}

/// What the session stands behind already, and what its candidates may be about.
pub(crate) struct Standing<'a>(pub(crate) BTreeMap<&'a str, Stood<'a>>);

impl<'a> Standing<'a> {
    pub(crate) fn of(
        memories: &'a [Arc<Memory>],
        contributor: &Contributor,
        kept: &[Kept],
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
        let standing = memories
            .iter()
            .filter(|memory| memory.memory_type != MemoryType::Summary && !memory.is_archived())
            .filter_map(|memory| {
                let all = contributions_of(memory);
                let is_own = all.iter().any(|one| contributor.made(one));
                // What was replaced may be said again, and is then news.
                let is_superseded = memory
                    .state
                    .as_ref()
                    .is_some_and(|state| state.status == Status::Superseded);
                let is_near = !is_superseded
                    && (near(memory.title(), body_of(memory))
                        || opinions.touch(&memory.id)
                        || all
                            .iter()
                            .any(|one| near(&one.candidate.title, &one.candidate.body)));
                if !is_own && !is_near {
                    return None;
                }
                let (own, left): (Vec<_>, Vec<_>) = all.iter().cloned().partition(|one| {
                    contributor.made(one) && !contributor.precedence.keeps_earlier()
                });
                let stood = Stood {
                    memory,
                    before: fold_memory(&memory.id, all),
                    left,
                    own,
                    held: memory.is_protected(),
                };
                Some((memory.id.as_str(), stood))
            })
            .collect();
        Self(standing)
    }
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
    pub(crate) says: Says,
}

/// Which memory each candidate joins, if any. The best pairs first. What stands without this session
/// is matched first; a memory that is only this session's own lends nothing but its id. A memory takes
/// one candidate of a session, or as many as it has of it already.
pub(crate) fn place(
    standing: &Standing<'_>,
    candidates: &[Statement],
    kept: &[Kept],
    contributor: &Contributor,
    update_overlap: f64,
    opinions: &Opinions,
) -> BTreeMap<usize, Placement> {
    let (withdrawn, left): (Vec<_>, Vec<_>) =
        standing.0.values().partition(|stood| stood.is_withdrawn());
    let mut placed = in_place(standing, kept, contributor);
    for group in [left, withdrawn] {
        let known: Vec<Known> = group.iter().map(|stood| stood.known()).collect();
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
            for (stood, memory) in near {
                // What nobody vouches for stands by itself, beside what somebody said.
                let is_weaker = kept[index].untrusted && stood.memory.trust() > Trust::Untrusted;
                let known = std::slice::from_ref(memory);
                let newest_ms = kept[index].newest_ms;
                let verdict = decide(candidate, newest_ms, known, update_overlap, &opinion);
                if let Verdict::Join { id, overlap, says } = verdict
                    && ((contributor.voice == Voice::Derived && !is_weaker)
                        || says == Says::NothingNew)
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
            .map(|stood| (stood.memory.id.as_str(), stood.own.len().max(1)))
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

/// Candidates that say what their session contributed before, word for word: they stay where they are.
fn in_place(
    standing: &Standing<'_>,
    kept: &[Kept],
    contributor: &Contributor,
) -> BTreeMap<usize, Placement> {
    let mut placed = BTreeMap::new();
    for (index, kept) in kept.iter().enumerate() {
        let fresh = contribution(kept, contributor);
        let is_same =
            |own: &Contribution| own.candidate == fresh.candidate && own.evidence == fresh.evidence;
        let mut standing = standing.0.iter();
        if let Some((id, _)) = standing.find(|(_, stood)| stood.own.iter().any(is_same)) {
            let placement = Placement {
                id: (*id).to_owned(),
                overlap: 1.0,
                says: Says::NothingNew,
            };
            placed.insert(index, placement);
        }
    }
    placed
}
