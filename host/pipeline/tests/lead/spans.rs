//! Spans of a run: every step and every call, under the run's name, and no text of the session.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::UNIX_EPOCH;

use acreta_fs::{Faults, NoFaults, Operation};
use acreta_pipeline::{MAINTAIN_STEPS, STEPS};
use acreta_redact::Redactor;
use acreta_telemetry::{Options, Row, prepare};

use crate::fakes::{FakeRepository, Project, ScriptedSession};

/// Enough candidates for two parallel explorers.
const SAID: [(&str, &str); 6] = [
    ("Port 8080 is taken on the build machine", "Use 8090 there."),
    ("Always indent with tabs", "Tabs everywhere."),
    (
        "Release notes are written by hand",
        "Nothing generates them.",
    ),
    ("The database is migrated at night", "Never during the day."),
    ("Screenshots live in the wiki", "Not in the repository."),
    ("Feature branches are short lived", "Two days at most."),
];

fn rows_of(work: impl FnOnce()) -> Vec<Row> {
    let (sink, rows) = channel();
    let (log, guard) = prepare(Options {
        stderr: "off".to_owned(),
        events: Some(Box::new(sink)),
        log_file: None,
        otlp: None,
        redactor: Arc::new(Redactor::new(&[]).unwrap()),
        clock: Arc::new(|| UNIX_EPOCH),
        request_id: None,
    })
    .unwrap();
    tracing::dispatcher::with_default(&log, work);
    drop(guard);
    rows.iter().collect()
}

fn ends<'a>(rows: &'a [Row], name: &str) -> Vec<&'a Row> {
    let is_end = |row: &&Row| row.name == name && row.kind == "end";
    rows.iter().filter(is_end).collect()
}

fn text<'a>(row: &'a Row, field: &str) -> &'a str {
    row.fields
        .get(field)
        .and_then(|it| it.as_str())
        .unwrap_or("")
}

#[test]
fn every_step_and_every_call_is_told_under_the_name_of_the_run() {
    let project = Project::new();
    let mut run_id = String::new();
    let rows = rows_of(|| run_id = project.run(&ScriptedSession::new("one", 10, &SAID)).run_id);

    for row in &rows {
        assert_eq!(row.run_id.as_deref(), Some(run_id.as_str()), "{row:?}");
        assert_eq!(
            row.project.as_deref(),
            Some(project.path("project").as_str())
        );
        assert_eq!(row.level, "info", "{row:?}");
    }
    let run = ends(&rows, "run")[0];
    let told = ["mode", "agent", "session", "outcome"].map(|field| text(run, field));
    assert_eq!(told, ["sync", "fake", "one", "completed"]);
    // Six statements and the summary.
    assert_eq!(
        (&run.fields["added"], &run.fields["updated"]),
        (&7.into(), &0.into())
    );

    let steps = ends(&rows, "step");
    let names: Vec<_> = steps.iter().map(|row| text(row, "step")).collect();
    assert_eq!(names, STEPS);
    assert!(steps.iter().all(|row| text(row, "outcome") == "completed"));

    let mut calls: Vec<_> = ends(&rows, "plugin")
        .into_iter()
        .map(|row| {
            assert_eq!(row.fields["ok"], true);
            for figure in ["guest_ms", "host_ms", "peak_memory_bytes", "denied"] {
                assert_eq!(row.fields[figure], 0, "{figure}");
            }
            let parent = &row.fields["parent"];
            let step = steps.iter().find(|step| step.fields["span"] == *parent);
            (text(step.unwrap(), "step"), text(row, "call"))
        })
        .collect();
    calls.sort_unstable();
    assert_eq!(
        calls,
        [
            ("explore", "explore"),
            ("explore", "explore"),
            ("extract", "extract"),
            ("normalise", "read"),
            ("normalise", "sessions"),
            ("summarise", "summarise"),
            ("write", "apply"),
        ]
    );
    let all = format!("{rows:?}");
    for (title, body) in SAID {
        assert!(!all.contains(title) && !all.contains(body), "{title}");
    }
}

#[derive(Debug)]
struct NoJournal;

impl Faults for NoJournal {
    fn before(&self, operation: &Operation<'_>) -> io::Result<()> {
        if operation.path.as_str().contains("meta/commit/") {
            return Err(io::Error::other("the disk said no"));
        }
        Ok(())
    }
}

#[test]
fn a_failure_is_told_by_the_step_and_by_the_run() {
    let project = Project::new();
    let rows = rows_of(|| {
        let says = ScriptedSession::new("one", 10, &SAID[..1]);
        assert!(project.run_with(&says, Arc::new(NoJournal)).is_err());
    });
    let failed: Vec<_> = rows.iter().filter(|row| row.level == "error").collect();
    let told: Vec<_> = failed
        .iter()
        .map(|row| {
            (
                row.kind,
                row.name.as_str(),
                text(row, "step"),
                text(row, "outcome"),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("end", "step", "write", "failed"),
            ("end", "run", "", "failed")
        ]
    );
    for row in failed {
        assert!(text(row, "error").contains("the disk said no"), "{row:?}");
    }
    assert_eq!(ends(&rows, "step").len(), 7, "nothing is reported after it");
}

#[test]
fn maintenance_is_a_run_too() {
    let project = Project::new();
    project
        .run_with(&ScriptedSession::new("one", 10, &SAID), NoFaults::shared())
        .unwrap();
    let has = FakeRepository {
        present: Vec::new(),
        deleted: Vec::new(),
    };
    let options = project.maintain_options(1_700_000_100_000, has);
    let rows = rows_of(|| drop(project.maintain(&options)));
    let run = ends(&rows, "run")[0];
    assert_eq!(
        (text(run, "mode"), text(run, "outcome")),
        ("maintain", "completed")
    );
    let mut steps: Vec<_> = ends(&rows, "step")
        .iter()
        .map(|row| text(row, "step"))
        .collect();
    steps.dedup();
    for step in MAINTAIN_STEPS {
        assert!(steps.contains(&step), "{step}: {steps:?}");
    }
    assert!(rows.iter().all(|row| row.run_id == run.run_id));
}
