//! The table of all settings: the single source of their names, kinds, defaults and help.

use crate::authority::{SetBy, class_of};

/// The kind of value that a setting holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Integer,
    Float,
    Boolean,
    TextList,
    /// Any TOML value; passed on unchanged.
    Any,
}

/// Restriction of the values of a setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Allowed {
    All,
    OneOf(&'static [&'static str]),
    /// Both ends included.
    Between(f64, f64),
}

/// A built-in value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Builtin {
    /// Unset by default; a value is of this kind.
    Unset(Kind),
    Text(&'static str),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    TextList(&'static [&'static str]),
}

/// One setting, or one family of settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeyEntry {
    /// Dotted path; `<…>` stands for any one part.
    pub path: &'static str,
    pub allowed: Allowed,
    pub default: Builtin,
    /// One sentence without a full stop.
    pub help: &'static str,
}

const UNSET: KeyEntry = KeyEntry {
    path: "",
    allowed: Allowed::All,
    default: Builtin::Unset(Kind::Any),
    help: "",
};

/// Template for limits: greater than zero, and far from overflow.
const LIMIT: KeyEntry = KeyEntry {
    allowed: Allowed::Between(1.0, 1e15),
    default: Builtin::Unset(Kind::Integer),
    ..UNSET
};

/// Template for settings of models: such a setting may name a URL or a program.
const MODEL: KeyEntry = KeyEntry {
    default: Builtin::Unset(Kind::Text),
    ..UNSET
};

const MONEY: KeyEntry = KeyEntry {
    allowed: Allowed::Between(0.0, 1e6),
    default: Builtin::Unset(Kind::Float),
    ..UNSET
};

