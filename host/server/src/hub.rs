//! Distributes live events to listeners, and stores the last events of jobs.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};
use tokio::sync::{Notify, broadcast};

use acreta_service::learn::runs::EventRow;

use crate::api::{LiveEvent, TaskState};

pub(crate) struct Hub {
    pub(crate) state: Mutex<HubState>,
    pub(crate) live: broadcast::Sender<LiveEvent>,
    /// Serialises polling the service and joining.
    pub(crate) turn: tokio::sync::Mutex<()>,
    pub(crate) somebody_listens: Notify,
}

pub(crate) struct HubState {
    pub(crate) place: StreamPosition,
    /// The last events of jobs, with their numbers.
    pub(crate) jobs: VecDeque<(u64, LiveEvent)>,
    pub(crate) listeners: usize,
}

/// Position of a listener: the numbers of the last event of the service and of the jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StreamPosition {
    pub(crate) log: u64,
    pub(crate) job: u64,
}

impl Hub {
    /// Numbers job events from the start time, so that numbers of an earlier process are smaller.
    pub(crate) fn new(started_ms: u64) -> Self {
        let state = HubState {
            place: StreamPosition {
                log: 0,
                job: started_ms,
            },
            jobs: VecDeque::new(),
            listeners: 0,
        };
        Self {
            state: Mutex::new(state),
            live: broadcast::channel(1024).0,
            turn: tokio::sync::Mutex::default(),
            somebody_listens: Notify::new(),
        }
    }

    pub(crate) fn job_changed(
        &self,
        state: TaskState,
        request_id: &str,
        fields: Map<String, Value>,
        at_ms: u64,
    ) {
        self.with(|hub| {
            hub.place.job += 1;
            let event = LiveEvent {
                id: hub.place.to_string(),
                at_ms,
                kind: "job".to_owned(),
                name: state.name().to_owned(),
                run_id: None,
                request_id: Some(request_id.to_owned()),
                project: None,
                fields,
            };
            if hub.jobs.len() >= REMEMBERED {
                hub.jobs.pop_front();
            }
            hub.jobs.push_back((hub.place.job, event.clone()));
            // It is not an error if nobody listens.
            let _ = self.live.send(event);
        });
    }

    pub(crate) fn logged(&self, events: Vec<EventRow>) {
        self.with(|hub| {
            for event in events {
                hub.place.log = hub.place.log.max(event.seq);
                let id = hub.place.to_string();
                let _ = self.live.send(live(event, id));
            }
        });
    }

    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut HubState) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Converts an event of the log: spans keep their own kind, everything else is a `log`.
pub(crate) fn live(event: EventRow, id: String) -> LiveEvent {
    let (kind, name) = match event.kind {
        "begin" => (event.name.clone(), format!("{} began", event.name)),
        "end" => (event.name.clone(), format!("{} ended", event.name)),
        _ => ("log".to_owned(), event.name),
    };
    LiveEvent {
        id,
        at_ms: event.at_ms,
        kind,
        name,
        run_id: event.run_id,
        request_id: event.request_id,
        project: event.project,
        fields: event.fields,
    }
}

impl std::fmt::Display for StreamPosition {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}-{}", self.log, self.job)
    }
}

impl StreamPosition {
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (log, job) = text.split_once('-')?;
        Some(Self {
            log: log.parse().ok()?,
            job: job.parse().ok()?,
        })
    }
}

const REMEMBERED: usize = 1000;
