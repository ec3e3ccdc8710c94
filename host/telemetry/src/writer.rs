//! The one thread that writes: rows are cleaned, added to the file and given to whoever keeps them.

use std::sync::Arc;
use std::time::Duration;

use crate::clean::Cleaner;
use crate::fields::{Fields, Value};
use crate::log_file::RotatingFile;
use crate::queue::Queue;
use crate::said::{Ids, Said};
use crate::voice::{Once, Voice};
use crate::{Clock, EventSink, Row, logfmt};

/// Rows that wait to be written. At most some megabytes, and seconds of the busiest run.
pub(crate) const CAPACITY: usize = 8 * 1024;

/// How long more rows are waited for once there is one: each batch is one write to the disk.
const LINGER: Duration = Duration::from_millis(200);

pub(crate) struct Writer {
    pub(crate) queue: Arc<Queue<Said>>,
    pub(crate) cleaner: Cleaner,
    pub(crate) clock: Clock,
    pub(crate) voice: Arc<Voice>,
    pub(crate) file: Option<RotatingFile>,
    pub(crate) sink: Option<Box<dyn EventSink>>,
}

impl Writer {
    /// Works until the queue has ended.
    pub(crate) fn run(mut self) {
        let _end = End(Arc::clone(&self.queue));
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
                        tracing::warn!(%path, %error, "the log is not written");
                    });
                }
            }
            if let Some(sink) = &mut self.sink
                && let Err(error) = sink.write(&rows)
            {
                self.voice.say(&unkept, || {
                    tracing::warn!(%error, "events are not kept");
                });
            }
        }
    }

    fn dropped(&self, count: u64) -> Said {
        let mut fields = Fields::default();
        fields.set("count", Value::Unsigned(count));
        Said {
            at: (self.clock)(),
            level: "warn",
            kind: "event",
            name: "telemetry.dropped",
            ids: Ids::default(),
            span: None,
            parent: None,
            duration: None,
            fields,
        }
    }
}

/// Whoever waits is told, also when a sink panics.
struct End(Arc<Queue<Said>>);

impl Drop for End {
    fn drop(&mut self) {
        self.0.done();
    }
}
