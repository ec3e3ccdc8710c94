//! The table of all settings: the single source of their names, kinds, defaults and help.

use crate::authority::{SetBy, class_of};

/// What a setting may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Text,
    Integer,
    Float,
    Boolean,
    TextList,
    /// Whatever TOML can say; passed on as it is.
    Any,
}

/// Which values of its kind a setting takes.
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
    /// Unset until someone sets it.
    None,
    Text(&'static str),
    Integer(i64),
    Float(f64),
    Boolean(bool),
    TextList(&'static [&'static str]),
}

/// One setting, or one family of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeyEntry {
    /// Dotted; `<…>` stands for any one part.
    pub path: &'static str,
    pub kind: Kind,
    pub allowed: Allowed,
    pub default: Builtin,
    /// One sentence without a full stop.
    pub help: &'static str,
}

const UNSET: KeyEntry = KeyEntry {
    path: "",
    kind: Kind::Any,
    allowed: Allowed::All,
    default: Builtin::None,
    help: "",
};

/// What a limit may be: more than nothing, and far from overflow.
const LIMIT: KeyEntry = KeyEntry {
    kind: Kind::Integer,
    allowed: Allowed::Between(1.0, 1e15),
    ..UNSET
};

/// What has to do with models: it may name a URL or a program.
const MODEL: KeyEntry = KeyEntry {
    kind: Kind::Text,
    ..UNSET
};

const MONEY: KeyEntry = KeyEntry {
    kind: Kind::Float,
    allowed: Allowed::Between(0.0, 1e6),
    ..UNSET
};

