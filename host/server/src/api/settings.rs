//! Settings as a form, and changing one.

pub use acreta_service::projects::configure::{SettingRow, SettingsForm};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Text;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewSetting {
    pub key: Text<200>,
    /// A number, a boolean, or one of the setting's allowed words.
    pub value: Value,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SettingWritten {
    /// The file that now contains it.
    pub file: String,
    /// The value as TOML.
    pub value: String,
}
