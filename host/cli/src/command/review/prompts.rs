//! Review line by line, for terminals without full-screen support.

use std::io::BufRead;

use acreta_service::Failure;
use acreta_service::review::{self, ReviewAction, ReviewDecision, ReviewDetail};

use super::terminal::edit_text;
use super::{WIDTH, decision, view};
use crate::context::Context;
use crate::output::{line, talk};

pub(super) fn run(context: &Context) -> Result<(), Failure> {
    let mut passed = Vec::new();
    loop {
        let queue = review::list(context)?;
        let Some(item) = queue.items.iter().find(|item| !passed.contains(&item.id)) else {
            talk(match queue.items.is_empty() {
                true => "nothing waits for you",
                false => "no more items",
            });
            return Ok(());
        };
        let detail = review::show(&item.id, context)?;
        for one in view::detail(&detail, WIDTH) {
            line(&one.text);
        }
        talk("a accept, e edit, r reject, m merge, s supersede, u undo, n next, q quit:");
        let Some(answer) = answer() else {
            return Ok(());
        };
        let action = match answer.as_str() {
            "a" => ReviewAction::Accept,
            "e" => ReviewAction::Edit,
            "r" => ReviewAction::Reject,
            "m" => ReviewAction::Merge,
            "s" => ReviewAction::Supersede,
            "q" => return Ok(()),
            "u" => {
                match review::undo(context) {
                    Ok(undone) => {
                        passed.clear();
                        undone
                            .undone
                            .iter()
                            .for_each(|one| talk(&format!("undone: {}", one.title)));
                    }
                    Err(failure) => talk(&failure.to_string()),
                }
                continue;
            }
            "n" | "" => {
                passed.push(item.id.clone());
                continue;
            }
            _ => continue,
        };
        match chosen(&detail, action, context)? {
            Some(decision) => {
                for one in review::decide(&[decision], false, context)?.decisions {
                    talk(&format!("{}: {}", one.message, one.title));
                }
            }
            None => talk("nothing was changed"),
        }
    }
}

/// Returns the decision with its further input.
fn chosen(
    detail: &ReviewDetail,
    action: ReviewAction,
    context: &Context,
) -> Result<Option<ReviewDecision>, Failure> {
    let decision = decision(&detail.item.id, action);
    if action == ReviewAction::Edit {
        let edit = edit_text(detail, context)?;
        return Ok(edit.map(|edit| ReviewDecision {
            edit: Some(edit),
            ..decision
        }));
    }
    let mut offered = detail.item.actions.iter();
    if !offered.any(|one| one.action == action && one.needs_keep) {
        return Ok(Some(decision));
    }
    for (number, one) in detail.alike.iter().enumerate() {
        line(&format!("{}  {}", number + 1, one.title));
    }
    talk("which memory remains?");
    let number = answer().and_then(|answer| answer.parse::<usize>().ok());
    let kept = number.and_then(|number| detail.alike.get(number.checked_sub(1)?));
    Ok(kept.map(|kept| ReviewDecision {
        keep: Some(kept.id.clone()),
        ..decision
    }))
}

/// Reads a line from the person; `None` at the end of input.
fn answer() -> Option<String> {
    let mut answer = String::new();
    let read = std::io::stdin().lock().read_line(&mut answer).ok()?;
    (read > 0).then(|| answer.trim().to_lowercase())
}
