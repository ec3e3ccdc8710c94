//! Plans the changes of a run before anything is written: decides the candidates against what memory says without the
//! session's earlier contributions, and keeps the difference. Earlier contributions that the candidates do not word anew
//! stay (see [`Precedence`]); only an imported file withdraws what it no longer says.
//!
//! The text of a memory that a person edited, confirmed, reviewed or wrote by hand is never changed: it gets a proposal.

use crate::decide::contributor::{Contributor, ContributorVoice, contribution};
use acreta_compare::Relation;
use acreta_store::{ArchivedBy, Contribution, Memory, ProposalOperation, Snapshot, Status, Trust};

use crate::decide::accepted::AcceptedCandidate;
use crate::decide::fold::{fold, fold_memory, sort};
use crate::decide::opinions::Opinions;
use crate::decide::precedence::{Precedence, rank};
use crate::decide::remaining::{Placement, RemainingMemories, RemainingMemory, is_near, place};
use crate::decide::tombstones::{Tombstone, TombstoneAnswer};
use crate::decide::verdict::{JoinContent, adds_to, judge};
use crate::memory::planned::as_it_reads;
use crate::memory::planned::{PlannedMemory, TextChange};
use crate::run::report::{Action, ActionRecord};
use acreta_compare::Statement;

/// The decisions and learnings of a run.
#[derive(Debug, Default)]
pub(crate) struct MemoryPlan {
    pub(crate) planned: Vec<PlannedMemory>,
    pub(crate) actions: Vec<ActionRecord>,
    /// Every memory that the session contributes to after the run, sorted.
    pub(crate) contributed: Vec<String>,
}

pub(crate) fn plan(
    snapshot: &Snapshot,
    kept: Vec<AcceptedCandidate>,
    contributor: &Contributor,
    update_overlap: f64,
    opinions: &Opinions,
    mut new_id: impl FnMut(&Contribution) -> String,
) -> MemoryPlan {
    let mut plan = MemoryPlan::default();
    let candidates: Vec<Statement> = kept.iter().map(AcceptedCandidate::statement).collect();
    let remaining = RemainingMemories::of(&snapshot.memories, contributor, &kept, opinions);
    let mut placed = place(
        &remaining,
        &candidates,
        &kept,
        contributor,
        update_overlap,
        opinions,
    );
    let replaceable = Replaceable::all(&remaining, contributor);
    let tombstones = Tombstone::all(snapshot);
    let mut waiting: Vec<Option<AcceptedCandidate>> = kept.into_iter().map(Some).collect();
    for index in 0..waiting.len() {
        let Some(kept) = waiting[index].take() else {
            continue;
        };
        if let Some(placement) = placed.remove(&index) {
            // All candidates for one memory are joined together.
            let mut joining = vec![(kept, placement)];
            for (later, kept) in waiting.iter_mut().enumerate().skip(index + 1) {
                let same = |placement: &Placement| placement.id == joining[0].1.id;
                if placed.get(&later).is_some_and(same)
                    && let (Some(kept), Some(placement)) = (kept.take(), placed.remove(&later))
                {
                    joining.push((kept, placement));
                }
            }
            join(&mut plan, &remaining, joining, contributor);
            continue;
        }
        let statement = &candidates[index];
        match Tombstone::answer(&tombstones, &kept, statement, contributor, update_overlap) {
            Some(TombstoneAnswer::No(id, reason)) => {
                plan.record(&kept, Action::NoOp, id, None, reason)
            }
            Some(TombstoneAnswer::Restore(memory)) => restore(&mut plan, memory, kept, contributor),
            None => {
                let contribution = contribution(&kept, contributor);
                let id = new_id(&contribution);
                let is_joined =
                    |other: &str| placed.values().any(|placement| placement.id == other);
                let opinion = |id: &str| opinions.on(&kept.candidate.id, id);
                let older = replaceable
                    .iter()
                    .filter(|one| {
                        let opinion = opinion(&one.current.memory.id);
                        one.is_replaced_by(statement, &kept, update_overlap, opinion)
                    })
                    .map(|one| one.current)
                    .filter(|current| !opinions.is_doubtful(&kept.candidate.id, &current.memory.id))
                    .filter(|current| {
                        !is_joined(&current.memory.id) && !plan.has(&current.memory.id)
                    })
                    .map(|current| supersede(current, &id))
                    .collect();
                let protected = remaining.0.values().filter(|current| {
                    let id = current.memory.id.as_str();
                    (current.is_protected || opinions.is_doubtful(&kept.candidate.id, id))
                        && opinion(id) == Some(Relation::Contradiction)
                });
                let asked: Vec<PlannedMemory> = protected
                    .filter(|current| {
                        !is_joined(&current.memory.id) && !plan.has(&current.memory.id)
                    })
                    .map(|current| ask_person(current, &kept, contributor))
                    .collect();
                plan.planned.extend(asked);
                add(&mut plan, &kept, contributor, (id, contribution), older);
            }
        }
    }
    if contributor.precedence == Precedence::Replaces {
        withdraw(&mut plan, &remaining, contributor);
    } else {
        let stays_contributed = |current: &RemainingMemory<'_>| {
            !current.own.is_empty() || current.is_fixed(contributor)
        };
        let earlier = remaining
            .0
            .iter()
            .filter(|(_, current)| stays_contributed(current));
        plan.contributed
            .extend(earlier.map(|(id, _)| (*id).to_owned()));
    }
    plan.contributed.sort();
    plan.contributed.dedup();
    plan
}

