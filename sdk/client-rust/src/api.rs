//! Types and calls of acreta's HTTP API. Generated from docs/openapi.json.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ureq::http::Method;

use crate::path::part;
use crate::{Client, Error, Events, given};

/// The only information that needs no token.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Health {
    /// `ok`.
    pub status: String,
    pub version: String,
}

/// Body of every answer that is not a success.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProblemBody {
    pub error: Problem,
    pub request_id: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Problem {
    pub code: ProblemCode,
    pub message: String,
    /// Causes, nearest first.
    pub causes: Vec<String>,
    /// Possible remedies.
    pub hints: Vec<String>,
}

/// Error code for programs.
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
    /// Number of registered projects.
    pub projects: i64,
    pub sessions: Vec<SessionTotals>,
    pub queue: QueueTotals,
    pub memories: MemoryTotals,
    /// Items that wait for review in the requested projects.
    pub review: ReviewCounts,
    pub schedule: ScheduleView,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionTotals {
    pub agent: String,
    pub state: SessionState,
    pub sessions: i64,
}

/// State of a session.
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
    #[serde(rename = "cancelled")]
    Cancelled,
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
    /// Failed, and to be retried later.
    pub failed: i64,
    /// Failed permanently, until a person retries it.
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
    /// Absent if it is switched off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every_seconds: Option<i64>,
    /// Time when the last one ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_ms: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Overview {
    pub memories: MemoryCounts,
    /// Oldest day first.
    pub growth: Vec<GrowthDay>,
    /// Number of memories by effective confidence, from lowest to highest.
    pub decay: Vec<DecayBar>,
    pub sessions: Vec<SessionDay>,
    pub runs: RunCounts,
    pub cost: Cost,
    /// Sessions that were read without the configured model and wait for it, one entry per reason.
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
    /// Number at the end of the day.
    pub active: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecayBar {
    /// Lower bound of the confidence, inclusive.
    pub from: f64,
    /// Upper bound of the confidence, exclusive; inclusive for the last bar.
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
    /// Newest first.
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
    /// Changes to memory: `add`, `update`, `no_op`, `archived`, or the counts of a maintenance.
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
    /// Absent if the prices are unknown.
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
    /// Reason, and time of the next attempt.
    pub message: String,
}

/// Something that a plugin tried and was denied.
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
    /// Number of jobs that failed permanently.
    pub dead_letters: i64,
    /// Reasons why sessions wait for a model, one sentence each.
    pub waiting_for_model: Vec<String>,
    pub leaving: Leaving,
    pub memories: HomeCounts,
    /// Absent if no model is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spend: Option<SpendToday>,
}

/// Memories that runs added or changed since a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Learnt {
    pub since_ms: i64,
    /// Number of new or changed memories, without summaries.
    pub total: i64,
    /// Number of summaries of sessions.
    pub summaries: i64,
    /// Number of sessions that were read.
    pub sessions: i64,
    /// Decisions, conventions and pitfalls first.
    pub memories: Vec<LearntMemory>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LearntMemory {
    pub id: String,
    /// `project`, `global`, or the path of another project.
    pub scope: String,
    pub r#type: MemoryType,
    /// Empty if the type has no kinds.
    pub kind: String,
    pub title: String,
    pub trust: Trust,
    /// The memory existed before, and its text has changed.
    pub changed: bool,
    pub at_ms: i64,
}

/// Sessions that their agents delete within a week.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Leaving {
    pub total: i64,
    /// Number of sessions that are not archived yet: the next sync archives them.
    pub not_archived: i64,
    /// Next to be deleted first.
    pub sessions: Vec<LeavingSession>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeavingSession {
    pub agent: String,
    pub id: String,
    /// Time of its last change.
    pub updated_ms: i64,
    /// Time from which its agent deletes it.
    pub at_ms: i64,
    pub archived: bool,
    /// As its agent or its summary says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Path of its project, or of the folder that it recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
}

/// Spending of one day (UTC), of all projects together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpendToday {
    pub calls: i64,
    pub tokens: i64,
    pub dollars: f64,
    /// By price lists, as far as programs report it; a plan is not billed.
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
    /// Number of active memories, including summaries.
    pub active: i64,
    pub decisions: i64,
    pub learnings: i64,
    pub summaries: i64,
    pub confirmed: i64,
    /// Number of memories that name something that no longer exists.
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
    /// Newest first.
    pub entries: Vec<TimelineEntry>,
    /// Number of entries of the requested kind.
    pub total: i64,
    pub counts: TimelineCounts,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimelineEntry {
    pub at_ms: i64,
    pub kind: TimelineKind,
    pub title: String,
    /// For a change of mind: the replaced memories.
    pub before: Vec<FormerMemory>,
    /// For a session: number of memories based on it.
    pub memories: i64,
    /// `project`, `global`, or the path of another project.
    pub scope: String,
    /// Id of the memory that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_id: Option<String>,
    /// The kind of a learning, or the type of a memory without kinds.
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
    /// Absent for a text that is no longer a memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// Number of entries of each kind.
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
    /// To be sent back as `Last-Event-ID`.
    pub id: String,
    pub at_ms: i64,
    /// `job` for jobs of this server, otherwise the service's kind.
    pub kind: String,
    /// The new state of a job, otherwise the name of the event.
    pub name: String,
    /// For a job: `job_id`, `job_kind`, and its `progress` or `error` if there is one.
    pub fields: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
}

