//! Arguments of `acreta init`.

use clap::Args;

/// Connect the agents on this machine: memory over MCP, hooks where an agent has them
///
/// Shows what would change as a diff, saves a copy of every file it changes, and changes only its own entries. In a
/// repository it also registers the project. Then it asks once who should read your sessions; Enter means nobody, and
/// nothing is sent before that answer. `--undo` restores every file.
#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// Only these agents: claude, codex, cursor, opencode, gemini, copilot, vscode, kilo, qwen, cline,
    /// grok, kimi, pi, droid, amp, zed, windsurf, crush, kiro, roo, openclaude, openclaw, omp, forge,
    /// vibe, claude-desktop
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) agents: Vec<String>,
    /// Show what would change, and change nothing
    #[arg(long, conflicts_with = "undo")]
    pub(crate) dry_run: bool,
    /// Undo everything that `init` wrote
    #[arg(long, conflicts_with = "agents")]
    pub(crate) undo: bool,
    /// Also have agents' commits in this repository name their session in a trailer (a git hook)
    #[arg(long, conflicts_with = "undo")]
    pub(crate) commits: bool,
    /// Do not ask before writing; nobody is chosen to read sessions unless `--model` names someone
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Who reads your sessions, named as in `acreta model list`; `none` means nobody
    #[arg(long, value_name = "NAME[/MODEL]|none", conflicts_with = "undo")]
    pub(crate) model: Option<String>,
    /// Whether your agents may note what you say; `--yes` alone means yes
    #[arg(long, value_name = "yes|no", value_parser = ["yes", "no"], conflicts_with = "undo")]
    pub(crate) notes: Option<String>,
    /// Whether OpenCode and Kilo Code get acreta's plugin, or only its tools and instructions; their first start with a
    /// plugin takes a minute
    #[arg(long, value_name = "yes|no", value_parser = ["yes", "no"], conflicts_with = "undo")]
    pub(crate) plugins: Option<String>,
}
