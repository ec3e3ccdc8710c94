//! How a browser comes in: a code that works once, then a cookie.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Text;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoginUrl {
    /// The code is behind the `#`, where it reaches no log. It works once, for a minute.
    pub url: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoginRequest {
    pub code: Text<256>,
}