/// The body of a call without parameters: `{}`.
pub type NoBody = Map<String, Value>;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoginUrl {
    /// The code is in the fragment, so that it reaches no log. It works once, within half a minute.
    pub url: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoginCodes {
    /// Number of login codes that were neither used nor expired.
    pub waiting: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoginRequest {
    pub code: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BrowserToken {
    /// For `Authorization: Bearer`; valid for a week, or until the server ends.
    pub token: String,
}

/// Options of a sync, as for `acreta sync`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SyncRequest {
    /// Only sessions of this agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Only sessions that changed since this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Maximum number of sessions to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_sessions: Option<i64>,
    /// Include sessions that were processed already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<bool>,
    /// Change nothing; only report what would be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Accepted {
    pub job_id: String,
    /// `accepted`, or `queued` if an identical job was waiting already.
    pub state: TaskState,
    /// Id of the request that created the job, which is an earlier one if an identical job was waiting already.
    pub request_id: String,
}

/// Options of a maintenance, as for `acreta maintain`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MaintainRequest {
    /// Default: all registered projects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// Change nothing; only report what would be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobList {
    /// Newest first.
    pub jobs: Vec<JobView>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobView {
    pub id: String,
    pub kind: JobKind,
    pub state: TaskState,
    pub created_ms: i64,
    /// Id of the request that created the job; a new id if the schedule created it.
    pub request_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<JobProgress>,
    /// The output of `sync --json` or `maintain --json`.
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

/// Progress of a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct JobProgress {
    pub done: i64,
    /// Description of the current step, for a person.
    pub message: String,
    /// Absent while unknown.
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

/// The memory to list.
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
    /// Number of memories that match the filters.
    pub total: i64,
    pub offset: i64,
    pub limit: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facets: Option<MemoryFacets>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryRow {
    pub id: String,
    /// `project`, `global`, or the path of another project.
    pub scope: String,
    pub r#type: MemoryType,
    /// Empty if the type has no kinds.
    pub kind: String,
    pub title: String,
    pub tags: Vec<String>,
    pub trust: Trust,
    pub status: Status,
    pub stale: bool,
    /// From 0 to 1, at the time of the last evidence.
    pub confidence: f64,
    /// From 0 to 1, reduced by age and raised by use.
    pub effective_confidence: f64,
    /// Days, `2026-01-31`.
    pub created: String,
    pub updated: String,
    /// `<agent>/<session id>`, `person`, or `import/<file>`.
    pub source: String,
    /// Relative to the memory root.
    pub path: String,
    /// Number of proposals that wait for a person.
    pub open_proposals: i64,
}

/// Number of memories that would match if one more filter were set.
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
    /// `project`, `global`, or the path of another project.
    pub scope: String,
    pub r#type: MemoryType,
    /// Empty if the type has no kinds.
    pub kind: String,
    pub title: String,
    pub tags: Vec<String>,
    pub trust: Trust,
    pub status: Status,
    pub stale: bool,
    /// From 0 to 1, at the time of the last evidence.
    pub confidence: f64,
    /// From 0 to 1, reduced by age and raised by use.
    pub effective_confidence: f64,
    /// Days, `2026-01-31`.
    pub created: String,
    pub updated: String,
    /// `<agent>/<session id>`, `person`, or `import/<file>`.
    pub source: String,
    /// Relative to the memory root.
    pub path: String,
    /// Number of proposals that wait for a person.
    pub open_proposals: i64,
    /// Markdown.
    pub body: String,
    /// Digest of the file; an edit has to name it.
    pub digest: String,
    pub related: Vec<Link>,
    /// Earlier memories; earlier texts of this memory are titles without an id.
    pub supersedes: Vec<Link>,
    pub evidence: Vec<EvidenceQuote>,
    pub proposals: Vec<MemoryProposal>,
    /// Files and symbols that it names and that no longer exist.
    pub missing: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub superseded_by: Option<Link>,
    /// Day of the last comparison with the repository.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_verified: Option<String>,
    /// Who brought it by git, and with which commit, if that was somebody else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Link {
    pub title: String,
    /// Absent if it is not a memory, or no longer one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// A word-for-word quote and its place.
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

/// A proposed change that waits for a person.
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
    /// Newest first.
    pub evidence: Vec<ReviewEvidence>,
    /// Total number of quotes; `evidence` has the newest of them.
    pub quotes: i64,
    /// Its texts, newest first.
    pub versions: Vec<MemoryVersion>,
    pub used: MemoryUse,
}

/// A word-for-word quote with its context.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewEvidence {
    pub agent: String,
    /// Empty if it is not from a session.
    pub session_id: String,
    pub event_id: String,
    /// `user`, `assistant` or `tool`.
    pub role: String,
    pub quote: String,
    /// The conversation around the quote, in order; empty if it is not available.
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
    /// The turn contains the quote.
    pub quoted: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<i64>,
}

/// A text of the memory, as given by a session or a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryVersion {
    pub at_ms: i64,
    /// `person`, `import` or the agent whose session said it.
    pub agent: String,
    /// Empty if it is not from a session.
    pub session_id: String,
    pub title: String,
    /// Differences to the previous text: lines with `+`, `-` or a blank. Empty for the first text.
    pub diff: String,
}

