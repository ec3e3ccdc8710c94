//! From a reviewer's decision on an item to the verb that makes it.

use acreta_lead::{Amendment, Edit, Note};

use super::items::{Subject, Waiting};
use super::{ReviewAction, ReviewDecision};
use crate::amend::normalised;
use crate::pending;
use crate::{Failure, Kind};

/// A decision in terms of what makes it.
pub(super) enum Step {
    Amend {
        memory: String,
        amendment: Amendment,
    },
    /// A proposal is taken, perhaps in the reviewer's words, or dismissed.
    Proposal {
        memory: String,
        digest: String,
        answer: Answer,
    },
    /// A pending record becomes a memory.
    Remember(Box<Note>),
    /// A pending record is let go.
    Refuse,
}

/// What a reviewer says to a proposal.
pub(super) enum Answer {
    Take,
    TakeEdited(Edit),
    Dismiss,
}

/// Translates a decision; refuses what makes no sense for the item.
pub(super) fn step(waiting: &Waiting, decision: &ReviewDecision) -> Result<Step, Failure> {
    let action = decision.action;
    let allowed = waiting.item.actions.iter().find(|one| one.action == action);
    let Some(allowed) = allowed else {
        let (kind, name) = (waiting.item.kind.name(), action.name());
        let message = format!("`{name}` is no decision on a {kind} item");
        return Err(Failure::new(Kind::Usage, message));
    };
    if allowed.needs_keep && decision.keep.is_none() {
        let message = format!(
            "`{}` needs the memory that stands afterwards",
            action.name()
        );
        return Err(Failure::new(Kind::Usage, message).hint("name it with `--keep ID`"));
    }
    let edit = match (action, &decision.edit) {
        (ReviewAction::Edit, None) => {
            return Err(Failure::new(Kind::Usage, "an edit needs the new text"));
        }
        (_, edit) => normalised(edit.clone().map(Edit::from).unwrap_or_default()),
    };
    let amend = |memory: &str, amendment| Step::Amend {
        memory: memory.to_owned(),
        amendment,
    };
    let elsewhere = decision.keep.clone().unwrap_or_default();
    Ok(match (&waiting.subject, action) {
        (Subject::Untrusted(memory), _) => amend(
            &memory.id,
            match action {
                ReviewAction::Accept => Amendment::Confirm,
                ReviewAction::Edit => Amendment::Edit(edit),
                ReviewAction::Reject => Amendment::Reject,
                ReviewAction::Merge => Amendment::MergeInto(elsewhere),
                ReviewAction::Supersede => Amendment::SupersedeBy(elsewhere),
            },
        ),
        (Subject::Proposal { memory, digest }, _) => Step::Proposal {
            memory: memory.id.clone(),
            digest: digest.clone(),
            answer: match action {
                ReviewAction::Accept => Answer::Take,
                ReviewAction::Edit => Answer::TakeEdited(edit),
                _ => Answer::Dismiss,
            },
        },
        (Subject::Conflict { newer, older }, _) => {
            let (kept, other) = match decision.keep.as_deref() {
                Some(keep) if keep == older.id => (older, newer),
                Some(keep) if keep != newer.id => {
                    let message = format!("`{keep}` is no side of this conflict");
                    return Err(Failure::new(Kind::Usage, message));
                }
                _ => (newer, older),
            };
            match action {
                ReviewAction::Accept => amend(&newer.id, Amendment::HoldsBeside(older.id.clone())),
                ReviewAction::Edit => amend(&kept.id, Amendment::Edit(edit)),
                // Without a word on what stands, the newer one is what came up for review.
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
        (Subject::Pending(_), ReviewAction::Reject) => Step::Refuse,
        (Subject::Pending(record), _) => {
            let mut note = pending::note(record)?;
            note.title = edit.title.unwrap_or(note.title);
            note.body = edit.body.unwrap_or(note.body);
            note.tags = edit.tags.unwrap_or(note.tags);
            Step::Remember(Box::new(note))
        }
    })
}
