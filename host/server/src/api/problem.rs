//! How a call that does nothing says why.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The body of every answer that is not a success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProblemBody {
    pub error: Problem,
    pub request_id: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    pub code: ProblemCode,
    pub message: String,
    /// What led to it, the nearest first.
    pub causes: Vec<String>,
    /// What to do about it.
    pub hints: Vec<String>,
}

/// For programs to branch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemCode {
    /// The request is not HTTP as it should be, or its body is not JSON.
    Malformed,
    /// A field or parameter is unknown, missing, or of the wrong kind.
    Invalid,
    /// No token, or a wrong one.
    Unauthorised,
    /// The code was used, is too old, or never was one.
    WrongCode,
    /// The request came by a name that is not the server's.
    WrongHost,
    /// The request came from a page that is not the server's.
    WrongOrigin,
    ProjectNotRegistered,
    /// It makes sense and is not done.
    Refused,
    NotFound,
    MethodNotAllowed,
    /// What is to be changed is no longer what was read.
    ChangedMeanwhile,
    TooLarge,
    WrongContentType,
    /// The request's body did not arrive in time.
    TooSlow,
    /// Another process is writing, or too much is asked at once; later, it may work.
    Busy,
    /// It took longer than a call may.
    TimedOut,
    Failed,
}
