//! Starts and stops the log. Stopping writes and sends what is left, within two seconds.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tracing::Dispatch;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::SubscriberExt;

use crate::clean::Cleaner;
use crate::log_file::RotatingFile;
use crate::otlp::Sender;
use crate::queue::Queue;
use crate::recorder::Recorder;
use crate::unclean::UncleanRow;
use crate::voice::Voice;
use crate::writer::{CAPACITY, Writer};
use crate::{Options, StartError, person};

/// Keeps the log running; dropping it writes and sends what is left.
#[must_use = "the log ends when this is dropped"]
pub struct Guard {
    rows: Option<Arc<Queue<UncleanRow>>>,
    sender: Option<Arc<Sender>>,
}

/// Time limit for stopping.
const ENDING: Duration = Duration::from_secs(2);

/// Part of it that is for sending.
const SENDING: Duration = Duration::from_millis(1_500);

/// Starts the log of this process.
pub fn start(options: Options) -> Result<Guard, StartError> {
    let (log, guard) = prepare(options)?;
    tracing::dispatcher::set_global_default(log).map_err(|_| StartError::AlreadyStarted)?;
    Ok(guard)
}

/// Prepares a log that is not installed globally: for one part of a process.
pub fn prepare(options: Options) -> Result<(Dispatch, Guard), StartError> {
    let voice = Arc::new(Voice::default());
    let cleaner = Cleaner::new(options.redactor);
    let texts = options.otlp.as_ref().is_some_and(|otlp| otlp.include_http);
    let sender = options
        .otlp
        .map(|otlp| Sender::new(&otlp, cleaner.clone(), Arc::clone(&voice)))
        .transpose()?
        .map(Arc::new);
    let is_written = options.events.is_some() || options.log_file.is_some();
    let rows = is_written.then(|| Arc::new(Queue::new(CAPACITY)));
    if let Some(queue) = &rows {
        begin(Writer {
            queue: Arc::clone(queue),
            cleaner,
            clock: Arc::clone(&options.clock),
            voice: Arc::clone(&voice),
            file: options.log_file.map(RotatingFile::new),
            sink: options.events,
        });
    }
    let guard = Guard {
        rows: rows.clone(),
        sender: sender.clone(),
    };
    let recorder = (rows.is_some() || sender.is_some()).then(|| {
        let most = if texts {
            LevelFilter::TRACE
        } else {
            LevelFilter::INFO
        };
        let wanted = filter_fn(move |metadata| Recorder::wants(metadata, texts));
        Recorder::new(options.clock, options.request_id, rows, sender)
            .with_filter(wanted.with_max_level_hint(most))
    });
    let log = Dispatch::new(
        tracing_subscriber::registry()
            .with(recorder)
            .with(person::layer(&options.stderr, std::io::stderr)),
    );
    voice.give(&log);
    Ok((log, guard))
}

/// If the thread cannot be started, nothing is written; everything else works as usual.
fn begin(writer: Writer) {
    let queue = Arc::clone(&writer.queue);
    let started = std::thread::Builder::new()
        .name("telemetry".to_owned())
        .spawn(move || writer.run());
    if started.is_err() {
        queue.done();
    }
}

impl Guard {
    /// Returns how many rows were dropped because they arrived faster than they could be written.
    pub fn dropped(&self) -> u64 {
        self.rows.as_ref().map_or(0, |rows| rows.dropped_in_all())
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let until = Instant::now() + ENDING;
        // Rows are written meanwhile, because sending may log a warning.
        if let Some(sender) = &self.sender {
            sender.end(SENDING);
        }
        if let Some(rows) = &self.rows {
            rows.end();
            rows.wait_until_done(until);
        }
    }
}
