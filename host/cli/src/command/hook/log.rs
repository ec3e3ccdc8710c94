//! Writes lines to the log of hooks.

use acreta_service::recall::hook_log::{Repeats, add};

use crate::args::HookCommand;
use crate::environment::environment;

/// Adds a line about a hook that failed.
pub(super) fn note(command: &HookCommand, problem: &str) {
    add(command.name(), problem, Repeats::Kept, &environment());
}

/// Adds a line that applies to every session; repeated lines are left out.
pub(crate) fn note_once(who: &str, text: &str) {
    add(who, text, Repeats::LeftOut, &environment());
}
