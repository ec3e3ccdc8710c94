//! The interface of the server to acreta. A service blocks; the server calls it on its own threads, several calls at a
//! time, and never while holding a lock.

use std::sync::Arc;

use acreta_mcp::{Backend, Failure};
use serde_json::{Map, Value};

use crate::api::{
    AskAnswer, AskRequest, BriefList, BriefsQuery, ChosenModel, Connection, ContextCommand,
    ContextRequest, EventPage, EventsQuery, ExcludedFolder, ExcludedFolders, Exclusions,
    FindInSessionQuery, Home, HomeQuery, InProject, InProjects, JobProgress, KnownProject,
    LogEvent, MaintainRequest, MemoriesQuery, MemoryAdded, MemoryChange, MemoryChanged,
    MemoryDetail, MemoryEdit, MemoryNote, MemoryPage, MemoryProvenance, ModelTrial, ModelView,
    NewConnection, NewProject, NewSetting, Overview, PluginRow, ProjectAdded, ProjectChanged,
    ProjectRow, ProjectTrust, QueueAction, QueueChanged, QueueList, QueueQuery, Removed,
    ReviewDetail, ReviewQueue, ReviewReport, ReviewRequest, ReviewUndone, RowBody, RowMatches,
    RowPage, RowsQuery, RunDetail, RunList, RunsQuery, SearchPage, SearchQuery, ServiceStatus,
    SessionDetail, SessionOutline, SessionPage, SessionSearchQuery, SessionsFound, SessionsQuery,
    SettingWritten, SettingsForm, SyncRequest, Timeline, TimelineQuery,
};

/// Provides memory, sessions and plugins. If a request names a `project_root`, the server has checked it with
/// [`Service::is_registered`]. If it names none, memory means the project that the server was started for, or the
/// global memory if there is no such project; sessions and runs mean those of all projects.
///
/// A [`Failure`] becomes 404 (`NotFound`), 400 (`Invalid`), 403 (`Refused`), 503 (`Busy`) or 500.
pub trait Service: Send + Sync + 'static {
    /// Returns whether a person registered this folder as a project.
    fn is_registered(&self, project_root: &str) -> Result<bool, Failure>;

    /// The review counts are of the requested projects, everything else of all.
    fn status(&self, query: &InProjects) -> Result<ServiceStatus, Failure>;
    fn overview(&self, query: &InProject) -> Result<Overview, Failure>;
    /// Returns the home page: what happened since the last visit.
    fn home(&self, query: &HomeQuery) -> Result<Home, Failure>;
    fn timeline(&self, query: &TimelineQuery) -> Result<Timeline, Failure>;

    fn memories(&self, query: &MemoriesQuery) -> Result<MemoryPage, Failure>;
    fn memory(&self, id: &str, query: &InProject) -> Result<MemoryDetail, Failure>;
    /// Returns where a memory comes from, how it changed, and how often it was used.
    fn provenance(&self, id: &str, query: &InProject) -> Result<MemoryProvenance, Failure>;
    /// Adds a note as a person's statement.
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

    /// Returns everything that waits for a person.
    fn review(&self, query: &InProjects) -> Result<ReviewQueue, Failure>;
    fn review_item(&self, id: &str, query: &InProjects) -> Result<ReviewDetail, Failure>;
    /// Applies decisions as the person's.
    fn decide(&self, caller: &Caller, request: &ReviewRequest) -> Result<ReviewReport, Failure>;
    /// Undoes the latest decisions.
    fn undo_review(&self, caller: &Caller, project: &InProjects) -> Result<ReviewUndone, Failure>;

    fn search(&self, query: &SearchQuery) -> Result<SearchPage, Failure>;
    fn ask(&self, caller: &Caller, request: &AskRequest) -> Result<AskAnswer, Failure>;

    fn connections(&self) -> Result<Vec<Connection>, Failure>;
    fn connect(&self, caller: &Caller, request: &NewConnection) -> Result<Connection, Failure>;
    fn disconnect(&self, caller: &Caller, agent: &str) -> Result<Removed, Failure>;
    fn projects(&self) -> Result<Vec<ProjectRow>, Failure>;
    fn add_project(&self, caller: &Caller, request: &NewProject) -> Result<ProjectAdded, Failure>;
    /// Unregisters a project; its memory stays.
    fn remove_project(
        &self,
        caller: &Caller,
        request: &KnownProject,
    ) -> Result<ProjectChanged, Failure>;
    fn trust_project(
        &self,
        caller: &Caller,
        request: &ProjectTrust,
    ) -> Result<ProjectChanged, Failure>;
    fn excluded(&self) -> Result<ExcludedFolders, Failure>;
    fn exclude(&self, caller: &Caller, request: &ExcludedFolder) -> Result<Exclusions, Failure>;
    fn include(&self, caller: &Caller, request: &ExcludedFolder) -> Result<Exclusions, Failure>;

    /// Returns the model that reads sessions, and the available ones.
    fn model(&self) -> Result<ModelView, Failure>;
    fn choose_model(&self, caller: &Caller, request: &ChosenModel) -> Result<ModelView, Failure>;
    /// Lets the chosen model read one session; stores nothing.
    fn test_model(&self, caller: &Caller) -> Result<ModelTrial, Failure>;
    fn settings(&self, query: &InProject) -> Result<SettingsForm, Failure>;
    /// Writes a setting that is not free text to the user's file.
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
    /// Returns the structure of a conversation, for a reader that gets the rest in parts.
    fn session_outline(&self, agent: &str, id: &str) -> Result<SessionOutline, Failure>;
    fn session_rows(&self, agent: &str, id: &str, query: &RowsQuery) -> Result<RowPage, Failure>;
    /// Returns all of the row with an event.
    fn session_row(&self, agent: &str, id: &str, event: &str) -> Result<RowBody, Failure>;
    /// Returns the rows in which a text occurs.
    fn find_in_session(
        &self,
        agent: &str,
        id: &str,
        query: &FindInSessionQuery,
    ) -> Result<RowMatches, Failure>;

    fn plugins(&self) -> Result<Vec<PluginRow>, Failure>;

    /// Returns the output of `context … --json`.
    fn context(
        &self,
        caller: &Caller,
        command: ContextCommand,
        request: &ContextRequest,
    ) -> Result<Map<String, Value>, Failure>;

    /// Returns the backend for MCP clients; `None` selects the server's own project.
    fn backend(&self, project_root: Option<&str>) -> Result<Arc<dyn Backend>, Failure>;

    /// Runs a job and blocks until it is done; returns the output of `--json`. Polls `control` often and returns soon
    /// after a cancellation; its result is kept even then.
    fn run_job(
        &self,
        caller: &Caller,
        job: &JobRequest,
        control: &dyn JobControl,
    ) -> Result<Value, Failure>;

    /// Returns the number of the newest event, or 0 if there is none.
    fn newest_event(&self) -> Result<u64, Failure>;
    /// Returns events with greater numbers, in order, up to the limit.
    fn events_after(&self, sequence: u64, limit: usize) -> Result<Vec<LogEvent>, Failure>;
}

/// The request on whose behalf something is done; recorded in events and logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub request_id: String,
}

/// Result of an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edited {
    Done(MemoryChanged),
    /// The file has changed since it was read; this is its current digest.
    ChangedMeanwhile {
        digest: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobRequest {
    Sync(SyncRequest),
    Maintain(MaintainRequest),
}

/// Connection between a running job and the server.
pub trait JobControl: Send + Sync {
    /// Returns whether the job was cancelled or the server is ending.
    fn is_cancelled(&self) -> bool;
    fn progress(&self, progress: JobProgress);
}
