//! Types and calls of acreta's HTTP API. Generated from docs/openapi.json.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ureq::http::Method;

use crate::path::part;
use crate::{Client, Error, Events, given};

/// All that is said without a token.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Health {
    /// `ok`.
    pub status: String,
    pub version: String,
}

/// The body of every answer that is not a success.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProblemBody {
    pub error: Problem,
    pub request_id: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    pub code: ProblemCode,
    pub message: String,
    /// What led to it, the nearest first.
    pub causes: Vec<String>,
    /// What to do about it.
    pub hints: Vec<String>,
}

/// For programs to branch on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ProblemCode {
    #[serde(rename = "project-not-registered")]
    ProjectNotRegistered,
    #[serde(rename = "not-found")]
    NotFound,
    #[serde(rename = "method-not-allowed")]
    MethodNotAllowed,
    #[serde(rename = "too-large")]
    TooLarge,
    #[serde(rename = "wrong-content-type")]
    WrongContentType,
    #[serde(rename = "failed")]
    Failed,
    #[serde(rename = "malformed")]
    Malformed,
    #[serde(rename = "invalid")]
    Invalid,
    #[serde(rename = "unauthorised")]
    Unauthorised,
    #[serde(rename = "wrong-code")]
    WrongCode,
    #[serde(rename = "wrong-host")]
    WrongHost,
    #[serde(rename = "wrong-origin")]
    WrongOrigin,
    #[serde(rename = "refused")]
    Refused,
    #[serde(rename = "changed-meanwhile")]
    ChangedMeanwhile,
    #[serde(rename = "too-slow")]
    TooSlow,
    #[serde(rename = "busy")]
    Busy,
    #[serde(rename = "timed-out")]
    TimedOut,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StatusView {
    pub version: String,
    pub started_ms: i64,
    /// Registered ones.
    pub projects: i64,
    pub sessions: Vec<SessionTotals>,
    pub queue: QueueTotals,
    pub memories: MemoryTotals,
    /// What waits for a person in the project that was asked for.
    pub review: ReviewCounts,
    pub schedule: ScheduleView,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionTotals {
    pub agent: String,
    pub state: SessionState,
    pub sessions: i64,
}

/// Where a session stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SessionState {
    #[serde(rename = "queued")]
    Queued,
    #[serde(rename = "done")]
    Done,
    #[serde(rename = "waiting")]
    Waiting,
    #[serde(rename = "new")]
    New,
    #[serde(rename = "failed")]
    Failed,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueueTotals {
    pub queued: i64,
    pub running: i64,
    /// Failed and tried again later.
    pub failed: i64,
    /// Failed for good, until a person says so.
    pub dead: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_queued_ms: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryTotals {
    pub active: i64,
    pub archived: i64,
    pub untrusted: i64,
    pub stale: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewCounts {
    pub total: i64,
    /// Pairs of memories that contradict each other.
    pub conflicts: i64,
    pub proposals: i64,
    pub pending: i64,
    pub untrusted: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScheduleView {
    pub sync: ScheduleLine,
    pub maintain: ScheduleLine,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScheduleLine {
    pub running: bool,
    /// Absent when it is switched off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every_seconds: Option<i64>,
    /// When one last ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_ms: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Overview {
    pub memories: MemoryCounts,
    /// The oldest day first.
    pub growth: Vec<GrowthDay>,
    /// How many memories have which effective confidence, from the lowest to the highest.
    pub decay: Vec<DecayBar>,
    pub sessions: Vec<SessionDay>,
    pub runs: RunCounts,
    pub cost: Cost,
    /// Sessions that were read without the configured model and wait for it, a line for each reason.
    pub waiting_for_model: Vec<WaitingForModel>,
    pub denied: Vec<DeniedRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryCounts {
    pub by_type: Vec<TypeCount>,
    pub by_trust: Vec<TrustCount>,
    pub active: i64,
    pub archived: i64,
    pub stale: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TypeCount {
    pub r#type: MemoryType,
    pub memories: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum MemoryType {
    #[serde(rename = "decision")]
    Decision,
    #[serde(rename = "learning")]
    Learning,
    #[serde(rename = "summary")]
    Summary,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrustCount {
    pub trust: Trust,
    pub memories: i64,
}

/// Trust level of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Trust {
    #[serde(rename = "untrusted")]
    Untrusted,
    #[serde(rename = "grounded")]
    Grounded,
    #[serde(rename = "reviewed")]
    Reviewed,
    #[serde(rename = "confirmed")]
    Confirmed,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GrowthDay {
    pub day: String,
    pub added: i64,
    pub archived: i64,
    /// At the end of the day.
    pub active: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecayBar {
    /// From this confidence on.
    pub from: f64,
    /// And below this one; the last bar has its end too.
    pub to: f64,
    pub memories: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionDay {
    pub day: String,
    pub agent: String,
    pub sessions: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunCounts {
    pub completed: i64,
    pub failed: i64,
    /// The newest first.
    pub recent: Vec<RunRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    pub run_id: String,
    /// `sync`, `hot`, `cold`, `maintain`, `run`.
    pub mode: String,
    pub project: String,
    pub state: TaskState,
    pub started_ms: i64,
    /// What it did to memory: `add`, `update`, `no_op`, `archived`, or what a maintenance counts.
    pub counts: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// State of a job or a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum TaskState {
    #[serde(rename = "accepted")]
    Accepted,
    #[serde(rename = "queued")]
    Queued,
    #[serde(rename = "running")]
    Running,
    #[serde(rename = "completed")]
    Completed,
    #[serde(rename = "failed")]
    Failed,
    #[serde(rename = "cancelled")]
    Cancelled,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    pub days: Vec<CostDay>,
    pub total: CostTotal,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CostDay {
    pub day: String,
    pub calls: i64,
    pub input_tokens: i64,
    pub output_tokens: i64,
    /// Absent when nobody knows the prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CostTotal {
    pub calls: i64,
    pub input_tokens: i64,
    pub output_tokens: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars: Option<f64>,
}

/// Sessions that wait for a model for the same reason.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WaitingForModel {
    pub sessions: i64,
    /// Why, and when it is tried again.
    pub message: String,
}

/// Something that a plugin tried and was not allowed to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeniedRow {
    pub plugin: String,
    pub operation: String,
    pub path: String,
    pub count: i64,
    pub run_id: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Home {
    pub learnt: Learnt,
    /// Jobs that failed for good.
    pub dead_letters: i64,
    /// Why sessions wait for a model, a sentence for each reason.
    pub waiting_for_model: Vec<String>,
    pub leaving: Leaving,
    pub memories: HomeCounts,
    /// Absent where no model is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spend: Option<SpendToday>,
}

/// What runs added or changed since a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Learnt {
    pub since_ms: i64,
    /// New or changed memories, summaries aside.
    pub total: i64,
    /// Summaries of sessions.
    pub summaries: i64,
    /// Sessions that were read.
    pub sessions: i64,
    /// Decisions, conventions and pitfalls first.
    pub memories: Vec<LearntMemory>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LearntMemory {
    pub id: String,
    pub r#type: MemoryType,
    /// Empty when the type has no kinds.
    pub kind: String,
    pub title: String,
    pub trust: Trust,
    /// It was there before, and says something else now.
    pub changed: bool,
    pub at_ms: i64,
}

/// Sessions that their agents delete within a week.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Leaving {
    pub total: i64,
    /// Without a copy here: the next sync makes one.
    pub not_archived: i64,
    /// The next to go first.
    pub sessions: Vec<LeavingSession>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeavingSession {
    pub agent: String,
    pub id: String,
    /// From when on its agent deletes it.
    pub at_ms: i64,
    pub archived: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// One day of UTC, of all projects together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpendToday {
    pub calls: i64,
    pub tokens: i64,
    pub dollars: f64,
    /// By price lists, as far as programs say so; a plan is not billed.
    pub list_dollars: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls_limit: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens_limit: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dollars_limit: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HomeCounts {
    /// Active ones, with summaries.
    pub active: i64,
    pub decisions: i64,
    pub learnings: i64,
    pub summaries: i64,
    pub confirmed: i64,
    /// They name what is gone.
    pub stale: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum TimelineKind {
    #[serde(rename = "session")]
    Session,
    #[serde(rename = "decision")]
    Decision,
    #[serde(rename = "learning")]
    Learning,
    #[serde(rename = "change_of_mind")]
    ChangeOfMind,
    #[serde(rename = "rejected")]
    Rejected,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Timeline {
    /// The newest first.
    pub entries: Vec<TimelineEntry>,
    /// How many there are of the wanted kind.
    pub total: i64,
    pub counts: TimelineCounts,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimelineEntry {
    pub at_ms: i64,
    pub kind: TimelineKind,
    pub title: String,
    /// Of a change of mind: what held before.
    pub before: Vec<FormerMemory>,
    /// Of a session: memories that rest on it.
    pub memories: i64,
    /// Of the memory that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_id: Option<String>,
    /// The kind of a learning, or the type of a memory that has no kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_kind: Option<String>,
    /// The agent whose session it is or comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FormerMemory {
    pub title: String,
    /// Absent for a text that is no memory any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// How many entries there are of each kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimelineCounts {
    pub sessions: i64,
    pub decisions: i64,
    pub learnings: i64,
    pub changes_of_mind: i64,
    pub rejected: i64,
}

/// One event of `/api/events`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LiveEvent {
    /// Goes back as `Last-Event-ID`.
    pub id: String,
    pub at_ms: i64,
    /// `job` for the jobs of this server, else what the service calls it.
    pub kind: String,
    /// The new state of a job, else the name of the event.
    pub name: String,
    /// Of a job: `job_id`, `job_kind`, and its `progress` or `error` if there is one.
    pub fields: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
}

/// The body of a call that needs to be told nothing: `{}`.
pub type NoBody = Map<String, Value>;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoginUrl {
    /// The code is behind the `#`, where it reaches no log. It works once, for a minute.
    pub url: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoginRequest {
    pub code: String,
}

/// What `acreta sync` takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SyncRequest {
    /// Only the sessions of this agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Only sessions that changed since then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// At most so many sessions are run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_sessions: Option<i64>,
    /// Also sessions that memory has already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<bool>,
    /// Look, and write nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Accepted {
    pub job_id: String,
    /// `accepted`, or `queued` where the same job was waiting already.
    pub state: TaskState,
    /// Of the request that asked first, where the same job was waiting already.
    pub request_id: String,
}

/// What `acreta maintain` takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MaintainRequest {
    /// All registered projects unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// Look, and write nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobList {
    /// The newest first.
    pub jobs: Vec<JobView>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobView {
    pub id: String,
    pub kind: JobKind,
    pub state: TaskState,
    pub created_ms: i64,
    /// Of the request that asked for it; one of its own when the schedule did.
    pub request_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<JobProgress>,
    /// What `sync --json` or `maintain --json` prints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Problem>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum JobKind {
    #[serde(rename = "sync")]
    Sync,
    #[serde(rename = "maintain")]
    Maintain,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

/// How far a job is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobProgress {
    pub done: i64,
    /// What is being done, for a person.
    pub message: String,
    /// Absent while nobody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Status {
    #[serde(rename = "active")]
    Active,
    #[serde(rename = "archived")]
    Archived,
    #[serde(rename = "superseded")]
    Superseded,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

/// Whose memory is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ListScope {
    #[serde(rename = "project")]
    Project,
    #[serde(rename = "global")]
    Global,
    #[serde(rename = "all")]
    All,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum MemorySort {
    #[serde(rename = "updated")]
    Updated,
    #[serde(rename = "created")]
    Created,
    #[serde(rename = "title")]
    Title,
    #[serde(rename = "confidence")]
    Confidence,
    #[serde(rename = "rank")]
    Rank,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryPage {
    pub items: Vec<MemoryRow>,
    /// How many fit the filters.
    pub total: i64,
    pub offset: i64,
    pub limit: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facets: Option<MemoryFacets>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryRow {
    pub id: String,
    /// `project` or `global`.
    pub scope: String,
    pub r#type: MemoryType,
    /// Empty when the type has no kinds.
    pub kind: String,
    pub title: String,
    pub tags: Vec<String>,
    pub trust: Trust,
    pub status: Status,
    pub stale: bool,
    /// From 0 to 1, as it was when it was last said.
    pub confidence: f64,
    /// From 0 to 1, faded by time and lifted by use.
    pub effective_confidence: f64,
    /// Days, `2026-01-31`.
    pub created: String,
    pub updated: String,
    /// `<agent>/<session id>`, `person`, or `import/<file>`.
    pub source: String,
    /// Relative to the memory root.
    pub path: String,
    /// How many proposals wait for a person.
    pub open_proposals: i64,
}

/// How many memories would fit if one more filter were set, the others as they are.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryFacets {
    pub types: Vec<FacetCount>,
    pub kinds: Vec<FacetCount>,
    pub trusts: Vec<FacetCount>,
    pub statuses: Vec<FacetCount>,
    /// The most frequent ones.
    pub tags: Vec<FacetCount>,
    pub stale: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FacetCount {
    pub value: String,
    pub memories: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryDetail {
    pub id: String,
    /// `project` or `global`.
    pub scope: String,
    pub r#type: MemoryType,
    /// Empty when the type has no kinds.
    pub kind: String,
    pub title: String,
    pub tags: Vec<String>,
    pub trust: Trust,
    pub status: Status,
    pub stale: bool,
    /// From 0 to 1, as it was when it was last said.
    pub confidence: f64,
    /// From 0 to 1, faded by time and lifted by use.
    pub effective_confidence: f64,
    /// Days, `2026-01-31`.
    pub created: String,
    pub updated: String,
    /// `<agent>/<session id>`, `person`, or `import/<file>`.
    pub source: String,
    /// Relative to the memory root.
    pub path: String,
    /// How many proposals wait for a person.
    pub open_proposals: i64,
    /// Markdown.
    pub body: String,
    /// Of the file; an edit names it.
    pub digest: String,
    pub related: Vec<Link>,
    /// Earlier memories, and the titles of earlier texts of this one without an id.
    pub supersedes: Vec<Link>,
    pub evidence: Vec<EvidenceQuote>,
    pub proposals: Vec<MemoryProposal>,
    /// Files and symbols it names that are gone.
    pub missing: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<Link>,
    /// The day it was last compared with the repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_verified: Option<String>,
    /// Who brought it by git, and with which commit, when that was somebody else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Link {
    pub title: String,
    /// Absent when it is not, or no longer, a memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// What was said, word for word, and where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EvidenceQuote {
    pub agent: String,
    pub session_id: String,
    pub run_id: String,
    /// `user`, `assistant` or `tool`.
    pub role: String,
    pub quote: String,
    pub event_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<i64>,
}

/// A change that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryProposal {
    pub run_id: String,
    pub operation: ProposedOperation,
    pub title: String,
    pub body: String,
    pub kind: String,
    pub tags: Vec<String>,
    pub confidence: f64,
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ProposedOperation {
    #[serde(rename = "update")]
    Update,
    #[serde(rename = "archive")]
    Archive,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryProvenance {
    /// The newest first.
    pub evidence: Vec<ReviewEvidence>,
    /// Quotes in all; `evidence` has the newest of them.
    pub quotes: i64,
    /// The texts it had, the newest first.
    pub versions: Vec<MemoryVersion>,
    pub used: MemoryUse,
}

/// What was said, word for word, and around it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewEvidence {
    pub agent: String,
    /// Empty for what no session said.
    pub session_id: String,
    pub event_id: String,
    /// `user`, `assistant` or `tool`.
    pub role: String,
    pub quote: String,
    /// The conversation around the quote, in its order; empty where it is not at hand.
    pub turns: Vec<Turn>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<i64>,
}

/// One turn of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    pub event_id: String,
    pub role: String,
    pub text: String,
    /// The quote stands in it.
    pub quoted: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<i64>,
}

/// A text that the memory had, as a session or a person gave it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryVersion {
    pub at_ms: i64,
    /// `person`, `import` or the agent whose session said it.
    pub agent: String,
    /// Empty for what no session said.
    pub session_id: String,
    pub title: String,
    /// Against the text before: lines with `+`, `-` or a blank. The first text has none.
    pub diff: String,
}

/// How often agents got a memory, within the last half year, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryUse {
    /// Briefs at the start of a session, among those that are kept.
    pub briefs: i64,
    /// Sessions that were offered it at any moment.
    pub offered: i64,
    pub used: i64,
    pub dismissed: i64,
}

/// A new memory, by a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryNote {
    pub title: String,
    pub body: String,
    /// Told from the text unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<MemoryType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// `project` unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<WriteScope>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// The scope of a new memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum WriteScope {
    #[serde(rename = "project")]
    Project,
    #[serde(rename = "global")]
    Global,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

/// What became of a note.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryAdded {
    /// `add`, `update`, `no_op`, or `pending`: it waits for a person.
    pub action: String,
    pub message: String,
    /// The memory that holds it now, or the pending record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Relative to the memory root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// What is to be different. At least one of title, body, tags and kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryEdit {
    /// The digest of what was read.
    pub expected_digest: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryChanged {
    pub id: String,
    pub path: String,
    pub changed: bool,
    pub message: String,
}

/// Which project is meant; the server's own unless told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InProject {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Everything that waits, what needs a decision most first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewQueue {
    pub waiting: ReviewCounts,
    pub items: Vec<ReviewItem>,
    /// The decisions that undo would take back.
    pub last: Vec<PastDecision>,
}

/// One thing that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewItem {
    pub id: String,
    pub kind: ReviewKind,
    /// `project` or `global`.
    pub scope: String,
    pub title: String,
    /// The memories it is about; of a conflict the newer first.
    pub memories: Vec<ReviewMemory>,
    /// Why it waits.
    pub why: String,
    pub actions: Vec<OfferedAction>,
    /// Time of its newest evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<i64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ReviewKind {
    #[serde(rename = "conflict")]
    Conflict,
    #[serde(rename = "proposal")]
    Proposal,
    #[serde(rename = "pending")]
    Pending,
    #[serde(rename = "untrusted")]
    Untrusted,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

/// A text of an item: a memory, or what would be one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewMemory {
    /// The kind of a learning, or the type of what has no kind.
    pub kind: String,
    pub title: String,
    /// Markdown, without the heading that repeats the title.
    pub body: String,
    pub tags: Vec<String>,
    pub trust: String,
    /// Absent for what is no memory yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// An action that an item allows, and its meaning there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OfferedAction {
    pub action: ReviewAction,
    /// For people: `keep both`.
    pub label: String,
    /// It takes the id of the memory that stands afterwards.
    pub needs_keep: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ReviewAction {
    #[serde(rename = "accept")]
    Accept,
    #[serde(rename = "edit")]
    Edit,
    #[serde(rename = "reject")]
    Reject,
    #[serde(rename = "merge")]
    Merge,
    #[serde(rename = "supersede")]
    Supersede,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

/// A decision that can be taken back, or was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PastDecision {
    pub id: String,
    pub action: String,
    pub title: String,
    pub at_ms: i64,
}

/// One item with everything a decision takes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewDetail {
    pub item: ReviewItem,
    pub evidence: Vec<ReviewEvidence>,
    /// Of each action that takes nothing more from the reviewer.
    pub effects: Vec<ActionEffect>,
    /// Memories worded alike, with which it could be merged.
    pub alike: Vec<AlikeMemory>,
}

/// The effect of a decision on memory, worked out before it is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActionEffect {
    pub action: ReviewAction,
    /// Sentences for people.
    pub summary: Vec<String>,
    pub files: Vec<FileDiff>,
    /// Why it cannot be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileDiff {
    /// Relative to the memory root, afterwards.
    pub path: String,
    /// Lines of the text that people read, each after `+`, `-` or a space; empty if it stays as it is.
    pub diff: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AlikeMemory {
    pub id: String,
    pub title: String,
}

/// Decisions, made one after the other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewRequest {
    pub decisions: Vec<ReviewChoice>,
    /// Only say what each would do by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// A decision on one item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewChoice {
    /// The item's id.
    pub id: String,
    pub action: ReviewAction,
    /// The memory that stands afterwards; of a conflict the newer one unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<String>,
    /// The reviewer's own words, for an edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// What became of decisions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewReport {
    pub decisions: Vec<DecisionReport>,
    pub waiting: ReviewCounts,
    /// Nothing was changed: this is what would be done.
    pub dry_run: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecisionReport {
    pub id: String,
    pub title: String,
    pub message: String,
    pub effect: ActionEffect,
}

/// What undo took back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewUndone {
    /// The last decision first.
    pub undone: Vec<PastDecision>,
    pub waiting: ReviewCounts,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SearchScope {
    #[serde(rename = "project_fallback_global")]
    ProjectFallbackGlobal,
    #[serde(rename = "project_only")]
    ProjectOnly,
    #[serde(rename = "global_only")]
    GlobalOnly,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchPage {
    pub query: String,
    /// The best first.
    pub hits: Vec<SearchHit>,
    /// Whether something comes after them.
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchHit {
    pub id: String,
    pub scope: String,
    pub r#type: MemoryType,
    pub kind: String,
    pub title: String,
    pub path: String,
    pub trust: Trust,
    pub status: Status,
    pub score: f64,
    pub snippet: String,
    /// Bytes of the snippet that fit the query, from and to.
    pub marks: Vec<(i64, i64)>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskRequest {
    pub question: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskAnswer {
    pub question: String,
    /// False when nothing in memory answers the question.
    pub answered: bool,
    /// One or two sentences of memory, or a model's with a source each; empty when it is not answered.
    pub answer: String,
    pub sources: Vec<AskSource>,
    /// The memories nearest to a question that is not answered.
    pub nearest: Vec<AskSource>,
    /// `passages` or `model`.
    pub by: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskSource {
    /// As the answer names it.
    pub number: i64,
    pub id: String,
    pub scope: String,
    pub title: String,
    pub path: String,
    pub trust: Trust,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Connection {
    pub agent: String,
    /// The plugin that reads its sessions.
    pub adapter: String,
    pub granted: bool,
    pub roots: Vec<String>,
    pub sessions: i64,
    /// Absent when the agent keeps its sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletes_after_days: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewConnection {
    pub agent: String,
    /// A folder of sessions; where the agent usually has them unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Removed {
    pub agent: String,
    pub changed: bool,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProjectRow {
    pub path: String,
    pub registered: bool,
    pub exists: bool,
    pub sessions: i64,
    pub memories: i64,
    /// Whether its own settings count.
    pub trusted: bool,
    /// The one that a request means which names none.
    pub current: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewProject {
    pub path: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProjectAdded {
    /// As it is registered: the main checkout.
    pub path: String,
    pub changed: bool,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProjectChanged {
    pub path: String,
    pub changed: bool,
    pub message: String,
}

/// Whether the settings that lie in a project count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProjectTrust {
    pub path: String,
    pub trusted: bool,
}

/// Folders whose sessions are not read, whatever agent worked there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExcludedFolders {
    pub folders: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExcludedFolder {
    pub folder: String,
}

/// What a change of the excluded folders came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exclusions {
    /// The folder that was named, as it is kept.
    pub folder: String,
    /// All that are excluded now.
    pub excluded: Vec<String>,
    /// Sessions of the folder that were archived before. They stay.
    pub archived: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PluginRow {
    pub id: String,
    /// `adapter`, `extractor`, `explorer` or `memory-writer`.
    pub role: String,
    /// `built-in`, or the path of the component.
    pub origin: String,
    /// The interface it was made for, `acreta:adapter@0.1.0`.
    pub wit: String,
    /// SHA-256 of the component.
    pub digest: String,
    pub bytes: i64,
    pub grants: Vec<PluginGrant>,
    pub limits: Map<String, Value>,
    pub r#use: PluginUse,
}

/// A folder that it asks to read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PluginGrant {
    pub root: String,
    /// Where it may be on this machine.
    pub candidates: Vec<String>,
    pub reason: String,
    pub granted: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PluginUse {
    pub runs: i64,
    pub calls: i64,
    pub guest_ms: i64,
    pub peak_memory_bytes: i64,
    pub failures: i64,
    pub denied: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelView {
    /// Whoever could read sessions on this machine.
    pub found: Vec<ModelChoice>,
    pub spend: SpendToday,
    /// Providers that take no calls for now, a sentence for each.
    pub blocked: Vec<String>,
    /// `PROVIDER` or `PROVIDER/MODEL`; absent when nobody is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
}

/// Something that could read sessions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelChoice {
    /// As `choose_model` takes it.
    pub name: String,
    pub label: String,
    /// `plan`, `local` or `api-key`.
    pub access: String,
    /// `ready`, `logged-out` or `unknown`.
    pub readiness: String,
    /// Where sessions go.
    pub destination: String,
    /// The command that makes it ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChosenModel {
    /// `PROVIDER` or `PROVIDER/MODEL`; nobody is asked any more when it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// One session as the model read it; nothing of it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelTrial {
    pub reader: String,
    pub agent: String,
    pub session_id: String,
    pub events: i64,
    pub found: Vec<TrialFinding>,
    pub calls: i64,
    pub input_tokens: i64,
    pub output_tokens: i64,
    pub total_ms: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_dollars: Option<f64>,
    /// Why a request got no reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialFinding {
    pub r#type: MemoryType,
    pub kind: String,
    pub title: String,
    pub body: String,
    pub quotes: Vec<String>,
}

/// All settings with what a form needs to show them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SettingsForm {
    /// By key.
    pub settings: Vec<SettingRow>,
    /// Sentences about settings of files and variables that do not count.
    pub ignored: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SettingRow {
    pub key: String,
    pub help: String,
    /// `built-in`, a file, or a variable; empty where nothing is set.
    pub origin: String,
    /// The values that it takes; empty for any.
    pub choices: Vec<String>,
    /// Whether [`set_plain`] takes it.
    pub plain: bool,
    /// Absent where nothing is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewSetting {
    pub key: String,
    /// A number, a switch, or one of the setting's words.
    pub value: Value,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SettingWritten {
    /// The file that has it now.
    pub file: String,
    /// The value as TOML.
    pub value: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BriefList {
    /// The newest first, each with the reason for every line.
    pub briefs: Vec<GivenBrief>,
}

/// A brief as an agent got it, and why each line is in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GivenBrief {
    /// Milliseconds since 1970.
    pub at_ms: i64,
    /// Where it started, relative to the project; empty for its root.
    pub directory: String,
    /// Files that the branch changed.
    pub changed: i64,
    /// Open ends of the last session.
    pub open: Vec<String>,
    pub lines: Vec<BriefLine>,
    pub left_out: LeftOut,
    pub tokens: i64,
    /// The whole brief.
    pub text: String,
    /// The session, as its agent calls it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The default branch that changed files are counted from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
}

/// A memory in a brief.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BriefLine {
    pub id: String,
    pub text: String,
    /// Why it is told.
    pub reason: String,
}

/// How many memories are not told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    /// They clear the bar and did not fit.
    pub space: i64,
    /// Too weak or faded to clear the bar.
    pub weak: i64,
    /// Only a tool says so, stale, or something else took their place.
    pub doubtful: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunList {
    /// The newest first.
    pub runs: Vec<RunRow>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunDetail {
    pub run_id: String,
    /// `sync`, `hot`, `cold`, `maintain`, `run`.
    pub mode: String,
    pub project: String,
    pub state: TaskState,
    pub started_ms: i64,
    /// What it did to memory: `add`, `update`, `no_op`, `archived`, or what a maintenance counts.
    pub counts: Map<String, Value>,
    /// Where its artifacts are, on this machine.
    pub folder: String,
    /// How long its steps took, in their order; empty where nobody wrote that down.
    pub steps: Vec<StepTime>,
    /// Lines of `agent.log`.
    pub log: Vec<String>,
    /// Lines of `subagents.log`.
    pub findings: Vec<Value>,
    /// From `extract.json`.
    pub candidates: Vec<Value>,
    /// Names of the files in its folder.
    pub artifacts: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// `memory_actions.json` or `maintain_actions.json`, as it is; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepTime {
    pub step: String,
    pub started_ms: i64,
    /// Absent while it goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_ms: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueueList {
    /// In the order in which they are taken.
    pub jobs: Vec<QueueJob>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueueJob {
    pub id: String,
    pub agent: String,
    pub session_id: String,
    pub project: String,
    /// Why it was put down: `sync`, `hot`, `cold`.
    pub mode: String,
    pub state: TaskState,
    /// Nothing is done with it until a person says so.
    pub dead: bool,
    /// Attempts that were made, with the one that runs.
    pub attempt: i64,
    pub created_ms: i64,
    /// It is not tried before this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_ms: Option<i64>,
    /// Why the last attempt did not succeed, or why it was cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Its last run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueueChanged {
    pub id: String,
    pub changed: bool,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionPage {
    /// The newest first.
    pub items: Vec<SessionRow>,
    pub total: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionRow {
    pub agent: String,
    pub id: String,
    pub state: SessionState,
    /// Where its text is.
    pub copy: SessionCopy,
    pub bytes: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Absent when it is known to have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
}

/// Where the text of a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SessionCopy {
    #[serde(rename = "agent_only")]
    AgentOnly,
    #[serde(rename = "archived")]
    Archived,
    #[serde(rename = "rescued")]
    Rescued,
    #[serde(rename = "prompts_only")]
    PromptsOnly,
    #[serde(rename = "lost")]
    Lost,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionsFound {
    /// Of the newest sessions first.
    pub hits: Vec<SessionHit>,
    /// Sessions that were looked through.
    pub searched: i64,
    /// Sessions that were not, because enough was found before.
    pub left: i64,
    /// Sessions that could not be read.
    pub unreadable: i64,
}

/// A place where the text stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionHit {
    pub agent: String,
    pub session_id: String,
    pub event_id: String,
    pub role: String,
    /// The text with some words around it, on one line.
    pub snippet: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionDetail {
    pub agent: String,
    pub id: String,
    pub state: SessionState,
    /// Where its text is.
    pub copy: SessionCopy,
    pub bytes: i64,
    /// What it led to.
    pub memories: Vec<SessionMemory>,
    /// The newest first.
    pub runs: Vec<RunRow>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Absent when it is known to have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionMemory {
    pub id: String,
    pub title: String,
    pub r#type: MemoryType,
    /// Empty when the type has no kinds.
    pub kind: String,
    /// Ids of the events that it quotes.
    pub events: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventPage {
    pub events: Vec<SessionEvent>,
    pub total: i64,
    /// How many events come before the first of these.
    pub offset: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionEvent {
    pub id: String,
    /// `user`, `assistant`, `tool` or `system`.
    pub role: String,
    /// `text`, `thinking`, `tool-call`, `tool-result`, `injected`, `compaction` or `note`.
    pub kind: String,
    pub text: String,
    pub attrs: Map<String, Value>,
    /// Whether the text goes on after what is given.
    pub truncated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContextRequest {
    pub project_root: String,
    /// `compact` unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<ContextDetail>,
    /// Look at every file again first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<bool>,
    /// What the context is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The most tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<i64>,
    /// A git revision; the last exploration unless told. Only `delta` looks at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub enum ContextDetail {
    #[serde(rename = "compact")]
    Compact,
    #[serde(rename = "normal")]
    Normal,
    #[serde(rename = "verbose")]
    Verbose,
    /// A word of a later version.
    #[serde(other)]
    Unknown,
}

/// Fields of [`Client::status`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct StatusFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::overview`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct OverviewFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::home`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HomeFields {
    /// The daemon's own project unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// The time of the last visit, in milliseconds; a week ago unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<i64>,
}

/// Fields of [`Client::timeline`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TimelineFields {
    /// The daemon's own project unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// Everything unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<TimelineKind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

/// Fields of [`Client::events`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EventsFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::login`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LoginFields {
    pub code: String,
}

/// Fields of [`Client::sync`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SyncFields {
    /// Only the sessions of this agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Only sessions that changed since then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// At most so many sessions are run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_sessions: Option<i64>,
    /// Also sessions that memory has already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<bool>,
    /// Look, and write nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
}

/// Fields of [`Client::maintain`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MaintainFields {
    /// All registered projects unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// Look, and write nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
}

/// Fields of [`Client::list_memories`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ListMemoriesFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<MemoryType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// `active` unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<ListScope>,
    /// Must be in the title, in any case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// `updated` unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<MemorySort>,
    /// Whether to count how many memories each further filter would leave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facets: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

/// Fields of [`Client::add_memory`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AddMemoryFields {
    pub title: String,
    pub body: String,
    /// Told from the text unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<MemoryType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// `project` unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<WriteScope>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::get_memory`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GetMemoryFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::edit_memory`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EditMemoryFields {
    /// The digest of what was read.
    pub expected_digest: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::memory_provenance`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MemoryProvenanceFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::confirm_memory`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ConfirmMemoryFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::reject_memory`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RejectMemoryFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::archive_memory`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ArchiveMemoryFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::restore_memory`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RestoreMemoryFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::accept_proposal`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AcceptProposalFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::list_review`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ListReviewFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::decide_review`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecideReviewFields {
    pub decisions: Vec<ReviewChoice>,
    /// Only say what each would do by itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::get_review_item`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GetReviewItemFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::undo_review`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct UndoReviewFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::search`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchFields {
    pub q: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<MemoryType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// `active` unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// What the configuration says unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<SearchScope>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
}

/// Fields of [`Client::ask`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AskFields {
    pub question: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::connect`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ConnectFields {
    pub agent: String,
    /// A folder of sessions; where the agent usually has them unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
}

/// Fields of [`Client::add_project`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AddProjectFields {
    pub path: String,
}

/// Fields of [`Client::remove_project`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RemoveProjectFields {
    pub path: String,
}

/// Fields of [`Client::trust_project`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrustProjectFields {
    pub path: String,
    pub trusted: bool,
}

/// Fields of [`Client::exclude`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ExcludeFields {
    pub folder: String,
}

/// Fields of [`Client::include`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct IncludeFields {
    pub folder: String,
}

/// Fields of [`Client::choose_model`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ChooseModelFields {
    /// `PROVIDER` or `PROVIDER/MODEL`; nobody is asked any more when it is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Fields of [`Client::list_settings`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ListSettingsFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// Fields of [`Client::set_setting`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SetSettingFields {
    pub key: String,
    /// A number, a switch, or one of the setting's words.
    pub value: Value,
}

/// Fields of [`Client::list_briefs`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ListBriefsFields {
    /// The daemon's own project unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// Only of this session, as its agent calls it, or a prefix of that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

/// Fields of [`Client::list_runs`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ListRunsFields {
    /// All registered projects unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<TaskState>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// Only runs that started before this time, in milliseconds: the `started_ms` of the last row of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<i64>,
}

/// Fields of [`Client::list_queue`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ListQueueFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<TaskState>,
}

/// Fields of [`Client::list_sessions`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ListSessionsFields {
    /// All projects unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<SessionState>,
    /// Must be in the title or the id, in any case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

/// Fields of [`Client::search_sessions`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchSessionsFields {
    /// Looked for as it is, in any case.
    pub q: String,
    /// All projects unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

/// Fields of [`Client::session_events`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SessionEventsFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// The id of an event: the page has it in its middle, and `offset` is not looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around: Option<String>,
}

/// Fields of [`Client::explore`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ExploreFields {
    pub project_root: String,
    /// `compact` unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<ContextDetail>,
    /// Look at every file again first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<bool>,
    /// What the context is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The most tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<i64>,
    /// A git revision; the last exploration unless told. Only `delta` looks at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// Fields of [`Client::delta`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DeltaFields {
    pub project_root: String,
    /// `compact` unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<ContextDetail>,
    /// Look at every file again first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<bool>,
    /// What the context is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The most tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<i64>,
    /// A git revision; the last exploration unless told. Only `delta` looks at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// Fields of [`Client::context`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ContextFields {
    pub project_root: String,
    /// `compact` unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<ContextDetail>,
    /// Look at every file again first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<bool>,
    /// What the context is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The most tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<i64>,
    /// A git revision; the last exploration unless told. Only `delta` looks at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// Fields of [`Client::refresh`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RefreshFields {
    pub project_root: String,
    /// `compact` unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<ContextDetail>,
    /// Look at every file again first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<bool>,
    /// What the context is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The most tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<i64>,
    /// A git revision; the last exploration unless told. Only `delta` looks at it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

impl Client {
    /// Whether the server is there
    pub fn health(&self) -> Result<Health, Error> {
        self.call(Method::GET, "/api/health", Map::new())
    }


    /// How the daemon stands
    pub fn status(&self, fields: &StatusFields) -> Result<StatusView, Error> {
        self.call(Method::GET, "/api/status", given(fields))
    }


    /// This document
    pub fn openapi(&self) -> Result<Value, Error> {
        self.call(Method::GET, "/api/openapi.json", Map::new())
    }


    /// Figures for charts
    pub fn overview(&self, fields: &OverviewFields) -> Result<Overview, Error> {
        self.call(Method::GET, "/api/overview", given(fields))
    }


    /// What was learnt, what needs a person, what is about to go, what was spent
    pub fn home(&self, fields: &HomeFields) -> Result<Home, Error> {
        self.call(Method::GET, "/api/home", given(fields))
    }


    /// Sessions, decisions and changes of mind of a project, the newest first
    pub fn timeline(&self, fields: &TimelineFields) -> Result<Timeline, Error> {
        self.call(Method::GET, "/api/timeline", given(fields))
    }


    /// What happens, as server-sent events; the data of each is one object
    pub fn events(&self, fields: &EventsFields, last_event_id: Option<&str>) -> Result<Events, Error> {
        self.stream("/api/events", given(fields), last_event_id)
    }


    /// Make a URL that lets a browser in once
    pub fn login_code(&self) -> Result<LoginUrl, Error> {
        self.call(Method::POST, "/api/login/code", Map::new())
    }


    /// Trade a code for a cookie
    pub fn login(&self, fields: &LoginFields) -> Result<NoBody, Error> {
        self.call(Method::POST, "/api/login", given(fields))
    }


    /// Forget the browser that asks
    pub fn logout(&self) -> Result<NoBody, Error> {
        self.call(Method::POST, "/api/logout", Map::new())
    }


    /// Bring new sessions into memory
    pub fn sync(&self, fields: &SyncFields) -> Result<Accepted, Error> {
        self.call(Method::POST, "/api/sync", given(fields))
    }


    /// Consolidate, verify and fade memories
    pub fn maintain(&self, fields: &MaintainFields) -> Result<Accepted, Error> {
        self.call(Method::POST, "/api/maintain", given(fields))
    }


    /// The last jobs of this server, the newest first
    pub fn list_jobs(&self) -> Result<JobList, Error> {
        self.call(Method::GET, "/api/jobs", Map::new())
    }


    /// One job
    pub fn get_job(&self, id: &str) -> Result<JobView, Error> {
        self.call(Method::GET, &format!("/api/jobs/{}", part(id)), Map::new())
    }


    /// Cancel a job; one that runs ends when it notices
    pub fn cancel_job(&self, id: &str) -> Result<JobView, Error> {
        self.call(Method::POST, &format!("/api/jobs/{}/cancel", part(id)), Map::new())
    }


    /// Memories by filters, in pages
    pub fn list_memories(&self, fields: &ListMemoriesFields) -> Result<MemoryPage, Error> {
        self.call(Method::GET, "/api/memories", given(fields))
    }


    /// Take a person's note in
    pub fn add_memory(&self, fields: &AddMemoryFields) -> Result<MemoryAdded, Error> {
        self.call(Method::POST, "/api/memories", given(fields))
    }


    /// One memory with its evidence
    pub fn get_memory(&self, id: &str, fields: &GetMemoryFields) -> Result<MemoryDetail, Error> {
        self.call(Method::GET, &format!("/api/memories/{}", part(id)), given(fields))
    }


    /// Change a memory that is still as it was read
    pub fn edit_memory(&self, id: &str, fields: &EditMemoryFields) -> Result<MemoryChanged, Error> {
        self.call(Method::PUT, &format!("/api/memories/{}", part(id)), given(fields))
    }


    /// Evidence in its conversation, earlier texts, and use of a memory
    pub fn memory_provenance(&self, id: &str, fields: &MemoryProvenanceFields) -> Result<MemoryProvenance, Error> {
        self.call(Method::GET, &format!("/api/memories/{}/provenance", part(id)), given(fields))
    }


    /// Vouch for a memory
    pub fn confirm_memory(&self, id: &str, fields: &ConfirmMemoryFields) -> Result<MemoryChanged, Error> {
        self.call(Method::POST, &format!("/api/memories/{}/confirm", part(id)), given(fields))
    }


    /// Say that a memory is wrong
    pub fn reject_memory(&self, id: &str, fields: &RejectMemoryFields) -> Result<MemoryChanged, Error> {
        self.call(Method::POST, &format!("/api/memories/{}/reject", part(id)), given(fields))
    }


    /// Put a memory away
    pub fn archive_memory(&self, id: &str, fields: &ArchiveMemoryFields) -> Result<MemoryChanged, Error> {
        self.call(Method::POST, &format!("/api/memories/{}/archive", part(id)), given(fields))
    }


    /// Take a memory back
    pub fn restore_memory(&self, id: &str, fields: &RestoreMemoryFields) -> Result<MemoryChanged, Error> {
        self.call(Method::POST, &format!("/api/memories/{}/restore", part(id)), given(fields))
    }


    /// Accept what is proposed for a memory
    pub fn accept_proposal(&self, id: &str, fields: &AcceptProposalFields) -> Result<MemoryChanged, Error> {
        self.call(Method::POST, &format!("/api/memories/{}/accept", part(id)), given(fields))
    }


    /// Everything that waits for a person
    pub fn list_review(&self, fields: &ListReviewFields) -> Result<ReviewQueue, Error> {
        self.call(Method::GET, "/api/review", given(fields))
    }


    /// Decide on items, or see what decisions would do
    pub fn decide_review(&self, fields: &DecideReviewFields) -> Result<ReviewReport, Error> {
        self.call(Method::POST, "/api/review", given(fields))
    }


    /// One item with its evidence and the effect of each action
    pub fn get_review_item(&self, id: &str, fields: &GetReviewItemFields) -> Result<ReviewDetail, Error> {
        self.call(Method::GET, &format!("/api/review/{}", part(id)), given(fields))
    }


    /// Take back the decisions that were made last
    pub fn undo_review(&self, fields: &UndoReviewFields) -> Result<ReviewUndone, Error> {
        self.call(Method::POST, "/api/review/undo", given(fields))
    }


    /// Find memories
    pub fn search(&self, fields: &SearchFields) -> Result<SearchPage, Error> {
        self.call(Method::GET, "/api/search", given(fields))
    }


    /// Ask memory a question
    pub fn ask(&self, fields: &AskFields) -> Result<AskAnswer, Error> {
        self.call(Method::POST, "/api/ask", given(fields))
    }


    /// Agents and whether their sessions may be read
    pub fn list_connections(&self) -> Result<Vec<Connection>, Error> {
        self.call(Method::GET, "/api/connect", Map::new())
    }


    /// Let an agent's sessions be read
    pub fn connect(&self, fields: &ConnectFields) -> Result<Connection, Error> {
        self.call(Method::POST, "/api/connect", given(fields))
    }


    /// Read an agent's sessions no longer
    pub fn disconnect(&self, agent: &str) -> Result<Removed, Error> {
        self.call(Method::POST, &format!("/api/connect/{}/remove", part(agent)), Map::new())
    }


    /// Projects that are known
    pub fn list_projects(&self) -> Result<Vec<ProjectRow>, Error> {
        self.call(Method::GET, "/api/project/list", Map::new())
    }


    /// Register a project
    pub fn add_project(&self, fields: &AddProjectFields) -> Result<ProjectAdded, Error> {
        self.call(Method::POST, "/api/project/add", given(fields))
    }


    /// Leave a project out from now on
    pub fn remove_project(&self, fields: &RemoveProjectFields) -> Result<ProjectChanged, Error> {
        self.call(Method::POST, "/api/project/remove", given(fields))
    }


    /// Let the settings in a project count, or no longer
    pub fn trust_project(&self, fields: &TrustProjectFields) -> Result<ProjectChanged, Error> {
        self.call(Method::POST, "/api/project/trust", given(fields))
    }


    /// Folders whose sessions are not read
    pub fn list_excluded(&self) -> Result<ExcludedFolders, Error> {
        self.call(Method::GET, "/api/exclude", Map::new())
    }


    /// Read no session of a folder from now on
    pub fn exclude(&self, fields: &ExcludeFields) -> Result<Exclusions, Error> {
        self.call(Method::POST, "/api/exclude", given(fields))
    }


    /// Read sessions of a folder again
    pub fn include(&self, fields: &IncludeFields) -> Result<Exclusions, Error> {
        self.call(Method::POST, "/api/exclude/remove", given(fields))
    }


    /// Plugins with their grants, limits and use
    pub fn list_plugins(&self) -> Result<Vec<PluginRow>, Error> {
        self.call(Method::GET, "/api/plugins", Map::new())
    }


    /// Who reads sessions, who could, and the spending of today
    pub fn get_model(&self) -> Result<ModelView, Error> {
        self.call(Method::GET, "/api/model", Map::new())
    }


    /// Choose who reads sessions, or nobody
    pub fn choose_model(&self, fields: &ChooseModelFields) -> Result<ModelView, Error> {
        self.call(Method::POST, "/api/model", given(fields))
    }


    /// Have the model read one session, and keep nothing
    pub fn test_model(&self) -> Result<ModelTrial, Error> {
        self.call(Method::POST, "/api/model/test", Map::new())
    }


    /// All settings, and where each comes from
    pub fn list_settings(&self, fields: &ListSettingsFields) -> Result<SettingsForm, Error> {
        self.call(Method::GET, "/api/settings", given(fields))
    }


    /// Change a setting that is a number, a switch or one of several words
    pub fn set_setting(&self, fields: &SetSettingFields) -> Result<SettingWritten, Error> {
        self.call(Method::POST, "/api/settings", given(fields))
    }


    /// Briefs that agents got in a project, the newest first, with the reason for each line
    pub fn list_briefs(&self, fields: &ListBriefsFields) -> Result<BriefList, Error> {
        self.call(Method::GET, "/api/briefs", given(fields))
    }


    /// Runs, the newest first
    pub fn list_runs(&self, fields: &ListRunsFields) -> Result<RunList, Error> {
        self.call(Method::GET, "/api/runs", given(fields))
    }


    /// One run with its artifacts
    pub fn get_run(&self, id: &str) -> Result<RunDetail, Error> {
        self.call(Method::GET, &format!("/api/runs/{}", part(id)), Map::new())
    }


    /// Jobs of the durable queue
    pub fn list_queue(&self, fields: &ListQueueFields) -> Result<QueueList, Error> {
        self.call(Method::GET, "/api/queue", given(fields))
    }


    /// Try a job again now
    pub fn retry_queued(&self, id: &str) -> Result<QueueChanged, Error> {
        self.call(Method::POST, &format!("/api/queue/{}/retry", part(id)), Map::new())
    }


    /// Never run this revision of the session
    pub fn skip_queued(&self, id: &str) -> Result<QueueChanged, Error> {
        self.call(Method::POST, &format!("/api/queue/{}/skip", part(id)), Map::new())
    }


    /// Cancel a job of the queue
    pub fn cancel_queued(&self, id: &str) -> Result<QueueChanged, Error> {
        self.call(Method::POST, &format!("/api/queue/{}/cancel", part(id)), Map::new())
    }


    /// Sessions by filters, in pages
    pub fn list_sessions(&self, fields: &ListSessionsFields) -> Result<SessionPage, Error> {
        self.call(Method::GET, "/api/sessions", given(fields))
    }


    /// Find a text in conversations
    pub fn search_sessions(&self, fields: &SearchSessionsFields) -> Result<SessionsFound, Error> {
        self.call(Method::GET, "/api/sessions/search", given(fields))
    }


    /// One session and what it led to
    pub fn get_session(&self, agent: &str, id: &str) -> Result<SessionDetail, Error> {
        self.call(Method::GET, &format!("/api/sessions/{}/{}", part(agent), part(id)), Map::new())
    }


    /// The conversation, in pages
    pub fn session_events(&self, agent: &str, id: &str, fields: &SessionEventsFields) -> Result<EventPage, Error> {
        self.call(Method::GET, &format!("/api/sessions/{}/{}/events", part(agent), part(id)), given(fields))
    }


    /// What a codebase is
    pub fn explore(&self, fields: &ExploreFields) -> Result<Map<String, Value>, Error> {
        self.call(Method::POST, "/v1/explore", given(fields))
    }


    /// What changed in a codebase
    pub fn delta(&self, fields: &DeltaFields) -> Result<Map<String, Value>, Error> {
        self.call(Method::POST, "/v1/delta", given(fields))
    }


    /// What to read for a task
    pub fn context(&self, fields: &ContextFields) -> Result<Map<String, Value>, Error> {
        self.call(Method::POST, "/v1/context", given(fields))
    }


    /// Look at a codebase again
    pub fn refresh(&self, fields: &RefreshFields) -> Result<Map<String, Value>, Error> {
        self.call(Method::POST, "/v1/refresh", given(fields))
    }
}