/// Number of times agents got a memory within the last half year, and the outcome.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryUse {
    /// Number of briefs with it at the start of a session, among those that are stored.
    pub briefs: i64,
    /// Number of sessions that were offered it at any moment.
    pub offered: i64,
    pub used: i64,
    pub dismissed: i64,
}

/// A new memory, written by a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryNote {
    pub title: String,
    pub body: String,
    /// Default: inferred from the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<MemoryType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// Default: `project`.
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

/// Result of adding a note.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryAdded {
    /// `add`, `update`, `no_op`, or `pending`: it waits for a person.
    pub action: String,
    pub message: String,
    /// The memory that now holds it, or the pending record.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Relative to the memory root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

/// The fields to change. At least one of title, body, tags and kind.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MemoryEdit {
    /// Digest of the version that was read.
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

/// The project of a request. Default: the server's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InProject {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
}

/// All waiting items, most urgent first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewQueue {
    pub waiting: ReviewCounts,
    pub items: Vec<ReviewItem>,
    /// The decisions that undo would revert.
    pub last: Vec<PastDecision>,
}

/// One item that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewItem {
    pub id: String,
    pub kind: ReviewKind,
    /// `project`, `global`, or the path of another project.
    pub scope: String,
    pub title: String,
    /// The memories of the item; for a conflict, the newer first.
    pub memories: Vec<ReviewMemory>,
    /// Reason why it waits.
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

/// A text of an item: a memory, or a possible one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewMemory {
    /// The kind of a learning, or the type of a memory without kinds.
    pub kind: String,
    pub title: String,
    /// Markdown, without the heading that repeats the title.
    pub body: String,
    pub tags: Vec<String>,
    pub trust: String,
    /// Absent if it is not a memory yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
}

/// An action that an item allows, and its meaning there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OfferedAction {
    pub action: ReviewAction,
    /// For people: `keep both`.
    pub label: String,
    /// It needs the id of the memory that remains.
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

/// A decision that can be undone, or was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PastDecision {
    pub id: String,
    pub action: String,
    pub title: String,
    pub at_ms: i64,
}

/// One item with everything needed for a decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewDetail {
    pub item: ReviewItem,
    pub evidence: Vec<ReviewEvidence>,
    /// Effects of the actions that need no further input.
    pub effects: Vec<ActionEffect>,
    /// Similar memories with which it could be merged.
    pub alike: Vec<AlikeMemory>,
}

/// The effect of a decision on memory, computed before it is made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActionEffect {
    pub action: ReviewAction,
    /// Sentences for people.
    pub summary: Vec<String>,
    pub files: Vec<FileDiff>,
    /// Reason why it cannot be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileDiff {
    /// New path, relative to the memory root.
    pub path: String,
    /// Lines of the readable text, each after `+`, `-` or a space; empty if it does not change.
    pub diff: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AlikeMemory {
    pub id: String,
    pub title: String,
}

/// Decisions, applied in order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewRequest {
    pub decisions: Vec<ReviewChoice>,
    /// Only report what each decision would do on its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// All registered projects, and the global memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_projects: Option<bool>,
}

/// A decision on one item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewChoice {
    /// The item's id.
    pub id: String,
    pub action: ReviewAction,
    /// The memory that remains. Default for a conflict: the newer one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<String>,
    /// The reviewer's own wording, for an edit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
}

/// Result of decisions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewReport {
    pub decisions: Vec<DecisionReport>,
    pub waiting: ReviewCounts,
    /// Nothing was changed: these are the effects that the decisions would have.
    pub dry_run: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecisionReport {
    pub id: String,
    pub title: String,
    pub message: String,
    pub effect: ActionEffect,
}

/// The projects of a request. Default: the server's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InProjects {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// All registered projects, and the global memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_projects: Option<bool>,
}