impl MemoryPlan {
    fn has(&self, id: &str) -> bool {
        self.planned.iter().any(|planned| planned.id == id)
    }

    fn record(
        &mut self,
        kept: &AcceptedCandidate,
        action: Action,
        id: &str,
        overlap: Option<f64>,
        reason: impl Into<String>,
    ) {
        self.actions.push(ActionRecord {
            candidate_id: Some(kept.candidate.id.clone()),
            action,
            memory_id: id.to_owned(),
            title: kept.candidate.title.clone(),
            path: None,
            overlap,
            reason: reason.into(),
        });
    }
}

/// A memory that no person holds, with its current text: a later statement on the same subject replaces it. A memory that
/// a person holds stays, and is a conflict for the person to decide.
struct Replaceable<'a> {
    current: &'a RemainingMemory<'a>,
    statement: Statement,
    newest_ms: u64,
}

impl<'a> Replaceable<'a> {
    fn all(remaining: &'a RemainingMemories<'a>, contributor: &Contributor) -> Vec<Self> {
        // What an imported file no longer says is withdrawn instead.
        let may_be_own = contributor.precedence != Precedence::Replaces;
        let others = remaining.0.values();
        others
            .filter(|current| !current.is_protected && !current.is_superseded())
            .filter(|current| may_be_own || current.own.is_empty())
            .filter_map(|current| {
                let folded = current.text.as_ref()?;
                Some(Self {
                    current,
                    statement: folded.statement(),
                    newest_ms: folded.updated_ms,
                })
            })
            .collect()
    }

    /// Reports whether a new memory contradicts it, is newer and not less trusted.
    fn is_replaced_by(
        &self,
        statement: &Statement,
        kept: &AcceptedCandidate,
        update_overlap: f64,
        opinion: Option<Relation>,
    ) -> bool {
        let is_weaker = kept.untrusted && self.current.memory.trust() > Trust::Untrusted;
        if is_weaker || self.newest_ms >= kept.newest_ms {
            return false;
        }
        if opinion.is_none() && !is_near(&self.statement, statement) {
            return false;
        }
        let judged = judge(&self.statement, statement, update_overlap, opinion);
        judged.relation == Relation::Contradiction && judged.is_certain
    }
}

fn supersede(current: &RemainingMemory<'_>, by: &str) -> PlannedMemory {
    let mut planned = PlannedMemory::of(current.memory);
    planned.state.status = Status::Superseded;
    planned.state.superseded_by = Some(by.to_owned());
    planned
}

/// Proposes to a person to archive a memory that they hold, because a session contradicts it.
fn ask_person(
    current: &RemainingMemory<'_>,
    kept: &AcceptedCandidate,
    contributor: &Contributor,
) -> PlannedMemory {
    let mut planned = PlannedMemory::of(current.memory);
    let held = as_it_reads(current.memory, kept.newest_ms);
    let reason = format!("a session says otherwise: {}", kept.candidate.title);
    let operation = ProposalOperation::Archive;
    planned.propose(held.proposal(operation, &contributor.run_id, &reason));
    planned
}

