//! The daemon: the server's [`Service`] over acreta's use cases. The command line can do everything here without it,
//! and both may run at once.
//!
//! Memory is changed in this process, as a command would; a sync or a maintenance is a separate process, so that its
//! failure leaves the daemon unaffected.

pub mod background;
pub mod client;
mod jobs;
pub mod place;
mod run;
mod watch;

pub use jobs::ENDS_WITH_INPUT;

use std::sync::Arc;

use crate::{Call, Caller, JobControl, JobRequest, Service, UseCase};
use acreta_mcp::Backend;
use acreta_service::learn::runs::{self, EventRow};
use acreta_service::{Context, Failure, ForAgents, Process, projects::scopes};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

pub use acreta_fs::allocator::keep_little;
pub use run::{Listen, run};

/// Implements the server's service over acreta's libraries.
pub struct Daemon {
    pub(crate) process: Process,
    /// The project the daemon was started in, or any folder outside of one.
    pub(crate) directory: Utf8PathBuf,
    /// Path of the `acreta` program that runs its jobs.
    pub(crate) program: Utf8PathBuf,
}

impl Daemon {
    pub fn new(process: Process, directory: &Utf8Path, program: &Utf8Path) -> Self {
        Self {
            process,
            directory: directory.to_owned(),
            program: program.to_owned(),
        }
    }

    /// Opens a context. Settings are read for each request, so that a change applies at once.
    pub(crate) fn context(&self, project_root: Option<&str>) -> Result<Context, Failure> {
        Context::open(&self.process, self.folder(project_root))
    }

    fn folder<'a>(&'a self, project_root: Option<&'a str>) -> &'a Utf8Path {
        project_root.map_or(self.directory.as_path(), Utf8Path::new)
    }
}

impl Service for Daemon {
    fn is_registered(&self, project_root: &str) -> Result<bool, Failure> {
        let root = Utf8Path::new(project_root);
        let context = self.context(None)?;
        Ok(
            root == context.project
                || scopes::registered_projects(&context)?.contains(&root.into()),
        )
    }

    fn answer(&self, use_case: &UseCase, call: &Call) -> Result<Vec<u8>, Failure> {
        let context = Context {
            all_projects: call.all_projects,
            ..self.context(call.project_root.as_deref())?
        };
        (use_case.run)(call, &context)
    }

    fn backend(&self, project_root: Option<&str>) -> Result<Arc<dyn Backend>, Failure> {
        let directory = self.folder(project_root);
        Ok(Arc::new(ForAgents::new(self.process.clone(), directory)))
    }

    fn run_job(
        &self,
        caller: &Caller,
        job: &JobRequest,
        control: &dyn JobControl,
    ) -> Result<Value, Failure> {
        self.work_on(caller, job, control)
    }

    fn newest_event(&self) -> Result<u64, Failure> {
        runs::last_event(&self.context(None)?)
    }

    fn events_after(&self, sequence: u64, limit: u64) -> Result<Vec<EventRow>, Failure> {
        runs::events_after(sequence, limit, &self.context(None)?)
    }
}
