//! Failed commands and the commands that cured them, read from the events of a session. Pure: no disk, no clock.
//!
//! A cure is a command line that the agent issued in a tool call; no text of a tool, a file or a person becomes one.
//! Precision comes first: where anything else may have cured the failure, there is no cure.

mod calls;
mod change;
mod collect;
mod commands;
mod find;
mod normalise;
mod outcome;
mod safety;
mod shell;
mod signature;
mod steps;
mod wording;

#[cfg(test)]
mod tests;

pub use collect::{Collector, Failed};
pub use normalise::normalise;
pub use signature::{signatures, specifics_are_in};

/// Changes when the same events give other cures, so that those of earlier versions are collected again.
pub const VERSION: u32 = 1;

/// Tells a command line from others, whatever is around its commands: the folder they are run in, redirections, filters of
/// their output.
pub fn command_key(line: &str) -> String {
    let commands = shell::Line::parse(line).work();
    let parts = commands.into_iter().map(|mut command| {
        command.environment.append(&mut command.words);
        command.environment.join(" ")
    });
    parts.collect::<Vec<_>>().join(" && ")
}