/// Result of undo.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReviewUndone {
    /// Last decision first.
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
    /// Best hits first.
    pub hits: Vec<SearchHit>,
    /// More hits follow.
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
    /// Byte ranges of the snippet that match the query, as start and end.
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
    /// False if memory does not surely answer the question.
    pub answered: bool,
    /// One or two passages of memory, or sentences of a model with a source each; empty if the question is not answered.
    pub answer: String,
    pub sources: Vec<AskSource>,
    /// The nearest memories, if the question is not answered.
    pub nearest: Vec<AskSource>,
    /// `passages` or `model`.
    pub by: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskSource {
    /// Number by which the answer refers to it.
    pub number: i64,
    pub id: String,
    pub scope: String,
    pub title: String,
    pub path: String,
    pub trust: Trust,
    /// Sentences of it that perhaps answer; empty if none is near, or if a model answered.
    pub passage: String,
    /// How sure it is that they answer, in percent; 0 if a model answered.
    pub sure: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Connection {
    pub agent: String,
    /// The plugin that reads its sessions.
    pub adapter: String,
    pub granted: bool,
    pub roots: Vec<String>,
    pub sessions: i64,
    /// Absent if the agent does not delete its sessions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletes_after_days: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewConnection {
    pub agent: String,
    /// A folder of sessions. Default: where the agent usually stores them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Removed {
    pub agent: String,
    pub changed: bool,
    pub message: String,
}

/// A project, or a folder whose sessions wait.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProjectRow {
    pub path: String,
    pub registered: bool,
    /// False if the folder is gone, or on another machine.
    pub exists: bool,
    pub sessions: i64,
    pub memories: i64,
    /// The project's own settings apply.
    pub trusted: bool,
    /// The project used by requests that name none.
    pub current: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewProject {
    pub path: String,
    /// Path that it had before it moved: its sessions from there become memory, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub former: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProjectAdded {
    /// Path as registered: the main checkout.
    pub path: String,
    pub changed: bool,
    pub message: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KnownProject {
    pub path: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProjectChanged {
    pub path: String,
    pub changed: bool,
    pub message: String,
}

/// Trust in a project's own settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProjectTrust {
    pub path: String,
    pub trusted: bool,
}

/// Folders whose sessions are not read, for every agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExcludedFolders {
    pub folders: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExcludedFolder {
    pub folder: String,
}

/// Result of a change of the excluded folders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exclusions {
    /// The named folder, as stored.
    pub folder: String,
    /// All excluded folders.
    pub excluded: Vec<String>,
    /// Number of the folder's sessions that were archived before. They stay.
    pub archived: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    pub bytes: i64,
    pub grants: Vec<PluginGrant>,
    pub limits: Map<String, Value>,
    pub r#use: PluginUse,
}

/// A folder that the plugin asks to read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PluginGrant {
    pub root: String,
    /// Possible paths on this machine.
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
    /// Everything on this machine that could read sessions.
    pub found: Vec<ModelChoice>,
    pub spend: SpendToday,
    /// Providers that accept no calls at present, one sentence each.
    pub blocked: Vec<String>,
    /// `PROVIDER` or `PROVIDER/MODEL`; absent if no model is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
}

/// A model or program that could read sessions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelChoice {
    /// Name that `choose_model` accepts.
    pub name: String,
    pub label: String,
    /// `plan`, `local` or `api-key`.
    pub access: String,
    /// `ready`, `logged-out` or `unknown`.
    pub readiness: String,
    /// Destination of the text of sessions.
    pub destination: String,
    /// The command that makes it ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remedy: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChosenModel {
    /// `PROVIDER` or `PROVIDER/MODEL`; absent to stop using a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// Trial reading of one session by the model; nothing is stored.
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
    /// Reason why a request got no reply.
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

/// All settings with everything that a form needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SettingsForm {
    /// Sorted by key.
    pub settings: Vec<SettingRow>,
    /// Sentences about settings in files and variables that are ignored.
    pub ignored: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SettingRow {
    pub key: String,
    pub help: String,
    /// `built-in`, a file, or a variable; empty if nothing is set.
    pub origin: String,
    /// Allowed values; empty for any.
    pub choices: Vec<String>,
    /// [`set_plain`] can change it.
    pub plain: bool,
    /// Absent if nothing is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewSetting {
    pub key: String,
    /// A number, a boolean, or one of the setting's allowed words.
    pub value: Value,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SettingWritten {
    /// The file that now contains it.
    pub file: String,
    /// The value as TOML.
    pub value: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BriefList {
    /// Newest first, each with the reason for every line.
    pub briefs: Vec<GivenBrief>,
}

/// A brief that an agent got, and the reason for each line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GivenBrief {
    /// Milliseconds since 1970.
    pub at_ms: i64,
    /// Directory where it started, relative to the project; empty for its root.
    pub directory: String,
    /// Number of files that the branch changed.
    pub changed: i64,
    /// Open ends of the last session.
    pub open: Vec<String>,
    pub lines: Vec<BriefLine>,
    pub left_out: LeftOut,
    pub tokens: i64,
    /// The whole brief.
    pub text: String,
    /// The agent's id of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The default branch that changed files are relative to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
}

/// A memory in a brief.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BriefLine {
    pub id: String,
    pub text: String,
    /// Reason why it is in the brief.
    pub reason: String,
}

