//! Sends events in batches and diagnostics up to a limit.
//!
//! Holds at most one batch, and truncates overlong texts.

use crate::adapter::{Attrs, Event, Failure, Sink};

/// Maximum text of one event, in bytes.
const TEXT_LIMIT: usize = 256 * 1024;

/// A batch is sent once it has this much text or this many events.
const BATCH_BYTES: usize = 64 * 1024;
const BATCH_EVENTS: usize = 256;

/// Maximum number of diagnostics that are reported one by one.
const DIAGNOSTICS: u64 = 100;

pub(crate) struct Output<'s, S> {
    sink: &'s mut S,
    batch: Vec<Event>,
    bytes: usize,
    diagnosed: u64,
    /// Span of the diagnostics that were only counted.
    untold: Option<(u64, u64)>,
}

impl<'s, S: Sink> Output<'s, S> {
    pub(crate) fn new(sink: &'s mut S) -> Self {
        Self {
            sink,
            batch: Vec::new(),
            bytes: 0,
            diagnosed: 0,
            untold: None,
        }
    }

    pub(crate) fn event(&mut self, mut event: Event) -> Result<(), Failure> {
        cut(&mut event.text, &mut event.attrs);
        self.bytes += event.text.len();
        self.batch.push(event);
        if self.bytes >= BATCH_BYTES || self.batch.len() >= BATCH_EVENTS {
            self.flush()?;
        }
        Ok(())
    }

    pub(crate) fn diagnose(&mut self, record: &str, start: u64, end: u64, message: &str) {
        self.diagnosed += 1;
        if self.diagnosed <= DIAGNOSTICS {
            self.sink.diagnose(record, start, end, message);
        } else {
            let first = self.untold.map_or(start, |(first, _)| first);
            self.untold = Some((first, end));
        }
    }

    /// Sends the remaining events.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()?;
        if let Some((start, end)) = self.untold {
            let message = format!("and {} more", self.diagnosed - DIAGNOSTICS);
            self.sink.diagnose("", start, end, &message);
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Failure> {
        if self.batch.is_empty() {
            return Ok(());
        }
        self.bytes = 0;
        self.sink.emit(std::mem::take(&mut self.batch))
    }
}

/// Truncates a text at a character boundary and records how much was left out.
fn cut(text: &mut String, attrs: &mut Attrs) {
    if text.len() <= TEXT_LIMIT {
        return;
    }
    let kept = text.floor_char_boundary(TEXT_LIMIT);
    let truncated = text.len() - kept;
    text.truncate(kept);
    text.shrink_to_fit();
    attrs.push(("truncated_bytes".to_owned(), truncated.to_string()));
}
