//! Decisions: each is previewed, applied atomically, and undone as a whole. The verbs are those of `memory
//! confirm|edit|reject|accept`.

use acreta_pipeline::{Amendment, Decided, Reversal, WritableMemory};
use acreta_state::{NewReview, PendingState, Review};
use acreta_store::Layout;
use serde::{Deserialize, Serialize};

use super::items::{self, WaitingItem};
use super::step::{ProposalAnswer, ReviewStep, step};
use super::{
    ActionEffect, DecisionReport, PastDecision, ReviewAction, ReviewDecision, ReviewReport,
    ReviewUndone, counts, effect,
};
use crate::process::clock::{now_ms, seed};
use crate::projects::scopes::{self, MemoryScope};
use crate::remember::pending;
use crate::{Context, Failure, Kind, plugins, remember::locked};

/// Undo information of a decision, as stored in the catalog.
#[derive(Serialize, Deserialize)]
struct UndoRecord {
    memory: Option<Reversal>,
    /// The pending record to restore.
    pending: Option<String>,
}

/// Applies decisions in order, or only returns the effect that each would have on its own. A decision that cannot be
/// made stops no other; its report says why.
pub fn decide(
    decisions: &[ReviewDecision],
    dry_run: bool,
    context: &Context,
) -> Result<ReviewReport, Failure> {
    let found = items::all(context)?;
    let mut desks = Desks::new(context, dry_run);
    let mut made = Vec::new();
    let mut reports = Vec::new();
    for decision in decisions {
        let waiting = items::find(&found, &decision.id);
        let outcome = waiting.and_then(|waiting| {
            let step = step(waiting, decision)?;
            let done = desks.make(waiting, decision.action, &step)?;
            Ok((waiting, done))
        });
        reports.push(match outcome {
            Ok((waiting, done)) => {
                made.extend(done.kept.map(|kept| noted(waiting, decision.action, &kept)));
                DecisionReport {
                    id: waiting.item.id.clone(),
                    title: waiting.item.title.clone(),
                    message: done.message,
                    effect: done.effect,
                }
            }
            Err(failure) => DecisionReport {
                id: decision.id.clone(),
                title: String::new(),
                message: failure.to_string(),
                effect: effect::impossible(decision.action, failure.to_string()),
            },
        });
    }
    drop(desks);
    if !made.is_empty() {
        let now = now_ms();
        let batch = format!("{now}-{:016x}", seed());
        scopes::open_catalog(context)?.note_reviews(&batch, &made, now)?;
    }
    Ok(ReviewReport {
        decisions: reports,
        waiting: counts::waiting(context)?,
        dry_run,
    })
}

/// Returns the effect of every action of an item that needs no further input.
pub(super) fn effects(
    waiting: &WaitingItem,
    context: &Context,
) -> Result<Vec<ActionEffect>, Failure> {
    let mut desks = Desks::new(context, true);
    let offered = waiting.item.actions.iter();
    let ready = offered.filter(|one| !one.needs_keep && one.action != ReviewAction::Edit);
    let effects = ready.map(|one| {
        let decision = ReviewDecision {
            id: waiting.item.id.clone(),
            action: one.action,
            keep: None,
            edit: None,
        };
        let done =
            step(waiting, &decision).and_then(|step| desks.make(waiting, decision.action, &step));
        match done {
            Ok(done) => done.effect,
            Err(failure) => effect::impossible(one.action, failure.to_string()),
        }
    });
    Ok(effects.collect())
}

/// Returns the decisions that undo would revert, last first.
pub(super) fn last(context: &Context) -> Result<Vec<PastDecision>, Failure> {
    let Some(catalog) = scopes::catalog(context)? else {
        return Ok(Vec::new());
    };
    let scopes = scopes::browsed(context)?;
    let last = catalog.last_reviews(&bases(&scopes))?;
    Ok(last.iter().map(past).collect())
}

/// Undoes the decisions of the last request, last first. Fails if memory has changed since.
pub fn undo(context: &Context) -> Result<ReviewUndone, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let scopes = scopes::browsed(context)?;
    let last = catalog.last_reviews(&bases(&scopes))?;
    if last.is_empty() {
        return Err(Failure::new(Kind::Missing, "no decision to undo"));
    }
    let mut undone = Vec::new();
    for review in &last {
        let kept: UndoRecord = serde_json::from_str(&review.review.reversal).map_err(|error| {
            Failure::saying(format!("the last decision cannot be read: {error}"))
        })?;
        let mut layouts = scopes.iter().map(|scope| &scope.layout);
        let layout = layouts.find(|layout| layout.base().as_str() == review.review.scope);
        if let (Some(reversal), Some(layout)) = (&kept.memory, layout) {
            let mut writable = locked::open(context, layout.clone())?;
            writable.take_back(reversal).map_err(|error| {
                let mut failure = Failure::from(error);
                let title = &review.review.title;
                let message =
                    format!("“{title}” has changed since, so the decision cannot be undone");
                failure.hints.push(message);
                failure
            })?;
        }
        if let Some(record) = &kept.pending {
            let base = &review.review.scope;
            pending::settle(context, base, record, PendingState::Waiting)?;
        }
        catalog.forget_review(review)?;
        undone.push(past(review));
    }
    Ok(ReviewUndone {
        undone,
        waiting: counts::waiting(context)?,
    })
}

fn past(review: &Review) -> PastDecision {
    PastDecision {
        id: review.review.item.clone(),
        action: review.review.action.clone(),
        title: review.review.title.clone(),
        at_ms: review.at_ms,
    }
}