/// Number of memories that were left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Important enough, but did not fit.
    pub space: i64,
    /// Too weak or faded.
    pub weak: i64,
    /// Supported by a tool only, stale, or superseded.
    pub doubtful: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunList {
    /// Newest first.
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
    /// Changes to memory: `add`, `update`, `no_op`, `archived`, or the counts of a maintenance.
    pub counts: Map<String, Value>,
    /// Folder of its artifacts on this machine.
    pub folder: String,
    /// Durations of its steps, in order; empty if they were not recorded.
    pub steps: Vec<StepTime>,
    /// Lines of `agent.log`.
    pub log: Vec<String>,
    /// Lines of `subagents.log`.
    pub findings: Vec<Value>,
    /// Contents of `extract.json`.
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
    /// Contents of `memory_actions.json` or `maintain_actions.json`; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<Value>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepTime {
    pub step: String,
    pub started_ms: i64,
    /// Absent while it is running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_ms: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueueList {
    /// In the order in which they are claimed.
    pub jobs: Vec<QueueJob>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct QueueJob {
    pub id: String,
    pub agent: String,
    pub session_id: String,
    pub project: String,
    /// Reason why it was enqueued: `sync`, `hot`, `cold`.
    pub mode: String,
    pub state: TaskState,
    /// Dead letter: not tried again until a person asks for it.
    pub dead: bool,
    /// Number of attempts, including the running one.
    pub attempt: i64,
    pub created_ms: i64,
    /// Earliest time of the next attempt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finished_ms: Option<i64>,
    /// Reason why the last attempt failed, or why the job was cancelled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Id of its last run.
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
    /// Newest first.
    pub items: Vec<SessionRow>,
    pub total: i64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionRow {
    pub agent: String,
    pub id: String,
    pub state: SessionState,
    /// Location of the session's text.
    pub copy: SessionCopy,
    pub bytes: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Absent if it is known to have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub updated_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
}

/// Location of a session's text.
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
    /// Hits of the best session first.
    pub hits: Vec<SessionHit>,
    /// Number of sessions that were searched.
    pub searched: i64,
    /// Number of sessions that are not indexed yet.
    pub left: i64,
    /// Number of sessions that could not be read.
    pub unreadable: i64,
}

/// A passage that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionHit {
    pub agent: String,
    pub session_id: String,
    pub event_id: String,
    pub role: String,
    /// The words with some around them, on one line.
    pub snippet: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The characters of the snippet that were looked for, from and to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marks: Option<Vec<(i64, i64)>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionDetail {
    pub agent: String,
    pub id: String,
    pub state: SessionState,
    /// Location of the session's text.
    pub copy: SessionCopy,
    pub bytes: i64,
    /// Memories that it contributed to.
    pub memories: Vec<SessionMemory>,
    /// Newest first.
    pub runs: Vec<RunRow>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Absent if it is known to have none.
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
    /// Empty if the type has no kinds.
    pub kind: String,
    /// Ids of the events that it quotes.
    pub events: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EventPage {
    pub events: Vec<SessionEvent>,
    pub total: i64,
    /// Number of events before the first one of this page.
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
    /// The text was cut.
    pub truncated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_ms: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContextRequest {
    pub project_root: String,
    /// Default: `compact`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<ContextDetail>,
    /// Scan every file again first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<bool>,
    /// The task that the context is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Maximum number of tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<i64>,
    /// A git revision. Default: the last exploration. Only used by `delta`.
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
    /// All registered projects, and the global memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_projects: Option<bool>,
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
    /// Default: the daemon's own project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// All registered projects, and the global memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_projects: Option<bool>,
    /// Time of the last visit, in milliseconds. Default: a week ago.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<i64>,
}

/// Fields of [`Client::timeline`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TimelineFields {
    /// Default: the daemon's own project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// All registered projects, and the global memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_projects: Option<bool>,
    /// Default: all kinds.
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
    /// Only sessions of this agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// Only sessions that changed since this time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Maximum number of sessions to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_sessions: Option<i64>,
    /// Include sessions that were processed already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<bool>,
    /// Change nothing; only report what would be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
}

/// Fields of [`Client::maintain`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MaintainFields {
    /// Default: all registered projects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// Change nothing; only report what would be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
}

/// Fields of [`Client::list_memories`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ListMemoriesFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// All registered projects, and the global memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_projects: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<MemoryType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// Default: `active`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stale: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<ListScope>,
    /// Text that the title must contain, ignoring case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Default: `updated`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<MemorySort>,
    /// Also count how many memories each further filter would leave.
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
    /// Default: inferred from the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub r#type: Option<MemoryType>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tags: Option<Vec<String>>,
    /// Default: `project`.
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
    /// Digest of the version that was read.
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
    /// All registered projects, and the global memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_projects: Option<bool>,
}

