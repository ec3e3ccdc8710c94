//! How a command ended, as its result tells: by the agent's mark of an error, or by an exit code in the text.

use acreta_model::Event;

use crate::wording::names_error;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Succeeded,
    Failed,
    /// Refused by a person, interrupted, out of time, or still running.
    Unfinished,
    /// Nothing says how it ended.
    Unknown,
}

/// Reads a result. `has_marks`: the agent marks failed commands, so that a result without a mark is a success.
pub(crate) fn outcome(event: &Event, has_marks: bool) -> Outcome {
    if is_unfinished(&event.text) {
        return Outcome::Unfinished;
    }
    if event.attrs.get("is_error") == Some("true") {
        return Outcome::Failed;
    }
    match exit_code(&event.text) {
        Some(0) => Outcome::Succeeded,
        Some(_) => Outcome::Failed,
        None if has_marks => Outcome::Succeeded,
        None => Outcome::Unknown,
    }
}

/// Reports whether an output holds nothing that sounds like an error.
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

/// The exit code that agents write before or after an output.
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

/// Bytes of the last 200 or so, on a boundary of characters.
fn tail_length(text: &str) -> usize {
    let mut start = text.len().saturating_sub(200);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    text.len() - start
}
