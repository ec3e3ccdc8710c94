//! What a run will change, worked out before anything is written: withdraw the session's earlier
//! contributions, decide its candidates against what is left, and keep the difference.
//!
//! What a person edited, confirmed or wrote by hand is never changed: it gets a proposal.

use acreta_model::Reading;
use acreta_store::{
    ArchivedBy, ContributedCandidate, Contribution, Memory, Proposal, ProposalOperation,
    QuotedEvent, Snapshot,
};

use crate::decide::fold::{Folded, fold, fold_memory, sort};
use crate::decide::gates::{Cited, Kept};
use crate::decide::gone::{Gone, Return};
use crate::decide::precedence::Precedence;
use crate::decide::standing::{Placement, Standing, place};
use crate::decide::verdict::{Says, Statement, adds_to};
use crate::grounds::is_spoken;
use crate::memory::planned::{Planned, TextChange};
use crate::people::amend::as_it_reads;
use crate::run::report::{Action, ActionRecord};

/// Who contributes, and in which state it was read.
#[derive(Debug, Clone)]
pub(crate) struct Contributor {
    pub(crate) agent: String,
    pub(crate) session_id: String,
    pub(crate) run_id: String,
    pub(crate) events: u64,
    pub(crate) last_ms: Option<u64>,
    pub(crate) created_ms: u64,
    pub(crate) voice: Voice,
    /// How its session was read; absent for what people say.
    pub(crate) reading: Option<Reading>,
    pub(crate) precedence: Precedence,
}

/// Whose words they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    /// Worked out from a session, or brought over from other notes.
    Derived,
    /// A person's own, said to acreta itself: never mixed into another memory.
    Person,
}

impl Contributor {
    pub(crate) fn made(&self, contribution: &Contribution) -> bool {
        contribution.agent == self.agent && contribution.session_id == self.session_id
    }
}

/// The decisions and learnings of a run.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) planned: Vec<Planned>,
    pub(crate) actions: Vec<ActionRecord>,
    /// Every memory the session stands behind after the run, sorted.
    pub(crate) contributed: Vec<String>,
}

pub(crate) fn plan(
    snapshot: &Snapshot,
    kept: Vec<Kept>,
    contributor: &Contributor,
    update_overlap: f64,
    mut new_id: impl FnMut(&Contribution) -> String,
) -> Plan {
    let mut plan = Plan::default();
    let candidates: Vec<Statement> = kept.iter().map(Kept::statement).collect();
    let standing = Standing::of(&snapshot.memories, contributor, &kept);
    let mut placed = place(&standing, &candidates, &kept, contributor, update_overlap);
    let gone = Gone::all(snapshot);
    let mut waiting: Vec<Option<Kept>> = kept.into_iter().map(Some).collect();
    for index in 0..waiting.len() {
        let Some(kept) = waiting[index].take() else {
            continue;
        };
        if let Some(placement) = placed.remove(&index) {
            // All that go to one memory go there together.
            let mut joining = vec![(kept, placement)];
            for (later, kept) in waiting.iter_mut().enumerate().skip(index + 1) {
                let same = |placement: &Placement| placement.id == joining[0].1.id;
                if placed.get(&later).is_some_and(same)
                    && let (Some(kept), Some(placement)) = (kept.take(), placed.remove(&later))
                {
                    joining.push((kept, placement));
                }
            }
            join(&mut plan, &standing, joining, contributor);
            continue;
        }
        let statement = &candidates[index];
        match Gone::answer(&gone, &kept, statement, contributor, update_overlap) {
            Some(Return::No(id, reason)) => plan.note(&kept, Action::NoOp, id, None, reason),
            Some(Return::Restore(memory)) => restore(&mut plan, memory, kept, contributor),
            None => add(&mut plan, kept, contributor, &mut new_id),
        }
    }
    if contributor.precedence.keeps_earlier() {
        let earlier = standing
            .0
            .iter()
            .filter(|(_, stood)| stood.is_behind(contributor));
        plan.contributed
            .extend(earlier.map(|(id, _)| (*id).to_owned()));
    } else {
        withdraw(&mut plan, &standing, contributor);
    }
    plan.contributed.sort();
    plan.contributed.dedup();
    plan
}