/// Fields of [`Client::decide_review`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecideReviewFields {
    pub decisions: Vec<ReviewChoice>,
    /// Only report what each decision would do on its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dry_run: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// All registered projects, and the global memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_projects: Option<bool>,
}

/// Fields of [`Client::get_review_item`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct GetReviewItemFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// All registered projects, and the global memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_projects: Option<bool>,
}

/// Fields of [`Client::undo_review`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct UndoReviewFields {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// All registered projects, and the global memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_projects: Option<bool>,
}

/// Fields of [`Client::search`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchFields {
    pub q: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// All registered projects, and the global memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub all_projects: Option<bool>,
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
    /// Default: `active`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Default: the configured scope.
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
    /// A folder of sessions. Default: where the agent usually stores them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
}

/// Fields of [`Client::add_project`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct AddProjectFields {
    pub path: String,
    /// Path that it had before it moved: its sessions from there become memory, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub former: Option<String>,
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
    /// `PROVIDER` or `PROVIDER/MODEL`; absent to stop using a model.
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
    /// A number, a boolean, or one of the setting's allowed words.
    pub value: Value,
}

/// Fields of [`Client::list_briefs`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ListBriefsFields {
    /// Default: the daemon's own project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    /// Only briefs of this session: the agent's id of it, or a prefix.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
}

/// Fields of [`Client::list_runs`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ListRunsFields {
    /// Default: all registered projects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<TaskState>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<i64>,
    /// Only runs that started before this time, in milliseconds: the `started_ms` of the last row of the previous page.
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
    /// Default: all projects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project_root: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<SessionState>,
    /// Text that the title or the id must contain, ignoring case.
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
    /// Words, `"phrases"`, `start*`, and filters: `agent:`, `project:`, `branch:`, `file:`, `tool:`, `role:`, `since:`, `until:`.
    pub q: String,
    /// Default: all projects.
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
    /// Id of an event to show in the middle of the page; `offset` is then ignored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around: Option<String>,
}

/// Fields of [`Client::explore`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ExploreFields {
    pub project_root: String,
    /// Default: `compact`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<ContextDetail>,
    /// Scan every file again first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<bool>,
    /// The task that the context is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Maximum number of tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<i64>,
    /// A git revision. Default: the last exploration. Only used by `delta`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// Fields of [`Client::delta`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DeltaFields {
    pub project_root: String,
    /// Default: `compact`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<ContextDetail>,
    /// Scan every file again first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<bool>,
    /// The task that the context is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Maximum number of tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<i64>,
    /// A git revision. Default: the last exploration. Only used by `delta`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// Fields of [`Client::context`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ContextFields {
    pub project_root: String,
    /// Default: `compact`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<ContextDetail>,
    /// Scan every file again first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<bool>,
    /// The task that the context is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Maximum number of tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<i64>,
    /// A git revision. Default: the last exploration. Only used by `delta`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

/// Fields of [`Client::refresh`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RefreshFields {
    pub project_root: String,
    /// Default: `compact`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<ContextDetail>,
    /// Scan every file again first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refresh: Option<bool>,
    /// The task that the context is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Maximum number of tokens of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<i64>,
    /// A git revision. Default: the last exploration. Only used by `delta`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
}

impl Client {
    /// Health check of the server
    pub fn health(&self) -> Result<Health, Error> {
        self.call(Method::GET, "/api/health", Map::new())
    }


    /// Status of the daemon
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


    /// Home page: what was learnt, what needs a person, sessions about to be deleted, spending
    pub fn home(&self, fields: &HomeFields) -> Result<Home, Error> {
        self.call(Method::GET, "/api/home", given(fields))
    }


    /// Sessions, decisions and changes of mind of a project, newest first
    pub fn timeline(&self, fields: &TimelineFields) -> Result<Timeline, Error> {
        self.call(Method::GET, "/api/timeline", given(fields))
    }


    /// Live events as server-sent events; the data of each is one object
    pub fn events(&self, fields: &EventsFields, last_event_id: Option<&str>) -> Result<Events, Error> {
        self.stream("/api/events", given(fields), last_event_id)
    }


    /// Create a one-time login URL for a browser
    pub fn login_code(&self) -> Result<LoginUrl, Error> {
        self.call(Method::POST, "/api/login/code", Map::new())
    }


    /// Login codes that were not used yet
    pub fn login_codes(&self) -> Result<LoginCodes, Error> {
        self.call(Method::GET, "/api/login/codes", Map::new())
    }


