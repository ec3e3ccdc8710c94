//! Finds pairs of active memories that contradict each other. Maintenance supersedes the older memory of a pair if it
//! can. The other pairs are left for a person to decide: the older memory is protected, both have equally new evidence,
//! or the contradiction is not certain. Until then, briefs contain only the newer memory of a certain pair,
//! and both of any other.

use crate::maintain::report::Conflict;
use crate::maintain::report::ConflictingMemory;
use std::collections::BTreeSet;

use acreta_compare::{Relation, comparable_words};
use acreta_store::{Layout, Memory, Status, Trust};
use acreta_text::jaccard;
use acreta_types::MemoryType;

use super::undo;
use crate::decide::near::Near;
use crate::decide::verdict::judge;
use crate::maintain::pair::{is_settled, pair_of};
use crate::memory::planned::contributions_of;
use crate::memory::planned::{as_it_reads, body_of};
use acreta_compare::Statement;

/// Minimum similarity (Jaccard index) of two titles. Memories whose titles have less in common are not compared, unless
/// both lay down a value: the title of a quote is a label, and two people label one subject differently.
const NEAR_TITLE: f64 = 0.1;

/// Like [`NEAR_TITLE`], for the whole texts of two memories that lay down a value.
const NEAR_TEXT: f64 = 0.1;

/// Maximum number of pairs to compare. A limit is needed because in a large project every title shares a word with
/// hundreds of others. The pairs with the most similar titles are compared.
const MAX_PAIRS: usize = 20_000;

/// Returns the conflicts among active memories, sorted by the id of the older memory. A pair is not a conflict if a
/// person undid the maintenance run that merged or superseded it, or said that both memories hold. `update_overlap` is
/// the setting `decide.update_overlap`.
pub fn conflicts<'a>(
    memories: impl Iterator<Item = &'a Memory>,
    layout: &Layout,
    update_overlap: f64,
) -> Vec<Conflict> {
    not_undone(contradictions(memories, update_overlap), layout)
}

/// Removes the pairs that an undone maintenance run had merged or superseded. Reads the runs' records from disk.
pub fn not_undone(mut conflicts: Vec<Conflict>, layout: &Layout) -> Vec<Conflict> {
    if !conflicts.is_empty() {
        let refused: BTreeSet<_> = undo::refused(layout).pairs;
        conflicts.retain(|one| !refused.contains(&pair_of(&one.older.id, &one.newer.id)));
    }
    conflicts
}

/// Returns the conflicts without reading the disk, for a cache: pairs of undone maintenance runs are included, and
/// [`not_undone`] removes them.
pub fn contradictions<'a>(
    memories: impl Iterator<Item = &'a Memory>,
    update_overlap: f64,
) -> Vec<Conflict> {
    let sides: Vec<ConflictSide<'_>> = memories
        .filter(|memory| can_conflict(memory))
        .map(ConflictSide::of)
        .collect();
    let mut found: Vec<Conflict> = pairs_to_compare(&sides, MAX_PAIRS)
        .into_iter()
        .filter_map(|(older, newer)| {
            let judged = judge(&older.statement, &newer.statement, update_overlap, None);
            let is_conflict = judged.relation == Relation::Contradiction
                && !is_settled(older.memory, newer.memory);
            is_conflict.then(|| Conflict {
                older: older.id_and_title(),
                newer: newer.id_and_title(),
                reason: judged.reason.to_owned(),
                is_certain: judged.is_certain,
            })
        })
        .collect();
    found.sort_by(|left, right| {
        (&left.older.id, &left.newer.id).cmp(&(&right.older.id, &right.newer.id))
    });
    found
}

/// Returns pairs of memories with similar titles or values, each with the older memory first. If there are more than `max_pairs`,
/// returns those with the most similar titles.
fn pairs_to_compare<'a>(
    sides: &'a [ConflictSide<'a>],
    max_pairs: usize,
) -> Vec<(&'a ConflictSide<'a>, &'a ConflictSide<'a>)> {
    let mut near = Near::new(NEAR_TITLE);
    let mut titles: Vec<BTreeSet<String>> = Vec::new();
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let (mut near_texts, mut with_value) = (Near::new(NEAR_TEXT), Vec::new());
    for (at, side) in sides.iter().enumerate() {
        let words = comparable_words(side.memory.title());
        pairs.extend(near.find(&words).map(|other| (other, at)));
        if side.statement.sets_value() {
            let text = format!("{}\n{}", side.memory.title(), body_of(side.memory));
            let text = comparable_words(&text);
            pairs.extend(near_texts.find(&text).map(|other| (with_value[other], at)));
            near_texts.add(text);
            with_value.push(at);
        }
        near.add(words.clone());
        titles.push(words);
    }
    pairs.sort_unstable();
    pairs.dedup();
    if pairs.len() > max_pairs {
        let similarity = |(one, other): &(usize, usize)| jaccard(&titles[*one], &titles[*other]);
        let mut ranked: Vec<(f64, (usize, usize))> = pairs
            .into_iter()
            .map(|pair| (similarity(&pair), pair))
            .collect();
        ranked.sort_unstable_by(|left, right| {
            right
                .0
                .total_cmp(&left.0)
                .then_with(|| left.1.cmp(&right.1))
        });
        pairs = ranked
            .into_iter()
            .take(max_pairs)
            .map(|(_, pair)| pair)
            .collect();
    }
    pairs.sort_unstable();
    let by_age = |(one, other): (usize, usize)| older_first(&sides[one], &sides[other]);
    pairs.into_iter().map(by_age).collect()
}

/// One memory of a pair that is compared.
struct ConflictSide<'a> {
    memory: &'a Memory,
    statement: Statement,
    /// Time of the newest evidence; without evidence, the time of the last update.
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

    fn id_and_title(&self) -> ConflictingMemory {
        ConflictingMemory {
            id: self.memory.id.clone(),
            title: self.memory.title().to_owned(),
        }
    }
}

/// Returns the side with the older evidence first. If both are equally old, the smaller id comes first.
fn older_first<'a>(
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
/// Summaries are not compared.
fn can_conflict(memory: &Memory) -> bool {
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
    fn a_limit_keeps_the_pairs_with_the_most_similar_titles() {
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
        let compared = |max_pairs: usize| -> Vec<(&str, &str)> {
            let pairs = pairs_to_compare(&sides, max_pairs).into_iter();
            pairs
                .map(|(older, newer)| (older.memory.id.as_str(), newer.memory.id.as_str()))
                .collect()
        };
        assert_eq!(compared(1), [("m0", "m2")]);
        assert_eq!(compared(100).len(), 6);
    }
}
