//! Login of a browser: a code that works once, then a token of its own.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoginUrl {
    /// The code is in the fragment, so that it reaches no log. It works once, within half a minute.
    pub url: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoginRequest {
    #[schemars(length(min = 1, max = 256))]
    pub code: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BrowserToken {
    /// For `Authorization: Bearer`; valid for a week, or until the server ends.
    pub token: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoginCodes {
    /// Number of login codes that were neither used nor expired.
    pub waiting: u64,
}