fn add(
    plan: &mut MemoryPlan,
    kept: &AcceptedCandidate,
    contributor: &Contributor,
    (id, contribution): (String, Contribution),
    superseded: Vec<PlannedMemory>,
) {
    let folded = fold(std::slice::from_ref(&contribution)).expect("one contribution folds");
    plan.record(kept, Action::Add, &id, None, "no memory says this yet");
    plan.contributed.push(id.clone());
    for older in &superseded {
        plan.actions.push(ActionRecord {
            candidate_id: None,
            action: Action::Update,
            memory_id: older.id.clone(),
            title: older.title().to_owned(),
            path: None,
            overlap: None,
            reason: format!("superseded: memory {id} contradicts it and is newer"),
        });
    }
    let mut planned = PlannedMemory::new(id, contribution, folded);
    planned.state.supersedes = superseded.iter().map(|older| older.id.clone()).collect();
    plan.planned.extend(superseded);
    if contributor.voice == ContributorVoice::Person {
        planned.confirms = true;
    }
    plan.planned.push(planned);
}

/// Restores a memory that was withdrawn or faded and is said again, once by each candidate that says it.
fn restore(
    plan: &mut MemoryPlan,
    memory: &Memory,
    kept: AcceptedCandidate,
    contributor: &Contributor,
) {
    let is_this = |planned: &PlannedMemory| planned.id == memory.id;
    let mut planned = match plan.planned.iter().position(is_this) {
        Some(restored) => plan.planned.remove(restored),
        None => {
            let mut planned = PlannedMemory::of(memory);
            let withdrawn = planned.state.archived_by == Some(ArchivedBy::Withdrawal);
            planned
                .contributions
                .retain(|one| !withdrawn && !contributor.made(one));
            planned
        }
    };
    planned.contributions.push(contribution(&kept, contributor));
    sort(&mut planned.contributions);
    let folded =
        fold_memory(&memory.id, &planned.contributions).expect("there is at least the fresh one");
    planned.activate();
    planned.text = TextChange::Written(folded);
    plan.record(
        &kept,
        Action::Add,
        &memory.id,
        None,
        "said again, so it is restored",
    );
    plan.contributed.push(memory.id.clone());
    plan.planned.push(planned);
}

fn join(
    plan: &mut MemoryPlan,
    remaining: &RemainingMemories<'_>,
    joining: Vec<(AcceptedCandidate, Placement)>,
    contributor: &Contributor,
) {
    let id = joining[0].1.id.clone();
    let current = &remaining.0[id.as_str()];
    if current.is_fixed(contributor) {
        for (kept, placement) in &joining {
            let reason = "an earlier reading of this session says it already";
            plan.record(kept, Action::NoOp, &id, Some(placement.overlap), reason);
        }
        return;
    }
    let fresh = joining
        .iter()
        .map(|(kept, _)| contribution(kept, contributor))
        .collect();
    let mut contributions = current.others.clone();
    contributions.extend(revised(&current.own, fresh, contributor.precedence));
    sort(&mut contributions);
    let after = fold_memory(&id, &contributions).expect("there is at least the fresh one");
    let mut planned = PlannedMemory::of(current.memory);
    planned.contributions = contributions;
    let before = current.text.as_ref();
    let reads_the_same = before.is_some_and(|before| before.reads_like(&after));
    let renders_the_same = before.is_some_and(|before| before.renders_like(&after));
    let says = joining[0].1.says;
    let (action, reason) = if contributor.voice == ContributorVoice::Person {
        (Action::NoOp, "a memory says this already")
    } else if current.is_protected {
        if adds_to(&after, &as_it_reads(current.memory, after.updated_ms)) && !reads_the_same {
            let reason = "a person holds this memory; the change is proposed, not made";
            let operation = ProposalOperation::Update;
            planned.propose(after.proposal(operation, &contributor.run_id, reason));
            (Action::NoOp, reason)
        } else {
            (Action::NoOp, "a person's own text says it already")
        }
    } else if reads_the_same {
        let reason = match says {
            JoinContent::SomethingOlder => "the memory's evidence is newer",
            _ => "type, title and body say nothing new",
        };
        if !renders_the_same {
            planned.write(after);
        }
        (Action::NoOp, reason)
    } else {
        planned.write(after);
        let reason = match says {
            JoinContent::TheOpposite => "contradicts the memory and is newer",
            _ => "same subject, new information",
        };
        (Action::Update, reason)
    };
    for (kept, placement) in &joining {
        plan.record(kept, action, &id, Some(placement.overlap), reason);
    }
    plan.contributed.push(id);
    plan.planned.push(planned);
}

