//! The interface of the server to memory, in plain types. A backend blocks; the server calls it on its own threads,
//! several calls at a time. A backend returns texts unchanged: the server quotes them.

use std::error::Error;

use acreta_types::{Detail, MemoryType, ScopeMode, Status, Trust};
use serde::Serialize;
use serde_json::{Map, Value};

/// Provides memory and codebases. Every call may come from a client that was misled by what it read: no call may do
/// anything that a person could not undo.
pub trait Backend: Send + Sync + 'static {
    /// Searches memory, the best hits first. Writes nothing.
    fn search(&self, request: &SearchRequest) -> Result<Page<Hit>, Failure>;
    /// Returns one memory, by its id or a unique prefix.
    fn get(&self, id: &str) -> Result<MemoryText, Failure>;
    /// Lists active memories, newest first, for clients that list resources. Snippets may be empty.
    fn list(&self, page: PageRequest) -> Result<Page<Hit>, Failure>;
    /// Adds a note. It counts as the client's statement, not a person's.
    fn add(&self, memory: &NewMemory) -> Result<Added, Failure>;
    /// Makes a note of what the person said. Their words, not the note, prove it later.
    fn note(&self, note: &NewNote) -> Result<Noted, Failure>;
    /// Archives or restores a memory.
    fn archive(&self, id: &str, change: ArchiveChange) -> Result<Changed, Failure>;
    /// Records a client's verdict on a memory. It confirms nothing: only a person can.
    fn feedback(&self, feedback: &Feedback) -> Result<Changed, Failure>;
    /// Returns the report that `context explore --json` prints, within the budget.
    fn explore(&self, request: &ExploreRequest) -> Result<Map<String, Value>, Failure>;
    /// Returns the report that `context delta --json` prints, within the budget.
    fn delta(&self, request: &DeltaRequest) -> Result<Map<String, Value>, Failure>;
    /// Answers a question from memory. The answer is empty, with the nearest memories, if no memory surely answers it.
    fn ask(&self, question: &str) -> Result<Answer, Failure>;
    /// Searches the conversations of earlier sessions, the best first. Whatever was said or printed there may come back.
    fn find_in_sessions(&self, query: &str, limit: usize) -> Result<Vec<SessionHit>, Failure>;
    /// Returns a part of one conversation.
    fn read_session(&self, request: &SessionRequest) -> Result<SessionPart, Failure>;
    /// Asks that the client's own session be forgotten, and returns what is said about it. The call itself, which stands in
    /// the session, is what has it forgotten when it is read.
    fn forget_session(&self) -> Result<String, Failure>;
}

/// A passage of a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionHit {
    /// `AGENT/ID`.
    pub session: String,
    pub title: String,
    #[serde(flatten)]
    pub event: SessionEvent,
}

