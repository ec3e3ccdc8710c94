//! Arguments of `acreta sessions`.

use camino::Utf8PathBuf;
use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// List sessions, the most recently changed first
    List(ListSessionsArguments),
    /// Read a session: prompts as chapters, a line for each tool call, the changes of files
    Show(ShowSessionArguments),
    /// Find a text in sessions, including those that their agents have deleted
    Search(SearchSessionsArguments),
    /// List the files that sessions about a topic touched
    Files(TrailArguments),
    /// List the sessions that changed a file, with what they were asked for
    ///
    /// With `PATH:LINE`, only the changes that wrote this line as it stands now.
    Blame(TrailArguments),
    /// Show how a program was used before, what worked first
    How(TrailArguments),
    /// Export a session: as its agent wrote it, as a page for others, or one event per line
    Export(ExportSessionArguments),
    /// Continue a session in its own agent
    Resume(ResumeSessionArguments),
    /// Write an account of a session with which another agent can go on
    Handoff(HandoffArguments),
    /// Forget a session: remove what it left, and never read it
    Forget(ForgetSessionArguments),
    /// List how failed commands of this project were cured, newest first
    ///
    /// A cure is a command that an agent ran here after a failure and that made the failed command work. Cures without
    /// a mark are offered to agents when the failure occurs again; one marked `(once)` has to work a second time first.
    Cures,
}

/// What sessions did.
#[derive(Debug, Args)]
pub(crate) struct TrailArguments {
    /// A topic; PATH or PATH:LINE; a command
    #[arg(required = true)]
    pub(crate) text: Vec<String>,
    /// Include sessions of every project, and of none
    #[arg(long)]
    pub(crate) all_projects: bool,
    /// At most this many
    #[arg(long, short = 'n', default_value_t = 20, value_name = "N")]
    pub(crate) limit: usize,
}

/// Selection of sessions.
#[derive(Debug, Args)]
pub(crate) struct WhichSessions {
    /// Only sessions of this agent
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Include sessions of every project, and of none
    #[arg(long)]
    pub(crate) all_projects: bool,
    /// Only sessions that changed since: a date, a time, or an age (7d, 12h, 30m)
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Only sessions that last changed before: a date, a time, or an age (7d, 12h, 30m)
    #[arg(long, value_name = "WHEN")]
    pub(crate) until: Option<String>,
}

/// List sessions, the most recently changed first
///
/// Shows for each session where its text is: `archived` (the agent has it, and acreta has a copy), `rescued` (its agent
/// has deleted it), `not archived`, `prompts only` (Claude deleted it before acreta saw it; its prompts are left in
/// `history.jsonl`), or `lost`.
#[derive(Debug, Args)]
pub(crate) struct ListSessionsArguments {
    #[command(flatten)]
    pub(crate) which: WhichSessions,
    /// Only sessions with this text in their title or id; `sessions search` searches the conversation
    #[arg(long, value_name = "TEXT")]
    pub(crate) text: Option<String>,
    /// At most this many
    #[arg(long, short = 'n', default_value_t = 20, value_name = "N")]
    pub(crate) limit: u64,
}

/// Read a session: prompts as chapters, a line for each tool call, the changes of files
///
/// Text is shown as it was archived, without secrets. Of a commit of this repository, the session is shown in which it was
/// made: by the trailer that `acreta init --commits` adds, or by what git printed in a session. At
/// a terminal it goes through `PAGER`, or `less`; `PAGER=cat` prints it.
#[derive(Debug, Args)]
pub(crate) struct ShowSessionArguments {
    /// Its id, or a unique prefix of it; `AGENT/ID` if two agents have the same id; or a commit
    pub(crate) id: String,
    /// Show everything: thinking, injected text, and complete tool calls and results
    #[arg(long)]
    pub(crate) full: bool,
    /// Skip this many events
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) offset: u64,
    /// At most this many events
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) limit: Option<u64>,
    /// Only events of this role: user, assistant, tool or system; thinking and injected text unfolded
    #[arg(long, value_name = "ROLE")]
    pub(crate) role: Option<String>,
    /// Show what is around this event, as `sessions search` names it
    #[arg(long, value_name = "EVENT", conflicts_with = "offset")]
    pub(crate) around: Option<String>,
}

