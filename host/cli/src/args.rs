//! The command line as types. Help texts live here and nowhere else.

mod context;
mod hook;
mod init;
mod memory;
mod model;
mod plugin;
mod review;
mod serve;
mod sessions;

use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(crate) use context::{ContextCommand, ProjectArgument, WatchArguments};
pub(crate) use hook::{HookArguments, HookCommand};
pub(crate) use init::InitArguments;
pub(crate) use memory::{
    AddArguments, AskArguments, EditArguments, ExportArguments, ExportFormat, ImportArguments,
    ImportFormat, MaintainArguments, MemoryCommand, PurgeArguments, SearchArguments, TrustCommand,
};

pub(crate) use model::{EmbedCommand, ModelCommand};
pub(crate) use plugin::{
    GrantArguments, InstallArguments, LanguageName, NewArguments, PluginCommand, TestArguments,
};
pub(crate) use review::{ConsentArguments, ReviewArguments, ReviewCommand};
pub(crate) use serve::{DashboardArguments, LogsArguments, ServeArguments};
pub(crate) use sessions::{
    ExportSessionArguments, ListSessionsArguments, SearchSessionsArguments, SessionExportFormat,
    SessionsCommand, ShowSessionArguments, WhichSessions,
};

/// The heading of options that every command takes.
const GLOBAL: &str = "Global options";

