//! State shared by all requests, and the limit on concurrent calls of the service.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{Semaphore, watch};
use tokio::time::{Instant, timeout_at};

use crate::api::{JobKind, ScheduleView};
use crate::auth::Authenticator;
use crate::hub::Hub;
use crate::jobs::Jobs;
use crate::login::Logins;
use crate::options::{Assets, Limits, Schedule, Surroundings};
use crate::refusal::Refusal;
use crate::service::{Caller, Service};

pub(crate) struct Server {
    pub(crate) service: Arc<dyn Service>,
    pub(crate) assets: Assets,
    pub(crate) version: String,
    pub(crate) started_ms: u64,
    /// `127.0.0.1:8765`: the address for a browser on this machine.
    pub(crate) own_name: String,
    pub(crate) authenticator: Authenticator,
    pub(crate) logins: Logins,
    pub(crate) jobs: Arc<Jobs>,
    pub(crate) hub: Arc<Hub>,
    pub(crate) schedule: Schedule,
    /// Time of the next scheduled one; 0 for never.
    pub(crate) next_sync_ms: AtomicU64,
    pub(crate) next_maintain_ms: AtomicU64,
    pub(crate) limits: Limits,
    pub(crate) turns: CallSlots,
    pub(crate) surroundings: Surroundings,
    pub(crate) document: Value,
    pub(crate) ending: watch::Receiver<bool>,
    pub(crate) requests: AtomicU64,
}

/// Limits on concurrent calls.
pub(crate) struct CallSlots {
    pub(crate) usual: Arc<Semaphore>,
    pub(crate) long: Arc<Semaphore>,
}

impl Server {
    pub(crate) fn now_ms(&self) -> u64 {
        (self.surroundings.now_ms)()
    }

    /// Returns a caller with a new id. Ids sort by time, also across restarts.
    pub(crate) fn next_caller(&self) -> Caller {
        let number = self.requests.fetch_add(1, Ordering::Relaxed);
        Caller {
            request_id: format!("{:x}-{number:x}", self.started_ms),
        }
    }

    /// Returns 32 random bytes as hex.
    pub(crate) fn secret(&self) -> Result<String, Refusal> {
        let mut bytes = [0; 32];
        (self.surroundings.random)(&mut bytes).map_err(|error| {
            tracing::error!(%error, "no random bytes available");
            Refusal::broke_down()
        })?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    pub(crate) fn schedule_view(&self) -> ScheduleView {
        let line = |kind, every: Option<Duration>, next: &AtomicU64| {
            let next = next.load(Ordering::Relaxed);
            self.jobs.line(kind, every, (next > 0).then_some(next))
        };
        ScheduleView {
            sync: line(JobKind::Sync, self.schedule.sync, &self.next_sync_ms),
            maintain: line(
                JobKind::Maintain,
                self.schedule.maintain,
                &self.next_maintain_ms,
            ),
        }
    }

    /// Runs blocking work on its own thread. A call that is cancelled runs to its end, because a write may be half
    /// done, and keeps its slot until then.
    pub(crate) async fn blocking<T: Send + 'static>(
        &self,
        patience: CallClass,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let (turns, time) = match patience {
            CallClass::Usual => (&self.turns.usual, self.limits.call_time),
            CallClass::Long => (&self.turns.long, self.limits.long_call_time),
        };
        let deadline = Instant::now() + time;
        let turn = timeout_at(deadline, Arc::clone(turns).acquire_owned()).await;
        let Ok(Ok(turn)) = turn else {
            return Err(Refusal::busy("too many calls at once"));
        };
        let span = tracing::Span::current();
        let work = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            span.in_scope(work)
        });
        match timeout_at(deadline, work).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => {
                tracing::error!(%error, "a call panicked");
                Err(Refusal::broke_down())
            }
            Err(_) => Err(Refusal::timed_out()),
        }
    }

    /// Checks that the named project is registered; blocks.
    pub(crate) fn check_project(&self, project_root: Option<&str>) -> Result<(), Refusal> {
        let Some(project_root) = project_root else {
            return Ok(());
        };
        if self.service.is_registered(project_root)? {
            return Ok(());
        }
        let message = format!("`{project_root}` is not a registered project");
        let code = crate::api::ProblemCode::ProjectNotRegistered;
        let refusal = Refusal::new(http::StatusCode::FORBIDDEN, code, message);
        Err(refusal.hint("register it with `acreta project add`"))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallClass {
    Usual,
    Long,
}