    /// Exchange a login code for a token
    pub fn login(&self, fields: &LoginFields) -> Result<BrowserToken, Error> {
        self.call(Method::POST, "/api/login", given(fields))
    }


    /// Log the calling browser out
    pub fn logout(&self) -> Result<NoBody, Error> {
        self.call(Method::POST, "/api/logout", Map::new())
    }


    /// Start a sync: learn from new sessions
    pub fn sync(&self, fields: &SyncFields) -> Result<Accepted, Error> {
        self.call(Method::POST, "/api/sync", given(fields))
    }


    /// Consolidate, verify and fade memories
    pub fn maintain(&self, fields: &MaintainFields) -> Result<Accepted, Error> {
        self.call(Method::POST, "/api/maintain", given(fields))
    }


    /// The last jobs of this server, newest first
    pub fn list_jobs(&self) -> Result<JobList, Error> {
        self.call(Method::GET, "/api/jobs", Map::new())
    }


    /// One job
    pub fn get_job(&self, id: &str) -> Result<JobView, Error> {
        self.call(Method::GET, &format!("/api/jobs/{}", part(id)), Map::new())
    }


    /// Cancel a job; a running one stops at its next step
    pub fn cancel_job(&self, id: &str) -> Result<JobView, Error> {
        self.call(Method::POST, &format!("/api/jobs/{}/cancel", part(id)), Map::new())
    }


    /// Memories by filters, in pages
    pub fn list_memories(&self, fields: &ListMemoriesFields) -> Result<MemoryPage, Error> {
        self.call(Method::GET, "/api/memories", given(fields))
    }


    /// Add a person's note
    pub fn add_memory(&self, fields: &AddMemoryFields) -> Result<MemoryAdded, Error> {
        self.call(Method::POST, "/api/memories", given(fields))
    }


    /// One memory with its evidence
    pub fn get_memory(&self, id: &str, fields: &GetMemoryFields) -> Result<MemoryDetail, Error> {
        self.call(Method::GET, &format!("/api/memories/{}", part(id)), given(fields))
    }


    /// Edit a memory that has not changed since it was read
    pub fn edit_memory(&self, id: &str, fields: &EditMemoryFields) -> Result<MemoryChanged, Error> {
        self.call(Method::PUT, &format!("/api/memories/{}", part(id)), given(fields))
    }


    /// Evidence in its conversation, earlier texts, and use of a memory
    pub fn memory_provenance(&self, id: &str, fields: &MemoryProvenanceFields) -> Result<MemoryProvenance, Error> {
        self.call(Method::GET, &format!("/api/memories/{}/provenance", part(id)), given(fields))
    }


    /// Confirm a memory
    pub fn confirm_memory(&self, id: &str, fields: &ConfirmMemoryFields) -> Result<MemoryChanged, Error> {
        self.call(Method::POST, &format!("/api/memories/{}/confirm", part(id)), given(fields))
    }


    /// Reject a memory as wrong
    pub fn reject_memory(&self, id: &str, fields: &RejectMemoryFields) -> Result<MemoryChanged, Error> {
        self.call(Method::POST, &format!("/api/memories/{}/reject", part(id)), given(fields))
    }


    /// Archive a memory
    pub fn archive_memory(&self, id: &str, fields: &ArchiveMemoryFields) -> Result<MemoryChanged, Error> {
        self.call(Method::POST, &format!("/api/memories/{}/archive", part(id)), given(fields))
    }


    /// Restore a memory
    pub fn restore_memory(&self, id: &str, fields: &RestoreMemoryFields) -> Result<MemoryChanged, Error> {
        self.call(Method::POST, &format!("/api/memories/{}/restore", part(id)), given(fields))
    }


    /// Accept the first proposal for a memory
    pub fn accept_proposal(&self, id: &str, fields: &AcceptProposalFields) -> Result<MemoryChanged, Error> {
        self.call(Method::POST, &format!("/api/memories/{}/accept", part(id)), given(fields))
    }


    /// Everything that waits for a person
    pub fn list_review(&self, fields: &ListReviewFields) -> Result<ReviewQueue, Error> {
        self.call(Method::GET, "/api/review", given(fields))
    }


    /// Decide on items, or preview decisions
    pub fn decide_review(&self, fields: &DecideReviewFields) -> Result<ReviewReport, Error> {
        self.call(Method::POST, "/api/review", given(fields))
    }


    /// One item with its evidence and the effect of each action
    pub fn get_review_item(&self, id: &str, fields: &GetReviewItemFields) -> Result<ReviewDetail, Error> {
        self.call(Method::GET, &format!("/api/review/{}", part(id)), given(fields))
    }


    /// Undo the latest decisions
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


    /// Start reading an agent's sessions
    pub fn connect(&self, fields: &ConnectFields) -> Result<Connection, Error> {
        self.call(Method::POST, "/api/connect", given(fields))
    }