/// All settings, sorted by path.
pub const KEYS: &[KeyEntry] = &[
    KeyEntry {
        path: "context.sensitive.allow",
        kind: Kind::TextList,
        default: Builtin::TextList(&[]),
        help: "Path patterns of files that may be read although their names look like secrets",
        ..UNSET
    },
    KeyEntry {
        path: "context.sensitive.deny",
        kind: Kind::TextList,
        default: Builtin::TextList(&[]),
        help: "Path patterns of further files that are listed by name and never opened",
        ..UNSET
    },
    KeyEntry {
        path: "decide.update_overlap",
        kind: Kind::Float,
        allowed: Allowed::Between(0.0, 1.0),
        default: Builtin::Float(0.72),
        help: "Share of common words from which a candidate updates a memory instead of adding one",
    },
    KeyEntry {
        path: "extract.max_candidates",
        kind: Kind::Integer,
        allowed: Allowed::Between(0.0, 1_000.0),
        default: Builtin::Integer(24),
        help: "How many candidates of one session are considered, the most confident first",
    },
    KeyEntry {
        path: "extract.min_confidence",
        kind: Kind::Float,
        allowed: Allowed::Between(0.0, 1.0),
        default: Builtin::Float(0.5),
        help: "Candidates with less confidence are left out",
    },
    KeyEntry {
        path: "hooks.edit",
        kind: Kind::Boolean,
        default: Builtin::Boolean(true),
        help: "Whether an agent that is about to edit a file is told the pitfalls and conventions that name it",
        ..UNSET
    },
    KeyEntry {
        path: "hooks.failure",
        kind: Kind::Boolean,
        default: Builtin::Boolean(true),
        help: "Whether an agent whose command failed is told how earlier sessions cured that failure",
        ..UNSET
    },
    KeyEntry {
        path: "hooks.learn",
        kind: Kind::Boolean,
        default: Builtin::Boolean(true),
        help: "Whether a session is learnt from as soon as its agent says that it ended",
        ..UNSET
    },
    KeyEntry {
        path: "hooks.prompt",
        kind: Kind::Boolean,
        default: Builtin::Boolean(true),
        help: "Whether an agent is told the few memories that bear on a prompt",
        ..UNSET
    },
    KeyEntry {
        path: "llm.budget.day_calls",
        default: Builtin::Integer(100),
        help: "Most calls of models in one day, of all processes together",
        ..LIMIT
    },
    KeyEntry {
        path: "llm.budget.day_dollars",
        help: "Most that models may cost in one day, of all processes together",
        ..MONEY
    },
    KeyEntry {
        path: "llm.budget.day_tokens",
        default: Builtin::Integer(1_500_000),
        help: "Most tokens of models in one day, of all processes together",
        ..LIMIT
    },
    KeyEntry {
        path: "llm.budget.run_calls",
        help: "Most calls of models in one run",
        ..LIMIT
    },
    KeyEntry {
        path: "llm.budget.run_dollars",
        help: "Most that models may cost in one run",
        ..MONEY
    },
    KeyEntry {
        path: "llm.budget.run_tokens",
        help: "Most tokens of models in one run",
        ..LIMIT
    },
    KeyEntry {
        path: "llm.catch_up",
        kind: Kind::Integer,
        allowed: Allowed::Between(0.0, 10_000.0),
        default: Builtin::Integer(20),
        help: "How many sessions back a model reads those again that were read before one was configured",
    },
    KeyEntry {
        path: "llm.enabled",
        kind: Kind::Boolean,
        default: Builtin::Boolean(true),
        help: "Whether models that are configured may be asked; `--no-llm` says no",
        ..MODEL
    },
    KeyEntry {
        path: "llm.prices",
        kind: Kind::TextList,
        default: Builtin::TextList(&[]),
        help: "What models cost, each as `MODEL INPUT OUTPUT` in dollars per million tokens; well-known models have a built-in price",
        ..MODEL
    },
    KeyEntry {
        path: "llm.providers.<name>.base_url",
        help: "Where the provider answers",
        ..MODEL
    },
    KeyEntry {
        path: "llm.providers.<name>.command",
        kind: Kind::TextList,
        help: "Program and arguments of a provider of kind `command`, where `{model}` is the model; for an agent program such as `claude`, its executable",
        ..MODEL
    },
    KeyEntry {
        path: "llm.providers.<name>.environment",
        kind: Kind::TextList,
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
        help: "What the provider speaks; not needed for one that is known by name",
        ..MODEL
    },
    KeyEntry {
        path: "llm.providers.<name>.persist_sessions_in_workspace",
        kind: Kind::Boolean,
        help: "Whether session files of an agent's own program are kept in the run folder",
        ..MODEL
    },
    KeyEntry {
        path: "llm.providers.<name>.timeout_seconds",
        help: "How long one call may take",
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
        path: "memory.language",
        kind: Kind::Text,
        help: "Language in which a model writes memories, by name or code; that of the session when unset",
        ..UNSET
    },
    KeyEntry {
        path: "memory.scope",
        kind: Kind::Text,
        allowed: Allowed::OneOf(&["project_fallback_global", "project_only", "global_only"]),
        default: Builtin::Text("project_fallback_global"),
        help: "Whose memory commands look at",
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
        kind: Kind::Text,
        help: "File whose text takes the place of one of the plugin's prompts",
        ..UNSET
    },
    KeyEntry {
        path: "plugin.<id>.settings.<key>",
        help: "The plugin's own setting, whatever it understands",
        ..UNSET
    },
    KeyEntry {
        path: "plugin.<id>.threshold",
        kind: Kind::Float,
        allowed: Allowed::Between(0.0, 1.0),
        help: "How sure a candidate must be for an extractor of a chain to be heard",
        ..UNSET
    },
    KeyEntry {
        path: "plugins.adapters",
        kind: Kind::TextList,
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
        ]),
        help: "Adapters asked for sessions, in this order",
        ..UNSET
    },
    KeyEntry {
        path: "plugins.chain",
        kind: Kind::Text,
        allowed: Allowed::OneOf(&["first", "union"]),
        default: Builtin::Text("first"),
        help: "Of several extractors, whether the first that has something to say is heard, or all",
    },
    KeyEntry {
        path: "plugins.explorers",
        kind: Kind::TextList,
        default: Builtin::TextList(&["auto"]),
        help: "Explorers that compare candidates with memory; auto: explorer-llm with a model, else explorer-overlap",
        ..UNSET
    },
    KeyEntry {
        path: "plugins.extractor",
        kind: Kind::Text,
        default: Builtin::Text("auto"),
        help: "Extractor that finds candidates in a session; `auto` is extractor-llm where a model for `extract` is configured, and extractor-rules otherwise",
        ..UNSET
    },
    KeyEntry {
        path: "plugins.extractors",
        kind: Kind::TextList,
        default: Builtin::TextList(&[]),
        help: "Extractors in the order they are asked, instead of `plugins.extractor`",
        ..UNSET
    },
    KeyEntry {
        path: "plugins.folder",
        kind: Kind::Text,
        default: Builtin::Text(""),
        help: "Folder with further plugins; empty is `plugins` in acreta's own folder",
        ..UNSET
    },
    KeyEntry {
        path: "plugins.signatures",
        kind: Kind::Text,
        allowed: Allowed::OneOf(&["optional", "required"]),
        default: Builtin::Text("optional"),
        help: "Whether a plugin that is not built in must be signed by a trusted key; a wrong signature is always refused",
    },
    KeyEntry {
        path: "plugins.trusted_keys",
        kind: Kind::TextList,
        default: Builtin::TextList(&[]),
        help: "Minisign public keys whose signatures of plugins count",
        ..UNSET
    },
    KeyEntry {
        path: "plugins.writer",
        kind: Kind::Text,
        default: Builtin::Text("writer-markdown"),
        help: "Memory writer that drafts files",
        ..UNSET
    },
    KeyEntry {
        path: "redact.allow",
        kind: Kind::TextList,
        default: Builtin::TextList(&[]),
        help: "Values that are never redacted, as they are or as /regular expressions/",
        ..UNSET
    },
    KeyEntry {
        path: "runs.keep",
        kind: Kind::Integer,
        allowed: Allowed::Between(1.0, 1_000_000.0),
        default: Builtin::Integer(50),
        help: "How many run folders of a mode are kept, the newest",
    },
    KeyEntry {
        path: "search.hub",
        kind: Kind::Text,
        default: Builtin::Text("https://huggingface.co"),
        help: "Where `acreta model embed get` fetches sentence models from: a hub, or a mirror of it",
        ..UNSET
    },
    KeyEntry {
        path: "search.model",
        kind: Kind::Text,
        default: Builtin::Text(""),
        help: "Folder of a sentence model (`model.safetensors`, `tokenizer.json`) that search uses beside words",
        ..UNSET
    },
    KeyEntry {
        path: "serve.host",
        kind: Kind::Text,
        default: Builtin::Text("127.0.0.1"),
        help: "Address the daemon listens on; anything but loopback lets other machines try its token",
        ..UNSET
    },
    KeyEntry {
        path: "serve.maintain_minutes",
        kind: Kind::Integer,
        allowed: Allowed::Between(0.0, 1e6),
        default: Builtin::Integer(60),
        help: "How often the daemon puts memory in order; 0 for never",
    },
    KeyEntry {
        path: "serve.port",
        kind: Kind::Integer,
        allowed: Allowed::Between(0.0, 65_535.0),
        default: Builtin::Integer(8765),
        help: "Port the daemon listens on; 0 for any that is free",
    },
    KeyEntry {
        path: "serve.sync_minutes",
        kind: Kind::Integer,
        allowed: Allowed::Between(0.0, 1e6),
        default: Builtin::Integer(10),
        help: "How often the daemon looks for new sessions; 0 for never",
    },
    KeyEntry {
        path: "serve.watch",
        kind: Kind::Boolean,
        default: Builtin::Boolean(true),
        help: "Whether the daemon learns from sessions as soon as their files change",
        ..UNSET
    },
    KeyEntry {
        path: "sync.agent_memories",
        kind: Kind::Boolean,
        default: Builtin::Boolean(false),
        help: "Whether a sync also takes in what agents keep in their own memories, as untrusted notes",
        ..UNSET
    },
    KeyEntry {
        path: "sync.exclude",
        kind: Kind::TextList,
        default: Builtin::TextList(&[]),
        help: "Folders whose sessions are not read, archived or learnt from; `acreta connect exclude` changes them",
        ..UNSET
    },
    KeyEntry {
        path: "sync.without_project",
        kind: Kind::Text,
        allowed: Allowed::OneOf(&["archive", "global"]),
        default: Builtin::Text("archive"),
        help: "What becomes of sessions that belong to no project: kept safe only, or global memory",
    },
    KeyEntry {
        path: "sync.workers",
        kind: Kind::Integer,
        allowed: Allowed::Between(1.0, 64.0),
        default: Builtin::Integer(4),
        help: "How many sessions are worked on at once, each in a project of its own",
    },
    KeyEntry {
        path: "tracing.enabled",
        kind: Kind::Boolean,
        default: Builtin::Boolean(false),
        help: "Whether spans are sent by OTLP; the variable ACRETA_TRACING decides over it",
        ..UNSET
    },
    KeyEntry {
        path: "tracing.endpoint",
        kind: Kind::Text,
        default: Builtin::Text("http://localhost:4318"),
        help: "Receiver of spans, by HTTP and protobuf",
        ..UNSET
    },
    KeyEntry {
        path: "tracing.headers",
        kind: Kind::TextList,
        default: Builtin::TextList(&[]),
        help: "Headers for the receiver, each written as `name: value`",
        ..UNSET
    },
    KeyEntry {
        path: "tracing.include_http",
        kind: Kind::Boolean,
        default: Builtin::Boolean(false),
        help: "Whether spans also have what models are asked and answer, redacted",
        ..UNSET
    },
];

impl KeyEntry {
    /// The weakest file that may set it, and why: the end of a sentence that begins with "it".
    pub fn set_by(&self) -> (SetBy, &'static str) {
        class_of(self.path).unwrap_or((SetBy::User, "has no class"))
    }

    /// The entry that a dotted path belongs to.
    pub fn of(path: &str) -> Option<&'static KeyEntry> {
        KEYS.iter().find(|entry| entry.covers(path))
    }

    /// Whether `path` is this setting or one of its family.
    pub fn covers(&self, path: &str) -> bool {
        let mut parts = path.split('.');
        let all = self
            .path
            .split('.')
            .all(|wanted| parts.next().is_some_and(|part| fits(wanted, part)));
        all && parts.next().is_none()
    }

    /// What it takes, in words.
    pub fn expected(&self) -> String {
        let kind = match self.kind {
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
