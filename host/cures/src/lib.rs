//! Failed commands and the commands that cured them, read from the events of a session. Pure: no disk, no clock.
//!
//! A cure is a command line that the agent issued in a tool call; text of a tool, a file or a person never becomes
//! one. Precision comes first: if anything else may have cured the failure, there is no cure.

mod calls;
mod change;
mod collect;
mod commands;
mod elsewhere;
mod find;
mod normalise;
mod outcome;
mod result;
mod safety;
mod shell;
mod signature;
mod steps;
mod word_lists;
mod wording;

#[cfg(test)]
mod tests;

pub use calls::{command_line, may_have_changed};
pub use collect::{Collector, FailedCommand};
pub use normalise::normalise;
pub use outcome::tells_failure;
pub use signature::{signatures, specifics_are_in};

/// Increased when the same events give other cures, so that cures of earlier versions are collected again.
pub const VERSION: u32 = 4;

/// Reports whether a command line may be offered to an agent. Cures are collected by this rule; those that an earlier version
/// collected are not.
pub fn may_be_offered(line: &str) -> bool {
    safety::may_be_offered(line, &shell::ShellLine::parse(line))
}

/// Returns a key that identifies the commands of a line, independent of their folder, redirections and output filters.
pub fn command_key(line: &str) -> String {
    let commands = shell::ShellLine::parse(line).work();
    let parts = commands.into_iter().map(|mut command| {
        command.environment.append(&mut command.words);
        command.environment.join(" ")
    });
    parts.collect::<Vec<_>>().join(" && ")
}
