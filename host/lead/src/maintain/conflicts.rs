//! Active memories that contradict each other and that acreta may not decide between: a person holds the older one,
//! both are equally new, or the contradiction is not certain. A pure function of the memories; briefs contain only the
//! newer one of each pair.

use crate::maintain::report::Conflict;
use crate::maintain::report::ConflictingMemory;
use std::collections::BTreeSet;

use acreta_model::MemoryType;
use acreta_relate::{Relation, comparable_words};
use acreta_store::{Layout, Memory, Status, Trust};
use acreta_text::jaccard;

use super::undo;
use crate::decide::near::Near;
use crate::decide::verdict::judge;
use crate::maintain::pair::{is_settled, pair_of};
use crate::memory::planned::as_it_reads;
use crate::memory::planned::contributions_of;
use acreta_relate::Statement;

/// Titles with less overlap are not compared.
const NEAR_TITLE: f64 = 0.1;

/// Maximum number of pairs compared, those with the most similar titles: every title of a large project shares a word
/// with hundreds of others.
const MOST_PAIRS: usize = 20_000;

/// Returns the conflicts among active memories, by the ids of their older sides. Pairs that a person separated by
/// undoing a maintenance, or about which they said that both hold, are not conflicts.
pub fn conflicts<'a>(
    memories: impl Iterator<Item = &'a Memory>,
    layout: &Layout,
    update_overlap: f64,
) -> Vec<Conflict> {
    not_undone(contradictions(memories, update_overlap), layout)
}

/// Leaves out the pairs that a person separated by undoing a maintenance.
pub fn not_undone(mut conflicts: Vec<Conflict>, layout: &Layout) -> Vec<Conflict> {
    if !conflicts.is_empty() {
        let refused: BTreeSet<_> = undo::refused(layout).pairs;
        conflicts.retain(|one| !refused.contains(&pair_of(&one.older.id, &one.newer.id)));
    }
    conflicts
}

/// Returns contradictions, including those that a person separated: a pure function of the memories.
pub fn contradictions<'a>(
    memories: impl Iterator<Item = &'a Memory>,
    update_overlap: f64,
) -> Vec<Conflict> {
    let sides: Vec<ConflictSide<'_>> = memories
        .filter(|memory| is_in_use(memory))
        .map(ConflictSide::of)
        .collect();
    let mut found: Vec<Conflict> = nearest(&sides, MOST_PAIRS)
        .into_iter()
        .filter_map(|(older, newer)| {
            let judged = judge(&older.statement, &newer.statement, update_overlap, None);
            let is_open = judged.relation == Relation::Contradiction
                && !is_settled(older.memory, newer.memory);
            is_open.then(|| Conflict {
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

/// Returns pairs of similar titles in the order of their evidence; if there are too many, the most similar ones.
fn nearest<'a>(
    sides: &'a [ConflictSide<'a>],
    most: usize,
) -> Vec<(&'a ConflictSide<'a>, &'a ConflictSide<'a>)> {
    let mut near = Near::new(NEAR_TITLE);
    let mut titles: Vec<BTreeSet<String>> = Vec::new();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (at, side) in sides.iter().enumerate() {
        let words = comparable_words(side.memory.title());
        pairs.extend(near.find(&words).map(|other| (other, at)));
        near.add(words.clone());
        titles.push(words);
    }
    if pairs.len() > most {
        let alike = |(one, other): &(usize, usize)| jaccard(&titles[*one], &titles[*other]);
        let mut ranked: Vec<(f64, (usize, usize))> =
            pairs.into_iter().map(|pair| (alike(&pair), pair)).collect();
        ranked.sort_unstable_by(|left, right| {
            right
                .0
                .total_cmp(&left.0)
                .then_with(|| left.1.cmp(&right.1))
        });
        pairs = ranked
            .into_iter()
            .take(most)
            .map(|(_, pair)| pair)
            .collect();
    }
    pairs.sort_unstable();
    let in_order = |(one, other): (usize, usize)| in_order(&sides[one], &sides[other]);
    pairs.into_iter().map(in_order).collect()
}

struct ConflictSide<'a> {
    memory: &'a Memory,
    statement: Statement,
    newest_ms: u64,
}

impl<'a> ConflictSide<'a> {
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

/// Orders two sides by evidence time, then by id.
fn in_order<'a>(
    one: &'a ConflictSide<'a>,
    other: &'a ConflictSide<'a>,
) -> (&'a ConflictSide<'a>, &'a ConflictSide<'a>) {
    let key = |side: &ConflictSide<'_>| (side.newest_ms, side.memory.id.clone());
    if key(one) <= key(other) {
        (one, other)
    } else {
        (other, one)
    }
}

/// Reports whether a memory is active and trusted. Untrusted memories are not shown, so they conflict with nothing.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_too_many_pairs_those_with_the_most_alike_titles_are_compared() {
        let titles = [
            "Deploy the shop on Fridays",
            "Deploy the blog from main",
            "Never deploy the shop on Fridays",
            "Deploy the wiki by hand",
        ];
        let memories: Vec<Memory> = titles
            .iter()
            .enumerate()
            .map(|(number, title)| {
                let text = format!("---\nid: m{number}\ntitle: {title}\n---\n{title}.\n");
                let path = format!("decisions/{number}.md");
                Memory::parse(MemoryType::Decision, path.into(), text).unwrap()
            })
            .collect();
        let sides: Vec<ConflictSide<'_>> = memories.iter().map(ConflictSide::of).collect();
        let named = |most: usize| -> Vec<(&str, &str)> {
            let pairs = nearest(&sides, most).into_iter();
            pairs
                .map(|(older, newer)| (older.memory.id.as_str(), newer.memory.id.as_str()))
                .collect()
        };
        assert_eq!(named(1), [("m0", "m2")]);
        assert_eq!(named(100).len(), 6);
    }
}