    /// Stop reading an agent's sessions
    pub fn disconnect(&self, agent: &str) -> Result<Removed, Error> {
        self.call(Method::POST, &format!("/api/connect/{}/remove", part(agent)), Map::new())
    }


    /// Known projects
    pub fn list_projects(&self) -> Result<Vec<ProjectRow>, Error> {
        self.call(Method::GET, "/api/project/list", Map::new())
    }


    /// Register a project
    pub fn add_project(&self, fields: &AddProjectFields) -> Result<ProjectAdded, Error> {
        self.call(Method::POST, "/api/project/add", given(fields))
    }


    /// Unregister a project
    pub fn remove_project(&self, fields: &RemoveProjectFields) -> Result<ProjectChanged, Error> {
        self.call(Method::POST, "/api/project/remove", given(fields))
    }


    /// Trust a project's settings, or revoke that
    pub fn trust_project(&self, fields: &TrustProjectFields) -> Result<ProjectChanged, Error> {
        self.call(Method::POST, "/api/project/trust", given(fields))
    }


    /// Folders whose sessions are not read
    pub fn list_excluded(&self) -> Result<ExcludedFolders, Error> {
        self.call(Method::GET, "/api/exclude", Map::new())
    }


    /// Stop reading sessions of a folder
    pub fn exclude(&self, fields: &ExcludeFields) -> Result<Exclusions, Error> {
        self.call(Method::POST, "/api/exclude", given(fields))
    }


    /// Resume reading sessions of a folder
    pub fn include(&self, fields: &IncludeFields) -> Result<Exclusions, Error> {
        self.call(Method::POST, "/api/exclude/remove", given(fields))
    }


    /// Plugins with their grants, limits and use
    pub fn list_plugins(&self) -> Result<Vec<PluginRow>, Error> {
        self.call(Method::GET, "/api/plugins", Map::new())
    }


    /// The model that reads sessions, available models, and the spending of today
    pub fn get_model(&self) -> Result<ModelView, Error> {
        self.call(Method::GET, "/api/model", Map::new())
    }


    /// Choose the model that reads sessions, or none
    pub fn choose_model(&self, fields: &ChooseModelFields) -> Result<ModelView, Error> {
        self.call(Method::POST, "/api/model", given(fields))
    }


    /// Try the model on one session, without storing anything
    pub fn test_model(&self) -> Result<ModelTrial, Error> {
        self.call(Method::POST, "/api/model/test", Map::new())
    }


    /// All settings, and where each comes from
    pub fn list_settings(&self, fields: &ListSettingsFields) -> Result<SettingsForm, Error> {
        self.call(Method::GET, "/api/settings", given(fields))
    }


    /// Change a setting that is a number, a boolean or one of several words
    pub fn set_setting(&self, fields: &SetSettingFields) -> Result<SettingWritten, Error> {
        self.call(Method::POST, "/api/settings", given(fields))
    }


    /// Briefs that agents got in a project, newest first, with the reason for each line
    pub fn list_briefs(&self, fields: &ListBriefsFields) -> Result<BriefList, Error> {
        self.call(Method::GET, "/api/briefs", given(fields))
    }


    /// Runs, newest first
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


    /// Retry a job now
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


    /// Find something in conversations
    pub fn search_sessions(&self, fields: &SearchSessionsFields) -> Result<SessionsFound, Error> {
        self.call(Method::GET, "/api/sessions/search", given(fields))
    }


    /// One session with its runs and memories
    pub fn get_session(&self, agent: &str, id: &str) -> Result<SessionDetail, Error> {
        self.call(Method::GET, &format!("/api/sessions/{}/{}", part(agent), part(id)), Map::new())
    }


    /// The conversation, in pages
    pub fn session_events(&self, agent: &str, id: &str, fields: &SessionEventsFields) -> Result<EventPage, Error> {
        self.call(Method::GET, &format!("/api/sessions/{}/{}/events", part(agent), part(id)), given(fields))
    }


    /// Explore a codebase
    pub fn explore(&self, fields: &ExploreFields) -> Result<Map<String, Value>, Error> {
        self.call(Method::POST, "/v1/explore", given(fields))
    }


    /// Changes in a codebase
    pub fn delta(&self, fields: &DeltaFields) -> Result<Map<String, Value>, Error> {
        self.call(Method::POST, "/v1/delta", given(fields))
    }


    /// Files to read for a task
    pub fn context(&self, fields: &ContextFields) -> Result<Map<String, Value>, Error> {
        self.call(Method::POST, "/v1/context", given(fields))
    }


    /// Explore a codebase again and read every file
    pub fn refresh(&self, fields: &RefreshFields) -> Result<Map<String, Value>, Error> {
        self.call(Method::POST, "/v1/refresh", given(fields))
    }
}
