//! A sink that keeps everything it is told.

use std::sync::{Arc, Mutex};

use acreta_model::{Diagnostic, Event, EventSink, Failure, SharedSink};

use super::lock;

/// What one read told.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) events: Vec<Event>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl EventSink for Told {
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

/// Runs something with a fresh sink, and gives what the sink was told.
pub(crate) fn listening<T>(run: impl FnOnce(SharedSink) -> T) -> (T, Told) {
    let told = Arc::new(Mutex::new(Told::default()));
    let result = run(Arc::clone(&told) as SharedSink);
    let told = std::mem::take(&mut *lock(&told));
    (result, told)
}
