//! Whatever goes wrong with the log, its caller continues and one warning is logged.

use std::net::TcpListener;
use std::sync::mpsc::{Receiver as Channel, Sender, channel};
use std::sync::{Arc, Mutex};

use acreta_telemetry::{EventSink, LogFile, Options, Row, SinkError, StartError, prepare, start};
use tracing::{info, info_span};

use crate::receiver::{Answers, Receiver};
use crate::support::{LogFolder, named, options, otlp, rows_of, run, warnings};

const UNSENT: &str = "spans could not be sent to the OTLP receiver";
const UNWRITTEN: &str = "the log file could not be written";
const UNKEPT: &str = "events could not be stored";

/// Creates more spans than fit into one delivery.
fn much_work() -> u32 {
    (0..1_200)
        .map(|number| info_span!("step").in_scope(|| number % 2))
        .sum()
}

#[test]
fn a_receiver_that_does_not_take_traces_is_mentioned_once() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let nobody = format!("http://{}", taken.local_addr().unwrap());
    drop(taken);
    let failing = Receiver::start(Answers::With(500));
    let elsewhere = Receiver::start(Answers::With(307));
    for endpoint in [nobody, failing.url(), elsewhere.url()] {
        let options = Options {
            otlp: Some(otlp(&endpoint)),
            ..options()
        };
        let (sink, rows) = channel();
        let (log, guard) = prepare(Options {
            events: Some(Box::new(sink)),
            ..options
        })
        .unwrap();
        let done = tracing::dispatcher::with_default(&log, much_work);
        assert_eq!(done, 600);
        // The first full batch is sent at once, whenever that is.
        let mut told = Vec::new();
        while warnings(&told).is_empty() {
            told.push(rows.recv().unwrap());
        }
        drop(guard);
        let rows: Vec<Row> = told.into_iter().chain(rows.iter()).collect();
        assert_eq!(named(&rows, "step").len(), 2_400, "{endpoint}");
        assert_eq!(warnings(&rows), [UNSENT], "{endpoint}");
        let warning = rows.iter().find(|row| row.level == "warn").unwrap();
        let shown = warning.fields["endpoint"].as_str().unwrap();
        assert!(shown.starts_with(&endpoint), "{shown}");
    }
    assert!(failing.deliveries().len() > 1, "each batch was tried");
}

#[test]
fn a_receiver_that_hangs_is_not_waited_for() {
    let receiver = Receiver::start(Answers::Not);
    let options = Options {
        otlp: Some(otlp(&receiver.url())),
        ..options()
    };
    let mut done = 0;
    // Ends although nobody ever answers.
    let rows = rows_of(options, || done = much_work());
    assert_eq!(done, 600);
    assert_eq!(named(&rows, "step").len(), 2_400);
}

#[test]
fn a_place_that_cannot_be_written_costs_the_file_alone() {
    let place = LogFolder::new();
    std::fs::File::create(place.path("a-file")).unwrap();
    std::fs::create_dir_all(place.path("a-folder/acreta.log")).unwrap();
    std::fs::create_dir(place.path("closed")).unwrap();
    let paths = vec!["a-file/logs/acreta.log", "a-folder/acreta.log"];
    #[cfg(unix)]
    let paths = {
        let mut paths = paths;
        use std::os::unix::fs::PermissionsExt;
        let closed = std::fs::Permissions::from_mode(0o500);
        std::fs::set_permissions(place.path("closed"), closed).unwrap();
        if std::fs::create_dir(place.path("closed/try")).is_err() {
            paths.push("closed/logs/acreta.log");
        } else {
            acreta_testing::skip(
                acreta_testing::UNPRIVILEGED,
                "a read-only folder does not stop this user",
            );
        }
        paths
    };
    for path in paths {
        let options = Options {
            log_file: Some(LogFile::at(place.path(path))),
            ..options()
        };
        let rows = rows_of(options, || {
            info!(name: "one", "said");
            info!(name: "two", "said");
        });
        assert_eq!(warnings(&rows), [UNWRITTEN], "{path}");
        assert_eq!(named(&rows, "two").len(), 1, "{path}");
    }
}