/// Returns what a session contributes to a memory now, from its earlier contributions and the fresh ones. A fresh one
/// replaces the earlier ones whose words it cites again, unless they are trusted more: a compaction or a listing that
/// repeats the person's words does not take them from the person.
fn revised(
    own: &[Contribution],
    fresh: Vec<Contribution>,
    precedence: Precedence,
) -> Vec<Contribution> {
    let says_the_same = |own: &Contribution, fresh: &Contribution| {
        own.candidate == fresh.candidate && own.evidence == fresh.evidence
    };
    // Identical words of a reading that is not stronger: the stored contribution stays byte for byte.
    let is_same = |own: &Contribution, fresh: &Contribution| {
        says_the_same(own, fresh) && rank(own) >= rank(fresh)
    };
    let cites_again = |own: &Contribution, fresh: &Contribution| {
        let mut quotes = own.evidence.iter().map(|quoted| quoted.quote.trim());
        says_the_same(own, fresh)
            || quotes.any(|quote| {
                let mut again = fresh.evidence.iter().map(|quoted| quoted.quote.trim());
                again.any(|again| again.contains(quote) || quote.contains(again))
            })
    };
    let is_weaker = |own: &Contribution, fresh: &Contribution| {
        cites_again(own, fresh) && fresh.trust() < own.trust()
    };
    let stays = |own: &&Contribution| {
        let is_replaced =
            |fresh: &Contribution| cites_again(own, fresh) && fresh.trust() >= own.trust();
        let mut all = fresh.iter();
        all.any(|fresh| is_same(own, fresh) || is_weaker(own, fresh))
            || precedence != Precedence::Replaces && !fresh.iter().any(is_replaced)
    };
    let mut kept: Vec<Contribution> = own.iter().filter(stays).cloned().collect();
    let is_new = |fresh: &Contribution| {
        let mut all = own.iter();
        !all.any(|own| is_same(own, fresh) || is_weaker(own, fresh))
    };
    kept.extend(fresh.iter().filter(|fresh| is_new(fresh)).cloned());
    kept
}

/// Withdraws an imported file from memories that it no longer supports.
fn withdraw(plan: &mut MemoryPlan, remaining: &RemainingMemories<'_>, contributor: &Contributor) {
    for (id, current) in &remaining.0 {
        if current.own.is_empty() || plan.contributed.iter().any(|contributed| contributed == id) {
            continue;
        }
        let after = fold_memory(id, &current.others);
        let mut planned = PlannedMemory::of(current.memory);
        let (action, reason) = match (after, current.is_protected) {
            (None, true) => {
                let reason = "the file no longer says it, but a person holds this memory";
                if let Some(before) = &current.text {
                    let operation = ProposalOperation::Archive;
                    planned.propose(before.proposal(operation, &contributor.run_id, reason));
                }
                planned.contributions = Vec::new();
                (Action::NoOp, reason)
            }
            (None, false) => {
                // Its evidence stays with it, as a record of what was withdrawn.
                planned.archive(ArchivedBy::Withdrawal);
                (Action::Archive, "the file that said it no longer does")
            }
            (Some(after), held) => {
                planned.contributions = current.others.clone();
                let before = current.text.as_ref();
                let renders_the_same = before.is_some_and(|before| before.renders_like(&after));
                if held || before.is_some_and(|before| before.reads_like(&after)) {
                    let reason = "the file's contribution is withdrawn; others still support it";
                    if !held && !renders_the_same {
                        planned.write(after);
                    }
                    (Action::NoOp, reason)
                } else {
                    planned.write(after);
                    (Action::Update, "the file's contribution is withdrawn")
                }
            }
        };
        plan.actions.push(ActionRecord {
            candidate_id: None,
            action,
            memory_id: (*id).to_owned(),
            title: planned.title().to_owned(),
            path: None,
            overlap: None,
            reason: reason.to_owned(),
        });
        plan.planned.push(planned);
    }
}
