//! Finds memories that belong together: merges duplicates, supersedes the older of two that contradict each other, and
//! links neighbours. A pure function of the memories and of the pairs that explorers propose; idempotent: run on its
//! own result, it finds nothing to do.

use crate::maintain::pair::{MemoryPair, pair_of};
use std::collections::{BTreeMap, BTreeSet};

use acreta_compare::{Judgement, Relation};
use acreta_store::{ArchivedBy, Contribution, Memory, ProposalOperation, Status};

use super::report::{MaintainAction, MaintainRecord};
use crate::decide::fold::{fold_memory, sort};
use crate::decide::folded::FoldedMemory;
use crate::decide::verdict::judge;
use crate::memory::planned::as_it_reads;
use crate::memory::planned::{PlannedMemory, TextChange};
use acreta_compare::Statement;

/// Maximum number of neighbours a memory names.
const NEIGHBOURS: usize = 5;

/// A memory during consolidation.
pub(crate) struct ConsolidationItem {
    pub(crate) planned: PlannedMemory,
    statement: Statement,
    pub(super) folded: FoldedMemory,
    /// Time of its newest evidence.
    newest_ms: u64,
    /// Held by a person, or untrusted: acreta may not change its text.
    held: bool,
    in_use: bool,
}

/// All active memories, by id.
pub(crate) struct Consolidation {
    pub(crate) by_id: BTreeMap<String, ConsolidationItem>,
    run_id: String,
    update_overlap: f64,
    pub(crate) records: Vec<MaintainRecord>,
}

impl ConsolidationItem {
    fn of(memory: &Memory, now_ms: u64) -> Self {
        let planned = PlannedMemory::of(memory);
        let folded = as_it_reads(memory, now_ms);
        let newest = planned.contributions.iter().map(|one| one.newest_ms).max();
        Self {
            statement: folded.statement(),
            newest_ms: newest.unwrap_or(folded.updated_ms),
            held: memory.is_protected() || planned.contributions.is_empty(),
            in_use: planned.state.status == Status::Active,
            planned,
            folded,
        }
    }

    /// Adds the evidence of another memory.
    fn take_evidence(&mut self, contributions: &[Contribution]) {
        for contribution in contributions {
            if !self.planned.contributions.contains(contribution) {
                self.planned.contributions.push(contribution.clone());
            }
        }
        sort(&mut self.planned.contributions);
    }
}

