//! Arguments of `acreta init`.

use clap::Args;

/// Connect the agents on this machine: memory over MCP, hooks where an agent has them
///
/// Shows what would change as a diff, keeps a copy of every file it changes, and changes nothing but
/// its own entries. In a repository it also takes the project in. Then it asks once who should read your
/// sessions; Enter means nobody, and nothing is sent before that answer. `--undo` puts every file back.
#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// Only these agents: claude, codex, cursor, opencode, gemini, copilot, vscode, kilo, qwen, cline,
    /// grok, kimi, pi
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) agents: Vec<String>,
    /// Show what would change, and change nothing
    #[arg(long, conflicts_with = "undo")]
    pub(crate) dry_run: bool,
    /// Take back everything that `init` wrote
    #[arg(long, conflicts_with = "agents")]
    pub(crate) undo: bool,
    /// Do not ask before writing; nobody is chosen to read sessions unless `--model` says who
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Who reads your sessions, as `acreta model list` names it; `none` is nobody
    #[arg(long, value_name = "NAME[/MODEL]|none", conflicts_with = "undo")]
    pub(crate) model: Option<String>,
}
