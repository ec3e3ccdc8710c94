//! Arguments of `acreta memory`, `ask` and `maintain`.

use acreta_service::find::Wanted;
use acreta_service::remember::WriteScope;
use camino::Utf8PathBuf;
use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// Find memories by words, phrases in quotes, or the start of a word with a star
    Search(SearchArguments),
    /// List memories, newest first
    List {
        /// Only this type
        #[arg(long = "type", value_name = "TYPE")]
        memory_type: Option<String>,
        /// Show archived memories instead
        #[arg(long)]
        archived: bool,
        /// Whose memory to look at: project_fallback_global, project_only, global_only
        #[arg(long, value_name = "MODE")]
        scope: Option<String>,
        /// Memory of every project that was taken in, too
        #[arg(long)]
        all_projects: bool,
    },
    /// Show one memory with its evidence and what is proposed for it
    Show {
        /// Its id, or a prefix that fits one only
        id: String,
    },
    /// Remember something
    Add(AddArguments),
    /// Change a memory: by the options given, or in your editor when there are none
    Edit(EditArguments),
    /// Put memories into the archive; `restore` brings them back
    Archive {
        /// Ids, or prefixes that fit one only
        #[arg(required = true)]
        ids: Vec<String>,
    },
    /// Bring memories back: archived, rejected or superseded ones
    Restore {
        #[arg(required = true)]
        ids: Vec<String>,
    },
    /// Show what is near a memory: what it names, what names it, what is worded alike
    Related {
        id: String,
        /// At most this many
        #[arg(long, default_value_t = 10, value_name = "N")]
        limit: usize,
    },
    /// List what you said that may be worth remembering: it waits for you, or to be said again
    Pending {
        /// What was promoted, confirmed or rejected, too
        #[arg(long)]
        all: bool,
    },
    /// Say that memories are right: no run changes them any more; a pending record becomes a memory
    Confirm {
        /// Ids of memories or of pending records, or prefixes that fit one only
        #[arg(required = true)]
        ids: Vec<String>,
    },
    /// Say that memories are wrong: archived, and the same evidence does not bring them back
    Reject {
        /// Ids of memories or of pending records, or prefixes that fit one only
        #[arg(required = true)]
        ids: Vec<String>,
        /// Keep the memory, and reject what is proposed for it
        #[arg(long)]
        proposals: bool,
    },
    /// Take what is proposed for a memory
    Accept {
        id: String,
        /// Which proposal, as `memory show` counts them
        #[arg(long, default_value_t = 1, value_name = "N")]
        proposal: usize,
    },
    /// Write memory out as markdown, JSON or JSON lines
    Export(ExportArguments),
    /// Take in notes: markdown, CLAUDE.md, AGENTS.md, Cursor rules, basic-memory, JSON lines, agents' own memories
    Import(ImportArguments),
    /// Remove every trace of a source: memory, evidence, traces, archive, runs, index
    Purge(PurgeArguments),
    /// Hand on what you confirmed, and accept what a reviewer did
    #[command(subcommand)]
    Trust(TrustCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum TrustCommand {
    /// Print what you confirmed, a JSON object per line: memory, digest of its text, when
    Export {
        /// Whose memory
        #[arg(long, value_enum, default_value_t = Target::Project)]
        scope: Target,
    },
    /// Accept a reviewer: what they confirmed counts as reviewed here, as long as its text is the same
    ///
    /// FILE is what they exported. It takes the place of everything accepted from them before, so an empty
    /// file takes it all back.
    Import {
        /// The reviewer's export; `-` reads it from stdin
        file: Utf8PathBuf,
        /// Under which name their words are kept
        #[arg(long, value_name = "NAME")]
        reviewer: String,
        /// Whose memory
        #[arg(long, value_enum, default_value_t = Target::Project)]
        scope: Target,
    },
}

#[derive(Debug, Args)]
pub(crate) struct SearchArguments {
    /// What to look for
    #[arg(required = true)]
    pub(crate) query: Vec<String>,
    /// At most this many
    #[arg(long, short = 'n', default_value_t = 10, value_name = "N")]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) filter: FilterArguments,
    /// Show who said it, word for word
    #[arg(long)]
    pub(crate) evidence: bool,
    /// Show how each score came about
    #[arg(long)]
    pub(crate) explain: bool,
}

/// Which memories may be found.
#[derive(Debug, Args)]
pub(crate) struct FilterArguments {
    /// Only this type: decision, learning, summary
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,
    /// Only this kind of learning
    #[arg(long = "kind", value_name = "KIND")]
    pub(crate) kinds: Vec<String>,
    /// Only with this tag; several must all be there
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
    /// Only from sessions of this agent
    #[arg(long = "agent", value_name = "NAME")]
    pub(crate) agents: Vec<String>,
    /// Only updated since: a date, a time, or 7d, 12h, 30m ago
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Only updated before: a date, a time, or 7d, 12h, 30m ago
    #[arg(long, value_name = "WHEN")]
    pub(crate) until: Option<String>,
    /// Only at least this trusted: untrusted, grounded, reviewed, confirmed
    #[arg(long, value_name = "LEVEL")]
    pub(crate) trust: Option<String>,
    /// Archived and rejected memories, too
    #[arg(long)]
    pub(crate) archived: bool,
    /// Superseded memories, too
    #[arg(long)]
    pub(crate) superseded: bool,
    /// Whose memory to look at: project_fallback_global, project_only, global_only
    #[arg(long, value_name = "MODE")]
    pub(crate) scope: Option<String>,
    /// Memory of every project that was taken in, too
    #[arg(long)]
    pub(crate) all_projects: bool,
}

impl FilterArguments {
    pub(crate) fn wanted(&self) -> Wanted {
        Wanted {
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
            ..Wanted::default()
        }
    }
}

/// Whose memory something goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Target {
    Project,
    Global,
}

