//! Which memories belong together: duplicates become one, the older of two that contradict each other
//! is superseded, neighbours learn of each other. A pure function of the memories and of the pairs
//! that explorers propose; run again on its own result, it finds nothing to do.

use crate::maintain::pair::{Pair, pair_of};
use std::collections::{BTreeMap, BTreeSet};

use acreta_relate::{Judgement, Relation};
use acreta_store::{ArchivedBy, Contribution, Memory, Proposal, ProposalOperation, Status};

use super::report::{MaintainAction, MaintainRecord};
use crate::decide::fold::{fold_memory, sort};
use crate::decide::folded::Folded;
use crate::decide::verdict::judge;
use crate::memory::planned::as_it_reads;
use crate::memory::planned::{Planned, TextChange};
use acreta_relate::Statement;

/// Most neighbours a memory names.
const NEIGHBOURS: usize = 5;

/// A memory on its way.
pub(crate) struct Item {
    pub(crate) planned: Planned,
    statement: Statement,
    pub(super) folded: Folded,
    /// Time of its newest evidence.
    newest_ms: u64,
    /// Held by a person, or by nobody's word: its text is not acreta's to change.
    held: bool,
    in_use: bool,
}

/// Everything that is in use, by id.
pub(crate) struct Items {
    pub(crate) by_id: BTreeMap<String, Item>,
    run_id: String,
    update_overlap: f64,
    pub(crate) records: Vec<MaintainRecord>,
}

impl Item {
    fn of(memory: &Memory, now_ms: u64) -> Self {
        let planned = Planned::of(memory);
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

    /// Takes in what another memory stands on.
    fn take_evidence(&mut self, contributions: &[Contribution]) {
        for contribution in contributions {
            if !self.planned.contributions.contains(contribution) {
                self.planned.contributions.push(contribution.clone());
            }
        }
        sort(&mut self.planned.contributions);
    }
}

impl Items {
    pub(crate) fn new<'a>(
        memories: impl Iterator<Item = &'a Memory>,
        run_id: &str,
        update_overlap: f64,
        now_ms: u64,
    ) -> Self {
        Self {
            by_id: memories
                .map(|memory| (memory.id.clone(), Item::of(memory, now_ms)))
                .collect(),
            run_id: run_id.to_owned(),
            update_overlap,
            records: Vec::new(),
        }
    }

    /// Works through pairs until nothing changes. `refused` are pairs a person has undone before.
    pub(crate) fn consolidate(&mut self, proposed: &BTreeSet<Pair>, refused: &BTreeSet<Pair>) {
        let mut pairs: BTreeSet<Pair> = proposed.difference(refused).cloned().collect();
        let mut open = pairs.clone();
        while !open.is_empty() {
            let mut ranked: Vec<(f64, Pair)> = open
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
                // One of them may be gone by now, or say something else.
                let Some(overlap) = self.overlap(pair) else {
                    continue;
                };
                if let Some((survivor, gone)) = self.settle(pair, overlap) {
                    successors.insert(gone, survivor);
                }
            }
            // Whoever was near one that went is now near the one that stayed.
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

    pub(super) fn overlap(&self, pair: &Pair) -> Option<f64> {
        let (left, right) = (self.by_id.get(&pair.0)?, self.by_id.get(&pair.1)?);
        (left.in_use && right.in_use).then(|| left.statement.overlap(&right.statement))
    }

    /// The older of the two by its evidence, then the newer; ties by id.
    pub(super) fn by_age(&self, pair: &Pair) -> (String, String) {
        let key = |id: &String| (self.by_id[id].newest_ms, id.clone());
        if key(&pair.0) <= key(&pair.1) {
            pair.clone()
        } else {
            (pair.1.clone(), pair.0.clone())
        }
    }

    /// Does what is to be done about one pair. Gives survivor and loser when one of them is gone.
    fn settle(&mut self, pair: &Pair, overlap: f64) -> Option<(String, String)> {
        let (older, newer) = self.by_age(pair);
        let judged = self.judged(&older, &newer);
        match judged.relation {
            Relation::Same | Relation::Update => self.merge(&older, &newer, overlap),
            Relation::Contradiction if judged.is_certain() => {
                self.supersede(&older, &newer, overlap)
            }
            Relation::Contradiction | Relation::Similar | Relation::Unrelated => None,
        }
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
            // A person keeps both: only a person can let one go.
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
            // What a person wrote is older and says less: proposed, and both stay. When it is newer, it
            // was written knowing more.
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

    /// Puts one memory into the archive and its evidence behind the other, which gets a new text unless it is held.
    pub(crate) fn take_in(
        &mut self,
        survivor: &str,
        loser: &str,
        overlap: f64,
    ) -> (String, String) {
        let reason = format!("{} says it all", self.named(survivor));
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
        // Of two that are equally new, nobody knows which stands.
        if self.by_id[older].newest_ms == self.by_id[newer].newest_ms {
            return None;
        }
        let reason = format!("{} says otherwise, and is newer", self.named(newer));
        if self.by_id[older].held {
            let folded = self.by_id[older].folded.clone();
            self.propose(
                older,
                newer,
                ProposalOperation::Archive,
                &folded,
                reason,
                overlap,
            );
            return None;
        }
        self.replace(older, newer);
        let action = MaintainAction::Supersede;
        self.record(action, older, Some(newer), Some(overlap), reason);
        Some((newer.to_owned(), older.to_owned()))
    }

    /// Has a memory stand in the place of another, which stays readable.
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
        folded: &Folded,
        reason: String,
        overlap: f64,
    ) {
        let run_id = self.run_id.clone();
        let item = self.by_id.get_mut(id).expect("it is there");
        let is_new = item.planned.propose(Proposal {
            run_id,
            operation,
            title: folded.title.clone(),
            body: folded.body.clone(),
            kind: folded.kind.clone(),
            tags: folded.tags.clone(),
            confidence: folded.confidence,
            reason: reason.clone(),
        });
        if is_new {
            let action = MaintainAction::Propose;
            let other = (other != id).then_some(other);
            self.record(action, id, other, other.map(|_| overlap), reason);
        }
    }

    /// The nearest of what is similar, written into the front matter of what is acreta's to write.
    fn relate_neighbours(&mut self, pairs: &BTreeSet<Pair>) {
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

    /// A memory as a reason names it.
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

/// What is left of a memory after all that took in each other.
fn last<'a>(successors: &'a BTreeMap<String, String>, id: &'a str) -> &'a str {
    let mut id = id;
    while let Some(next) = successors.get(id) {
        id = next;
    }
    id
}
