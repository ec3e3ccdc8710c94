//! Memories in use that say the opposite of each other and that acreta may not decide between: a person holds the older
//! one, both are equally new, or it is not certain that they do. A pure function of the memories; briefs tell only the newer one of each pair.

use crate::maintain::report::Conflict;
use crate::maintain::report::ConflictingMemory;
use std::collections::BTreeSet;

use acreta_model::MemoryType;
use acreta_relate::{Relation, comparable_words};
use acreta_store::{Layout, Memory, Status, Trust};

use super::undo;
use crate::decide::near::Near;
use crate::decide::verdict::judge;
use crate::maintain::pair::pair_of;
use crate::memory::planned::as_it_reads;
use crate::memory::planned::contributions_of;
use acreta_relate::Statement;

/// Titles that share less than this are not compared.
const NEAR_TITLE: f64 = 0.1;

/// The conflicts among memories in use, by the ids of their older sides. Pairs that a person took apart by undoing a
/// maintenance stand side by side.
pub fn conflicts<'a>(
    memories: impl Iterator<Item = &'a Memory>,
    layout: &Layout,
    update_overlap: f64,
) -> Vec<Conflict> {
    let sides: Vec<Side<'_>> = memories
        .filter(|memory| is_in_use(memory))
        .map(Side::of)
        .collect();
    let mut near = Near::new(NEAR_TITLE);
    let mut pairs: Vec<(&Side<'_>, &Side<'_>)> = Vec::new();
    for (at, side) in sides.iter().enumerate() {
        let words = comparable_words(side.memory.title());
        let mut others: Vec<usize> = near.find(&words).collect();
        others.sort_unstable();
        pairs.extend(
            others
                .into_iter()
                .map(|other| in_order(&sides[other], &sides[at])),
        );
        near.add(words);
    }
    if pairs.is_empty() {
        return Vec::new();
    }
    let refused: BTreeSet<_> = undo::refused(layout).pairs;
    let mut found: Vec<Conflict> = pairs
        .into_iter()
        .filter(|(older, newer)| !refused.contains(&pair_of(&older.memory.id, &newer.memory.id)))
        .filter_map(|(older, newer)| {
            let judged = judge(&older.statement, &newer.statement, update_overlap, None);
            (judged.relation == Relation::Contradiction).then(|| Conflict {
                older: older.named(),
                newer: newer.named(),
                reason: judged.reason.to_owned(),
            })
        })
        .collect();
    found.sort_by(|left, right| {
        (&left.older.id, &left.newer.id).cmp(&(&right.older.id, &right.newer.id))
    });
    found
}

struct Side<'a> {
    memory: &'a Memory,
    statement: Statement,
    newest_ms: u64,
}

impl<'a> Side<'a> {
    fn of(memory: &'a Memory) -> Self {
        let folded = as_it_reads(memory, 0);
        let newest = contributions_of(memory)
            .iter()
            .map(|one| one.newest_ms)
            .max();
        Self {
            memory,
            statement: folded.statement(),
            newest_ms: newest.unwrap_or(folded.updated_ms),
        }
    }

    fn named(&self) -> ConflictingMemory {
        ConflictingMemory {
            id: self.memory.id.clone(),
            title: self.memory.title().to_owned(),
        }
    }
}

/// By evidence time; ids break ties.
fn in_order<'a>(one: &'a Side<'a>, other: &'a Side<'a>) -> (&'a Side<'a>, &'a Side<'a>) {
    let key = |side: &Side<'_>| (side.newest_ms, side.memory.id.clone());
    if key(one) <= key(other) {
        (one, other)
    } else {
        (other, one)
    }
}

/// What nobody vouches for is told to nobody, so it is in nobody's way.
fn is_in_use(memory: &Memory) -> bool {
    let is_active = memory
        .state
        .as_ref()
        .is_none_or(|state| state.status == Status::Active);
    memory.memory_type != MemoryType::Summary
        && !memory.is_archived()
        && is_active
        && memory.trust() > Trust::Untrusted
}
