//! Checks that the host would accept the draft, and that it is always the same.

use std::cell::OnceCell;

use acreta_types::{WriteAction, with_causes};

use super::actions::some_action;
use super::{ActionSet, Drafted, NotTaken, WriterBench, is_about_files, said};
use crate::conformance::bench::{Outcome, Reason};

pub(super) fn nothing(bench: &WriterBench) -> Outcome {
    let order = order_of(bench, Vec::new())?;
    let Drafted { written, files, .. } = bench.draft(&order)?;
    let reported = written.as_ref().map_or(0, Vec::len);
    if reported > 0 || !files.is_empty() {
        let found = format!("{} files, {reported} reported", files.len());
        return Err(order.failed("an empty draft", &found));
    }
    Ok("an empty draft".to_owned())
}

pub(super) fn writes(bench: &WriterBench) -> Outcome {
    let mut files = 0;
    bench.each_draft(|order, drafted| match &drafted.written {
        Ok(written) => {
            files += written.len();
            Ok(())
        }
        Err(failure) => Err(order.failed("files", &said(failure))),
    })?;
    Ok(format!("{files} files"))
}

pub(super) fn reports_each(bench: &WriterBench) -> Outcome {
    let mut actions = 0;
    bench.each_draft(|order, drafted| {
        actions += order.actions.len();
        match &drafted.checked {
            Err(NotTaken::Report(problem)) => Err(order.failed("one report each", problem)),
            _ => Ok(()),
        }
    })?;
    Ok(format!("{actions} actions"))
}

pub(super) fn asked_files(bench: &WriterBench) -> Outcome {
    let mut files = 0;
    bench.each_draft(|order, drafted| {
        files += drafted.files.len();
        match &drafted.checked {
            Err(NotTaken::Draft(error)) if is_about_files(error) => {
                Err(order.failed("the files that were asked for", &with_causes(error)))
            }
            // Without a report, a file cannot be matched to its action.
            Err(NotTaken::Report(problem)) if !drafted.files.is_empty() => {
                Err(order.failed("the files that were asked for", problem))
            }
            _ => Ok(()),
        }
    })?;
    Ok(format!("{files} files"))
}

pub(super) fn front_matter(bench: &WriterBench) -> Outcome {
    let mut files = 0;
    bench.each_draft(|order, drafted| match &drafted.checked {
        Ok(checked) => {
            files += checked.len();
            Ok(())
        }
        Err(NotTaken::Draft(error)) if !is_about_files(error) => {
            Err(order.failed("a complete front matter", &with_causes(error)))
        }
        Err(_) => Ok(()),
    })?;
    none_checked(files)
}

/// If no draft was accepted, there is no content to check.
pub(super) fn none_checked(files: usize) -> Outcome {
    if files == 0 {
        let reason = "no draft was taken; see the checks before";
        return Err(Reason::Skipped(reason.to_owned()));
    }
    Ok(format!("{files} files"))
}

pub(super) fn same_twice(bench: &WriterBench) -> Outcome {
    bench.each_draft(|order, first| {
        let second = bench.draft(order)?;
        if first.written != second.written {
            return Err(order.failed("the same report", "another one"));
        }
        let changed = first
            .files
            .iter()
            .zip(&second.files)
            .find(|(first, second)| first != second);
        if let Some(((path, _), _)) = changed {
            return Err(order.failed("the same bytes", &format!("`{path}` is another one")));
        }
        if first.files.len() != second.files.len() {
            return Err(order.failed("the same files", "another number of files"));
        }
        Ok(())
    })?;
    Ok(format!("{} drafts, twice the same", bench.orders.len()))
}

pub(super) fn bad_action(bench: &WriterBench) -> Outcome {
    let empty = WriteAction {
        candidate: None,
        summary: None,
        ..some_action()
    };
    let mut unknown = some_action();
    if let Some(candidate) = &mut unknown.candidate {
        candidate.category = "poem".to_owned();
    }
    let mut codes = Vec::new();
    for (what, action) in [("no content", empty), ("an unknown type", unknown)] {
        let order = order_of(bench, vec![action])?;
        match bench.draft(&order)?.written {
            Ok(_) => {
                let found = format!("a file for an action with {what}");
                return Err(order.failed("a failure", &found));
            }
            Err(failure) => codes.push(format!("`{}`", failure.code)),
        }
    }
    Ok(format!("failed with {}", codes.join(" and ")))
}

fn order_of(bench: &WriterBench, actions: Vec<WriteAction>) -> Result<ActionSet, Reason> {
    let first = bench.orders.first();
    let first = first.ok_or_else(|| Reason::Skipped("there are no actions".to_owned()))?;
    Ok(ActionSet {
        name: "a single action".to_owned(),
        context: first.context.clone(),
        actions,
        drafted: OnceCell::new(),
    })
}