/// All settings, sorted by path.
pub const KEYS: &[KeyEntry] = &[
    KeyEntry {
        path: "archive.url",
        default: Builtin::Unset(Kind::Text),
        help: "Storage that other machines read archived sessions from, as `s3://BUCKET/PREFIX` (needs a build with the feature `team`) or `file:///FOLDER`",
        ..UNSET
    },
    KeyEntry {
        path: "context.sensitive.allow",
        default: Builtin::TextList(&[]),
        help: "Path patterns of files that may be read although their names look like secrets",
        ..UNSET
    },
    KeyEntry {
        path: "context.sensitive.deny",
        default: Builtin::TextList(&[]),
        help: "Path patterns of further files that are listed by name and never opened",
        ..UNSET
    },
    KeyEntry {
        path: "decide.update_overlap",
        allowed: Allowed::Between(0.0, 1.0),
        default: Builtin::Float(0.72),
        help: "Share of common words from which a candidate updates a memory instead of adding one",
    },
    KeyEntry {
        path: "extract.max_candidates",
        allowed: Allowed::Between(0.0, 1_000.0),
        default: Builtin::Integer(24),
        help: "Maximum number of candidates considered per session, most confident first",
    },
    KeyEntry {
        path: "extract.min_confidence",
        allowed: Allowed::Between(0.0, 1.0),
        default: Builtin::Float(0.5),
        help: "Minimum confidence of candidates",
    },
    KeyEntry {
        path: "hooks.edit",
        default: Builtin::Boolean(true),
        help: "Offer pitfalls and conventions that name a file to an agent that is about to edit it",
        ..UNSET
    },
    KeyEntry {
        path: "hooks.failure",
        default: Builtin::Boolean(true),
        help: "Offer cures from earlier sessions to an agent whose command failed",
        ..UNSET
    },
    KeyEntry {
        path: "hooks.learn",
        default: Builtin::Boolean(true),
        help: "Learn from a session as soon as its agent reports its end",
        ..UNSET
    },
    KeyEntry {
        path: "hooks.notes",
        default: Builtin::Boolean(true),
        help: "Remind agents now and then to note what you say",
        ..UNSET
    },
    KeyEntry {
        path: "hooks.prompt",
        default: Builtin::Boolean(true),
        help: "Offer the few memories that are relevant to a prompt",
        ..UNSET
    },
    KeyEntry {
        path: "llm.budget.day_calls",
        default: Builtin::Integer(100),
        help: "Maximum number of model calls per day, of all processes together",
        ..LIMIT
    },
    KeyEntry {
        path: "llm.budget.day_dollars",
        help: "Maximum cost of models per day, of all processes together",
        ..MONEY
    },
    KeyEntry {
        path: "llm.budget.day_tokens",
        default: Builtin::Integer(1_500_000),
        help: "Maximum number of model tokens per day, of all processes together",
        ..LIMIT
    },
    KeyEntry {
        path: "llm.budget.run_calls",
        help: "Maximum number of model calls per run",
        ..LIMIT
    },
    KeyEntry {
        path: "llm.budget.run_dollars",
        help: "Maximum cost of models per run",
        ..MONEY
    },
    KeyEntry {
        path: "llm.budget.run_tokens",
        help: "Maximum number of model tokens per run",
        ..LIMIT
    },
    KeyEntry {
        path: "llm.catch_up",
        allowed: Allowed::Between(0.0, 10_000.0),
        default: Builtin::Integer(20),
        help: "Number of past sessions that a newly configured model reads again",
    },
    KeyEntry {
        path: "llm.enabled",
        default: Builtin::Boolean(true),
        help: "Use the configured models; `--no-llm` switches them off",
        ..MODEL
    },
    KeyEntry {
        path: "llm.prices",
        default: Builtin::TextList(&[]),
        help: "Prices of models, each as `MODEL INPUT OUTPUT` in dollars per million tokens; well-known models have a built-in price",
        ..MODEL
    },
    KeyEntry {
        path: "llm.providers.<name>.base_url",
        help: "URL of the provider",
        ..MODEL
    },
    KeyEntry {
        path: "llm.providers.<name>.command",
        default: Builtin::Unset(Kind::TextList),
        help: "Program and arguments of a provider of kind `command`, where `{model}` is the model; for an agent program such as `claude`, its executable",
        ..MODEL
    },
    KeyEntry {
        path: "llm.providers.<name>.environment",
        default: Builtin::Unset(Kind::TextList),
        help: "Variables that the program gets besides `PATH` and `HOME`",
        ..MODEL
    },
    KeyEntry {
        path: "llm.providers.<name>.key_env",
        help: "Environment variable with the provider's key; an agent program uses its login unless this is set",
        ..MODEL
    },
    KeyEntry {
        path: "llm.providers.<name>.kind",
        allowed: Allowed::OneOf(&["anthropic", "openai", "ollama", "command"]),
        help: "Protocol of the provider; not needed for a built-in one",
        ..MODEL
    },
    KeyEntry {
        path: "llm.providers.<name>.persist_sessions_in_workspace",
        default: Builtin::Unset(Kind::Boolean),
        help: "Keep session files of an agent program in the run folder",
        ..MODEL
    },
    KeyEntry {
        path: "llm.providers.<name>.timeout_seconds",
        help: "Time limit of one call",
        ..LIMIT
    },
    KeyEntry {
        path: "llm.roles.<role>.fallback",
        help: "PROVIDER/MODEL that is asked when the first cannot answer; the model may be left out for an agent program",
        ..MODEL
    },
    KeyEntry {
        path: "llm.roles.<role>.model",
        help: "Model for this purpose: extract, summarise, explore, ask; may be left out for an agent program",
        ..MODEL
    },
    KeyEntry {
        path: "llm.roles.<role>.provider",
        help: "Provider for this purpose; without one no model is asked, and `summarise` asks that of `extract`",
        ..MODEL
    },
    KeyEntry {
        path: "mcp.sessions",
        allowed: Allowed::OneOf(&["project", "all", "off"]),
        default: Builtin::Text("project"),
        help: "Earlier sessions that agents may search and read over MCP: those of their project, all, or none",
    },
    KeyEntry {
        path: "memory.language",
        default: Builtin::Unset(Kind::Text),
        help: "Language in which a model writes memories, by name or code; that of the session when unset",
        ..UNSET
    },
    KeyEntry {
        path: "memory.scope",
        allowed: Allowed::OneOf(&["project_fallback_global", "project_only", "global_only"]),
        default: Builtin::Text("project_fallback_global"),
        help: "Scope of the memory that commands use",
    },
    KeyEntry {
        path: "memory.summaries",
        default: Builtin::Unset(Kind::Text),
        allowed: Allowed::OneOf(&["shared", "local", "off"]),
        help: "Summaries of sessions: committed with memory, written but ignored by git, or not written; when unset as the project's .acreta/.gitignore says, which ignores them in new projects",
    },
    KeyEntry {
        path: "plugin.<id>.limits.draft_bytes",
        help: "Bytes of all files in one draft of this plugin",
        ..LIMIT
    },
    KeyEntry {
        path: "plugin.<id>.limits.draft_files",
        help: "Files in one draft of this plugin",
        ..LIMIT
    },
    KeyEntry {
        path: "plugin.<id>.limits.emitted_bytes",
        help: "Bytes of text this plugin may emit in one call",
        ..LIMIT
    },
    KeyEntry {
        path: "plugin.<id>.limits.handles",
        help: "Handles this plugin may hold open",
        ..LIMIT
    },
    KeyEntry {
        path: "plugin.<id>.limits.log_bytes",
        help: "Bytes of log kept for one call of this plugin",
        ..LIMIT
    },
    KeyEntry {
        path: "plugin.<id>.limits.memory_bytes",
        help: "Memory this plugin may use",
        ..LIMIT
    },
    KeyEntry {
        path: "plugin.<id>.limits.table_elements",
        help: "Elements of all tables of this plugin",
        ..LIMIT
    },
    KeyEntry {
        path: "plugin.<id>.limits.value_bytes",
        help: "Bytes of one value this plugin passes to the host",
        ..LIMIT
    },
    KeyEntry {
        path: "plugin.<id>.limits.wall_ms",
        help: "Milliseconds one call of this plugin may take",
        ..LIMIT
    },
    KeyEntry {
        path: "plugin.<id>.prompts.<name>",
        default: Builtin::Unset(Kind::Text),
        help: "File that replaces one of the plugin's prompts",
        ..UNSET
    },
    KeyEntry {
        path: "plugin.<id>.settings.<key>",
        help: "A setting of the plugin itself",
        ..UNSET
    },
    KeyEntry {
        path: "plugins.adapters",
        default: Builtin::TextList(&[
            "adapter-claude",
            "adapter-codex",
            "adapter-cursor",
            "adapter-opencode",
            "adapter-gemini",
            "adapter-copilot",
            "adapter-pi",
            "adapter-aider",
            "adapter-kiro",
            "adapter-kimi",
            "adapter-amp",
            "adapter-continue",
            "adapter-openhands",
            "adapter-swe-agent",
            "adapter-specstory",
            "adapter-windsurf",
            "adapter-kilo",
            "adapter-qwen",
            "adapter-cline",
            "adapter-grok",
            "adapter-droid",
            "adapter-goose",
            "adapter-zed",
            "adapter-crush",
            "adapter-roo",
            "adapter-openclaude",
            "adapter-hermes",
            "adapter-vibe",
            "adapter-openclaw",
            "adapter-forge",
            "adapter-gptme",
            "adapter-omp",
        ]),
        help: "Adapters that read sessions, in this order",
        ..UNSET
    },
    KeyEntry {
        path: "plugins.explorers",
        default: Builtin::TextList(&["auto"]),
        help: "Explorers that compare candidates with memory; auto: explorer-llm with a model, else explorer-overlap",
        ..UNSET
    },
    KeyEntry {
        path: "plugins.extractor",
        default: Builtin::Text("auto"),
        help: "Extractor that finds candidates in a session; `auto` is extractor-llm if a model for `extract` is configured, and extractor-rules otherwise",
        ..UNSET
    },
    KeyEntry {
        path: "plugins.extractors",
        default: Builtin::TextList(&[]),
        help: "Extractors in order, instead of extractor-notes and `plugins.extractor`",
        ..UNSET
    },
    KeyEntry {
        path: "plugins.folder",
        default: Builtin::Text(""),
        help: "Folder with further plugins; empty is `plugins` in acreta's own folder",
        ..UNSET
    },
    KeyEntry {
        path: "plugins.indexes",
        default: Builtin::TextList(&[]),
        help: "Indexes of plugins: https addresses or files; `plugin search`, `outdated` and `update` read them, and what they revoke never runs",
        ..UNSET
    },
    KeyEntry {
        path: "plugins.signatures",
        allowed: Allowed::OneOf(&["optional", "required"]),
        default: Builtin::Text("optional"),
        help: "Signature policy for plugins that are not built in; a wrong signature is always refused",
    },
    KeyEntry {
        path: "plugins.trusted_keys",
        default: Builtin::TextList(&[]),
        help: "Public keys of minisign or cosign whose signatures of plugins count",
        ..UNSET
    },
    KeyEntry {
        path: "plugins.writer",
        default: Builtin::Text("writer-markdown"),
        help: "Memory writer that drafts files",
        ..UNSET
    },
    KeyEntry {
        path: "redact.allow",
        default: Builtin::TextList(&[]),
        help: "Values that are never redacted, literally or as /regular expressions/",
        ..UNSET
    },
    KeyEntry {
        path: "runs.keep",
        allowed: Allowed::Between(1.0, 1_000_000.0),
        default: Builtin::Integer(50),
        help: "Number of run folders that are kept per mode, the newest",
    },
    KeyEntry {
        path: "search.hub",
        default: Builtin::Text("https://huggingface.co"),
        help: "URL from which `acreta model embed get` downloads sentence models: a hub, or a mirror of it",
        ..UNSET
    },
    KeyEntry {
        path: "search.model",
        default: Builtin::Text(""),
        help: "Folder of a sentence model (`model.safetensors`, `tokenizer.json`) that search uses in addition to words",
        ..UNSET
    },
    KeyEntry {
        path: "serve.host",
        default: Builtin::Text("127.0.0.1"),
        help: "Address the daemon listens on; anything but loopback lets other machines try its token",
        ..UNSET
    },
    KeyEntry {
        path: "serve.maintain_minutes",
        allowed: Allowed::Between(0.0, 1e6),
        default: Builtin::Integer(60),
        help: "Interval at which the daemon cleans up memory; 0 for never",
    },
    KeyEntry {
        path: "serve.port",
        allowed: Allowed::Between(0.0, 65_535.0),
        default: Builtin::Integer(8765),
        help: "Port the daemon listens on; 0 for any free port",
    },
    KeyEntry {
        path: "serve.sync_minutes",
        allowed: Allowed::Between(0.0, 1e6),
        default: Builtin::Integer(10),
        help: "Interval at which the daemon looks for new sessions; 0 for never",
    },
    KeyEntry {
        path: "serve.watch",
        default: Builtin::Boolean(true),
        help: "Learn from sessions as soon as their files change, in the daemon",
        ..UNSET
    },
    KeyEntry {
        path: "sessions.index_mb",
        allowed: Allowed::Between(1.0, 1e6),
        default: Builtin::Integer(2_000),
        help: "Megabytes of text in the index of sessions, the newest sessions first; of older ones it holds title and figures",
    },
    KeyEntry {
        path: "sessions.wait_seconds",
        allowed: Allowed::Between(0.0, 86_400.0),
        default: Builtin::Integer(3),
        help: "Seconds in which a search in sessions or `acreta usage` reads new sessions before it answers; the rest is read in the background",
    },
    KeyEntry {
        path: "state.url",
        default: Builtin::Unset(Kind::Text),
        help: "PostgreSQL server for catalog and queue, as `postgres://USER@HOST/NAME` without a password, instead of a file; needs a build with the feature `team`",
        ..UNSET
    },
    KeyEntry {
        path: "sync.agent_memories",
        default: Builtin::Boolean(false),
        help: "Let a sync also import agents' own memories, as untrusted notes",
        ..UNSET
    },
    KeyEntry {
        path: "sync.exclude",
        default: Builtin::TextList(&[]),
        help: "Folders whose sessions are not read, archived or learnt from; `acreta connect exclude` changes them",
        ..UNSET
    },
    KeyEntry {
        path: "sync.homes",
        default: Builtin::TextList(&[]),
        help: "Home folders of other machines or containers, mounted or copied here, whose agents' sessions are archived, too",
        ..UNSET
    },
    KeyEntry {
        path: "sync.without_project",
        allowed: Allowed::OneOf(&["archive", "global"]),
        default: Builtin::Text("archive"),
        help: "Handling of sessions that belong to no project: archive only, or learn into global memory",
    },
    KeyEntry {
        path: "sync.workers",
        allowed: Allowed::Between(1.0, 64.0),
        default: Builtin::Integer(4),
        help: "Number of sessions processed in parallel, each in a different project",
    },
    KeyEntry {
        path: "team.branch",
        default: Builtin::Text("acreta/memory"),
        help: "Branch of a project's remote that `acreta worker` pushes memory to",
        ..UNSET
    },
    KeyEntry {
        path: "team.clone_url",
        default: Builtin::Text("https://{remote}.git"),
        help: "Address of a project's remote for `acreta worker`; `{remote}` is its host and path",
        ..UNSET
    },
    KeyEntry {
        path: "team.learn",
        allowed: Allowed::OneOf(&["here", "workers"]),
        default: Builtin::Text("here"),
        help: "Who learns from this machine's sessions: `here` this machine does, `workers` leaves them to `acreta worker`",
    },
    KeyEntry {
        path: "tracing.enabled",
        default: Builtin::Boolean(false),
        help: "Send spans by OTLP; the variable ACRETA_TRACING overrides it",
        ..UNSET
    },
    KeyEntry {
        path: "tracing.endpoint",
        default: Builtin::Text("http://localhost:4318"),
        help: "Receiver of spans, by HTTP and protobuf",
        ..UNSET
    },
    KeyEntry {
        path: "tracing.headers",
        default: Builtin::TextList(&[]),
        help: "Headers for the receiver, each written as `name: value`",
        ..UNSET
    },
    KeyEntry {
        path: "tracing.include_http",
        default: Builtin::Boolean(false),
        help: "Also send prompts and answers of models in spans, redacted",
        ..UNSET
    },
];

