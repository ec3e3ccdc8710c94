//! Arguments of `acreta sessions`.

use camino::Utf8PathBuf;
use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// List sessions, the one that changed last first
    List(ListSessionsArguments),
    /// Read a session: prompts, answers, and each tool call with one line of its result
    Show(ShowSessionArguments),
    /// Find a text in sessions, also in those that their agents have deleted
    Search(SearchSessionsArguments),
    /// Write a session out: as its agent wrote it, or as one event a line
    Export(ExportSessionArguments),
    /// List how failed commands of this project were cured, the newest first
    ///
    /// A cure is a command that an agent ran here after a failure and that made the failed command work. Those without a mark
    /// are offered to agents when the failure comes again; one marked `(once)` has to work a second time first.
    Cures,
}

/// Which sessions are looked at.
#[derive(Debug, Args)]
pub(crate) struct WhichSessions {
    /// Only sessions of this agent
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Sessions of every project, and of none
    #[arg(long)]
    pub(crate) all_projects: bool,
    /// Only sessions that changed since: a date, a time, or 7d, 12h, 30m ago
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Only sessions that last changed before: a date, a time, or 7d, 12h, 30m ago
    #[arg(long, value_name = "WHEN")]
    pub(crate) until: Option<String>,
}

/// List sessions, the one that changed last first
///
/// Each has where its text is: `archived` (with its agent, and a copy of acreta's), `rescued` (its agent has deleted it),
/// `not archived`, `prompts only` (Claude deleted it before acreta saw it; its prompts are left in `history.jsonl`), or `lost`.
#[derive(Debug, Args)]
pub(crate) struct ListSessionsArguments {
    #[command(flatten)]
    pub(crate) which: WhichSessions,
    /// Only sessions with this text in their title or id; `sessions search` looks into the conversation
    #[arg(long, value_name = "TEXT")]
    pub(crate) text: Option<String>,
    /// At most this many
    #[arg(long, short = 'n', default_value_t = 20, value_name = "N")]
    pub(crate) limit: u64,
}

/// Read a session: prompts, answers, and each tool call with one line of its result
///
/// Text is shown as it was archived, without secrets.
#[derive(Debug, Args)]
pub(crate) struct ShowSessionArguments {
    /// Its id, or a prefix that fits one only; `AGENT/ID` when two agents have the same
    pub(crate) id: String,
    /// Show everything: thinking, injected text, and tool calls and results as a whole
    #[arg(long)]
    pub(crate) full: bool,
    /// Begin after this many events
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) offset: u64,
    /// At most this many events
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) limit: Option<u64>,
}

/// Find a text in sessions, also in those that their agents have deleted
///
/// Looks for the text as it is, in any case, through one session after the other, the newest first, until enough is found.
#[derive(Debug, Args)]
pub(crate) struct SearchSessionsArguments {
    /// The text
    #[arg(required = true)]
    pub(crate) text: Vec<String>,
    #[command(flatten)]
    pub(crate) which: WhichSessions,
    /// At most this many hits
    #[arg(long, short = 'n', default_value_t = 20, value_name = "N")]
    pub(crate) limit: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SessionExportFormat {
    /// The bytes that its agent wrote, without secrets
    Original,
    /// One event a line, in the same form for every agent
    Jsonl,
}

/// Write a session out: as its agent wrote it, or as one event a line
///
/// Claude Code, Codex, Copilot CLI, Gemini CLI and Pi go on with an `original` that is put back where it was; the path and
/// the agent's command are shown. Agents that keep their sessions in a database or in several files (OpenCode, Cursor,
/// Kiro, …) have no original: take `jsonl`.
#[derive(Debug, Args)]
pub(crate) struct ExportSessionArguments {
    /// Its id, or a prefix that fits one only; `AGENT/ID` when two agents have the same
    pub(crate) id: String,
    /// What to write
    #[arg(id = "as", long = "as", value_enum, default_value_t = SessionExportFormat::Original, value_name = "FORMAT")]
    pub(crate) format: SessionExportFormat,
    /// Write it here instead of to stdout
    #[arg(long, short = 'o', value_name = "FILE")]
    pub(crate) output: Option<Utf8PathBuf>,
}
