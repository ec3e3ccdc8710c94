//! Login of a browser: a code that works once, then a cookie.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Text;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LoginUrl {
    /// The code is in the fragment, so that it reaches no log. It works once, within a minute.
    pub url: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoginRequest {
    pub code: Text<256>,
}
