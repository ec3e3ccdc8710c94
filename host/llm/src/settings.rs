//! Providers, the model for each purpose, and budgets. Contains the names of environment variables, never a key.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::{Money, Price, PriceTable, Program, Purpose};

/// The complete configuration. Empty by default: nothing is ever sent.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub providers: BTreeMap<String, ProviderSettings>,
    pub roles: BTreeMap<Purpose, RoleSettings>,
    pub budget: Budget,
    pub prices: PriceTable,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderSettings {
    pub kind: ProviderKind,
    pub connect_timeout: Duration,
    /// Timeout of one call.
    pub timeout: Duration,
    /// Maximum number of concurrent calls, of all sessions of the process together.
    pub max_parallel: usize,
    pub requests_per_minute: Option<u32>,
    /// Maximum number of attempts of a call.
    pub attempts: u32,
    /// If a provider asks for a longer pause, the call fails.
    pub longest_pause: Duration,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderKind {
    Anthropic(Endpoint),
    OpenAi(OpenAiSettings),
    /// Ollama's native API: its OpenAI-compatible one silently truncates a long prompt.
    Ollama(Endpoint),
    Command(CommandSettings),
    /// The user's own agent program.
    Agent(AgentSettings),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Without the path of the call: `https://api.anthropic.com`, `http://localhost:11434/v1`.
    pub base_url: String,
    /// The environment variable with the key; `None` if no key is needed.
    pub key_env: Option<String>,
}

/// A server with OpenAI's chat completions API, and its differences from others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenAiSettings {
    pub endpoint: Endpoint,
    pub structured_output: StructuredOutput,
    pub output_limit: OutputLimit,
}

/// The way to request a reply that fits a schema. The reply is always checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StructuredOutput {
    /// `response_format` with the schema.
    Schema,
    /// `response_format` for any JSON, with the schema in words.
    JsonObject,
    /// Only in words.
    Prompt,
}

/// Name of the parameter for the maximum reply length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputLimit {
    MaxTokens,
    MaxCompletionTokens,
}

/// A program that reads a request as JSON and writes the reply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandSettings {
    /// A bare name is searched in `PATH`.
    pub program: String,
    /// `{model}` is replaced by the model's name.
    pub arguments: Vec<String>,
    /// Variables it gets in addition to `PATH` and `HOME`.
    pub environment: Vec<String>,
    /// True if an agent's own session files are written to the run folder.
    pub persist_sessions_in_workspace: bool,
}

/// An agent program with its own login.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentSettings {
    pub program: Program,
    /// Path of its executable, if it is not found by the program's name.
    pub command: Option<String>,
    /// Variable with a key that is used, and billed, instead of the program's login.
    pub key_env: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleSettings {
    pub main: ModelChoice,
    /// Used if the main model cannot answer.
    pub fallback: Option<ModelChoice>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelChoice {
    pub provider: String,
    pub model: String,
}

/// Spending limits; `None` means no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Budget {
    pub per_run: RunBudget,
    pub per_day: DayBudget,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RunBudget {
    pub calls: Option<u64>,
    pub tokens: Option<u64>,
    pub cost: Option<Money>,
}

/// Limits for all processes together; a day is a UTC day.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DayBudget {
    pub calls: Option<u64>,
    pub tokens: Option<u64>,
    pub cost: Option<Money>,
}

impl Settings {
    /// Returns the price of a model, if known. A program that uses a key has no plan price.
    pub(crate) fn price(&self, provider: &str, model: &str) -> Option<Price> {
        let is_keyed = self.providers.get(provider).is_some_and(|settings| {
            matches!(&settings.kind, ProviderKind::Agent(agent) if agent.key_env.is_some())
        });
        match is_keyed {
            true => self.prices.of_model(model),
            false => self.prices.of(provider, model),
        }
    }
}

impl AgentSettings {
    /// Creates settings for a program with its own login.
    pub fn new(program: Program) -> Self {
        Self {
            program,
            command: None,
            key_env: None,
        }
    }

    pub(crate) fn command(&self) -> &str {
        self.command.as_deref().unwrap_or(self.program.name())
    }
}

impl ProviderSettings {
    /// Creates a provider with the default limits.
    pub fn new(kind: ProviderKind) -> Self {
        Self {
            kind,
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(120),
            max_parallel: 4,
            requests_per_minute: None,
            attempts: 3,
            longest_pause: Duration::from_secs(60),
        }
    }