fn bases(scopes: &[MemoryScope]) -> Vec<&str> {
    let bases = scopes.iter().map(|scope| scope.layout.base());
    bases.map(|base| base.as_str()).collect()
}

fn noted(waiting: &WaitingItem, action: ReviewAction, kept: &UndoRecord) -> NewReview {
    NewReview {
        scope: waiting.layout.base().to_string(),
        item: waiting.item.id.clone(),
        action: action.name().to_owned(),
        title: waiting.item.title.clone(),
        reversal: serde_json::to_string(kept).expect("string keys and plain values"),
    }
}

/// A decision that was made, or would be.
struct Done {
    message: String,
    effect: ActionEffect,
    kept: Option<UndoRecord>,
}

/// Memories opened for decisions, each once.
struct Desks<'a> {
    context: &'a Context,
    dry_run: bool,
    open: Vec<(Layout, WritableMemory)>,
}

impl<'a> Desks<'a> {
    fn new(context: &'a Context, dry_run: bool) -> Self {
        Self {
            context,
            dry_run,
            open: Vec::new(),
        }
    }

    fn of(&mut self, layout: &Layout) -> Result<&mut WritableMemory, Failure> {
        let known = self.open.iter().position(|(open, _)| open == layout);
        let place = match known {
            Some(place) => place,
            None => {
                let sandbox = plugins::sandbox(self.context)?;
                let options = locked::options(self.context, &sandbox, layout.clone())?;
                let writable = match self.dry_run {
                    true => WritableMemory::preview(options)?,
                    false => WritableMemory::open(options)?,
                };
                self.open.push((layout.clone(), writable));
                self.open.len() - 1
            }
        };
        Ok(&mut self.open[place].1)
    }

    /// Returns the writable of an item, if its memories are still what the reviewer read. An earlier decision of the same
    /// request may have changed them.
    fn read_by(&mut self, waiting: &WaitingItem) -> Result<&mut WritableMemory, Failure> {
        let writable = self.of(&waiting.layout)?;
        for read in waiting.subject.memories() {
            let mut now = writable
                .snapshot()
                .iter()
                .filter(|memory| memory.id == read.id);
            let is_same = now.any(|memory| memory.content_digest() == read.content_digest());
            if !is_same {
                let message = format!("“{}” has changed since it was shown", read.title());
                return Err(
                    Failure::new(Kind::Refused, message).hint("show it again before deciding")
                );
            }
        }
        Ok(writable)
    }

    fn make(
        &mut self,
        waiting: &WaitingItem,
        action: ReviewAction,
        step: &ReviewStep,
    ) -> Result<Done, Failure> {
        let (context, dry_run) = (self.context, self.dry_run);
        match step {
            ReviewStep::Amend { memory, amendment } => {
                let decided = self.read_by(waiting)?.decide(memory, amendment)?;
                if *amendment == Amendment::Reject && !dry_run {
                    scopes::note_rejection(context, &[memory]);
                }
                Ok(done(action, decided, None))
            }
            ReviewStep::Proposal {
                memory,
                digest,
                answer,
            } => {
                let writable = self.read_by(waiting)?;
                let number = number_of(writable, memory, digest)?;
                let amendment = match answer {
                    ProposalAnswer::Take => Amendment::Accept(number),
                    ProposalAnswer::TakeEdited(edit) => {
                        Amendment::AcceptEdited(number, edit.clone())
                    }
                    ProposalAnswer::Dismiss => Amendment::DismissOne(number),
                };
                let decided = writable.decide(memory, &amendment)?;
                Ok(done(action, decided, None))
            }
            ReviewStep::Remember(note) => {
                let decided = self.of(&waiting.layout)?.decide_note((**note).clone())?;
                if !dry_run {
                    let base = waiting.layout.base().as_str();
                    pending::settle(context, base, &waiting.item.id, PendingState::Confirmed)?;
                }
                let mut done = done(action, decided, Some(waiting.item.id.clone()));
                if !dry_run && done.kept.is_none() {
                    // Memory has it already; the record still stops waiting.
                    done.kept = Some(UndoRecord {
                        memory: None,
                        pending: Some(waiting.item.id.clone()),
                    });
                }
                Ok(done)
            }
            ReviewStep::Refuse => {
                if !dry_run {
                    let base = waiting.layout.base().as_str();
                    pending::settle(context, base, &waiting.item.id, PendingState::Rejected)?;
                }
                let kept = UndoRecord {
                    memory: None,
                    pending: Some(waiting.item.id.clone()),
                };
                let sentence = "it does not become memory; saying it again does not bring it back";
                Ok(Done {
                    message: "rejected".to_owned(),
                    effect: effect::saying(action, sentence),
                    kept: (!dry_run).then_some(kept),
                })
            }
        }
    }
}

/// Returns the current number of a waiting proposal, counted from 1.
fn number_of(writable: &WritableMemory, memory: &str, digest: &str) -> Result<usize, Failure> {
    let mut memories = writable.snapshot().iter();
    let memory = memories.find(|one| one.id == memory);
    let proposals = memory.and_then(|memory| memory.state.as_ref());
    let mut proposals = proposals.into_iter().flat_map(|state| &state.proposals);
    let place = proposals.position(|proposal| proposal.digest() == digest);
    place
        .map(|place| place + 1)
        .ok_or_else(|| Failure::new(Kind::Missing, "the proposal has been decided already"))
}

fn done(action: ReviewAction, decided: Decided, pending: Option<String>) -> Done {
    let kept = decided.reversal.map(|reversal| UndoRecord {
        memory: Some(reversal),
        pending,
    });
    Done {
        message: decided.message,
        effect: effect::of(action, &decided.effects),
        kept,
    }
}