/// One event of a session: what somebody said, or a tool printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionEvent {
    #[serde(rename = "event")]
    pub id: String,
    /// `user`, `assistant`, `tool` or `system`.
    pub role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    pub date: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionRequest {
    /// `AGENT/ID`, an id, or a unique prefix of one.
    pub id: String,
    /// An event in the middle of the part; `offset` is then ignored.
    pub around: Option<String>,
    /// Number of events to skip.
    pub offset: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionPart {
    pub session: String,
    pub title: String,
    pub events: Vec<SessionEvent>,
    /// Number of events before the first one.
    pub offset: usize,
    pub total: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    /// Number of results to skip.
    pub offset: usize,
    /// Maximum number of results.
    pub limit: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// More results follow.
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRequest {
    pub query: String,
    pub memory_type: Option<MemoryType>,
    pub kind: Option<String>,
    pub tag: Option<String>,
    pub agent: Option<String>,
    /// A date, a time or an age, as the client wrote it: `2026-01-31`, `7d`.
    pub since: Option<String>,
    /// `None` means the configured scope.
    pub scope: Option<ScopeMode>,
    /// Leaves out untrusted memories; set for results that an agent did not ask for.
    pub is_grounded: bool,
    pub page: PageRequest,
}

/// The source of a memory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Provenance {
    /// `<agent>/<session id>`, `person`, or `import/<file>`.
    pub source: String,
    /// The day it was learnt, `2026-01-31`.
    pub date: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Hit {
    pub id: String,
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    /// Empty if the type has no kinds.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub kind: String,
    pub title: String,
    /// From the passage that matches best.
    pub snippet: String,
    pub trust: Trust,
    pub status: Status,
    /// `project`, `global`, or the path of another project.
    pub scope: String,
    #[serde(flatten)]
    pub provenance: Provenance,
}

/// A whole memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MemoryText {
    pub id: String,
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    /// Empty if the type has no kinds.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub kind: String,
    pub title: String,
    pub body: String,
    pub tags: Vec<String>,
    /// Ids of related memories.
    pub related: Vec<String>,
    /// Relative to the memory root.
    pub path: String,
    pub scope: String,
    pub trust: Trust,
    pub status: Status,
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Who brought it by git, and with which commit, if that was somebody else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
    /// Quotes, word for word, with who said them.
    pub evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    #[serde(flatten)]
    pub provenance: Provenance,
    /// `user`, `assistant` or `tool`.
    pub role: String,
    pub quote: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMemory {
    pub title: String,
    pub body: String,
    /// `None` if the client leaves it open.
    pub memory_type: Option<MemoryType>,
    pub kind: Option<String>,
    pub tags: Vec<String>,
    /// The client's name for itself. It is not verified.
    pub client: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    /// `add`, `update`, `no-op`, or `pending`: it waits for a person.
    pub action: String,
    /// The memory that now holds the note, or the pending record.
    pub id: Option<String>,
    pub path: Option<String>,
    /// The host's own text, on one line.
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewNote {
    pub title: String,
    /// `decision`, or the kind of a learning.
    pub kind: String,
    pub quotes: Vec<String>,
    pub about: Option<String>,
    pub files: Vec<String>,
    pub replaces: Option<String>,
    /// The client's name for itself.
    pub client: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    /// `noted`, `known` or `not_their_words`.
    pub status: String,
    /// The pending record, or the memory that says it already.
    pub id: Option<String>,
    /// Ids and titles of memories that it may replace.
    pub similar: Vec<(String, String)>,
    /// The host's own text, on one line.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArchiveChange {
    Archive,
    Restore,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Right,
    Wrong,
    Useful,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feedback {
    pub id: String,
    pub verdict: Verdict,
    /// The client's name for itself.
    pub client: Option<String>,
}

/// Result of a change to a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    pub id: String,
    pub path: String,
    pub changed: bool,
    /// The host's own text, on one line.
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExploreRequest {
    /// A folder; `None` for the project the server was started in. The backend decides which folders are allowed.
    pub project: Option<String>,
    pub query: Option<String>,
    /// Maximum number of tokens of the report.
    pub budget: usize,
    pub detail: Detail,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeltaRequest {
    pub project: Option<String>,
    /// A git revision; `None` for the last exploration.
    pub since: Option<String>,
    /// Maximum number of tokens of the report.
    pub budget: usize,
    pub detail: Detail,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Empty if memory does not answer the question.
    pub text: String,
    pub sources: Vec<AnswerSource>,
    /// The nearest memories, if the question is not answered.
    pub nearest: Vec<AnswerSource>,
    /// What was said about it in earlier sessions, if the question is not answered.
    pub sessions: Vec<SessionHit>,
    /// `passages` or `model`.
    pub by: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnswerSource {
    /// Number by which the answer refers to it.
    pub number: usize,
    pub id: String,
    pub title: String,
    pub path: String,
    pub scope: String,
    pub trust: Trust,
    #[serde(flatten)]
    pub provenance: Provenance,
    /// Sentences of it that perhaps answer; empty if none is near, or if a model answered.
    pub passage: String,
    /// How sure it is that they answer, in percent; 0 if a model answered.
    pub sure: u8,
}

/// Reason why a call failed.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    pub kind: FailureKind,
    pub message: String,
    pub hints: Vec<String>,
    #[source]
    pub cause: Option<Box<dyn Error + Send + Sync>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// No memory has this id.
    NotFound,
    /// The request is invalid; a corrected one may work.
    Invalid,
    /// The request is valid but refused: by a gate, a missing grant, or because the folder is not registered.
    Refused,
    /// Another process is writing; a retry may work.
    Busy,
    Failed,
}

impl Failure {
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            hints: Vec::new(),
            cause: None,
        }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    pub fn caused_by(mut self, cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        self.cause = Some(cause.into());
        self
    }
}