impl Plan {
    fn note(
        &mut self,
        kept: &Kept,
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

fn add(
    plan: &mut Plan,
    kept: Kept,
    contributor: &Contributor,
    new_id: &mut impl FnMut(&Contribution) -> String,
) {
    let contribution = contribution(&kept, contributor);
    let id = new_id(&contribution);
    let folded = fold(std::slice::from_ref(&contribution)).expect("one contribution folds");
    plan.note(&kept, Action::Add, &id, None, "no memory says this yet");
    plan.contributed.push(id.clone());
    let mut planned = Planned::new(id, contribution, folded);
    if contributor.voice == Voice::Person {
        planned.confirms = true;
    }
    plan.planned.push(planned);
}

/// A memory that was taken back or forgotten is said again.
fn restore(plan: &mut Plan, memory: &Memory, kept: Kept, contributor: &Contributor) {
    let mut planned = Planned::of(memory);
    let withdrawn = planned.state.archived_by == Some(ArchivedBy::Withdrawal);
    planned
        .contributions
        .retain(|one| !withdrawn && !contributor.made(one));
    planned.contributions.push(contribution(&kept, contributor));
    sort(&mut planned.contributions);
    let folded =
        fold_memory(&memory.id, &planned.contributions).expect("there is at least the fresh one");
    planned.activate();
    planned.text = TextChange::Written(folded);
    plan.note(
        &kept,
        Action::Add,
        &memory.id,
        None,
        "said again, so it comes back",
    );
    plan.contributed.push(memory.id.clone());
    plan.planned.push(planned);
}

fn join(
    plan: &mut Plan,
    standing: &Standing<'_>,
    joining: Vec<(Kept, Placement)>,
    contributor: &Contributor,
) {
    let id = joining[0].1.id.clone();
    let stood = &standing.0[id.as_str()];
    if contributor.precedence.keeps_earlier() && stood.is_behind(contributor) {
        for (kept, placement) in &joining {
            let reason = "an earlier reading of this session says it already";
            plan.note(kept, Action::NoOp, &id, Some(placement.overlap), reason);
        }
        return;
    }
    let mut contributions = stood.left.clone();
    for (kept, _) in &joining {
        let fresh = contribution(kept, contributor);
        // The same words from the same session: what is on disk stays byte for byte.
        let known = stood
            .own
            .iter()
            .find(|own| own.candidate == fresh.candidate && own.evidence == fresh.evidence);
        contributions.push(known.cloned().unwrap_or(fresh));
    }
    sort(&mut contributions);
    let after = fold_memory(&id, &contributions).expect("there is at least the fresh one");
    let mut planned = Planned::of(stood.memory);
    planned.contributions = contributions;
    let before = stood.before.as_ref();
    let reads_the_same = before.is_some_and(|before| before.reads_like(&after));
    let renders_the_same = before.is_some_and(|before| before.renders_like(&after));
    let says = joining[0].1.says;
    let (action, reason) = if contributor.voice == Voice::Person {
        (Action::NoOp, "a memory says this already")
    } else if stood.held {
        if adds_to(&after, &as_it_reads(stood.memory, after.updated_ms)) && !reads_the_same {
            let reason = "a person holds this memory; the change is proposed, not made";
            planned.propose(propose(
                ProposalOperation::Update,
                &after,
                contributor,
                reason,
            ));
            (Action::NoOp, reason)
        } else {
            (Action::NoOp, "a person's own text says it already")
        }
    } else if reads_the_same {
        let reason = match says {
            Says::SomethingOlder => "the memory's evidence is newer",
            _ => "type, title and body say nothing new",
        };
        if !renders_the_same {
            planned.write(after);
        }
        (Action::NoOp, reason)
    } else {
        planned.write(after);
        let reason = match says {
            Says::TheOpposite => "says the opposite of what stood there, and is newer",
            _ => "same matter, more to say",
        };
        (Action::Update, reason)
    };
    for (kept, placement) in &joining {
        plan.note(kept, action, &id, Some(placement.overlap), reason);
    }
    plan.contributed.push(id);
    plan.planned.push(planned);
}

/// Memories this session stood behind and no longer does.
fn withdraw(plan: &mut Plan, standing: &Standing<'_>, contributor: &Contributor) {
    for (id, stood) in &standing.0 {
        if stood.own.is_empty() || plan.contributed.iter().any(|contributed| contributed == id) {
            continue;
        }
        let after = fold_memory(id, &stood.left);
        let mut planned = Planned::of(stood.memory);
        let (action, reason) = match (after, stood.held) {
            (None, true) => {
                let reason = "the session no longer says it, but a person holds this memory";
                if let Some(before) = &stood.before {
                    let operation = ProposalOperation::Archive;
                    planned.propose(propose(operation, before, contributor, reason));
                }
                planned.contributions = Vec::new();
                (Action::NoOp, reason)
            }
            (None, false) => {
                // Its evidence stays with it: what it said, and who took it back.
                planned.archive(ArchivedBy::Withdrawal);
                (Action::Archive, "the session that said it no longer does")
            }
            (Some(after), held) => {
                planned.contributions = stood.left.clone();
                let before = stood.before.as_ref();
                let renders_the_same = before.is_some_and(|before| before.renders_like(&after));
                if held || before.is_some_and(|before| before.reads_like(&after)) {
                    let reason = "this session's part is withdrawn; others say it still";
                    if !held && !renders_the_same {
                        planned.write(after);
                    }
                    (Action::NoOp, reason)
                } else {
                    planned.write(after);
                    (Action::Update, "this session's part is withdrawn")
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

pub(crate) fn propose(
    operation: ProposalOperation,
    folded: &Folded,
    contributor: &Contributor,
    reason: &str,
) -> Proposal {
    Proposal {
        run_id: contributor.run_id.clone(),
        operation,
        title: folded.title.clone(),
        body: folded.body.clone(),
        kind: folded.kind.clone(),
        tags: folded.tags.clone(),
        confidence: folded.confidence,
        reason: reason.to_owned(),
    }
}

pub(crate) fn contribution(kept: &Kept, contributor: &Contributor) -> Contribution {
    let mut evidence: Vec<QuotedEvent> = kept.citations.iter().map(quoted).collect();
    if kept.untrusted {
        // What the agent only repeats is still the tool's word.
        for quoted in &mut evidence {
            "tool".clone_into(&mut quoted.role);
        }
    }
    Contribution {
        agent: contributor.agent.clone(),
        session_id: contributor.session_id.clone(),
        run_id: contributor.run_id.clone(),
        events: contributor.events,
        last_ms: contributor.last_ms,
        newest_ms: kept.newest_ms,
        created_ms: contributor.created_ms,
        reading: contributor.reading.clone(),
        candidate: ContributedCandidate {
            memory_type: kept.memory_type,
            kind: kept.candidate.kind.clone(),
            title: kept.candidate.title.clone(),
            body: kept.candidate.body.clone(),
            confidence: kept.candidate.confidence,
            tags: kept.candidate.tags.clone(),
        },
        evidence,
    }
}

pub(crate) fn quoted(cited: &Cited) -> QuotedEvent {
    let event = &cited.event;
    QuotedEvent {
        event_id: event.id.clone(),
        record: event.origin.record.clone(),
        start: event.origin.start,
        end: event.origin.end,
        // Injected text stands in a user's turn, but no user said it.
        role: if is_spoken(cited) {
            event.role.clone()
        } else {
            "tool".to_owned()
        },
        at_ms: event.at_ms,
        quote: cited.quote.clone(),
    }
}
