//! Arguments of `acreta init`.

use clap::Args;

/// Connect the agents on this machine: memory over MCP, hooks where an agent has them
///
/// Shows what would change as a diff, keeps a copy of every file it changes, and changes nothing but
/// its own entries. In a repository it also takes the project in. `--undo` puts every file back.
#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// Only these agents: claude, codex, cursor, opencode, gemini, copilot, vscode
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) agents: Vec<String>,
    /// Show what would change, and change nothing
    #[arg(long, conflicts_with = "undo")]
    pub(crate) dry_run: bool,
    /// Take back everything that `init` wrote
    #[arg(long, conflicts_with = "agents")]
    pub(crate) undo: bool,
    /// Do not ask before writing
    #[arg(long, short)]
    pub(crate) yes: bool,
}