#[derive(Debug, Args)]
pub(crate) struct AddArguments {
    /// One sentence: what to remember
    pub(crate) title: String,
    /// More about it; `-` reads it from stdin
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
    /// How sure it is, 0 to 1
    #[arg(long, default_value_t = 0.9, value_name = "SHARE")]
    pub(crate) confidence: f32,
    /// Whose memory it is
    #[arg(long, value_enum, default_value_t = Target::Project)]
    pub(crate) scope: Target,
}

#[derive(Debug, Args)]
pub(crate) struct EditArguments {
    /// Its id, or a prefix that fits one only
    pub(crate) id: String,
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// The new body; `-` reads it from stdin
    #[arg(long, value_name = "TEXT")]
    pub(crate) body: Option<String>,
    #[arg(long, value_name = "KIND")]
    pub(crate) kind: Option<String>,
    /// All tags it shall have; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub(crate) tags: Vec<String>,
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
    /// What to write
    #[arg(id = "as", long = "as", value_enum, default_value_t = ExportFormat::Markdown, value_name = "FORMAT")]
    pub(crate) format: ExportFormat,
    /// Write it here instead of to stdout
    #[arg(long, short = 'o', value_name = "FILE")]
    pub(crate) output: Option<Utf8PathBuf>,
    /// Only this type
    #[arg(long = "type", value_name = "TYPE")]
    pub(crate) memory_type: Option<String>,
    /// Archived memories, too
    #[arg(long)]
    pub(crate) archived: bool,
    /// Whose memory to look at: project_fallback_global, project_only, global_only
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
    /// Take in what agents keep in their own memories: Claude Code's and Cursor's rules of this project, and what
    /// Codex, Gemini and Windsurf keep for all projects (it becomes global memory). Their notes are untrusted until
    /// you confirm them; no file of theirs is changed
    #[arg(long, conflicts_with_all = ["paths", "as", "scope"])]
    pub(crate) from_agents: bool,
    /// What they are; found out by name and content when not given
    #[arg(id = "as", long = "as", value_enum, default_value_t = ImportFormat::Auto, value_name = "FORMAT")]
    pub(crate) format: ImportFormat,
    /// Whose memory they become
    #[arg(long, value_enum, default_value_t = Target::Project)]
    pub(crate) scope: Target,
    /// Say what would be done, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// Remove every trace of a source: memory, evidence, traces, archive, runs, index
///
/// What other sessions say too stays, said by them. Without `--yes` it only shows what would go. Git
/// history is not rewritten.
#[derive(Debug, Args)]
pub(crate) struct PurgeArguments {
    /// One session, by its id; `AGENT/ID` when two agents have the same
    #[arg(long, value_name = "ID", conflicts_with = "source")]
    pub(crate) session: Option<String>,
    /// All sessions of an agent
    #[arg(long, value_name = "NAME", conflicts_with = "source")]
    pub(crate) agent: Option<String>,
    /// What changed since: a date, a time, or 7d, 12h, 30m ago
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// What was imported from a file, by the name `memory import` gave it
    #[arg(long, value_name = "NAME")]
    pub(crate) source: Option<String>,
    /// Do it
    #[arg(long)]
    pub(crate) yes: bool,
}

/// Answer a question from memory, with sources
///
/// Without a model the answer is what memory says word for word: the passages that answer best. With
/// one it is a sentence or two that cite them. Nothing is written.
#[derive(Debug, Args)]
pub(crate) struct AskArguments {
    /// The question
    #[arg(required = true)]
    pub(crate) question: Vec<String>,
    /// From at most this many memories
    #[arg(long, short = 'n', default_value_t = 8, value_name = "N")]
    pub(crate) limit: usize,
    #[command(flatten)]
    pub(crate) filter: FilterArguments,
    /// Show how each memory was judged
    #[arg(long)]
    pub(crate) explain: bool,
}

/// Put memory in order: merge duplicates, archive what nobody asks for, mark what is stale
///
/// Never deletes, never touches summaries or what a person wrote, edited or confirmed. Done twice, the
/// second time changes nothing.
#[derive(Debug, Args)]
pub(crate) struct MaintainArguments {
    /// Say what would be done, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Compare only what was updated since: a date, a time, or 7d, 12h, 30m ago
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Take a maintenance run back, byte for byte
    #[arg(long, value_name = "RUN", conflicts_with_all = ["dry_run", "since"])]
    pub(crate) undo: Option<String>,
    /// Whose memory to put in order
    #[arg(long, value_enum, default_value_t = Target::Project)]
    pub(crate) scope: Target,
}

impl From<Target> for WriteScope {
    fn from(target: Target) -> Self {
        match target {
            Target::Project => WriteScope::Project,
            Target::Global => WriteScope::Global,
        }
    }
}
