//! Repairs after a git merge, planned before a session is decided. Two clones may each create a memory for the same
//! subject, and each may give the same memory another text. The result depends on the files alone, so every clone with
//! the same files gets the same result.
//!
//! Sidecars that git merged are rewritten in order. Nothing else changes in memories that a person holds.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use acreta_store::{ArchivedBy, Contribution, Memory, Status};
use acreta_text::words;
use acreta_types::MemoryType;

use crate::decide::fold::{fold_memory, sort};
use crate::decide::folded::FoldedMemory;
use crate::memory::ids::founder;
use crate::memory::planned::as_it_reads;
use crate::memory::planned::{PlannedMemory, contributions_of};

/// The memories that change, and for each archived duplicate the memory that replaces it.
pub(crate) struct MergeRepair {
    pub(crate) planned: Vec<PlannedMemory>,
    pub(crate) doubles: Vec<(String, String)>,
}

pub(crate) fn settle(memories: &[Arc<Memory>]) -> MergeRepair {
    let learnt: BTreeMap<&str, &Memory> = memories
        .iter()
        .filter(|memory| is_learnt(memory))
        .map(|memory| (memory.id.as_str(), memory.as_ref()))
        .collect();
    let doubles = doubles(&learnt);
    let mut planned = Vec::new();
    for (id, memory) in &learnt {
        if let Some(survivor) = doubles.get(id) {
            let mut double = PlannedMemory::of(memory);
            double.archive(ArchivedBy::Merge);
            double.state.superseded_by = Some((*survivor).to_owned());
            planned.push(double);
            continue;
        }
        let taken: Vec<&str> = doubles
            .iter()
            .filter(|(_, survivor)| *survivor == id)
            .map(|(double, _)| *double)
            .collect();
        let others = taken.iter().map(|double| contributions_of(learnt[double]));
        planned.extend(settled(memory, &taken, others));
    }
    let untidy = memories.iter().filter(|memory| {
        memory.is_untidy()
            && memory.state.is_some()
            && planned.iter().all(|one| one.id != memory.id)
    });
    let untidy: Vec<PlannedMemory> = untidy.map(|memory| PlannedMemory::of(memory)).collect();
    planned.extend(untidy);
    let doubles = doubles
        .into_iter()
        .map(|(double, survivor)| (double.to_owned(), survivor.to_owned()))
        .collect();
    MergeRepair { planned, doubles }
}

/// Returns a memory with the evidence of its duplicates, if that or its file differs from what its evidence gives.
fn settled<'a>(
    memory: &Memory,
    doubles: &[&str],
    others: impl Iterator<Item = &'a [Contribution]>,
) -> Option<PlannedMemory> {
    let mut planned = PlannedMemory::of(memory);
    for one in others.flatten() {
        if !planned
            .contributions
            .iter()
            .any(|known| known.says_as_much(one))
        {
            planned.contributions.push(one.clone());
        }
    }
    sort(&mut planned.contributions);
    let folded = fold_memory(&memory.id, &planned.contributions)?;
    let differs =
        founder(&memory.id, &planned.contributions).is_some() && !reads_as(memory, &folded);
    if doubles.is_empty() && !differs {
        return None;
    }
    let titles: Vec<String> = doubles.iter().map(|double| (*double).to_owned()).collect();
    planned.state.supersedes.extend(titles);
    planned.state.supersedes.sort();
    planned.state.supersedes.dedup();
    planned.write(folded);
    Some(planned)
}

/// Reports whether a file has the front matter that its evidence gives. Times in front matter are whole seconds.
fn reads_as(memory: &Memory, folded: &FoldedMemory) -> bool {
    let file = as_it_reads(memory, folded.created_ms);
    let head = |one: &FoldedMemory| {
        (
            one.title.trim().to_owned(),
            one.kind.clone(),
            one.tags.clone(),
            one.created_ms / 1000,
            one.updated_ms / 1000,
        )
    };
    head(&file) == head(folded)
}

/// Reports whether a memory is active, learnt from sessions, and written only by acreta.
fn is_learnt(memory: &Memory) -> bool {
    memory.memory_type != MemoryType::Summary
        && !memory.is_archived()
        && !memory.is_protected()
        && memory
            .state
            .as_ref()
            .is_some_and(|state| state.status == Status::Active)
        && !contributions_of(memory).is_empty()
}

/// Returns each duplicate by id, with the memory that stays: the one with the smallest id. Duplicates have a
/// contribution or all words in common.
fn doubles<'a>(learnt: &BTreeMap<&'a str, &'a Memory>) -> BTreeMap<&'a str, &'a str> {
    let mut first: BTreeMap<String, &str> = BTreeMap::new();
    let mut doubles: BTreeMap<&str, &str> = BTreeMap::new();
    // Ids are in order, so the first with a mark is the smallest.
    for (id, memory) in learnt {
        let marks = marks(memory);
        let known: BTreeSet<&str> = marks
            .iter()
            .filter_map(|mark| first.get(mark).copied())
            .collect();
        if let Some(survivor) = known.first() {
            doubles.insert(id, survivor);
        }
        // Marks of a duplicate belong to the memory that stays.
        let owner = known.first().copied().unwrap_or(id);
        for mark in marks {
            first.entry(mark).or_insert(owner);
        }
    }
    doubles
}

/// Returns the marks of a memory. Two memories with a common mark are duplicates.
fn marks(memory: &Memory) -> Vec<String> {
    let said = |title: &str, body: &str| {
        let said: Vec<String> = words(&format!("{title}\n{body}")).collect();
        said.join(" ")
    };
    let contributions = contributions_of(memory).iter().map(|one| {
        let candidate = &one.candidate;
        format!(
            "{}\n{}\n{}\n{}",
            memory.memory_type.name(),
            one.agent,
            one.session_id,
            said(&candidate.title, &candidate.body)
        )
    });
    let text = as_it_reads(memory, 0);
    let own = format!(
        "{}\n{}\n{:?}\n{}",
        memory.memory_type.name(),
        text.kind,
        text.trust,
        said(&text.title, &text.body)
    );
    contributions.chain([own]).collect()
}
