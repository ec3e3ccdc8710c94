//! The interface of the server to acreta. A service blocks; the server calls it on its own threads, several calls at a
//! time, and never while holding a lock.

use std::sync::Arc;

use acreta_mcp::Backend;
use acreta_service::learn::runs::EventRow;
use acreta_service::{Context, Failure};
use camino::Utf8PathBuf;
use serde_json::Value;

use crate::api::{JobProgress, MaintainRequest, SyncRequest};

/// Runs use cases. If a request names a project, the server has checked it with [`Service::is_registered`].
pub trait Service: Send + Sync + 'static {
    /// Returns whether a person registered this folder as a project.
    fn is_registered(&self, project_root: &str) -> Result<bool, Failure>;

    /// Runs a use case and returns its report as JSON.
    fn answer(&self, use_case: &UseCase, call: &Call) -> Result<Vec<u8>, Failure>;

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
    fn events_after(&self, sequence: u64, limit: u64) -> Result<Vec<EventRow>, Failure>;
}

/// A row of the table of routes that a function of `acreta_service` answers.
pub struct UseCase {
    /// Name of the operation in clients.
    pub name: &'static str,
    pub(crate) run: Box<RunUseCase>,
}

pub(crate) type RunUseCase =
    dyn Fn(&Call, &Context) -> Result<Vec<u8>, Failure> + Send + Sync + 'static;

/// One call of a use case. Its input is within the bounds of the schema.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub caller: Caller,
    /// The values in the path, by name.
    pub path: Vec<(String, String)>,
    /// `None` means the project that the server was started for, or the global memory if there is no such project.
    pub project_root: Option<String>,
    pub all_projects: bool,
    pub input: Value,
}

impl Call {
    pub fn path(&self, name: &str) -> &str {
        let found = self.path.iter().find(|(known, _)| known == name);
        found.map_or("", |(_, value)| value)
    }

    /// Returns the project that the caller named. Sessions and runs are those of all projects otherwise.
    pub fn project(&self) -> Option<Utf8PathBuf> {
        self.project_root.as_ref().map(Utf8PathBuf::from)
    }
}

/// The request on whose behalf something is done; recorded in events and logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    pub request_id: String,
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
