//! A sink that collects everything it receives.

use std::sync::{Arc, Mutex};

use acreta_types::{Diagnostic, Event, EventSink, Failure, SharedSink};

use super::lock;

/// Result of one read.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct CollectedEvents {
    pub(crate) events: Vec<Event>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl EventSink for CollectedEvents {
    fn emit(&mut self, batch: Vec<Event>) -> Result<(), Failure> {
        self.events.extend(batch);
        Ok(())
    }

    fn diagnose(&mut self, record: &str, start: u64, end: u64, message: &str) {
        self.diagnostics.push(Diagnostic {
            record: record.to_owned(),
            start,
            end,
            message: message.to_owned(),
        });
    }
}

/// Runs a closure with a fresh sink, and returns what the sink received.
pub(crate) fn listening<T>(run: impl FnOnce(SharedSink) -> T) -> (T, CollectedEvents) {
    let told = Arc::new(Mutex::new(CollectedEvents::default()));
    let result = run(Arc::clone(&told) as SharedSink);
    let told = std::mem::take(&mut *lock(&told));
    (result, told)
}
