//! The body of a failed call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Body of every answer that is not a success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemBody {
    pub error: Problem,
    pub request_id: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    pub code: ProblemCode,
    pub message: String,
    /// Causes, nearest first.
    pub causes: Vec<String>,
    /// Possible remedies.
    pub hints: Vec<String>,
}

/// Error code for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemCode {
    /// The request is not valid HTTP, or its body is not JSON.
    Malformed,
    /// A field or parameter is unknown, missing, or of the wrong kind.
    Invalid,
    /// Missing or wrong token.
    Unauthorised,
    /// The code was used, has expired, or never existed.
    WrongCode,
    /// The `Host` of the request is not the server's.
    WrongHost,
    /// The `Origin` of the request is not the server's.
    WrongOrigin,
    ProjectNotRegistered,
    /// The request is valid but refused.
    Refused,
    NotFound,
    MethodNotAllowed,
    /// The memory has changed since it was read.
    ChangedMeanwhile,
    TooLarge,
    WrongContentType,
    /// The request's body did not arrive in time.
    TooSlow,
    /// Another process is writing, or too many calls are running; a retry may work.
    Busy,
    /// The call took longer than allowed.
    TimedOut,
    Failed,
}
