//! Arguments of `acreta hook`.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum HookCommand {
    /// Print what an agent should know when a session starts; nothing when there is nothing
    SessionStart(HookArguments),
    /// Put a session that ended down to be learnt from
    SessionEnd(HookArguments),
    /// Print the few memories that bear on a prompt; nothing when none does
    Prompt(HookArguments),
    /// Print how earlier sessions cured the failure of a command; nothing when that is not known
    Failure(HookArguments),
    /// Print the pitfalls and conventions that name a file before it is edited; nothing when none does
    Edit(HookArguments),
    /// Compare the index of memory with its files
    #[command(hide = true)]
    Refresh(HookArguments),
}

impl HookCommand {
    pub(crate) fn arguments(&self) -> &HookArguments {
        match self {
            HookCommand::SessionStart(own)
            | HookCommand::SessionEnd(own)
            | HookCommand::Prompt(own)
            | HookCommand::Failure(own)
            | HookCommand::Edit(own)
            | HookCommand::Refresh(own) => own,
        }
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            HookCommand::SessionStart(_) => "session-start",
            HookCommand::SessionEnd(_) => "session-end",
            HookCommand::Prompt(_) => "prompt",
            HookCommand::Failure(_) => "failure",
            HookCommand::Edit(_) => "edit",
            HookCommand::Refresh(_) => "refresh",
        }
    }
}

/// Agents call these with what they know as JSON on stdin. They always end well: what goes wrong is
/// told in `hooks.log` in acreta's folder.
#[derive(Debug, Args)]
pub(crate) struct HookArguments {
    /// The agent that calls
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Whatever else an agent adds
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub(crate) rest: Vec<String>,
}
