//! Hands live events to whoever listens, and remembers the last of the jobs.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};
use tokio::sync::{Notify, broadcast};

use crate::api::{LiveEvent, LogEvent, TaskState};

pub(crate) struct Hub {
    pub(crate) state: Mutex<State>,
    pub(crate) live: broadcast::Sender<LiveEvent>,
    /// One at a time asks the service or joins.
    pub(crate) turn: tokio::sync::Mutex<()>,
    pub(crate) somebody_listens: Notify,
}

pub(crate) struct State {
    pub(crate) place: Place,
    /// The last events of jobs, with their numbers.
    pub(crate) jobs: VecDeque<(u64, LiveEvent)>,
    pub(crate) listeners: usize,
}

/// How far somebody has heard: the number of the last event of the service, and of the jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) log: u64,
    pub(crate) job: u64,
}

impl Hub {
    /// The events of jobs are counted from the time of the start, so that numbers that an earlier
    /// process gave are smaller.
    pub(crate) fn new(started_ms: u64) -> Self {
        let state = State {
            place: Place {
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
            // Nobody may be listening; that is no failure.
            let _ = self.live.send(event);
        });
    }

    pub(crate) fn logged(&self, events: Vec<LogEvent>) {
        self.with(|hub| {
            for event in events {
                hub.place.log = hub.place.log.max(event.sequence);
                let id = hub.place.to_string();
                let _ = self.live.send(live(event, id));
            }
        });
    }

    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

pub(crate) fn live(event: LogEvent, id: String) -> LiveEvent {
    LiveEvent {
        id,
        at_ms: event.at_ms,
        kind: event.kind,
        name: event.name,
        run_id: event.run_id,
        request_id: event.request_id,
        project: event.project,
        fields: event.fields,
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}-{}", self.log, self.job)
    }
}

impl Place {
    pub(crate) fn read(text: &str) -> Option<Self> {
        let (log, job) = text.split_once('-')?;
        Some(Self {
            log: log.parse().ok()?,
            job: job.parse().ok()?,
        })
    }
}

const REMEMBERED: usize = 1000;
