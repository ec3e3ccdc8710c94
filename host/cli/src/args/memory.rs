//! Arguments of `acreta memory`, `ask` and `maintain`.

use acreta_service::find::query::MemoryFilter;
use acreta_service::remember::add::WriteScope;
use camino::Utf8PathBuf;
use clap::{Args, Subcommand, ValueEnum};

/// Commands that work without `memory` as well.
#[derive(Debug, Subcommand)]
pub(crate) enum EverydayCommand {
    /// Find memories by words, phrases in quotes, or word prefixes with a star
    Search(SearchArguments),
    /// List memories, newest first, summaries last
    List(ListArguments),
    /// Show one memory with its evidence and proposals
    Show {
        /// Its id, or a unique prefix of it
        id: String,
    },
    /// Remember something
    Add(AddArguments),
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    #[command(flatten)]
    Everyday(EverydayCommand),
    /// Note what the person said, for agents: their words prove it when the session is read
    Note(NoteArguments),
    /// Change a memory: by the given options, or in your editor if there are none
    Edit(EditArguments),
    /// Archive memories; `restore` brings them back
    Archive {
        /// Ids, or unique prefixes of them
        #[arg(required = true)]
        ids: Vec<String>,
    },
    /// Restore archived, rejected or superseded memories
    Restore {
        /// Their ids, or unique prefixes of them
        #[arg(required = true)]
        ids: Vec<String>,
    },
    /// Show memories near this one: those it names, those that name it, and those with similar text
    Related {
        /// Its id, or a unique prefix of it
        id: String,
        /// At most this many
        #[arg(long, default_value_t = 10, value_name = "N")]
        limit: usize,
    },
    /// List your statements that may be worth remembering: they wait for you, or to be said again
    Pending {
        /// Include promoted, confirmed and rejected ones
        #[arg(long)]
        all: bool,
    },
    /// Confirm that memories are right: runs no longer change them; a pending record becomes a memory
    Confirm {
        /// Ids of memories or pending records, or unique prefixes of them
        #[arg(required = true)]
        ids: Vec<String>,
    },
    /// Mark memories as wrong: they are archived, and the same evidence does not bring them back
    Reject {
        /// Ids of memories or pending records, or unique prefixes of them
        #[arg(required = true)]
        ids: Vec<String>,
        /// Keep the memory, and reject its proposals
        #[arg(long)]
        proposals: bool,
    },
    /// Accept a proposal for a memory
    Accept {
        /// Id of the memory, or a unique prefix of it
        id: String,
        /// Number of the proposal, as in `memory show`
        #[arg(long, default_value_t = 1, value_name = "N")]
        proposal: usize,
    },
    /// Export memory as markdown, JSON or JSON lines
    Export(ExportArguments),
    /// Restore an export, or import notes: markdown, CLAUDE.md, AGENTS.md, Cursor rules, basic-memory, JSON lines, agents'
    /// own memories
    Import(ImportArguments),
    /// Remove everything that came from a source: memory, evidence, traces, archive, runs, index
    Purge(PurgeArguments),
    /// Export what you confirmed, and accept what a reviewer confirmed or what came by git
    #[command(subcommand)]
    Trust(TrustCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum TrustCommand {
    /// Print what you confirmed, one JSON object per line: memory, digest of its text, time
    Export {
        /// Which memory
        #[arg(long, value_enum, default_value_t = ScopeTarget::Project)]
        scope: ScopeTarget,
    },
    /// Accept the memory that came with this repository or an import: it counts as if this machine had learnt it
    Accept {
        /// Also accept what comes by git from now on
        #[arg(long, conflicts_with = "stop")]
        always: bool,
        /// Accept what is there, and nothing that comes by git from now on
        #[arg(long)]
        stop: bool,
        /// Which memory
        #[arg(long, value_enum, default_value_t = ScopeTarget::Project)]
        scope: ScopeTarget,
    },
    /// Accept a reviewer: what they confirmed counts as reviewed here, as long as its text is unchanged
    ///
    /// FILE is their export. It replaces everything accepted from them before, so an empty file revokes all of it.
    Import {
        /// The reviewer's export; `-` reads it from stdin
        file: Utf8PathBuf,
        /// Name under which their confirmations are stored
        #[arg(long, value_name = "NAME")]
        reviewer: String,
        /// Which memory
        #[arg(long, value_enum, default_value_t = ScopeTarget::Project)]
        scope: ScopeTarget,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ListArguments {
    /// Only this type: decision, learning, summary
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) memory_type: Option<String>,
    /// Only this kind of learning
    #[arg(long = "kind", value_name = "KIND")]
    pub(crate) kinds: Vec<String>,
    /// At most this many
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Show archived memories instead
    #[arg(long)]
    pub(crate) archived: bool,
    /// Which memory to use: project_fallback_global, project_only, global_only
    #[arg(long, value_name = "MODE")]
    pub(crate) scope: Option<String>,
    /// Include memory of every registered project
    #[arg(long)]
    pub(crate) all_projects: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// Words to search for
    #[arg(required = true)]
    pub(crate) query: Vec<String>,
    /// At most this many
    #[arg(long, short = 'n', default_value_t = 10, value_name = "N")]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) filter: FilterArguments,
    /// Show the quoted evidence and who said it
    #[arg(long)]
    pub(crate) evidence: bool,
    /// Show how each score was computed
    #[arg(long)]
    pub(crate) explain: bool,
}

/// Restrictions on the memories that are searched.
#[derive(Debug, Args)]
pub(crate) struct FilterArguments {
    /// Only this type: decision, learning, summary
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
    /// Only this kind of learning
    #[arg(long = "kind", value_name = "KIND")]
    pub(crate) kinds: Vec<String>,
    /// Only with this tag; if repeated, all must be present
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Only from sessions of this agent
    #[arg(long = "agent", value_name = "NAME")]
    pub(crate) agents: Vec<String>,
    /// Only updated since: a date, a time, or an age (7d, 12h, 30m)
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Only updated before: a date, a time, or an age (7d, 12h, 30m)
    #[arg(long, value_name = "WHEN")]
    pub(crate) until: Option<String>,
    /// Only with at least this trust: untrusted, grounded, reviewed, confirmed
    #[arg(long, value_name = "LEVEL")]
    pub(crate) trust: Option<String>,
    /// Include archived and rejected memories
    #[arg(long)]
    pub(crate) archived: bool,
    /// Include superseded memories
    #[arg(long)]
    pub(crate) superseded: bool,
    /// Which memory to use: project_fallback_global, project_only, global_only
    #[arg(long, value_name = "MODE")]
    pub(crate) scope: Option<String>,
    /// Include memory of every registered project
    #[arg(long)]
    pub(crate) all_projects: bool,
}

impl FilterArguments {
    pub(crate) fn wanted(&self) -> MemoryFilter {
        MemoryFilter {
            types: self.types.clone(),
            kinds: self.kinds.clone(),
            tags: self.tags.clone(),
            agents: self.agents.clone(),
            since: self.since.clone(),
            until: self.until.clone(),
            trust: self.trust.clone(),
            archived: self.archived,
            superseded: self.superseded,
            scope: self.scope.clone(),
            all_projects: self.all_projects,
            ..MemoryFilter::default()
        }
    }
}

/// The scope whose memory a command works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ScopeTarget {
    Project,
    Global,
}

#[derive(Debug, Args)]
pub(crate) struct AddArguments {
    /// One sentence: what to remember
    pub(crate) title: String,
    /// More text; `-` reads it from stdin
    #[arg(long, value_name = "TEXT")]
    pub(crate) body: Option<String>,
    /// decision or learning
    #[arg(long = "type", default_value = "learning", value_name = "TYPE")]
    pub(crate) memory_type: String,
    /// Kind of a learning: insight, procedure, friction, pitfall, preference, convention, context
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// A word to find it by; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Confidence, 0 to 1
    #[arg(long, default_value_t = 0.9, value_name = "SHARE")]
    pub(crate) confidence: f32,
    /// Which memory to add it to
    #[arg(long, value_enum, default_value_t = ScopeTarget::Project)]
    pub(crate) scope: ScopeTarget,
}

#[derive(Debug, Args)]
pub(crate) struct NoteArguments {
    /// One line that says it, at most 80 characters
    pub(crate) title: String,
    /// A passage of the person, word for word; may be given several times
    #[arg(long = "quote", value_name = "TEXT", required = true)]
    pub(crate) quotes: Vec<String>,
    /// decision, convention, preference, procedure, pitfall, insight, friction or context
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: String,
    /// Your passage that the person answers, word for word
    #[arg(long, value_name = "TEXT")]
    pub(crate) about: Option<String>,
    /// A file it is about; may be given several times
    #[arg(long = "file", value_name = "PATH")]
    pub(crate) files: Vec<String>,
    /// Id of the memory or earlier note that no longer holds
    #[arg(long, value_name = "ID")]
    pub(crate) replaces: Option<String>,
    /// Name of the agent that notes
    #[arg(long, value_name = "NAME")]
    pub(crate) by: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct EditArguments {
    /// Its id, or a unique prefix of it
    pub(crate) id: String,
    /// The new title
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// The new body; `-` reads it from stdin
    #[arg(long, value_name = "TEXT")]
    pub(crate) body: Option<String>,
    /// The new kind of a learning
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// All tags of the memory; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// The new confidence, from 0 to 1
    #[arg(long, value_name = "SHARE")]
    pub(crate) confidence: Option<f32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    Markdown,
    Json,
    Jsonl,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArguments {
    /// Format to write
    #[arg(id = "as", long = "as", value_enum, default_value_t = ExportFormat::Markdown, value_name = "FORMAT")]
    pub(crate) format: ExportFormat,
    /// Write it here instead of to stdout
    #[arg(long, short = 'o', value_name = "FILE")]
    pub(crate) output: Option<Utf8PathBuf>,
    /// Only this type
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) memory_type: Option<String>,
    /// Include archived memories
    #[arg(long)]
    pub(crate) archived: bool,
    /// Which memory to use: project_fallback_global, project_only, global_only
    #[arg(long, value_name = "MODE")]
    pub(crate) scope: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ImportFormat {
    Auto,
    Markdown,
    Claude,
    Agents,
    Cursor,
    BasicMemory,
    Jsonl,
    Acreta,
}

#[derive(Debug, Args)]
pub(crate) struct ImportArguments {
    /// Files of notes, or folders of them
    #[arg(required_unless_present = "from_agents")]
    pub(crate) paths: Vec<Utf8PathBuf>,
    /// Import agents' own memories: Claude Code's and Cursor's rules of this project, and what Codex, Gemini and
    /// Windsurf store for all projects (it becomes global memory). These notes are untrusted until you confirm them; no
    /// file of an agent is changed
    #[arg(long, conflicts_with_all = ["paths", "as", "scope"])]
    pub(crate) from_agents: bool,
    /// Format of the files; detected by name and content if not given
    #[arg(id = "as", long = "as", value_enum, default_value_t = ImportFormat::Auto, value_name = "FORMAT")]
    pub(crate) format: ImportFormat,
    /// Which memory to import them into
    #[arg(long, value_enum, default_value_t = ScopeTarget::Project)]
    pub(crate) scope: ScopeTarget,
    /// Show what would be done, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Remove everything that came from a source: memory, evidence, traces, archive, runs, index
///
/// Statements that other sessions support too stay, with those sessions as their source. Without `--yes` it only shows
/// what would be removed. Git history is not rewritten.
#[derive(Debug, Args)]
pub(crate) struct PurgeArguments {
    /// One session, by its id; `AGENT/ID` if two agents have the same id
    #[arg(long, value_name = "ID", conflicts_with = "source")]
    pub(crate) session: Option<String>,
    /// All sessions of an agent
    #[arg(long, value_name = "NAME", conflicts_with = "source")]
    pub(crate) agent: Option<String>,
    /// Everything that changed since: a date, a time, or an age (7d, 12h, 30m)
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Everything imported from a file, by the name that `memory import` gave it
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,
    /// Remove it, instead of only showing what would be removed
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Answer a question from memory, with sources
///
/// Without a model the answer quotes memory word for word: the passages that answer best. With a model it is a sentence
/// or two that cite them. Nothing is written.
#[derive(Debug, Args)]
pub(crate) struct AskArguments {
    /// The question
    #[arg(required = true)]
    pub(crate) question: Vec<String>,
    /// Use at most this many memories
    #[arg(long, short = 'n', default_value_t = 8, value_name = "N")]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) filter: FilterArguments,
    /// Show how much of the question each memory has
    #[arg(long)]
    pub(crate) explain: bool,
}

/// Clean up memory: merge duplicates, archive what nobody asks for, mark what is stale
///
/// Never deletes, and never changes summaries or anything a person wrote, edited or confirmed. A second run changes
/// nothing.
#[derive(Debug, Args)]
pub(crate) struct MaintainArguments {
    /// Show what would be done, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Compare only memories updated since: a date, a time, or an age (7d, 12h, 30m)
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Undo a maintenance run, byte for byte
    #[arg(long, value_name = "RUN", conflicts_with_all = ["dry_run", "since"])]
    pub(crate) undo: Option<String>,
    /// Which memory to clean up
    #[arg(long, value_enum, default_value_t = ScopeTarget::Project)]
    pub(crate) scope: ScopeTarget,
}

impl From<ScopeTarget> for WriteScope {
    fn from(target: ScopeTarget) -> Self {
        match target {
            ScopeTarget::Project => WriteScope::Project,
            ScopeTarget::Global => WriteScope::Global,
        }
    }
}
