//! Plugins with their permissions and usage.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PluginRow {
    pub id: String,
    /// `adapter`, `extractor`, `explorer` or `memory-writer`.
    pub role: String,
    /// `built-in`, or the path of the component.
    pub origin: String,
    /// The interface it was built for, `acreta:adapter@0.1.0`.
    pub wit: String,
    /// SHA-256 of the component.
    pub digest: String,
    pub bytes: u64,
    pub grants: Vec<PluginGrant>,
    pub limits: PluginLimits,
    #[serde(rename = "use")]
    pub used: PluginUse,
}

/// A folder that the plugin asks to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PluginGrant {
    pub root: String,
    /// Possible paths on this machine.
    pub candidates: Vec<String>,
    pub reason: String,
    pub granted: bool,
}

/// Limits by the names of their settings: `memory_bytes`, `fuel`, `milliseconds` and others.
pub type PluginLimits = Map<String, Value>;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PluginUse {
    pub runs: u64,
    pub calls: u64,
    pub guest_ms: u64,
    pub peak_memory_bytes: u64,
    pub failures: u64,
    pub denied: u64,
}
