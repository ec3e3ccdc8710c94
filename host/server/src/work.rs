//! Runs the jobs of this server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use acreta_service::Failure;
use serde_json::Value;

use crate::api::{JobKind, JobProgress};
use crate::jobs::{ClaimedJob, Jobs};
use crate::refusal::Refusal;
use crate::server::Server;
use crate::service::JobControl;

/// Runs the jobs of one kind, one after the other, until the server ends.
pub(crate) async fn work(server: Arc<Server>, kind: JobKind) {
    let mut ending = server.ending.clone();
    while !*ending.borrow_and_update() {
        let Some(taken) = server.jobs.take(kind) else {
            tokio::select! {
                () = server.jobs.asked(kind).notified() => {}
                _ = ending.changed() => {}
            }
            continue;
        };
        let id = taken.id.clone();
        let worker = Arc::clone(&server);
        let ran = tokio::task::spawn_blocking(move || run(&worker, taken)).await;
        let outcome = match ran {
            Ok(outcome) => outcome.map_err(Refusal::from),
            Err(error) => {
                tracing::error!(%error, "a job panicked");
                Err(Refusal::broke_down())
            }
        };
        server.jobs.finish(&id, outcome);
    }
}

fn run(server: &Server, taken: ClaimedJob) -> Result<Value, Failure> {
    let request_id = &taken.caller.request_id;
    let span = tracing::info_span!("job", request_id, job_id = taken.id);
    let control = TaskControl {
        jobs: &server.jobs,
        id: &taken.id,
        cancelled: &taken.cancelled,
    };
    span.in_scope(|| {
        server
            .service
            .run_job(&taken.caller, &taken.request, &control)
    })
}

struct TaskControl<'a> {
    jobs: &'a Jobs,
    id: &'a str,
    cancelled: &'a AtomicBool,
}

impl JobControl for TaskControl<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    fn progress(&self, progress: JobProgress) {
        self.jobs.progress(self.id, progress);
    }
}
