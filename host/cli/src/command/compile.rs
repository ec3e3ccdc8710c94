//! `acreta compile-component SECONDS BYTES [lines]`: the child process that compiles a plugin of a stranger. Not a command for
//! people.

use std::process::ExitCode;

use acreta_service::{COMPILE, LINES, compile_as_child};

use crate::output;

/// Compiles stdin to stdout if this process was started for it.
pub(crate) fn run_if_asked() -> Option<ExitCode> {
    let mut arguments = std::env::args().skip(1);
    if arguments.next()? != COMPILE {
        return None;
    }
    let mut limit = || arguments.next()?.parse().ok();
    let (Some(seconds), Some(memory_bytes)) = (limit(), limit()) else {
        return None;
    };
    let has_lines = arguments.next().is_some_and(|last| last == LINES);
    Some(match compile_as_child(seconds, memory_bytes, has_lines) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            output::warn(&message);
            ExitCode::FAILURE
        }
    })
}