/// Find something in sessions, including those that their agents have deleted
///
/// Words are found in other forms and with a typing error, too; `"a phrase"` as it stands; `start*` by its beginning. The
/// best session comes first. Filters stand among the words: `agent:codex`, `project:web`, `branch:main`, `file:src/a.rs`,
/// `tool:bash`, `role:user`, `since:2w`, `until:2026-01-31`. With filters only, the newest come first. The index is built
/// from the archive by the first search, and takes in what is new at each one.
#[derive(Debug, Args)]
pub(crate) struct SearchSessionsArguments {
    /// Words, phrases and filters
    #[arg(required = true)]
    pub(crate) text: Vec<String>,
    #[command(flatten)]
    pub(crate) which: WhichSessions,
    /// At most this many hits
    #[arg(long, short = 'n', default_value_t = 20, value_name = "N")]
    pub(crate) limit: u64,
    /// Newest first, and only passages with all words
    #[arg(long)]
    pub(crate) newest: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SessionExportFormat {
    /// The bytes that its agent wrote, without secrets
    Original,
    /// One event per line, in the same form for every agent
    Jsonl,
    /// One page that opens from disk, without scripts, for others
    Html,
    /// Markdown, for others
    Markdown,
}

/// Export a session: as its agent wrote it, as a page for others, or one event per line
///
/// Nothing is uploaded. `html` and `markdown` are for others: besides secrets, they are without mail addresses, names of
/// accounts and people, IP addresses and private hosts. Look at what was removed with `--preview`, and at the page itself
/// before you hand it on: what a session says in words, no rule can judge. Claude Code, Codex, Copilot CLI, Gemini CLI and
/// Pi can resume an `original` that is put back in its place (`acreta sessions resume` does so). Agents that store sessions
/// in a database or in several files (OpenCode, Cursor, Kiro, …) have no original.
#[derive(Debug, Args)]
pub(crate) struct ExportSessionArguments {
    /// Its id, or a unique prefix of it; `AGENT/ID` if two agents have the same id
    pub(crate) id: String,
    /// Format to write
    #[arg(id = "as", long = "as", value_enum, default_value_t = SessionExportFormat::Original, value_name = "FORMAT")]
    pub(crate) format: SessionExportFormat,
    /// Write it here instead of to stdout
    #[arg(long, short = 'o', visible_alias = "out", value_name = "FILE")]
    pub(crate) output: Option<Utf8PathBuf>,
    /// Begin with this prompt: its number, or the id of its event
    #[arg(long, value_name = "PROMPT")]
    pub(crate) from: Option<String>,
    /// End with what followed this prompt
    #[arg(long, value_name = "PROMPT")]
    pub(crate) to: Option<String>,
    /// Write nothing, and list what would be removed
    #[arg(long)]
    pub(crate) preview: bool,
    /// Remove this word, too: a customer, a project; may be given several times
    #[arg(long, value_name = "WORD")]
    pub(crate) hide: Vec<String>,
    /// Whether names of people and machines are removed: yes for html and markdown, no for jsonl
    #[arg(long, value_name = "yes|no", value_parser = ["yes", "no"])]
    pub(crate) anonymous: Option<String>,
}

/// Continue a session in its own agent
///
/// Runs the agent's own command in the folder of the session. A file that the agent deleted is put back from the archive,
/// if it was a file of its own and nothing is in its place; the copy is without secrets.
#[derive(Debug, Args)]
pub(crate) struct ResumeSessionArguments {
    /// Its id, or a unique prefix of it; `AGENT/ID` if two agents have the same id
    pub(crate) id: String,
    /// Print the command, run nothing and put nothing back
    #[arg(long)]
    pub(crate) print: bool,
}

/// Write an account of a session with which another agent can go on
///
/// What was asked, decided, done and left open, and the files that were touched, quoted from the session without a model.
/// Printed, or with `--to` given to an agent as its first prompt.
#[derive(Debug, Args)]
pub(crate) struct HandoffArguments {
    /// Its id, or a unique prefix of it; `AGENT/ID` if two agents have the same id
    pub(crate) id: String,
    /// Start this agent with it: claude, codex, gemini, opencode, …
    #[arg(long, value_name = "AGENT")]
    pub(crate) to: Option<String>,
    /// Print the command that starts the agent, and run nothing
    #[arg(long, requires = "to")]
    pub(crate) print: bool,
}

/// Forget a session: remove what it left, and never read it
///
/// Works before it was read and after: memories that only it supports, its trace, its archived copy, its runs and its place
/// in the index go, and no sync reads it again. `AGENT/ID` forgets a session that acreta has not seen yet. The agent's own
/// file stays; git history is not rewritten. `acreta run FILE` reads it nevertheless.
#[derive(Debug, Args)]
pub(crate) struct ForgetSessionArguments {
    /// Its id, or a unique prefix of it; `AGENT/ID` if two agents have the same id
    pub(crate) id: String,
    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,
}
