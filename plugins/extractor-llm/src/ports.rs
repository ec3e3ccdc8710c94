//! The extractor's interfaces to the outside: a trace in pages, models, and a log. The component connects them to the
//! host, tests connect them to scripts.

use crate::{Budget, Event, Failure, Reply, Request};

/// The session's events.
pub trait Trace {
    /// Starts again from the first event.
    fn rewind(&self);
    /// Returns the next events; empty at the end.
    fn next(&self) -> Result<Vec<Event>, Failure>;
    /// Returns one event by its id. Does not move the page.
    fn read(&self, event_id: &str) -> Result<Option<Event>, Failure>;
    /// Finds events whose text contains `text`, ignoring case, from the start. Does not move the page.
    fn find(&self, text: &str, limit: u32) -> Result<Vec<Event>, Failure>;
}

/// The language models that this run may use.
pub trait Models {
    fn left(&self) -> Budget;
    /// Returns the replies in the order of the requests.
    fn complete_all(&self, requests: Vec<Request>) -> Vec<Result<Reply, Failure>>;
}

/// Severity of a line in the run's log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Info,
    Warn,
}

/// The run's log.
pub trait Journal {
    fn write(&self, level: Level, message: &str);
}

/// All ports together.
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

    /// Calls `take` with every event and its number, from 1, until it returns [`Continue::Enough`].
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

/// Whether a pass over the trace continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Continue {
    On,
    Enough,
}
