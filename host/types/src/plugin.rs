//! Types common to all plugins: role, limits, usage and failures.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The four replaceable roles.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "PluginRole")]
pub enum Role {
    Adapter,
    Extractor,
    Explorer,
    MemoryWriter,
}

impl Role {
    pub const ALL: [Role; 4] = [
        Role::Adapter,
        Role::Extractor,
        Role::Explorer,
        Role::MemoryWriter,
    ];

    /// Returns the name as the WIT packages spell it.
    pub fn name(self) -> &'static str {
        match self {
            Role::Adapter => "adapter",
            Role::Extractor => "extractor",
            Role::Explorer => "explorer",
            Role::MemoryWriter => "memory-writer",
        }
    }
}

impl std::fmt::Display for Role {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Identity of a loaded plugin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PluginInfo {
    pub id: String,
    pub role: Role,
    /// Version of the role's WIT package the component was built against.
    pub wit: String,
    /// SHA-256 of the component, in hex.
    pub digest: String,
}

/// Limits of one call of a plugin. Every limit has a default and is shown with the actual use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PluginLimits")]
pub struct Limits {
    /// Linear memory of all instances of the plugin together.
    pub memory_bytes: u64,
    /// Time of a call, with all that the host does on the guest's behalf, but without the time models take.
    pub wall_ms: u64,
    /// Open handles (files, directories, streams, readers).
    pub handles: u64,
    /// Elements of all tables of the plugin together.
    pub table_elements: u64,
    /// Bytes of one value passed to the host.
    pub value_bytes: u64,
    /// Bytes of events and diagnostics one `read` may emit: texts, ids, attributes.
    pub emitted_bytes: u64,
    /// Bytes of log kept for one call; each line costs some more than its text.
    pub log_bytes: u64,
    /// Bytes of all files in a draft.
    pub draft_bytes: u64,
    /// Files in a draft.
    pub draft_files: u64,
}

impl Limits {
    pub fn for_role(role: Role) -> Self {
        let mebibyte = 1024 * 1024;
        Self {
            memory_bytes: match role {
                Role::Adapter => 128 * mebibyte,
                _ => 256 * mebibyte,
            },
            wall_ms: match role {
                Role::Adapter | Role::Extractor => 600_000,
                Role::Explorer | Role::MemoryWriter => 60_000,
            },
            handles: 256,
            table_elements: 100_000,
            value_bytes: 16 * mebibyte,
            emitted_bytes: 8 * 1024 * mebibyte,
            log_bytes: 256 * 1024,
            draft_bytes: 16 * mebibyte,
            draft_files: 1_000,
        }
    }
}

/// Resources that one call used.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Usage {
    pub calls: u64,
    pub guest_ms: u64,
    pub host_ms: u64,
    pub peak_memory_bytes: u64,
    pub emitted_bytes: u64,
    pub log_bytes_dropped: u64,
    /// Refused operations, most frequent first.
    pub denied: Vec<Denial>,
}

impl Usage {
    /// Adds the usage of another call.
    pub fn add(&mut self, other: &Usage) {
        self.calls += other.calls;
        self.guest_ms += other.guest_ms;
        self.host_ms += other.host_ms;
        self.peak_memory_bytes = self.peak_memory_bytes.max(other.peak_memory_bytes);
        self.emitted_bytes += other.emitted_bytes;
        self.log_bytes_dropped += other.log_bytes_dropped;
        for denial in &other.denied {
            match self
                .denied
                .iter_mut()
                .find(|known| known.operation == denial.operation && known.path == denial.path)
            {
                Some(known) => known.count += denial.count,
                None => self.denied.push(denial.clone()),
            }
        }
    }

    pub fn denied_total(&self) -> u64 {
        self.denied.iter().map(|denial| denial.count).sum()
    }
}

/// An operation the sandbox refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Denial {
    pub operation: String,
    /// Guest path or address.
    pub path: String,
    pub count: u64,
}

/// Result of a call, and the resources it used.
#[derive(Debug)]
pub struct Call<T> {
    pub result: Result<T, PluginError>,
    pub usage: Usage,
}

/// Failure reported by a guest that could not do its work, or by the host when it could not serve a guest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub code: String,
    pub message: String,
    pub retryable: bool,
}

/// A plugin call that returned no result. Names the plugin and its role.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("plugin `{plugin}` ({role}) {fault}")]
pub struct PluginError {
    pub plugin: String,
    pub role: Role,
    pub fault: PluginFault,
}

/// Ways in which a call can fail.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PluginFault {
    /// The guest reported a failure itself.
    #[error("failed with `{}`: {}", .0.code, .0.message)]
    Failed(Failure),
    /// The guest exceeded a limit.
    #[error("exceeded its limit `{limit}`: {allowed} allowed, {used} requested")]
    Limit {
        limit: &'static str,
        allowed: u64,
        used: u64,
    },
    /// The guest crashed.
    #[error("trapped: {message}")]
    Trap { message: String },
    /// The guest returned a value that cannot be used.
    #[error("returned an invalid value: {message}")]
    Junk { message: String },
    /// The process is about to end.
    #[error("was stopped, because acreta ends")]
    Stopped,
    /// The host could not prepare the call.
    #[error("could not be started: {message}")]
    Start { message: String },
}

impl PluginFault {
    /// Returns advice for the user.
    pub fn hint(&self, plugin: &str) -> String {
        match self {
            PluginFault::Limit { limit, .. } => {
                format!(
                    "raise `plugin.{plugin}.limits.{limit}` in the user config, if you trust the plugin with more"
                )
            }
            _ => format!("`acreta plugin inspect {plugin}` shows what it is and what it may do"),
        }
    }
}
