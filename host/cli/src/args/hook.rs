//! Arguments of `acreta hook`.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub(crate) enum HookCommand {
    /// Print the brief for a session that starts, or nothing if there is none
    SessionStart(HookArguments),
    /// Learn from a session that has ended
    SessionEnd(HookArguments),
    /// Print the few memories that are relevant to a prompt, or nothing
    Prompt(HookArguments),
    /// Print how earlier sessions cured the failure of a command, or nothing if no cure is known
    Failure(HookArguments),
    /// Print the pitfalls and conventions that name a file before it is edited, or nothing
    Edit(HookArguments),
    /// Archive a session that is about to be compacted
    Compact(HookArguments),
    /// Name the agent's session in the message of a commit: a hook of git, with the file of the message
    #[command(hide = true)]
    CommitMessage(HookArguments),
    /// Compare the index of memory with its files
    #[command(hide = true)]
    Refresh(HookArguments),
    /// Read the sessions that are not in their index yet
    #[command(hide = true)]
    IndexSessions(HookArguments),
}

impl HookCommand {
    pub(crate) fn arguments(&self) -> &HookArguments {
        match self {
            HookCommand::SessionStart(own)
            | HookCommand::SessionEnd(own)
            | HookCommand::Prompt(own)
            | HookCommand::Failure(own)
            | HookCommand::Edit(own)
            | HookCommand::Compact(own)
            | HookCommand::CommitMessage(own)
            | HookCommand::Refresh(own)
            | HookCommand::IndexSessions(own) => own,
        }
    }

    /// Reports whether an agent, and with it a person, waits for the answer.
    pub(crate) fn is_waited_for(&self) -> bool {
        matches!(
            self,
            HookCommand::SessionStart(_)
                | HookCommand::Prompt(_)
                | HookCommand::Failure(_)
                | HookCommand::Edit(_)
        )
    }

    pub(crate) fn name(&self) -> &'static str {
        match self {
            HookCommand::SessionStart(_) => "session-start",
            HookCommand::SessionEnd(_) => "session-end",
            HookCommand::Prompt(_) => "prompt",
            HookCommand::Failure(_) => "failure",
            HookCommand::Edit(_) => "edit",
            HookCommand::Compact(_) => "compact",
            HookCommand::CommitMessage(_) => "commit-message",
            HookCommand::Refresh(_) => "refresh",
            HookCommand::IndexSessions(_) => "index-sessions",
        }
    }
}

/// Agents call these commands with JSON on stdin. They always exit with 0; errors are written to `hooks.log` in
/// acreta's folder.
#[derive(Debug, Args)]
pub(crate) struct HookArguments {
    /// The calling agent
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Other arguments that an agent adds
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub(crate) rest: Vec<String>,
}
