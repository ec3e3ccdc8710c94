//! Scheduled work: a sync at intervals and when files change, a maintenance at intervals. Work that is due is enqueued
//! like any other job.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep, sleep_until};

use crate::api::{MaintainRequest, SyncRequest};
use crate::server::Server;
use crate::service::JobRequest;

/// Requests syncs until the server ends.
pub(crate) async fn syncs(server: Arc<Server>, wake: Arc<Notify>) {
    let mut ending = server.ending.clone();
    let every = server.schedule.sync;
    let mut next = every.map(|_| Instant::now());
    while !*ending.borrow_and_update() {
        note(&server, &server.next_sync_ms, next);
        tokio::select! {
            () = until(next) => {
                ask(&server, JobRequest::Sync(SyncRequest::default()));
                next = every.map(|every| Instant::now() + every);
            }
            () = wake.notified() => {
                // Files change in bursts: one sync for all of them.
                settled(server.schedule.settle, &mut ending).await;
                ask(&server, JobRequest::Sync(SyncRequest::default()));
            }
            _ = ending.changed() => {}
        }
    }
}

/// Requests maintenance until the server ends.
pub(crate) async fn maintenance(server: Arc<Server>) {
    let mut ending = server.ending.clone();
    let every = server.schedule.maintain;
    let mut next = every.map(|every| Instant::now() + every);
    while !*ending.borrow_and_update() {
        note(&server, &server.next_maintain_ms, next);
        tokio::select! {
            () = until(next) => {
                ask(&server, JobRequest::Maintain(MaintainRequest::default()));
                next = every.map(|every| Instant::now() + every);
            }
            _ = ending.changed() => {}
        }
    }
}

fn ask(server: &Server, job: JobRequest) {
    if *server.ending.borrow() {
        return;
    }
    if let Err(refusal) = server.jobs.ask(job, &server.next_caller()) {
        tracing::warn!(
            message = refusal.problem.message,
            "a job could not be enqueued"
        );
    }
}

async fn until(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}

async fn settled(time: Duration, ending: &mut watch::Receiver<bool>) {
    tokio::select! {
        () = sleep(time) => {}
        _ = ending.changed() => {}
    }
}

fn note(server: &Server, place: &AtomicU64, next: Option<Instant>) {
    let left = next.map(|next| next.saturating_duration_since(Instant::now()));
    let next_ms = left.map_or(0, |left| server.now_ms() + left.as_millis() as u64);
    place.store(next_ms, Ordering::Relaxed);
}
