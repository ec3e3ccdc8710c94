//! Everything the server asks for. A service blocks; the server calls it on threads of its own,
//! several calls at a time, and never while it holds a lock.

use std::sync::Arc;

use acreta_mcp::{Backend, Failure};
use serde_json::{Map, Value};

use crate::api::{
    AskAnswer, AskRequest, BriefList, BriefsQuery, ChosenModel, Connection, ContextCommand,
    ContextRequest, EventPage, EventsQuery, ExcludedFolder, ExcludedFolders, Exclusions, Home,
    HomeQuery, InProject, JobProgress, LogEvent, MaintainRequest, MemoriesQuery, MemoryAdded,
    MemoryChange, MemoryChanged, MemoryDetail, MemoryEdit, MemoryNote, MemoryPage,
    MemoryProvenance, ModelTrial, ModelView, NewConnection, NewProject, NewSetting, Overview,
    PluginRow, ProjectAdded, ProjectChanged, ProjectRow, ProjectTrust, QueueAction, QueueChanged,
    QueueList, QueueQuery, Removed, ReviewDetail, ReviewQueue, ReviewReport, ReviewRequest,
    ReviewUndone, RunDetail, RunList, RunsQuery, SearchPage, SearchQuery, ServiceStatus,
    SessionDetail, SessionPage, SessionSearchQuery, SessionsFound, SessionsQuery, SettingWritten,
    SettingsForm, SyncRequest, Timeline, TimelineQuery,
};