/// Blocks in every call until it is released.
struct Slow {
    begun: Sender<()>,
    go: Channel<()>,
    rows: Arc<Mutex<Vec<Row>>>,
}

impl EventSink for Slow {
    fn write(&mut self, rows: &[Row]) -> Result<(), SinkError> {
        self.begun.send(())?;
        self.go.recv()?;
        self.rows.lock().unwrap().extend_from_slice(rows);
        Ok(())
    }
}

#[test]
fn what_does_not_fit_is_dropped_and_counted() {
    const ROOM: usize = 8 * 1024;
    const MORE: usize = 100;
    let (begun, has_begun) = channel();
    let (let_go, go) = channel();
    let rows = Arc::new(Mutex::new(Vec::new()));
    let sink = Slow {
        begun,
        go,
        rows: Arc::clone(&rows),
    };
    let (log, guard) = prepare(Options {
        events: Some(Box::new(sink)),
        ..options()
    })
    .unwrap();
    tracing::dispatcher::with_default(&log, || {
        info!(name: "first", "said");
        has_begun.recv().unwrap();
        // The sink is busy from here on, and nobody waits for it.
        for _ in 0..ROOM + MORE {
            info!(name: "next", "said");
        }
    });
    assert_eq!(guard.dropped(), MORE as u64);
    for _ in 0..2 {
        let_go.send(()).unwrap();
    }
    drop(guard);
    // Until the sink is dropped.
    while has_begun.recv().is_ok() {}
    let rows = rows.lock().unwrap();
    assert_eq!(named(&rows, "next").len(), ROOM);
    let dropped = named(&rows, "telemetry.dropped");
    assert_eq!(dropped.len(), 1);
    assert_eq!(dropped[0].fields["count"], MORE);
    assert_eq!(rows.len(), ROOM + 2);
}

#[test]
fn a_sink_that_never_comes_back_is_not_waited_for() {
    let (begun, has_begun) = channel();
    let (let_go, go) = channel();
    let rows = Arc::default();
    let sink = Slow { begun, go, rows };
    run(
        Options {
            events: Some(Box::new(sink)),
            ..options()
        },
        || {
            info!("said");
            has_begun.recv().unwrap();
        },
    );
    // Released only now, after the log has ended.
    drop(let_go);
}

struct Broken {
    panics: bool,
    /// Dropped with the sink.
    _there: Sender<()>,
}

impl EventSink for Broken {
    fn write(&mut self, _rows: &[Row]) -> Result<(), SinkError> {
        if self.panics {
            panic!("a sink broke down, as this test wants it to");
        }
        Err("no space left".into())
    }
}

#[test]
fn a_sink_that_fails_costs_its_rows_and_is_mentioned_once() {
    let place = LogFolder::new();
    let log_to = |panics: bool, work: fn()| {
        let (_there, is_there) = channel();
        let options = Options {
            events: Some(Box::new(Broken { panics, _there })),
            log_file: Some(place.log_file()),
            ..options()
        };
        run(options, work);
        assert!(is_there.recv().is_err());
    };
    log_to(false, || info!(name: "one", "said"));
    let text = place.text("home/logs/acreta.log");
    assert_eq!(text.matches("name=one").count(), 1, "{text}");
    assert_eq!(text.matches(UNKEPT).count(), 1, "{text}");
    assert!(text.contains("error=\"no space left\""), "{text}");

    log_to(true, || info!(name: "two", "said"));
    let text = place.text("home/logs/acreta.log");
    assert_eq!(text.matches("name=two").count(), 1, "{text}");
}

#[test]
fn what_is_said_after_the_end_is_lost_and_nothing_else() {
    let (sink, rows) = channel();
    let (log, guard) = prepare(Options {
        events: Some(Box::new(sink)),
        ..options()
    })
    .unwrap();
    tracing::dispatcher::with_default(&log, || {
        info!(name: "before", "said");
        drop(guard);
        let rows: Vec<Row> = rows.iter().collect();
        assert_eq!((rows.len(), rows[0].name.as_str()), (1, "before"));
        info!(name: "after", "said");
    });
}

#[test]
fn a_process_has_one_log() {
    let first = start(options()).unwrap();
    let second = start(options());
    assert!(matches!(second, Err(StartError::AlreadyStarted)));
    drop(first);
}
