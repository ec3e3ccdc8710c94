//! Determines how a command ended, from its result: by the agent's error mark, or by the exit status in the text.

use acreta_types::Event;

use crate::result::{ShellResult, tail};
use crate::word_lists::word_list;
use crate::wording::names_error;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CommandOutcome {
    Succeeded,
    Failed,
    /// Refused by a person, interrupted, out of time, or still running.
    Unfinished,
    /// Nothing indicates how it ended.
    Unknown,
}

/// Returns the outcome of a result. `has_marks`: the agent marks failed commands, so that a result without a mark is a
/// success.
pub(crate) fn outcome(event: &Event, has_marks: bool) -> CommandOutcome {
    match stated(&event.text) {
        CommandOutcome::Unfinished => CommandOutcome::Unfinished,
        _ if event.attrs.get("is_error") == Some("true") => CommandOutcome::Failed,
        CommandOutcome::Unknown if has_marks => CommandOutcome::Succeeded,
        stated => stated,
    }
}

/// Reports whether an output alone, without a status, tells that its command failed: by an exit code, or else by a line
/// that states an error. Right for looking up a known failure, too weak for collecting one.
pub fn tells_failure(output: &str) -> bool {
    match stated(output) {
        CommandOutcome::Failed => true,
        CommandOutcome::Unknown => !is_quiet(output),
        CommandOutcome::Succeeded | CommandOutcome::Unfinished => false,
    }
}

/// Returns the outcome that a text states.
fn stated(text: &str) -> CommandOutcome {
    match ShellResult::parse(text).status {
        _ if is_unfinished(text) => CommandOutcome::Unfinished,
        Some(0) => CommandOutcome::Succeeded,
        Some(_) => CommandOutcome::Failed,
        None => CommandOutcome::Unknown,
    }
}

/// Reports whether an output contains nothing that looks like an error.
pub(crate) fn is_quiet(output: &str) -> bool {
    !ShellResult::parse(output).output.lines().any(names_error)
}

fn is_unfinished(text: &str) -> bool {
    let head = acreta_text::head(text, 400);
    let tail = tail(text);
    word_list("unfinished")
        .iter()
        .any(|mark| head.contains(mark) || tail.contains(mark))
}