/// Whoever has memory, sessions and plugins. Where a request names a `project_root`, the server has
/// asked [`Service::is_registered`] before. Where it names none, memory means the project that the
/// server was started for, and the global memory where there is no such project; sessions and runs
/// mean those of all projects.
///
/// A [`Failure`] becomes 404 (`NotFound`), 400 (`Invalid`), 403 (`Refused`), 503 (`Busy`) or 500.
pub trait Service: Send + Sync + 'static {
    /// Whether a person registered this folder as a project.
    fn is_registered(&self, project_root: &str) -> Result<bool, Failure>;

    /// What waits for review is the project's, everything else is of all projects.
    fn status(&self, query: &InProject) -> Result<ServiceStatus, Failure>;
    fn overview(&self, query: &InProject) -> Result<Overview, Failure>;
    /// What a person wants to know who comes back.
    fn home(&self, query: &HomeQuery) -> Result<Home, Failure>;
    fn timeline(&self, query: &TimelineQuery) -> Result<Timeline, Failure>;

    fn memories(&self, query: &MemoriesQuery) -> Result<MemoryPage, Failure>;
    fn memory(&self, id: &str, query: &InProject) -> Result<MemoryDetail, Failure>;
    /// Where a memory comes from, how it changed, and how often it was of use.
    fn provenance(&self, id: &str, query: &InProject) -> Result<MemoryProvenance, Failure>;
    /// Takes a note in, as a person's word.
    fn add_memory(&self, caller: &Caller, note: &MemoryNote) -> Result<MemoryAdded, Failure>;
    /// Changes a memory if its file still has the digest that the edit names.
    fn edit_memory(&self, caller: &Caller, id: &str, edit: &MemoryEdit) -> Result<Edited, Failure>;
    fn change_memory(
        &self,
        caller: &Caller,
        id: &str,
        change: MemoryChange,
        project: &InProject,
    ) -> Result<MemoryChanged, Failure>;

    /// Everything that waits for a person.
    fn review(&self, query: &InProject) -> Result<ReviewQueue, Failure>;
    fn review_item(&self, id: &str, query: &InProject) -> Result<ReviewDetail, Failure>;
    /// Makes decisions as the person's word.
    fn decide(&self, caller: &Caller, request: &ReviewRequest) -> Result<ReviewReport, Failure>;
    /// Takes back the decisions that were made last.
    fn undo_review(&self, caller: &Caller, project: &InProject) -> Result<ReviewUndone, Failure>;

    fn search(&self, query: &SearchQuery) -> Result<SearchPage, Failure>;
    fn ask(&self, caller: &Caller, request: &AskRequest) -> Result<AskAnswer, Failure>;

    fn connections(&self) -> Result<Vec<Connection>, Failure>;
    fn connect(&self, caller: &Caller, request: &NewConnection) -> Result<Connection, Failure>;
    fn disconnect(&self, caller: &Caller, agent: &str) -> Result<Removed, Failure>;
    fn projects(&self) -> Result<Vec<ProjectRow>, Failure>;
    fn add_project(&self, caller: &Caller, request: &NewProject) -> Result<ProjectAdded, Failure>;
    /// Leaves a project out from now on; its memory stays.
    fn remove_project(
        &self,
        caller: &Caller,
        request: &NewProject,
    ) -> Result<ProjectChanged, Failure>;
    fn trust_project(
        &self,
        caller: &Caller,
        request: &ProjectTrust,
    ) -> Result<ProjectChanged, Failure>;
    fn excluded(&self) -> Result<ExcludedFolders, Failure>;
    fn exclude(&self, caller: &Caller, request: &ExcludedFolder) -> Result<Exclusions, Failure>;
    fn include(&self, caller: &Caller, request: &ExcludedFolder) -> Result<Exclusions, Failure>;

    /// Who reads sessions, and who could.
    fn model(&self) -> Result<ModelView, Failure>;
    fn choose_model(&self, caller: &Caller, request: &ChosenModel) -> Result<ModelView, Failure>;
    /// Has the chosen model read one session and keeps nothing of it.
    fn test_model(&self, caller: &Caller) -> Result<ModelTrial, Failure>;
    fn settings(&self, query: &InProject) -> Result<SettingsForm, Failure>;
    /// Writes a setting that is no free text to the user's file.
    fn set_setting(&self, caller: &Caller, request: &NewSetting)
    -> Result<SettingWritten, Failure>;

    fn briefs(&self, query: &BriefsQuery) -> Result<BriefList, Failure>;
    fn runs(&self, query: &RunsQuery) -> Result<RunList, Failure>;
    fn run(&self, id: &str) -> Result<RunDetail, Failure>;
    fn queue(&self, query: &QueueQuery) -> Result<QueueList, Failure>;
    fn change_queue(
        &self,
        caller: &Caller,
        id: &str,
        action: QueueAction,
    ) -> Result<QueueChanged, Failure>;

    fn sessions(&self, query: &SessionsQuery) -> Result<SessionPage, Failure>;
    /// Finds a text in conversations.
    fn search_sessions(&self, query: &SessionSearchQuery) -> Result<SessionsFound, Failure>;
    fn session(&self, agent: &str, id: &str) -> Result<SessionDetail, Failure>;
    fn session_events(
        &self,
        agent: &str,
        id: &str,
        query: &EventsQuery,
    ) -> Result<EventPage, Failure>;

    fn plugins(&self) -> Result<Vec<PluginRow>, Failure>;

    /// The shapes that `context … --json` prints.
    fn context(
        &self,
        caller: &Caller,
        command: ContextCommand,
        request: &ContextRequest,
    ) -> Result<Map<String, Value>, Failure>;

    /// What MCP clients talk to; `None` for the server's own project.
    fn backend(&self, project_root: Option<&str>) -> Result<Arc<dyn Backend>, Failure>;

    /// Does a job and blocks until it is done; gives what `--json` prints. Looks at `control` often
    /// and comes back soon once it is cancelled: what it gives then is kept all the same.
    fn run_job(
        &self,
        caller: &Caller,
        job: &JobRequest,
        control: &dyn JobControl,
    ) -> Result<Value, Failure>;

    /// The number of the newest event; 0 when there is none.
    fn newest_event(&self) -> Result<u64, Failure>;
    /// Events with greater numbers, in their order, at most so many.
    fn events_after(&self, sequence: u64, limit: usize) -> Result<Vec<LogEvent>, Failure>;
}

/// On whose behalf something is done; goes into events and logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub request_id: String,
}

/// What became of an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edited {
    Done(MemoryChanged),
    /// The file is not the one that was read; this is its digest now.
    ChangedMeanwhile {
        digest: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobRequest {
    Sync(SyncRequest),
    Maintain(MaintainRequest),
}

/// How a job hears from the server, and tells it.
pub trait JobControl: Send + Sync {
    /// Somebody cancelled the job, or the server ends.
    fn is_cancelled(&self) -> bool;
    fn progress(&self, progress: JobProgress);
}
