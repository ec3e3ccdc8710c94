//! The command line as types. All help texts are here.

mod context;
mod hook;
mod init;
mod itself;
mod memory;
mod model;
mod plugin;
mod review;
mod serve;
mod sessions;
mod usage;
mod worker;

use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

pub(crate) use context::{ContextCommand, ProjectArgument, WatchArguments};
pub(crate) use hook::{HookArguments, HookCommand};
pub(crate) use init::InitArguments;
pub(crate) use itself::SelfCommand;
pub(crate) use memory::{
    AddArguments, AskArguments, EditArguments, EverydayCommand, ExportArguments, ExportFormat,
    ImportArguments, ImportFormat, ListArguments, MaintainArguments, MemoryCommand, NoteArguments,
    PurgeArguments, SearchArguments, TrustCommand,
};

pub(crate) use model::{EmbedCommand, ModelCommand};
pub(crate) use plugin::{
    BuildArguments, DevArguments, GrantArguments, InstallArguments, LanguageName, NewArguments,
    PluginCommand, PushArguments, RevokeArguments, RollbackArguments, TestArguments,
    UpdateArguments, VerifyArguments,
};
pub(crate) use review::{ConsentArguments, ReviewArguments, ReviewCommand};
pub(crate) use serve::{DashboardArguments, LogsArguments, ServeArguments};
pub(crate) use sessions::{
    ExportSessionArguments, ForgetSessionArguments, HandoffArguments, ListSessionsArguments,
    ResumeSessionArguments, SearchSessionsArguments, SessionExportFormat, SessionsCommand,
    ShowSessionArguments, TrailArguments, WhichSessions,
};

pub(crate) use usage::{UsageArguments, UsageGroups};
pub(crate) use worker::WorkerArguments;

/// Heading of the options that every command takes.
const GLOBAL: &str = "Global options";

/// File-first memory for coding agents
#[derive(Debug, Parser)]
#[command(name = "acreta", version, about)]
pub(crate) struct Arguments {
    /// Print JSON (short for `--format json`)
    #[arg(long, global = true, help_heading = GLOBAL)]
    json: bool,
    /// Output format
    #[arg(long, global = true, help_heading = GLOBAL, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Ask no language model, even if one is configured
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub(crate) no_llm: bool,
    /// Work on the project of this directory instead of the current one
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "DIR")]
    pub(crate) project: Option<Utf8PathBuf>,
    /// Try a plugin from a file in place of the one with its role; it need not be installed
    #[arg(long = "plugin", global = true, help_heading = GLOBAL, value_name = "FILE.wasm")]
    pub(crate) tried: Vec<Utf8PathBuf>,
    /// Store compiled plugins and scratch files here
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "DIR")]
    pub(crate) cache_dir: Option<Utf8PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Arguments {
    pub(crate) fn wants_json(&self) -> bool {
        self.json || self.format == Format::Json
    }

    /// Returns whether the project counts as registered in this process, because `run TRACE --project DIR` names it.
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
    /// Learn from the sessions of every machine that shares the state
    Worker(WorkerArguments),
    /// Show how many sessions are known, archived, waiting and done
    Status {
        /// Follow runs, steps and plugin calls as they happen
        #[arg(long)]
        live: bool,
    },
    /// Check that everything acreta needs is present and works
    Doctor,
    /// List and change the jobs of the queue
    #[command(subcommand)]
    Queue(QueueCommand),
    /// List and show past runs
    #[command(subcommand)]
    Runs(RunsCommand),
    /// List, read, search and export archived sessions
    #[command(subcommand)]
    Sessions(SessionsCommand),
    /// Show what your agents used: tokens, calls, time, dollars
    Usage(UsageArguments),
    /// Choose which agents' sessions acreta may read
    #[command(subcommand)]
    Connect(ConnectCommand),
    /// Find, read, write and maintain memories
    #[command(subcommand)]
    Memory(MemoryCommand),
    /// Short forms of `acreta memory …`
    #[command(flatten)]
    Everyday(EverydayCommand),
    /// Answer a question from memory, with sources
    Ask(AskArguments),
    /// Decide on waiting items: conflicts, proposals, quotations
    Review(ReviewArguments),
    /// Clean up memory: merge duplicates, archive, mark what is stale
    Maintain(MaintainArguments),
    /// Show where to look in a codebase, and what changed in it
    #[command(subcommand)]
    Context(ContextCommand),
    /// Connect the agents on this machine: memory over MCP, and hooks
    Init(InitArguments),
    /// Choose who reads your sessions: an agent, a model, or nobody
    #[command(subcommand)]
    Model(ModelCommand),
    /// Serve memory to an agent over stdio (MCP)
    Mcp,
    /// Run the daemon in the foreground: HTTP API, dashboard, schedule
    Serve(ServeArguments),
    /// Start the daemon in the background
    Up,
    /// Stop the daemon
    Down,
    /// Show the log, or everything about one request, run or job
    Logs(LogsArguments),
    /// Open the dashboard in a browser; starts the daemon if none runs
    Dashboard(DashboardArguments),
    /// Show the briefs that agents got at the start of their sessions
    #[command(subcommand)]
    Brief(BriefCommand),
    /// Called by agents at the start and end of sessions, and at prompts
    #[command(subcommand)]
    Hook(HookCommand),
    /// Create, check, install, grant and inspect plugins
    #[command(subcommand)]
    Plugin(PluginCommand),
    /// Show and change settings
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Choose which projects get memory, and which are trusted
    #[command(subcommand)]
    Project(ProjectCommand),
    /// Show how acreta was installed, and update it
    #[command(name = "self", subcommand)]
    Itself(SelfCommand),
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

    /// Returns whether the command's events are stored in the log.
    pub(crate) fn kept(&self) -> EventRetention {
        match self {
            Command::Run(run) if run.frozen => EventRetention::No,
            Command::Run(_)
            | Command::Sync(_)
            | Command::Worker(_)
            | Command::Maintain(_)
            | Command::Serve(_) => EventRetention::Yes,
            _ => EventRetention::No,
        }
    }
}

