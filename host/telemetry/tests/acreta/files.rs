//! The log file: one line per row, rotated when full, shared by several processes.

use std::collections::BTreeSet;

use acreta_telemetry::{LogFile, Options};
use tracing::{info, info_span};

use crate::support::{LogFolder, NOW, options, run};

fn written(place: &LogFolder, work: impl FnOnce()) -> String {
    let options = Options {
        log_file: Some(place.log_file()),
        ..options()
    };
    run(options, work);
    place.text("home/logs/acreta.log")
}

#[test]
fn a_row_is_a_line_whatever_is_in_it() {
    let place = LogFolder::new();
    let text = written(&place, || {
        let run = info_span!("run", run_id = "sync-1", project = "/src/my app");
        run.in_scope(|| {
            info!(name: "odd", said = "a \"b\"\nat=forged level=info", red = "\u{1b}[31m", naïve = "日本");
        });
    });
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "at=2027-01-15T08:00:00Z level=info kind=begin name=run run_id=sync-1 project=\"/src/my app\" span=1",
            "at=2027-01-15T08:00:00.001Z level=info kind=event name=odd run_id=sync-1 project=\"/src/my app\" \
             said=\"a \\\"b\\\"\\nat=forged level=info\" red=\"\\u001b[31m\" na_ve=日本 parent=1",
            "at=2027-01-15T08:00:00.002Z level=info kind=end name=run run_id=sync-1 project=\"/src/my app\" \
             span=1 duration_ms=2",
        ]
    );
    assert_eq!(NOW, 1_800_000_000_000);
}

#[test]
fn a_second_log_goes_on_where_the_first_ended_and_nobody_else_reads_it() {
    let place = LogFolder::new();
    written(&place, || info!("first"));
    let text = written(&place, || info!("second"));
    assert_eq!(text.lines().count(), 2);
    #[cfg(unix)]
    for (path, expected) in [("home/logs", 0o700), ("home/logs/acreta.log", 0o600)] {
        use std::os::unix::fs::PermissionsExt;
        let metadata = std::fs::metadata(place.path(path)).unwrap();
        assert_eq!(metadata.permissions().mode() & 0o777, expected, "{path}");
    }
}

/// Returns the numbers of the events in a file.
fn numbers(place: &LogFolder, name: &str) -> Vec<u64> {
    let text = place.text(&format!("home/logs/{name}"));
    let number = |line: &str| line.rsplit_once("number=")?.1.parse().ok();
    text.lines().filter_map(number).collect()
}

#[test]
fn a_full_file_is_set_aside_and_the_oldest_goes() {
    let place = LogFolder::new();
    let small = |files: u32| Options {
        log_file: Some(LogFile {
            max_bytes: 2_000,
            files,
            ..place.log_file()
        }),
        ..options()
    };
    run(small(3), || {
        for number in 0..200_u64 {
            info!(name: "counted", number);
        }
    });
    let mut all = Vec::new();
    for name in ["acreta.log.2", "acreta.log.1", "acreta.log"] {
        let bytes = place.text(&format!("home/logs/{name}")).len();
        assert!(bytes <= 2_000, "{name} has {bytes} bytes");
        all.extend(numbers(&place, name));
    }
    let kept = all.len() as u64;
    assert_eq!(all, (200 - kept..200).collect::<Vec<_>>());
    assert!(kept > 40, "{kept}");
    assert!(!place.path("home/logs/acreta.log.3").exists());

    // With only one file, a full one is deleted.
    run(small(1), || {
        for number in 200..300_u64 {
            info!(name: "counted", number);
        }
    });
    assert_eq!(numbers(&place, "acreta.log").last(), Some(&299));
    assert!(!numbers(&place, "acreta.log").contains(&200));
    assert!(!numbers(&place, "acreta.log.1").contains(&200));
}

#[test]
fn several_that_write_at_once_lose_no_line() {
    const EACH: u64 = 300;
    let place = LogFolder::new();
    std::thread::scope(|scope| {
        for writer in 0..4_u64 {
            let place = &place;
            scope.spawn(move || {
                let options = Options {
                    log_file: Some(LogFile {
                        max_bytes: 20_000,
                        files: 100,
                        ..place.log_file()
                    }),
                    ..options()
                };
                run(options, || {
                    for number in 0..EACH {
                        info!(name: "counted", number = writer * EACH + number);
                    }
                });
            });
        }
    });
    let mut found = Vec::new();
    for entry in std::fs::read_dir(place.path("home/logs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !name.ends_with(".lock") {
            found.extend(numbers(&place, &name));
        }
    }
    let unique: BTreeSet<_> = found.iter().copied().collect();
    assert_eq!(
        (found.len(), unique.len()),
        (4 * EACH as usize, 4 * EACH as usize)
    );
}
