//! The writing thread: cleans rows, appends them to the file and passes them to the event sink.

use std::sync::Arc;
use std::time::Duration;

use crate::clean::Cleaner;
use crate::fields::{FieldValue, Fields};
use crate::log_file::RotatingFile;
use crate::queue::Queue;
use crate::unclean::{InheritedIds, UncleanRow};
use crate::voice::{Once, Voice};
use crate::{Clock, EventSink, Row, logfmt};

/// Maximum number of waiting rows. They take a few megabytes and cover seconds of the busiest run.
pub(crate) const CAPACITY: usize = 8 * 1024;

/// Time to wait for more rows after the first one, so that each batch is one write to disk.
const LINGER: Duration = Duration::from_millis(200);

pub(crate) struct Writer {
    pub(crate) queue: Arc<Queue<UncleanRow>>,
    pub(crate) cleaner: Cleaner,
    pub(crate) clock: Clock,
    pub(crate) voice: Arc<Voice>,
    pub(crate) file: Option<RotatingFile>,
    pub(crate) sink: Option<Box<dyn EventSink>>,
}

impl Writer {
    /// Runs until the queue has ended.
    pub(crate) fn run(mut self) {
        let _end = DoneOnDrop(Arc::clone(&self.queue));
        let (unwritten, unkept) = (Once::default(), Once::default());
        while let Some(batch) = self.queue.take(LINGER) {
            let mut items = batch.items;
            if batch.dropped > 0 {
                items.push(self.dropped(batch.dropped));
            }
            let rows: Vec<Row> = items
                .into_iter()
                .map(|said| self.cleaner.row(said))
                .collect();
            if let Some(file) = &mut self.file {
                let lines: Vec<String> = rows.iter().map(logfmt::line).collect();
                if let Err(error) = file.append(&lines) {
                    let path = file.path();
                    self.voice.say(&unwritten, || {
                        tracing::warn!(%path, %error, "the log file could not be written");
                    });
                }
            }
            if let Some(sink) = &mut self.sink
                && let Err(error) = sink.write(&rows)
            {
                self.voice.say(&unkept, || {
                    tracing::warn!(%error, "events could not be stored");
                });
            }
        }
    }

    fn dropped(&self, count: u64) -> UncleanRow {
        let mut fields = Fields::default();
        fields.set("count", FieldValue::Unsigned(count));
        UncleanRow {
            at: (self.clock)(),
            level: "warn",
            kind: "event",
            name: "telemetry.dropped",
            ids: InheritedIds::default(),
            span: None,
            parent: None,
            duration: None,
            fields,
        }
    }
}

/// Marks the queue as drained on drop, also when a sink panics.
struct DoneOnDrop(Arc<Queue<UncleanRow>>);

impl Drop for DoneOnDrop {
    fn drop(&mut self) {
        self.0.done();
    }
}
