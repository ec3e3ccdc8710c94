//! An in-memory trace, read in pages like one in the archive.

use std::sync::{Arc, Mutex};

use acreta_types::{Event, Failure, SharedTrace, TraceReader};

use super::unavailable;

pub(crate) struct Pages {
    events: Arc<Vec<Event>>,
    next: usize,
}

impl Pages {
    pub(crate) fn new(events: &Arc<Vec<Event>>) -> Self {
        Self {
            events: Arc::clone(events),
            next: 0,
        }
    }

    pub(crate) fn shared(events: &Arc<Vec<Event>>) -> SharedTrace {
        Arc::new(Mutex::new(Self::new(events)))
    }
}

impl TraceReader for Pages {
    fn count(&self) -> u64 {
        self.events.len() as u64
    }

    fn next(&mut self, max_bytes: u32) -> Result<Vec<Event>, Failure> {
        let rest = &self.events[self.next..];
        let mut bytes = 0;
        let fitting = rest.iter().take_while(|event| {
            bytes += event.text.len();
            bytes <= max_bytes as usize
        });
        let count = fitting.count().max(1).min(rest.len());
        self.next += count;
        Ok(rest[..count].to_vec())
    }

    fn read(&mut self, event_id: &str) -> Result<Option<Event>, Failure> {
        let found = self.events.iter().find(|event| event.id == event_id);
        Ok(found.cloned())
    }

    fn find(&mut self, text: &str, limit: u32) -> Result<Vec<Event>, Failure> {
        let wanted = text.to_lowercase();
        let found = self
            .events
            .iter()
            .filter(|event| !wanted.is_empty() && event.text.to_lowercase().contains(&wanted));
        Ok(found.take(limit as usize).cloned().collect())
    }

    fn rewind(&mut self) {
        self.next = 0;
    }
}

/// A trace that reports events but cannot be read.
pub(crate) struct BrokenTrace;

impl TraceReader for BrokenTrace {
    fn count(&self) -> u64 {
        3
    }

    fn next(&mut self, _max_bytes: u32) -> Result<Vec<Event>, Failure> {
        Err(unavailable("the trace cannot be read"))
    }

    fn read(&mut self, _event_id: &str) -> Result<Option<Event>, Failure> {
        Err(unavailable("the trace cannot be read"))
    }

    fn find(&mut self, _text: &str, _limit: u32) -> Result<Vec<Event>, Failure> {
        Err(unavailable("the trace cannot be read"))
    }

    fn rewind(&mut self) {}
}
