//! What the extractor needs from outside: a trace in pages, models, and somewhere to say what
//! happened. The component binds them to the host, tests to scripts.

use crate::{Budget, Event, Failure, Reply, Request};

/// The session's events.
pub trait Trace {
    /// Starts again from the first event.
    fn rewind(&self);
    /// The next events; empty at the end.
    fn next(&self) -> Result<Vec<Event>, Failure>;
    /// One event by its id. Does not move the page.
    fn read(&self, event_id: &str) -> Result<Option<Event>, Failure>;
    /// Events whose text contains `text`, whatever its case, from the start. Does not move the page.
    fn find(&self, text: &str, limit: u32) -> Result<Vec<Event>, Failure>;
}

/// Language models, as far as this run may use them.
pub trait Models {
    fn left(&self) -> Budget;
    /// The replies in the order of the requests.
    fn complete_all(&self, requests: Vec<Request>) -> Vec<Result<Reply, Failure>>;
}

/// How much a line of the run's log matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Info,
    Warn,
}

/// The run's log.
pub trait Journal {
    fn write(&self, level: Level, message: &str);
}

/// All of them together.
#[derive(Clone, Copy)]
pub struct Ports<'a> {
    pub trace: &'a dyn Trace,
    pub models: &'a dyn Models,
    pub journal: &'a dyn Journal,
}

impl Ports<'_> {
    pub(crate) fn info(&self, message: &str) {
        self.journal.write(Level::Info, message);
    }

    pub(crate) fn warn(&self, message: &str) {
        self.journal.write(Level::Warn, message);
    }

    /// Shows every event with its number, from 1, until `take` has seen enough.
    pub(crate) fn each(
        &self,
        mut take: impl FnMut(u64, &Event) -> Continue,
    ) -> Result<(), Failure> {
        self.trace.rewind();
        let mut number = 0;
        loop {
            let page = self.trace.next()?;
            if page.is_empty() {
                return Ok(());
            }
            for event in &page {
                number += 1;
                if take(number, event) == Continue::Enough {
                    return Ok(());
                }
            }
        }
    }
}

/// Whether a pass over the trace goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Continue {
    On,
    Enough,
}