impl Consolidation {
    pub(crate) fn new<'a>(
        memories: impl Iterator<Item = &'a Memory>,
        run_id: &str,
        update_overlap: f64,
        now_ms: u64,
    ) -> Self {
        Self {
            by_id: memories
                .map(|memory| (memory.id.clone(), ConsolidationItem::of(memory, now_ms)))
                .collect(),
            run_id: run_id.to_owned(),
            update_overlap,
            records: Vec::new(),
        }
    }

    /// Works through pairs until nothing changes. `refused` are pairs that a person separated by an undo.
    pub(crate) fn consolidate(
        &mut self,
        proposed: &BTreeSet<MemoryPair>,
        refused: &BTreeSet<MemoryPair>,
    ) {
        let mut pairs: BTreeSet<MemoryPair> = proposed.difference(refused).cloned().collect();
        let mut open = pairs.clone();
        while !open.is_empty() {
            let mut ranked: Vec<(f64, MemoryPair)> = open
                .iter()
                .filter_map(|pair| Some((self.overlap(pair)?, pair.clone())))
                .collect();
            ranked.sort_by(|left, right| {
                right
                    .0
                    .total_cmp(&left.0)
                    .then_with(|| left.1.cmp(&right.1))
            });
            let mut successors: BTreeMap<String, String> = BTreeMap::new();
            for (_, pair) in &ranked {
                // One of them may be gone by now, or have another text.
                let Some(overlap) = self.overlap(pair) else {
                    continue;
                };
                if let Some((survivor, gone)) = self.settle(pair, overlap) {
                    successors.insert(gone, survivor);
                }
            }
            // Pairs with a memory that is gone now refer to the one that replaced it.
            pairs = pairs
                .iter()
                .map(|pair| pair_of(last(&successors, &pair.0), last(&successors, &pair.1)))
                .filter(|pair| pair.0 != pair.1 && !refused.contains(pair))
                .collect();
            let changed: BTreeSet<&str> = successors
                .keys()
                .map(|gone| last(&successors, gone))
                .collect();
            open = pairs
                .iter()
                .filter(|pair| {
                    changed.contains(pair.0.as_str()) || changed.contains(pair.1.as_str())
                })
                .cloned()
                .collect();
        }
        self.relate_neighbours(&pairs);
    }

    pub(super) fn overlap(&self, pair: &MemoryPair) -> Option<f64> {
        let (left, right) = (self.by_id.get(&pair.0)?, self.by_id.get(&pair.1)?);
        (left.in_use && right.in_use).then(|| left.statement.overlap(&right.statement))
    }

    /// Returns the older of the two by its evidence, then the newer; ties by id.
    pub(super) fn by_age(&self, pair: &MemoryPair) -> (String, String) {
        let key = |id: &String| (self.by_id[id].newest_ms, id.clone());
        if key(&pair.0) <= key(&pair.1) {
            pair.clone()
        } else {
            (pair.1.clone(), pair.0.clone())
        }
    }

    /// Settles one pair. Returns survivor and loser if one of them is gone.
    fn settle(&mut self, pair: &MemoryPair, overlap: f64) -> Option<(String, String)> {
        let (older, newer) = self.by_age(pair);
        let judged = self.judged(&older, &newer);
        match judged.relation {
            Relation::Same | Relation::Update => self.merge(&older, &newer, overlap),
            Relation::Contradiction if judged.is_certain => self.supersede(&older, &newer, overlap),
            Relation::Similar if judged.overlap >= self.update_overlap => {
                self.propose_one_of(&older, &newer, overlap);
                None
            }
            Relation::Contradiction | Relation::Similar | Relation::Unrelated => None,
        }
    }

    /// Proposes to archive one of two memories that say nearly the same: the older one, unless only it is held.
    fn propose_one_of(&mut self, older: &str, newer: &str, overlap: f64) {
        let (left, right) = (&self.by_id[older], &self.by_id[newer]);
        let same_type = left.statement.memory_type() == right.statement.memory_type();
        if !same_type || !left.statement.has_same_values(&right.statement) {
            return;
        }
        let (gone, kept) = if left.held && !right.held {
            (newer, older)
        } else {
            (older, newer)
        };
        let folded = self.by_id[gone].folded.clone();
        let reason = format!("{} says nearly the same", self.named(kept));
        let operation = ProposalOperation::Archive;
        self.propose(gone, kept, operation, &folded, reason, overlap);
    }

    fn judged(&self, older: &str, newer: &str) -> Judgement {
        let (older, newer) = (&self.by_id[older], &self.by_id[newer]);
        judge(
            &older.statement,
            &newer.statement,
            self.update_overlap,
            None,
        )
    }

    fn merge(&mut self, older: &str, newer: &str, overlap: f64) -> Option<(String, String)> {
        let (survivor, loser) = match (self.by_id[older].held, self.by_id[newer].held) {
            // A person holds both: only a person can remove one.
            (true, true) => return None,
            (true, false) => (older, newer),
            (false, true) => (newer, older),
            (false, false) => {
                let created = |id: &str| (self.by_id[id].folded.created_ms, id.to_owned());
                if created(older) <= created(newer) {
                    (older, newer)
                } else {
                    (newer, older)
                }
            }
        };
        let held = self.by_id[survivor].held;
        if held && self.judged(survivor, loser).relation != Relation::Same {
            // A person's text that is older and says less gets a proposal, and both stay. If it is newer, the person
            // knew more when they wrote it.
            if survivor == newer {
                return Some(self.take_in(survivor, loser, overlap));
            }
            let folded = self.by_id[loser].folded.clone();
            let reason = format!("{} says the same and more", self.named(loser));
            let operation = ProposalOperation::Update;
            self.propose(survivor, loser, operation, &folded, reason, overlap);
            return None;
        }
        Some(self.take_in(survivor, loser, overlap))
    }

    /// Archives one memory and adds its evidence to the other, which gets a new text unless it is held.
    pub(crate) fn take_in(
        &mut self,
        survivor: &str,
        loser: &str,
        overlap: f64,
    ) -> (String, String) {
        let reason = format!("{} contains all of it", self.named(survivor));
        let gone = self.by_id.get_mut(loser).expect("both are there");
        gone.in_use = false;
        gone.planned.archive(ArchivedBy::Merge);
        gone.planned.state.superseded_by = Some(survivor.to_owned());
        let contributions = gone.planned.contributions.clone();
        let mut related = gone.planned.related.clone();
        let newest_ms = gone.newest_ms;

        let item = self.by_id.get_mut(survivor).expect("both are there");
        item.take_evidence(&contributions);
        item.newest_ms = item.newest_ms.max(newest_ms);
        item.planned.sources.push(loser.to_owned());
        if !item.planned.state.supersedes.iter().any(|id| id == loser) {
            item.planned.state.supersedes.push(loser.to_owned());
        }
        if !item.held
            && let Some(folded) = fold_memory(survivor, &item.planned.contributions)
        {
            related.extend(item.planned.related.clone());
            related.retain(|id| id != loser && id != survivor);
            related.sort();
            related.dedup();
            item.planned.related = related;
            item.statement = folded.statement();
            item.planned.text = TextChange::Written(folded.clone());
            item.folded = folded;
        }
        self.record(
            MaintainAction::Merge,
            loser,
            Some(survivor),
            Some(overlap),
            reason,
        );
        (survivor.to_owned(), loser.to_owned())
    }

    fn supersede(&mut self, older: &str, newer: &str, overlap: f64) -> Option<(String, String)> {
        // If both are equally new, it is unknown which one holds.
        if self.by_id[older].newest_ms == self.by_id[newer].newest_ms {
            return None;
        }
        // A person decides on the conflict, which the report and the review show.
        if self.by_id[older].held {
            return None;
        }
        let reason = format!("{} contradicts it and is newer", self.named(newer));
        self.replace(older, newer);
        let action = MaintainAction::Supersede;
        self.record(action, older, Some(newer), Some(overlap), reason);
        Some((newer.to_owned(), older.to_owned()))
    }

    /// Supersedes a memory by another; it stays readable.
    pub(crate) fn replace(&mut self, former: &str, successor: &str) {
        let item = self.by_id.get_mut(former).expect("both are there");
        item.in_use = false;
        item.planned.state.status = Status::Superseded;
        item.planned.state.superseded_by = Some(successor.to_owned());
        let item = self.by_id.get_mut(successor).expect("both are there");
        let known = &mut item.planned.state.supersedes;
        if !known.iter().any(|id| id == former) {
            known.push(former.to_owned());
        }
    }

    pub(super) fn propose(
        &mut self,
        id: &str,
        other: &str,
        operation: ProposalOperation,
        folded: &FoldedMemory,
        reason: String,
        overlap: f64,
    ) {
        let proposal = folded.proposal(operation, &self.run_id, &reason);
        let item = self.by_id.get_mut(id).expect("it is there");
        let is_new = item.planned.propose(proposal);
        if is_new {
            let action = MaintainAction::Propose;
            let other = (other != id).then_some(other);
            self.record(action, id, other, other.map(|_| overlap), reason);
        }
    }

    /// Writes the nearest similar memories into the front matter of memories that acreta may change.
    fn relate_neighbours(&mut self, pairs: &BTreeSet<MemoryPair>) {
        let mut near: BTreeMap<String, Vec<(f64, String)>> = BTreeMap::new();
        for pair in pairs {
            let Some(overlap) = self.overlap(pair) else {
                continue;
            };
            let (older, newer) = self.by_age(pair);
            if self.judged(&older, &newer).relation != Relation::Unrelated {
                near.entry(older.clone())
                    .or_default()
                    .push((overlap, newer.clone()));
                near.entry(newer).or_default().push((overlap, older));
            }
        }
        for (id, mut others) in near {
            let item = self.by_id.get_mut(&id).expect("pairs are of items");
            if item.held {
                continue;
            }
            others.sort_by(|left, right| {
                right
                    .0
                    .total_cmp(&left.0)
                    .then_with(|| left.1.cmp(&right.1))
            });
            let mut related = item.planned.related.clone();
            let mut added = Vec::new();
            for (_, other) in others {
                if related.len() < NEIGHBOURS && !related.contains(&other) {
                    related.push(other.clone());
                    added.push(other);
                }
            }
            if added.is_empty() {
                continue;
            }
            related.sort();
            item.planned.related = related;
            if matches!(item.planned.text, TextChange::Stays) {
                item.planned.text = TextChange::Written(item.folded.clone());
            }
            let added: Vec<String> = added.iter().map(|other| self.named(other)).collect();
            let reason = format!("near {}", added.join(", "));
            self.record(MaintainAction::Relate, &id, None, None, reason);
        }
    }

    pub(crate) fn record(
        &mut self,
        action: MaintainAction,
        id: &str,
        other: Option<&str>,
        overlap: Option<f64>,
        reason: String,
    ) {
        self.records.push(MaintainRecord {
            action,
            memory_id: id.to_owned(),
            title: self.title(id).to_owned(),
            other: other.map(ToOwned::to_owned),
            path: None,
            overlap,
            reason,
        });
    }

    /// Returns a memory's title, quoted, for use in a reason.
    pub(super) fn named(&self, id: &str) -> String {
        format!("“{}”", self.title(id))
    }

    fn title<'a>(&'a self, id: &'a str) -> &'a str {
        let item = self.by_id.get(id);
        item.map_or(id, |item| item.folded.title.as_str())
    }

    pub(crate) fn is_in_use(&self, id: &str) -> bool {
        self.by_id.get(id).is_some_and(|item| item.in_use)
    }

    pub(crate) fn is_held(&self, id: &str) -> bool {
        self.by_id.get(id).is_some_and(|item| item.held)
    }
}

/// Follows successors to the memory that remains.
fn last<'a>(successors: &'a BTreeMap<String, String>, id: &'a str) -> &'a str {
    let mut id = id;
    while let Some(next) = successors.get(id) {
        id = next;
    }
    id
}
