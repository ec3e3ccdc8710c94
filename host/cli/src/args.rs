//! The command line as types. Help texts live here and nowhere else.

use camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand, ValueEnum};

const EXIT_CODES: &str = "\
Exit codes: 0 done (lines that could not be read are diagnostics, still 0), 1 failure, 2 wrong usage,
3 partly done, 4 another run holds the project.";

/// File-first memory for coding agents
#[derive(Debug, Parser)]
#[command(name = "acreta", version, about, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    /// Print JSON (short for `--format json`)
    #[arg(long, global = true)]
    json: bool,
    /// How to print results
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Work on the project of this directory instead of the current one
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) project: Option<Utf8PathBuf>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Arguments {
    pub(crate) fn wants_json(&self) -> bool {
        self.json || self.format == Format::Json
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Text,
    Json,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Learn from a session file
    Run(RunArguments),
    /// Look at what is remembered
    #[command(subcommand)]
    Memory(MemoryCommand),
    /// Look at plugins
    #[command(subcommand)]
    Plugin(PluginCommand),
    /// Look at settings and change them
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Say which projects are trusted
    #[command(subcommand)]
    Project(ProjectCommand),
}

/// Learn from a session file
///
/// Reads the session in the sandbox, keeps the decisions and learnings worth keeping as markdown
/// under `.acreta/memory`, and writes one summary. The same session again changes only what the
/// session now says differently.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Session file of a coding agent, for example one under ~/.claude/projects
    pub(crate) trace: Utf8PathBuf,
    /// Read the file as a session of this agent
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Which session, when the file holds several
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
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
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Mode {
    Sync,
    Hot,
    Cold,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// List memories, newest first
    List {
        /// Only this type
        #[arg(long = "type", value_name = "TYPE")]
        memory_type: Option<String>,
        /// Show archived memories instead
        #[arg(long)]
        archived: bool,
    },
    /// Show one memory with its evidence
    Show {
        /// Its id, or a prefix that fits one only
        id: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// List plugins and where they come from
    List,
    /// Show one plugin: role, imports, limits, what it asks for
    Inspect {
        /// Plugin id, or the path of a `.wasm` file
        plugin: String,
    },
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
    /// Let the project's config set everything, also what runs programs or loosens a limit
    Trust {
        /// Take the trust back
        #[arg(long)]
        undo: bool,
    },
}
