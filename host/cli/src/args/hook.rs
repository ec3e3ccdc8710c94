//! Arguments of `acreta hook`.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum HookCommand {
    /// Print what an agent should know when a session starts; nothing when there is nothing
    SessionStart(HookArguments),
    /// Put a session that ended down to be learnt from
    SessionEnd(HookArguments),
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