/// Learn from a session file, or from every new session if none is named
///
/// Reads the session in the sandbox, stores decisions and learnings worth keeping as markdown under `.acreta/memory`,
/// and writes one summary. Running it again on the same session changes only what the session now says differently.
/// Without a file this is `acreta sync`.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Session file of a coding agent, for example one under ~/.claude/projects
    pub(crate) trace: Option<Utf8PathBuf>,
    /// Read the file as a session of this agent
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Which session, if the file holds several
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Learn from every session in the file, oldest first
    #[arg(long, requires = "trace", conflicts_with_all = ["session", "estimate", "frozen", "junit"])]
    pub(crate) all_sessions: bool,
    /// Write memory here instead of `<project>/.acreta/memory`
    #[arg(long, value_name = "DIR")]
    pub(crate) memory_root: Option<Utf8PathBuf>,
    /// Write run folders here instead of `<project>/.acreta/workspace`
    #[arg(long, value_name = "DIR")]
    pub(crate) workspace_root: Option<Utf8PathBuf>,
    /// Cause of this run, for grouping
    #[arg(long, value_enum, default_value_t = Mode::Sync)]
    pub(crate) mode: Mode,
    /// Show what would change, without changing memory
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Show every candidate, accepted or dropped, with the reason
    #[arg(long)]
    pub(crate) explain: bool,
    /// Estimate the model calls and their maximum cost; asks no model and changes nothing
    #[arg(long, requires = "trace", conflicts_with = "explain")]
    pub(crate) estimate: bool,
    /// Run exactly what `acreta.lock` says, offline and without your own settings: the same input gives the same bytes
    #[arg(long, requires = "trace")]
    pub(crate) frozen: bool,
    /// Write the result of each gate as JUnit XML
    #[arg(long, value_name = "FILE", requires = "trace")]
    pub(crate) junit: Option<Utf8PathBuf>,
}

