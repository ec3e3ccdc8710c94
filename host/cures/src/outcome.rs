//! Determines how a command ended, from its result: by the agent's error mark, or by an exit code in the text.

use acreta_model::Event;

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
    if is_unfinished(&event.text) {
        return CommandOutcome::Unfinished;
    }
    if event.attrs.get("is_error") == Some("true") {
        return CommandOutcome::Failed;
    }
    match exit_code(&event.text) {
        Some(0) => CommandOutcome::Succeeded,
        Some(_) => CommandOutcome::Failed,
        None if has_marks => CommandOutcome::Succeeded,
        None => CommandOutcome::Unknown,
    }
}

/// Reports whether an output contains nothing that looks like an error.
pub(crate) fn is_quiet(output: &str) -> bool {
    !output.lines().any(names_error)
}

fn is_unfinished(text: &str) -> bool {
    let head = acreta_text::head(text, 400);
    let tail = &text[text.len() - tail_length(text)..];
    UNFINISHED
        .iter()
        .any(|mark| head.contains(mark) || tail.contains(mark))
}

const UNFINISHED: &[&str] = &[
    "doesn't want to proceed with this tool use",
    "tool use was rejected",
    "doesn't want to take this action",
    "Sibling tool call errored",
    "[Request interrupted by user",
    "user rejected",
    "rejected by user",
    "user denied",
    "declined by the user",
    "Command timed out after",
    "command timed out after",
    "Process running with session ID",
    "Command running in background",
    "running in background with ID",
    "haven't granted it yet",
    "requires approval",
    "Permission to use",
];

/// Returns the exit code that agents write before or after an output.
fn exit_code(text: &str) -> Option<i64> {
    let head = acreta_text::head(text, 300);
    let tail = &text[text.len() - tail_length(text)..];
    [head, tail].iter().find_map(|part| {
        MARKS.iter().find_map(|mark| {
            let behind = part.split(mark).nth(1)?.trim_start();
            let digits = behind.split(|next: char| !next.is_ascii_digit()).next()?;
            digits.parse().ok()
        })
    })
}

const MARKS: &[&str] = &[
    "Exit code:",
    "Exit Code:",
    "Exit code ",
    "with exit code ",
    "exited with code ",
    "exit code ",
    "exit status ",
];

/// Returns the length of about the last 200 bytes, on a character boundary.
fn tail_length(text: &str) -> usize {
    let mut start = text.len().saturating_sub(200);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.len() - start
}
