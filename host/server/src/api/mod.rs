//! The API's types: requests, validated while they are parsed, and answers. JSON is snake_case, and published keys
//! stay. A request with an unknown field is refused.

mod briefs;
mod connect;
mod context;
mod home;
mod jobs;
mod login;
mod memories;
mod model;
mod overview;
mod plugins;
mod problem;
mod queue;
mod review;
mod runs;
mod search;
mod sessions;
mod settings;
mod status;
mod words;

pub use acreta_types::{Detail, MemoryType, ScopeMode, Status, TaskState, Trust, WriteScope};
pub use briefs::{BriefLine, BriefList, BriefsQuery, GivenBrief, LeftOut};
pub use connect::{
    Connection, ExcludedFolder, ExcludedFolders, Exclusions, KnownProject, NewConnection,
    NewProject, ProjectAdded, ProjectChanged, ProjectRow, ProjectTrust, Removed,
};
pub use context::{ContextCommand, ContextRequest};
pub use home::{
    FormerMemory, Home, HomeCounts, HomeQuery, Learnt, LearntMemory, Leaving, LeavingSession,
    SpendToday, Timeline, TimelineCounts, TimelineEntry, TimelineKind, TimelineQuery,
};
pub use jobs::{Accepted, JobKind, JobList, JobProgress, JobView, MaintainRequest, SyncRequest};
pub use login::{BrowserToken, LoginCodes, LoginRequest, LoginUrl};
pub use memories::{
    EvidenceQuote, FacetCount, Link, MemoriesQuery, MemoryAdded, MemoryChange, MemoryChanged,
    MemoryDetail, MemoryEdit, MemoryFacets, MemoryNote, MemoryPage, MemoryProposal,
    MemoryProvenance, MemoryRow, MemorySort, MemoryUse, MemoryVersion, ProposedOperation,
};
pub use model::{ChosenModel, ModelChoice, ModelTrial, ModelView, TrialFinding};
pub use overview::{
    Cost, CostDay, CostTotal, DecayBar, DeniedRow, GrowthDay, MemoryCounts, Overview, RunCounts,
    SessionDay, TrustCount, TypeCount, WaitingForModel,
};
pub use plugins::{PluginGrant, PluginLimits, PluginRow, PluginUse};
pub use problem::{Problem, ProblemBody, ProblemCode};
pub use queue::{QueueAction, QueueChanged, QueueJob, QueueList, QueueQuery};
pub use review::{
    ActionEffect, AlikeMemory, DecisionReport, FileDiff, OfferedAction, PastDecision, ReviewAction,
    ReviewChoice, ReviewCounts, ReviewDetail, ReviewEvidence, ReviewItem, ReviewKind, ReviewMemory,
    ReviewQueue, ReviewReport, ReviewRequest, ReviewUndone, Turn,
};
pub use runs::{RunDetail, RunList, RunRow, RunsQuery, StepTime};
pub use search::{AskAnswer, AskRequest, AskSource, SearchHit, SearchPage, SearchQuery};
pub use sessions::{
    EventPage, EventsQuery, FindInSessionQuery, RowBody, RowMatches, RowPage, RowsQuery,
    SessionCopy, SessionDetail, SessionEvent, SessionHit, SessionMemory, SessionOutline,
    SessionPage, SessionRow, SessionSearchQuery, SessionState, SessionsFound, SessionsQuery,
};
pub use settings::{NewSetting, SettingRow, SettingWritten, SettingsForm};
pub use status::{
    Health, LiveEvent, LogEvent, MemoryTotals, QueueTotals, ScheduleLine, ScheduleView,
    ServiceStatus, SessionTotals, StatusView,
};
pub use words::{InProject, InProjects, Limit, ListScope, Moment, NoBody, Offset, Text, Whole};