/// File-first memory for coding agents
#[derive(Debug, Parser)]
#[command(name = "acreta", version, about)]
pub(crate) struct Arguments {
    /// Print JSON (short for `--format json`)
    #[arg(long, global = true, help_heading = GLOBAL)]
    json: bool,
    /// How to print results
    #[arg(long, global = true, help_heading = GLOBAL, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Ask no language model, whatever is configured
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(crate) no_llm: bool,
    /// Work on the project of this directory instead of the current one
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "DIR")]
    pub(crate) project: Option<Utf8PathBuf>,
    /// Try a plugin from a file, in the place of the one of its role; it need not be installed
    #[arg(long = "plugin", global = true, help_heading = GLOBAL, value_name = "FILE.wasm")]
    pub(crate) tried: Vec<Utf8PathBuf>,
    /// Keep compiled plugins and scratch files here
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "DIR")]
    pub(crate) cache_dir: Option<Utf8PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Arguments {
    pub(crate) fn wants_json(&self) -> bool {
        self.json || self.format == Format::Json
    }

    /// Reports whether the project counts as registered in this process: `run TRACE --project DIR` names it.
    pub(crate) fn admits(&self) -> bool {
        let is_run = matches!(&self.command, Command::Run(run) if run.trace.is_some());
        is_run && self.project.is_some()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Learn from a session file, or from every new session
    Run(RunArguments),
    /// Find every agent's sessions, archive them, learn from new ones
    Sync(SyncArguments),
    /// Show how many sessions are known, kept safe, waiting and done
    Status {
        /// Go on, and tell what happens in every run, step and plugin as it does
        #[arg(long)]
        live: bool,
    },
    /// Check that everything acreta needs is there and in order
    Doctor,
    /// Look at the queue and change it
    #[command(subcommand)]
    Queue(QueueCommand),
    /// Look at past runs
    #[command(subcommand)]
    Runs(RunsCommand),
    /// List, read, search and export archived sessions
    #[command(subcommand)]
    Sessions(SessionsCommand),
    /// Say which agents' sessions acreta may read
    #[command(subcommand)]
    Connect(ConnectCommand),
    /// Find, read, write and look after what is remembered
    #[command(subcommand)]
    Memory(MemoryCommand),
    /// Answer a question from memory, with sources
    Ask(AskArguments),
    /// Decide on what waits for you: conflicts, proposals, quotations
    Review(ReviewArguments),
    /// Tidy memory: merge duplicates, archive, mark what is stale
    Maintain(MaintainArguments),
    /// Show where to look in a codebase, and what changed in it
    #[command(subcommand)]
    Context(ContextCommand),
    /// Connect the agents on this machine: memory over MCP, and hooks
    Init(InitArguments),
    /// Choose who reads your sessions: an agent, a model, or nobody
    #[command(subcommand)]
    Model(ModelCommand),
    /// Serve memory to an agent over standard input and output (MCP)
    Mcp,
    /// Run the daemon in the foreground: HTTP API, dashboard, schedule
    Serve(ServeArguments),
    /// Start the daemon in the background
    Up,
    /// End the daemon
    Down,
    /// Show the log, or everything about one request, run or job
    Logs(LogsArguments),
    /// Open the dashboard in a browser; starts the daemon if none runs
    Dashboard(DashboardArguments),
    /// Show what agents were told when their sessions started
    #[command(subcommand)]
    Brief(BriefCommand),
    /// Called by agents at the start and end of sessions, and at prompts
    #[command(subcommand)]
    Hook(HookCommand),
    /// Make, check, install, grant and look at plugins
    #[command(subcommand)]
    Plugin(PluginCommand),
    /// Look at settings and change them
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Say which projects get memory, and which are trusted
    #[command(subcommand)]
    Project(ProjectCommand),
    /// Print completions for a shell
    ///
    /// For example `acreta completions bash > ~/.local/share/bash-completion/completions/acreta`, or
    /// `acreta completions fish > ~/.config/fish/completions/acreta.fish`.
    Completions {
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Write a manual page for each command into a folder
    Man {
        /// The folder, for example `~/.local/share/man/man1`
        folder: Utf8PathBuf,
    },
}

impl Command {
    pub(crate) fn is_frozen(&self) -> bool {
        matches!(self, Command::Run(run) if run.frozen)
    }

    /// Whether what it does is kept in the log.
    pub(crate) fn kept(&self) -> Kept {
        match self {
            Command::Run(run) if run.frozen => Kept::No,
            Command::Run(_) | Command::Sync(_) | Command::Maintain(_) | Command::Serve(_) => {
                Kept::Yes
            }
            _ => Kept::No,
        }
    }
}

/// Learn from a session file, or from every new session when none is named
///
/// Reads the session in the sandbox, keeps the decisions and learnings worth keeping as markdown
/// under `.acreta/memory`, and writes one summary. The same session again changes only what the
/// session now says differently. Without a file this is `acreta sync`.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Session file of a coding agent, for example one under ~/.claude/projects
    pub(crate) trace: Option<Utf8PathBuf>,
    /// Read the file as a session of this agent
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Which session, when the file holds several
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Learn from every session in the file, the oldest first
    #[arg(long, requires = "trace", conflicts_with_all = ["session", "estimate", "frozen", "junit"])]
    pub(crate) all_sessions: bool,
    /// Write memory here instead of `<project>/.acreta/memory`
    #[arg(long, value_name = "DIR")]
    pub(crate) memory_root: Option<Utf8PathBuf>,
    /// Keep run folders here instead of `<project>/.acreta/workspace`
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace_root: Option<Utf8PathBuf>,
    /// What started this run, for grouping
    #[arg(long, value_enum, default_value_t = Mode::Sync)]
    pub(crate) mode: Mode,
    /// Show what would change, and change no memory
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Show every candidate, kept or dropped, with the reason
    #[arg(long)]
    pub(crate) explain: bool,
    /// Say what models would be asked and what that would cost at the most; ask nobody, change nothing
    #[arg(long, requires = "trace", conflicts_with = "explain")]
    pub(crate) estimate: bool,
    /// Run exactly what `acreta.lock` says, offline, without anything of yours: the same input gives
    /// the same bytes
    #[arg(long, requires = "trace")]
    pub(crate) frozen: bool,
    /// Write what each gate said as JUnit XML
    #[arg(long, value_name = "FILE", requires = "trace")]
    pub(crate) junit: Option<Utf8PathBuf>,
}

/// Find every agent's sessions, keep them safe, and learn from what is new
///
/// Sessions of all agents are found and archived. Those of the current repository and of every
/// project that was taken in before are worked through, newest first, each once, and again when
/// they grew. Sessions of other projects wait, and the result says which.
#[derive(Debug, Default, Args)]
pub(crate) struct SyncArguments {
    /// Work through sessions of this agent only
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Only sessions that changed since: a date, a time, or 7d, 12h, 30m ago
    #[arg(long, value_name = "WHEN", conflicts_with = "window")]
    pub(crate) since: Option<String>,
    /// Only sessions that last changed before: a date, a time, or 7d, 12h, 30m ago
    #[arg(long, value_name = "WHEN")]
    pub(crate) until: Option<String>,
    /// Only sessions that changed within this time: 7d, 12h, 30m
    #[arg(long, value_name = "TIME")]
    pub(crate) window: Option<String>,
    /// Work through at most this many sessions, the newest
    #[arg(long, value_name = "N")]
    pub(crate) max_sessions: Option<u64>,
    /// Also sessions that were worked through already
    #[arg(long)]
    pub(crate) force: bool,
    /// Say what would be done, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Show every candidate of each session, kept or dropped, with the reason
    #[arg(long)]
    pub(crate) explain: bool,
    /// Wait for a sync like this that runs; do nothing if another waits already
    #[arg(long)]
    pub(crate) in_turn: bool,
    /// Give way to other programs: hooks and the daemon start it so
    #[arg(long, hide = true)]
    pub(crate) background: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum QueueCommand {
    /// List jobs: those that wait, run or failed, or all of one state
    List {
        /// Only jobs in this state: queued, running, completed, failed, cancelled
        #[arg(long)]
        state: Option<String>,
    },
    /// Show one job
    Show {
        /// Its id, or a prefix that fits one only
        id: String,
    },
    /// Try a failed or cancelled job again
    Retry { id: String },
    /// Leave a session as it is until it changes
    Skip { id: String },
    /// Take a job back; one that runs stops at its next step. Its session waits for `queue retry`
    Cancel { id: String },
}

#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// List runs, newest first
    List {
        /// At most this many
        #[arg(long, default_value_t = 20, value_name = "N")]
        limit: u64,
        /// Only runs that failed
        #[arg(long)]
        failed: bool,
    },
    /// Show one run: what it did, or why it failed
    Show {
        /// Its id, or a prefix that fits one only
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum BriefCommand {
    /// Show the briefs that agents got in this project, newest first, with the reason for each line
    Show {
        /// At most this many
        #[arg(
            long,
            default_value_t = 1,
            value_name = "N",
            conflicts_with = "session"
        )]
        last: usize,
        /// Those of one session: its id as the agent calls it, or a prefix
        #[arg(long, value_name = "ID")]
        session: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConnectCommand {
    /// List agents, where their sessions are, and whether they are read; and the excluded folders
    List,
    /// Let acreta read an agent's sessions
    Add {
        /// Name of the agent, or id of an adapter
        agent: String,
        /// Read this folder instead of the usual one
        #[arg(long, value_name = "DIR")]
        root: Option<Utf8PathBuf>,
    },
    /// Leave out the sessions of a folder and of all below it, whichever agent worked there
    ///
    /// They are not archived and not learnt from; what was before stays, and `acreta memory purge` removes it. A
    /// session file that is known by its place is not opened. Of files that hold sessions of several projects, the
    /// adapter is asked which they hold, and what it says of an excluded one is dropped. `acreta run FILE` still reads
    /// the file that you name. The folders are the setting `sync.exclude` of your own config.
    Exclude {
        /// The folder; without one, the excluded folders are listed
        #[arg(required_if_eq("remove", "true"))]
        folder: Option<Utf8PathBuf>,
        /// Take the exclusion back
        #[arg(long)]
        remove: bool,
    },
    /// Stop reading an agent's sessions; what was learnt and archived stays
    Remove {
        /// Name of the agent, or id of an adapter
        agent: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    Sync,
    Hot,
    Cold,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// List every setting
    List {
        /// Say where each value came from
        #[arg(long)]
        origin: bool,
    },
    /// Print one setting
    Get { key: String },
    /// Change one setting in your own config file
    Set {
        key: String,
        value: String,
        /// Change the project's config file instead
        #[arg(long = "in-project")]
        in_project: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProjectCommand {
    /// Register a project: its memory is read, and its sessions become memory at the next sync
    ///
    /// Memory that came with a repository is not read before. Its texts count as grounded at most until
    /// you confirm them; its settings count after `acreta project trust`.
    Add {
        /// Any folder in it; the current one when none is named
        folder: Option<Utf8PathBuf>,
        /// Sessions that ran under this path are this project's, too: it moved, or it is another machine's
        #[arg(long, value_name = "PATH")]
        also: Vec<Utf8PathBuf>,
    },
    /// List the projects that sessions come from
    List,
    /// Leave a project out from now on; its memory stays as it is
    Remove {
        /// Any folder in it; the current one when none is named
        folder: Option<Utf8PathBuf>,
    },
    /// Let the project's config choose plugins and shape memory
    ///
    /// What spends, sends, runs programs, loosens a safeguard or deletes stays with your own config.
    Trust {
        /// Take the trust back
        #[arg(long)]
        undo: bool,
    },
}

/// Whether what a command does is worth keeping.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kept {
    /// It works: its events are kept and, where that is configured, sent.
    Yes,
    /// It looks something up, and must be quick.
    No,
}
