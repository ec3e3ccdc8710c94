//! A separate log for each test, with a clock that advances by a millisecond at each reading.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, UNIX_EPOCH};

use acreta_redact::Redactor;
use acreta_telemetry::{Clock, LogFile, Options, Otlp, Row, prepare};
use camino::Utf8PathBuf;
use tempfile::TempDir;

/// The time of the tests.
pub(crate) const NOW: u64 = 1_800_000_000_000;

/// A token that no service issued.
pub(crate) const TOKEN: &str = "ghp_q7Rk2Zt9Xw4Lm8Pv3Bn6Yd1Hc5Fs0JgKaQe2U";

pub(crate) fn clock() -> Clock {
    let looked = AtomicU64::new(0);
    Arc::new(move || {
        let passed = looked.fetch_add(1, Ordering::Relaxed);
        UNIX_EPOCH + Duration::from_millis(NOW + passed)
    })
}

/// Options that log nowhere.
pub(crate) fn options() -> Options {
    Options {
        stderr: "off".to_owned(),
        events: None,
        log_file: None,
        otlp: None,
        redactor: Arc::new(Redactor::new(&[]).unwrap()),
        clock: clock(),
        request_id: None,
    }
}

pub(crate) fn otlp(endpoint: &str) -> Otlp {
    Otlp {
        endpoint: endpoint.to_owned(),
        headers: Vec::new(),
        include_http: false,
    }
}

/// Runs `work` and returns all its rows. It waits for the sink to be dropped after the last row, however long that
/// takes.
pub(crate) fn rows_of(options: Options, work: impl FnOnce()) -> Vec<Row> {
    let (sink, rows) = channel();
    let options = Options {
        events: Some(Box::new(sink)),
        ..options
    };
    let (log, guard) = prepare(options).unwrap();
    tracing::dispatcher::with_default(&log, work);
    drop(guard);
    rows.iter().collect()
}

/// Runs `work` without returning its rows.
pub(crate) fn run(options: Options, work: impl FnOnce()) {
    if options.events.is_none() {
        rows_of(options, work);
        return;
    }
    let (log, guard) = prepare(options).unwrap();
    tracing::dispatcher::with_default(&log, work);
    drop(guard);
}

/// Returns the rows with this name.
pub(crate) fn named<'a>(rows: &'a [Row], name: &str) -> Vec<&'a Row> {
    rows.iter().filter(|row| row.name == name).collect()
}

/// Returns the messages of all warnings.
pub(crate) fn warnings(rows: &[Row]) -> Vec<&str> {
    rows.iter()
        .filter(|row| row.level == "warn")
        .filter_map(|row| row.fields.get("message")?.as_str())
        .collect()
}

/// A temporary folder for a log file.
pub(crate) struct LogFolder {
    folder: TempDir,
}

impl LogFolder {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self, relative: &str) -> Utf8PathBuf {
        Utf8PathBuf::try_from(self.folder.path().join(relative)).unwrap()
    }

    pub(crate) fn log_file(&self) -> LogFile {
        LogFile::at(self.path("home/logs/acreta.log"))
    }

    pub(crate) fn text(&self, relative: &str) -> String {
        std::fs::read_to_string(self.path(relative)).unwrap()
    }
}
