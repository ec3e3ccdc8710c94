//! Tracing of a sync: its begin and end, and each job with its steps, in whichever thread.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::UNIX_EPOCH;

use acreta_redact::Redactor;
use acreta_sync::sync;
use acreta_telemetry::{Options, Row, start};
use tracing::info_span;

use crate::fakes::{SESSIONS, Silent, SyncHome};

fn ends<'a>(rows: &'a [Row], name: &str) -> Vec<&'a Row> {
    let is_end = |row: &&Row| row.name == name && row.kind != "begin";
    rows.iter().filter(is_end).collect()
}

#[test]
fn jobs_are_told_with_all_that_was_done_for_them() {
    let home = SyncHome::new();
    let (sink, rows) = channel();
    let guard = start(Options {
        stderr: "off".to_owned(),
        events: Some(Box::new(sink)),
        log_file: None,
        otlp: None,
        redactor: Arc::new(Redactor::new(&[]).unwrap()),
        clock: Arc::new(|| UNIX_EPOCH),
        request_id: None,
    })
    .unwrap();
    let report = info_span!(target: "acreta", "request", request_id = "r-1")
        .in_scope(|| sync(&home.options(), &home, &Silent).unwrap());
    drop(guard);
    assert_eq!(report.failed, 2, "{report:?}");
    let rows: Vec<Row> = rows.iter().collect();

    assert!(
        rows.iter()
            .all(|row| row.request_id.as_deref() == Some("r-1"))
    );
    assert_eq!(ends(&rows, "sync.started")[0].fields["adapters"], 1);
    let finished = ends(&rows, "sync.finished")[0];
    for (field, expected) in [
        ("discovered", 2),
        ("archived", 2),
        ("queued", 2),
        ("failed", 2),
    ] {
        assert_eq!(finished.fields[field], expected, "{field}");
    }
    for session in SESSIONS {
        let project = home.path("projects").join(session);
        let of_project = |row: &&&Row| row.project.as_deref() == Some(project.as_str());
        let one = |name: &str| -> &Row {
            let found = ends(&rows, name);
            let found: Vec<_> = found.iter().filter(of_project).copied().collect();
            assert_eq!(found.len(), 1, "{name} of {session}");
            found[0]
        };
        let (job, run, plugin) = (one("job"), one("run"), one("plugin"));
        let line = report
            .runs
            .iter()
            .find(|line| line.session == session)
            .unwrap();
        assert_eq!(job.fields["session"], session);
        assert_eq!(job.fields["agent"], "fake");
        assert_eq!(job.fields["attempt"], 1);
        assert_eq!(job.fields["state"], line.state);
        assert_eq!(job.fields["error"].as_str(), line.error.as_deref());
        assert_eq!(run.fields["parent"], job.fields["span"]);
        assert_eq!(
            (&plugin.fields["call"], &plugin.fields["fault"]),
            (&"read".into(), &"trap".into())
        );
        assert_eq!(plugin.fields["guest_ms"], 3);
        for row in [job, run, plugin] {
            assert_eq!(row.run_id, line.run_id, "{}", row.name);
            assert_eq!(row.level, "error", "{}", row.name);
        }
    }
}