/// Find every agent's sessions, archive them, and learn from new ones
///
/// Finds and archives the sessions of all agents. Processes those of the current repository and of every registered
/// project, newest first, each once, and again when it has grown. Sessions of other projects wait, and the result lists
/// them.
#[derive(Debug, Default, Args)]
pub(crate) struct SyncArguments {
    /// Process only sessions of this agent
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Only sessions that changed since: a date, a time, or an age (7d, 12h, 30m)
    #[arg(long, value_name = "WHEN", conflicts_with = "window")]
    pub(crate) since: Option<String>,
    /// Only sessions that last changed before: a date, a time, or an age (7d, 12h, 30m)
    #[arg(long, value_name = "WHEN")]
    pub(crate) until: Option<String>,
    /// Only sessions that changed within this time: 7d, 12h, 30m
    #[arg(long, value_name = "TIME")]
    pub(crate) window: Option<String>,
    /// Process at most this many sessions, the newest
    #[arg(long, value_name = "N")]
    pub(crate) max_sessions: Option<u64>,
    /// Include sessions that were processed already
    #[arg(long)]
    pub(crate) force: bool,
    /// Show what would be done, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Show every candidate of each session, accepted or dropped, with the reason
    #[arg(long)]
    pub(crate) explain: bool,
    /// Estimate the model calls and their maximum cost; asks no model and changes nothing
    #[arg(long, conflicts_with_all = ["explain", "in_turn", "background"])]
    pub(crate) estimate: bool,
    /// Wait for a running sync of the same kind; do nothing if another one waits already
    #[arg(long)]
    pub(crate) in_turn: bool,
    /// Run with low priority; hooks and the daemon use this
    #[arg(long, hide = true)]
    pub(crate) background: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum QueueCommand {
    /// List jobs: waiting, running and failed ones, or all of one state
    List {
        /// Only jobs in this state: queued, running, completed, failed, cancelled
        #[arg(long)]
        state: Option<String>,
    },
    /// Show one job
    Show {
        /// Its id, or a unique prefix of it
        id: String,
    },
    /// Try a failed or cancelled job again
    Retry {
        /// Its id, or a unique prefix of it
        id: String,
    },
    /// Skip a session until it changes
    Skip {
        /// Its id, or a unique prefix of it
        id: String,
    },
    /// Cancel a job; a running one stops at its next step. Its session waits for `queue retry`
    Cancel {
        /// Its id, or a unique prefix of it
        id: String,
    },
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
        /// Its id, or a unique prefix of it
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
        /// Only those of one session: the agent's id of it, or a prefix
        #[arg(long, value_name = "ID")]
        session: Option<String>,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConnectCommand {
    /// List agents, where their sessions are, and whether they are read; also lists excluded folders
    List,
    /// Let acreta read an agent's sessions
    Add {
        /// Name of the agent, or id of an adapter
        agent: String,
        /// Read this folder instead of the usual one
        #[arg(long, value_name = "DIR")]
        root: Option<Utf8PathBuf>,
    },
    /// Exclude the sessions of a folder and its subfolders, of every agent
    ///
    /// They are not archived and not learnt from; what is archived or learnt already stays, and `acreta memory purge`
    /// removes it. A session file that is known to be excluded by its path is not opened. If a file holds sessions of
    /// several projects, the adapter lists them, and the excluded ones are dropped. `acreta run FILE` still reads the
    /// file that you name. The folders are in the setting `sync.exclude` of your own config.
    Exclude {
        /// The folder; if none is given, lists the excluded folders
        #[arg(required_if_eq("remove", "true"))]
        folder: Option<Utf8PathBuf>,
        /// Remove the exclusion
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
        /// Show where each value came from
        #[arg(long)]
        origin: bool,
    },
    /// Print one setting
    Get {
        /// Name of the setting, as in `acreta config list`
        key: String,
    },
    /// Change one setting in your own config file
    Set {
        /// Name of the setting, as in `acreta config list`
        key: String,
        /// Its new value; a list as `one,two` or in TOML
        value: String,
        /// Change the project's config file instead
        #[arg(long = "in-project")]
        in_project: bool,
    },
    /// Remove one setting from your own config file, so that its default counts again
    Unset {
        /// Name of the setting, as in `acreta config list`
        key: String,
        /// Change the project's config file instead
        #[arg(long = "in-project")]
        in_project: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ProjectCommand {
    /// Register a project: its memory is read, and its sessions become memory at the next sync
    ///
    /// Memory that came with a repository is not read before that. Its texts are trusted as grounded at most until you
    /// confirm them; its settings apply after `acreta project trust`.
    Add {
        /// Any folder in it; the current one if none is given
        folder: Option<Utf8PathBuf>,
        /// Also assign sessions that ran under this path: the project was moved, or they are from another machine
        #[arg(long, value_name = "PATH")]
        also: Vec<Utf8PathBuf>,
    },
    /// List the projects that sessions come from
    List,
    /// Stop using a project; its memory stays as it is
    Remove {
        /// Any folder in it; the current one if none is given
        folder: Option<Utf8PathBuf>,
    },
    /// Let the project's config choose plugins and shape memory
    ///
    /// Settings that spend, send, run programs, loosen a safeguard or delete still count only in your own config.
    Trust {
        /// Revoke the trust
        #[arg(long)]
        undo: bool,
    },
}

/// Policy for storing the events of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventRetention {
    /// The command does work: its events are stored and, if configured, sent.
    Yes,
    /// The command only reads, and must be quick.
    No,
}
