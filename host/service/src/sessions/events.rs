//! The events of a session that is open for reading: those of a trace, or recovered prompts.

use acreta_fs::Scratch;
use acreta_session_archive::{PendingTrace, TraceFile};
use acreta_types::{Event, TraceReader};

use crate::Failure;

/// Maximum bytes read of a trace at a time.
const PAGE_BYTES: u32 = 1024 * 1024;

pub(super) enum EventSource {
    Trace {
        file: Box<TraceFile>,
        /// Keeps the file of a trace that was created for this reading.
        _made: Option<Box<(PendingTrace, Scratch)>>,
    },
    Prompts {
        events: Vec<Event>,
        next: usize,
    },
}

impl EventSource {
    pub(super) fn count(&self) -> u64 {
        match self {
            EventSource::Trace { file, .. } => file.count(),
            EventSource::Prompts { events, .. } => events.len() as u64,
        }
    }

    /// Returns the next events, a few at a time; empty at the end.
    pub(super) fn next_events(&mut self) -> Result<Vec<Event>, Failure> {
        match self {
            EventSource::Trace { file, .. } => file
                .next(PAGE_BYTES)
                .map_err(|failure| Failure::saying(failure.message)),
            EventSource::Prompts { events, next } => {
                let from = std::mem::replace(next, events.len());
                Ok(events[from..].to_vec())
            }
        }
    }

    pub(super) fn rewind(&mut self) {
        match self {
            EventSource::Trace { file, .. } => file.rewind(),
            EventSource::Prompts { next, .. } => *next = 0,
        }
    }

    /// Returns the event with an id. Does not move what comes next.
    pub(super) fn event(&mut self, id: &str) -> Result<Option<Event>, Failure> {
        match self {
            EventSource::Trace { file, .. } => file
                .read(id)
                .map_err(|failure| Failure::saying(failure.message)),
            EventSource::Prompts { events, .. } => {
                Ok(events.iter().find(|event| event.id == id).cloned())
            }
        }
    }
}
