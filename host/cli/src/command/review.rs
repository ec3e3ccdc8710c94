//! `acreta review`: full-screen, line by line, or by its subcommands for scripts.

mod prompts;
mod screen;
mod terminal;
mod view;

use acreta_service::review::{
    self, ReviewAction, ReviewDecision, ReviewEdit, ReviewItem, ReviewQueue, ReviewReport,
};
use acreta_service::{Failure, Kind};

use crate::args::{ConsentArguments, ReviewArguments, ReviewCommand};
use crate::consent::{self, Preset};
use crate::context::Context;
use crate::output::{count, json, line, table, talk};

/// Columns of text that is not printed to a terminal.
const WIDTH: usize = 100;

pub(crate) fn run(arguments: &ReviewArguments, context: &Context) -> Result<(), Failure> {
    match &arguments.command {
        None if arguments.list || context.json || !consent::is_terminal() => list(context),
        None if arguments.plain || !terminal::can_draw(context) => prompts::run(context),
        None => terminal::run(context),
        Some(ReviewCommand::Show { id }) => show(id, context),
        Some(ReviewCommand::Accept(items)) => {
            let decisions = items
                .ids
                .iter()
                .map(|id| decision(id, ReviewAction::Accept));
            decide(&decisions.collect::<Vec<_>>(), &items.consent, context)
        }
        Some(ReviewCommand::Reject(items)) => {
            let decisions = items
                .ids
                .iter()
                .map(|id| decision(id, ReviewAction::Reject));
            decide(&decisions.collect::<Vec<_>>(), &items.consent, context)
        }
        Some(ReviewCommand::Edit {
            id,
            title,
            body,
            consent,
        }) => {
            let edit = ReviewEdit {
                title: title.clone(),
                body: body.clone(),
                tags: None,
            };
            let decision = ReviewDecision {
                edit: Some(edit),
                ..decision(id, ReviewAction::Edit)
            };
            decide(&[decision], consent, context)
        }
        Some(ReviewCommand::Merge(pair)) => {
            let decision = ReviewDecision {
                keep: pair.keep.clone(),
                ..decision(&pair.id, ReviewAction::Merge)
            };
            decide(&[decision], &pair.consent, context)
        }
        Some(ReviewCommand::Supersede(pair)) => {
            let decision = ReviewDecision {
                keep: pair.keep.clone(),
                ..decision(&pair.id, ReviewAction::Supersede)
            };
            decide(&[decision], &pair.consent, context)
        }
        Some(ReviewCommand::Undo { yes }) => undo(*yes, context),
    }
}

fn decision(id: &str, action: ReviewAction) -> ReviewDecision {
    ReviewDecision {
        id: id.to_owned(),
        action,
        keep: None,
        edit: None,
    }
}

fn list(context: &Context) -> Result<(), Failure> {
    let queue = review::list(context)?;
    if context.json {
        json(&queue);
        return Ok(());
    }
    if queue.items.is_empty() {
        talk("nothing waits for you");
        return Ok(());
    }
    table(&queue.items.iter().map(row).collect::<Vec<_>>());
    talk(&format!(
        "{}; `acreta review show ID` shows the evidence",
        in_words(&queue)
    ));
    Ok(())
}

fn row(item: &ReviewItem) -> Vec<String> {
    vec![
        item.id.clone(),
        item.kind.name().to_owned(),
        item.title.clone(),
    ]
}

/// Formats `2 items wait: 1 conflict, 1 untrusted memory`.
fn in_words(queue: &ReviewQueue) -> String {
    let waiting = &queue.waiting;
    let kinds = [
        (waiting.conflicts, "conflict", "conflicts"),
        (waiting.proposals, "proposal", "proposals"),
        (waiting.pending, "pending record", "pending records"),
        (waiting.untrusted, "untrusted memory", "untrusted memories"),
    ];
    let kinds: Vec<String> = kinds
        .iter()
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, several)| count(*number, one, several))
        .collect();
    let total = count(waiting.total, "item waits", "items wait");
    format!("{total}: {}", kinds.join(", "))
}

fn show(id: &str, context: &Context) -> Result<(), Failure> {
    let detail = review::show(id, context)?;
    if context.json {
        json(&detail);
        return Ok(());
    }
    for one in view::detail(&detail, WIDTH) {
        line(&one.text);
    }
    Ok(())
}

/// Shows the effect of decisions, asks, and applies them.
fn decide(
    decisions: &[ReviewDecision],
    consent: &ConsentArguments,
    context: &Context,
) -> Result<(), Failure> {
    if !consent.yes {
        let preview = review::decide(decisions, true, context)?;
        if consent.dry_run {
            return told(&preview, context);
        }
        for one in view::report(&preview, WIDTH) {
            talk(&one.text);
        }
        if preview.failed() == decisions.len() {
            return told(&preview, context);
        }
        if !consent::agrees("Do this?", Preset::Yes, false)? {
            talk("nothing was changed");
            return Ok(());
        }
    }
    told(&review::decide(decisions, false, context)?, context)
}

/// Prints the result of decisions. Fails if none could be made, and with another code if some could not.
fn told(report: &ReviewReport, context: &Context) -> Result<(), Failure> {
    if context.json {
        json(report);
    } else if report.dry_run {
        for one in view::report(report, WIDTH) {
            line(&one.text);
        }
    } else {
        for one in &report.decisions {
            match &one.effect.problem {
                Some(_) => {}
                None => line(&format!("{} {}", one.id, one.message)),
            }
        }
        talk(&count(report.waiting.total, "item waits", "items wait"));
    }
    let failed = report
        .decisions
        .iter()
        .filter(|one| one.effect.problem.is_some());
    let problems: Vec<&str> = failed.map(|one| one.message.as_str()).collect();
    match problems.len() {
        0 => Ok(()),
        number => {
            let kind = match number == report.decisions.len() {
                true => Kind::Missing,
                false => Kind::Partial,
            };
            Err(Failure::new(kind, problems.join("; ")))
        }
    }
}

fn undo(yes: bool, context: &Context) -> Result<(), Failure> {
    let last = review::list(context)?.last;
    for one in &last {
        talk(&format!("{} {}", one.action, one.title));
    }
    if !last.is_empty() && !consent::agrees("Undo this?", Preset::Yes, yes)? {
        talk("nothing was changed");
        return Ok(());
    }
    let undone = review::undo(context)?;
    if context.json {
        json(&undone);
        return Ok(());
    }
    for one in &undone.undone {
        line(&format!("{} waits again", one.id));
    }
    Ok(())
}
