//! Translates a reviewer's decision on an item into the operation that applies it.

use acreta_pipeline::{Amendment, Edit, Note};

use super::items::{ItemSubject, WaitingItem};
use super::{ReviewAction, ReviewDecision};
use crate::remember::amend::normalised;
use crate::remember::pending;
use crate::{Failure, Kind};

/// The operation that applies a decision.
pub(super) enum ReviewStep {
    Amend {
        memory: String,
        amendment: Amendment,
    },
    /// Accepts a proposal, perhaps reworded by the reviewer, or dismisses it.
    Proposal {
        memory: String,
        digest: String,
        answer: ProposalAnswer,
    },
    /// Makes a pending record a memory.
    Remember(Box<Note>),
    /// Rejects a pending record.
    Refuse,
}

/// A reviewer's answer to a proposal.
pub(super) enum ProposalAnswer {
    Take,
    TakeEdited(Edit),
    Dismiss,
}

/// Translates a decision; refuses one that the item does not allow.
pub(super) fn step(
    waiting: &WaitingItem,
    decision: &ReviewDecision,
) -> Result<ReviewStep, Failure> {
    let action = decision.action;
    let allowed = waiting.item.actions.iter().find(|one| one.action == action);
    let Some(allowed) = allowed else {
        let (kind, name) = (waiting.item.kind.name(), action.name());
        let message = format!("`{name}` is not possible for a {kind} item");
        return Err(Failure::new(Kind::Usage, message));
    };
    if allowed.needs_keep && decision.keep.is_none() {
        let message = format!("`{}` needs the memory that remains", action.name());
        return Err(Failure::new(Kind::Usage, message).hint("name it with `--keep ID`"));
    }
    let edit = match (action, &decision.edit) {
        (ReviewAction::Edit, None) => {
            return Err(Failure::new(Kind::Usage, "an edit needs the new text"));
        }
        (_, edit) => normalised(edit.clone().map(Edit::from).unwrap_or_default()),
    };
    let amend = |memory: &str, amendment| ReviewStep::Amend {
        memory: memory.to_owned(),
        amendment,
    };
    let elsewhere = decision.keep.clone().unwrap_or_default();
    Ok(match (&waiting.subject, action) {
        (ItemSubject::Untrusted(memory), _) => amend(
            &memory.id,
            match action {
                ReviewAction::Accept => Amendment::Confirm,
                ReviewAction::Edit => Amendment::Edit(edit),
                ReviewAction::Reject => Amendment::Reject,
                ReviewAction::Merge => Amendment::MergeInto(elsewhere),
                ReviewAction::Supersede => Amendment::SupersedeBy(elsewhere),
            },
        ),
        (ItemSubject::Proposal { memory, digest }, _) => ReviewStep::Proposal {
            memory: memory.id.clone(),
            digest: digest.clone(),
            answer: match action {
                ReviewAction::Accept => ProposalAnswer::Take,
                ReviewAction::Edit => ProposalAnswer::TakeEdited(edit),
                _ => ProposalAnswer::Dismiss,
            },
        },
        (ItemSubject::Conflict { newer, older }, _) => {
            let (kept, other) = match decision.keep.as_deref() {
                Some(keep) if keep == older.id => (older, newer),
                Some(keep) if keep != newer.id => {
                    let message = format!("`{keep}` is not part of this conflict");
                    return Err(Failure::new(Kind::Usage, message));
                }
                _ => (newer, older),
            };
            match action {
                ReviewAction::Accept => amend(&newer.id, Amendment::HoldsBeside(older.id.clone())),
                ReviewAction::Edit => amend(&kept.id, Amendment::Edit(edit)),
                // Unless the decision says which memory remains, the newer one is what came up for review.
                ReviewAction::Reject if decision.keep.is_none() => {
                    amend(&newer.id, Amendment::Reject)
                }
                ReviewAction::Reject => amend(&other.id, Amendment::Reject),
                ReviewAction::Merge => amend(&other.id, Amendment::MergeInto(kept.id.clone())),
                ReviewAction::Supersede => {
                    amend(&other.id, Amendment::SupersedeBy(kept.id.clone()))
                }
            }
        }
        (ItemSubject::Pending(_), ReviewAction::Reject) => ReviewStep::Refuse,
        (ItemSubject::Pending(record), _) => {
            let mut note = pending::note(record)?;
            note.title = edit.title.unwrap_or(note.title);
            note.body = edit.body.unwrap_or(note.body);
            note.tags = edit.tags.unwrap_or(note.tags);
            ReviewStep::Remember(Box::new(note))
        }
    })
}
