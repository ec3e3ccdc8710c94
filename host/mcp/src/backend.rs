//! What the server asks for, in plain types. A backend blocks; the server calls it on threads of its
//! own, several calls at a time. Texts are given as they are: the server quotes them.

use std::error::Error;

use acreta_model::{Detail, MemoryType, ScopeMode, Status, Trust};
use serde::Serialize;
use serde_json::{Map, Value};

/// Whoever has memory and codebases. Every call may come from a client that was led astray by what
/// it read: nothing here may do what a person could not undo.
pub trait Backend: Send + Sync + 'static {
    /// The best hits first. Writes nothing.
    fn search(&self, request: &SearchRequest) -> Result<Page<Hit>, Failure>;
    /// One memory, by its id or a prefix that only it has.
    fn get(&self, id: &str) -> Result<MemoryText, Failure>;
    /// Active memories, the newest first, for clients that list resources. Snippets may be empty.
    fn list(&self, page: PageRequest) -> Result<Page<Hit>, Failure>;
    /// Takes a note in. It is the client's word, not a person's.
    fn add(&self, memory: &NewMemory) -> Result<Added, Failure>;
    /// Puts a memory away or takes it back.
    fn archive(&self, id: &str, change: ArchiveChange) -> Result<Changed, Failure>;
    /// What a client found a memory to be. It confirms nothing: only a person does.
    fn feedback(&self, feedback: &Feedback) -> Result<Changed, Failure>;
    /// The report that `context explore --json` prints, within the budget.
    fn explore(&self, request: &ExploreRequest) -> Result<Map<String, Value>, Failure>;
    /// The report that `context delta --json` prints, within the budget.
    fn delta(&self, request: &DeltaRequest) -> Result<Map<String, Value>, Failure>;
    /// Answers a question from memory. The answer is empty, with the nearest memories, if no memory answers it.
    fn ask(&self, question: &str) -> Result<Answer, Failure>;
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    /// How many to leave out at the start.
    pub offset: usize,
    /// The most to give.
    pub limit: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// Whether something comes after them.
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchRequest {
    pub query: String,
    pub memory_type: Option<MemoryType>,
    pub kind: Option<String>,
    pub tag: Option<String>,
    pub agent: Option<String>,
    /// A date, a time, or so long ago, as the client wrote it: `2026-01-31`, `7d`.
    pub since: Option<String>,
    /// None for what the configuration says.
    pub scope: Option<ScopeMode>,
    /// Nothing untrusted: for what is told unasked.
    pub is_grounded: bool,
    pub page: PageRequest,
}

/// Where a memory comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Provenance {
    /// `<agent>/<session id>`, `person`, or `import/<file>`.
    pub source: String,
    /// The day it was learnt, `2026-01-31`.
    pub date: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    pub id: String,
    pub memory_type: MemoryType,
    /// Empty when the type has no kinds.
    pub kind: String,
    pub title: String,
    /// From the passage that fits best.
    pub snippet: String,
    /// `project`, `global`, or the path of another project.
    pub scope: String,
    pub trust: Trust,
    pub status: Status,
    pub provenance: Provenance,
}

/// A whole memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryText {
    pub id: String,
    pub memory_type: MemoryType,
    /// Empty when the type has no kinds.
    pub kind: String,
    pub title: String,
    pub body: String,
    pub tags: Vec<String>,
    /// Ids.
    pub related: Vec<String>,
    /// Relative to the memory root.
    pub path: String,
    pub scope: String,
    pub trust: Trust,
    pub status: Status,
    pub provenance: Provenance,
    /// Who brought it by git, and with which commit, when that was somebody else.
    pub origin: Option<String>,
    /// Who said it, word for word.
    pub evidence: Vec<Evidence>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    pub provenance: Provenance,
    /// `user`, `assistant` or `tool`.
    pub role: String,
    pub quote: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMemory {
    pub title: String,
    pub body: String,
    /// None when the client leaves it open.
    pub memory_type: Option<MemoryType>,
    pub kind: Option<String>,
    pub tags: Vec<String>,
    /// What the client calls itself. Anyone can call themselves anything.
    pub client: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Added {
    /// `add`, `update`, `no-op`, or `pending`: it waits for a person.
    pub action: String,
    /// The memory that holds the note now, or the pending record.
    pub id: Option<String>,
    pub path: Option<String>,
    /// The host's own words, on one line.
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
    /// What the client calls itself.
    pub client: Option<String>,
}

/// What became of a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    pub id: String,
    pub path: String,
    pub changed: bool,
    /// The host's own words, on one line.
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExploreRequest {
    /// A folder; None for the project the server was started in. The backend says which are allowed.
    pub project: Option<String>,
    pub query: Option<String>,
    /// The most tokens the report may have.
    pub budget: usize,
    pub detail: Detail,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeltaRequest {
    pub project: Option<String>,
    /// A git revision; None for the last exploration.
    pub since: Option<String>,
    /// The most tokens the report may have.
    pub budget: usize,
    pub detail: Detail,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Empty when memory does not answer.
    pub text: String,
    pub sources: Vec<AnswerSource>,
    /// The memories nearest to a question that is not answered.
    pub nearest: Vec<AnswerSource>,
    /// `passages` or `model`.
    pub by: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerSource {
    /// As the answer names it.
    pub number: usize,
    pub id: String,
    pub title: String,
    pub path: String,
    pub scope: String,
    pub trust: Trust,
    pub provenance: Provenance,
}

/// Why a call did nothing.
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
    /// What was asked makes no sense; asked differently, it may.
    Invalid,
    /// It makes sense and is not done: a gate, a grant, a folder that is not registered.
    Refused,
    /// Another process is writing; later, it may work.
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