impl KeyEntry {
    /// Returns the kind of value: that of the default.
    pub fn kind(&self) -> Kind {
        match self.default {
            Builtin::Unset(kind) => kind,
            Builtin::Text(_) => Kind::Text,
            Builtin::Integer(_) => Kind::Integer,
            Builtin::Float(_) => Kind::Float,
            Builtin::Boolean(_) => Kind::Boolean,
            Builtin::TextList(_) => Kind::TextList,
        }
    }

    /// Returns the weakest file that may set this key, and the reason, which completes a sentence that begins with
    /// "it".
    pub fn set_by(&self) -> (SetBy, &'static str) {
        class_of(self.path).unwrap_or((SetBy::User, "has no class"))
    }

    /// Returns the entry that a dotted path belongs to.
    pub fn of(path: &str) -> Option<&'static KeyEntry> {
        KEYS.iter().find(|entry| entry.covers(path))
    }

    /// Returns whether settings are below `path`.
    pub(crate) fn is_table(path: &str) -> bool {
        let below = |entry: &KeyEntry| entry.path.strip_prefix(path);
        KEYS.iter()
            .filter_map(below)
            .any(|rest| rest.starts_with('.'))
    }

    /// Returns whether `path` is this setting or one of its family.
    pub fn covers(&self, path: &str) -> bool {
        let mut parts = path.split('.');
        let all = self
            .path
            .split('.')
            .all(|wanted| parts.next().is_some_and(|part| fits(wanted, part)));
        all && parts.next().is_none()
    }

    /// Describes the expected value in words.
    pub fn expected(&self) -> String {
        let kind = match self.kind() {
            Kind::Text => "a text",
            Kind::Integer => "an integer",
            Kind::Float => "a number",
            Kind::Boolean => "true or false",
            Kind::TextList => "a list of texts",
            Kind::Any => "a value",
        };
        match self.allowed {
            Allowed::All => kind.to_owned(),
            Allowed::OneOf(names) => format!("one of {}", names.join(", ")),
            Allowed::Between(least, most) => format!("{kind} from {least} to {most}"),
        }
    }
}

fn fits(wanted: &str, part: &str) -> bool {
    if wanted.starts_with('<') {
        !part.is_empty()
    } else {
        wanted == part
    }
}