    /// Creates an agent program: one call at a time with a long timeout, and without retries, because the program
    /// retries itself.
    pub fn agent(program: Program) -> Self {
        Self {
            timeout: Duration::from_secs(180),
            max_parallel: 1,
            attempts: 1,
            ..Self::new(ProviderKind::Agent(AgentSettings::new(program)))
        }
    }

    /// Creates a server on this machine, without a rate limit.
    fn local(kind: ProviderKind) -> Self {
        Self {
            timeout: Duration::from_secs(600),
            max_parallel: 1,
            ..Self::new(kind)
        }
    }

    /// Returns a built-in provider: address, key variable, and supported features.
    pub fn preset(name: &str) -> Option<Self> {
        use OutputLimit::{MaxCompletionTokens, MaxTokens};
        use StructuredOutput::{JsonObject, Schema};
        if let Some(program) = Program::named(name) {
            return Some(Self::agent(program));
        }
        let (base_url, key_env, structured_output, output_limit) = match name {
            "anthropic" => {
                return Some(Self::new(ProviderKind::Anthropic(Endpoint {
                    base_url: "https://api.anthropic.com".to_owned(),
                    key_env: Some("ANTHROPIC_API_KEY".to_owned()),
                })));
            }
            "openai" => (
                "https://api.openai.com/v1",
                Some("OPENAI_API_KEY"),
                Schema,
                MaxCompletionTokens,
            ),
            "openrouter" => (
                "https://openrouter.ai/api/v1",
                Some("OPENROUTER_API_KEY"),
                Schema,
                MaxTokens,
            ),
            "zai" => (
                "https://api.z.ai/api/paas/v4",
                Some("ZAI_API_KEY"),
                JsonObject,
                MaxTokens,
            ),
            "ollama" => {
                return Some(Self::local(ProviderKind::Ollama(Endpoint {
                    base_url: "http://localhost:11434".to_owned(),
                    key_env: None,
                })));
            }
            "llamacpp" => ("http://localhost:8080/v1", None, Schema, MaxTokens),
            "vllm" => ("http://localhost:8000/v1", None, Schema, MaxTokens),
            "lmstudio" => ("http://localhost:1234/v1", None, Schema, MaxTokens),
            _ => return None,
        };
        let kind = ProviderKind::OpenAi(OpenAiSettings {
            endpoint: Endpoint {
                base_url: base_url.to_owned(),
                key_env: key_env.map(ToOwned::to_owned),
            },
            structured_output,
            output_limit,
        });
        Some(match key_env {
            Some(_) => Self::new(kind),
            None => Self::local(kind),
        })
    }

    /// The names of all presets.
    pub const PRESETS: [&str; 13] = [
        "claude",
        "codex",
        "opencode",
        "copilot",
        "gemini",
        "anthropic",
        "openai",
        "openrouter",
        "zai",
        "ollama",
        "llamacpp",
        "vllm",
        "lmstudio",
    ];

    /// Returns the variable that contains its key.
    pub fn key_env(&self) -> Option<&str> {
        match &self.kind {
            ProviderKind::Anthropic(endpoint) | ProviderKind::Ollama(endpoint) => {
                endpoint.key_env.as_deref()
            }
            ProviderKind::Agent(agent) => agent.key_env.as_deref(),
            ProviderKind::OpenAi(openai) => openai.endpoint.key_env.as_deref(),
            ProviderKind::Command(_) => None,
        }
    }

    /// Identifies the provider in digests by its address or command.
    pub(crate) fn address(&self) -> String {
        match &self.kind {
            ProviderKind::Anthropic(endpoint) => format!("anthropic {}", endpoint.base_url),
            ProviderKind::OpenAi(openai) => format!("openai {}", openai.endpoint.base_url),
            ProviderKind::Ollama(endpoint) => format!("ollama {}", endpoint.base_url),
            ProviderKind::Agent(agent) => {
                format!("agent {} {}", agent.program.name(), agent.command())
            }
            ProviderKind::Command(command) => {
                format!(
                    "command {} {}",
                    command.program,
                    command.arguments.join(" ")
                )
            }
        }
    }
}

impl ModelChoice {
    pub fn new(provider: &str, model: &str) -> Self {
        Self {
            provider: provider.to_owned(),
            model: model.to_owned(),
        }
    }
}
