//! Which events and spans become rows, and the contents of rows.

use std::error::Error;

use acreta_telemetry::{Otlp, StartError, TEXTS, prepare};
use serde_json::json;
use tracing::field::Empty;
use tracing::{debug, error_span, info, info_span, trace, warn};

use crate::support::{NOW, named, options, otlp, rows_of};

#[test]
fn a_span_has_a_beginning_and_an_end_and_its_ids_hold_inside_it() {
    let rows = rows_of(options(), || {
        let request = info_span!("request", request_id = "r-1");
        let _request = request.enter();
        let run = info_span!(
            "run",
            run_id = "sync-1",
            project = "/src/app",
            outcome = Empty
        );
        run.in_scope(|| {
            info_span!("step", step = "extract").in_scope(|| {
                info!(name: "llm.retry", attempt = 2_u32, "once more");
            });
            run.record("outcome", "completed");
        });
    });
    let told: Vec<_> = rows
        .iter()
        .map(|row| (row.kind, row.name.as_str(), row.run_id.as_deref()))
        .collect();
    let run = Some("sync-1");
    assert_eq!(
        told,
        [
            ("begin", "request", None),
            ("begin", "run", run),
            ("begin", "step", run),
            ("event", "llm.retry", run),
            ("end", "step", run),
            ("end", "run", run),
            ("end", "request", None),
        ]
    );
    for row in &rows {
        assert_eq!(row.request_id.as_deref(), Some("r-1"), "{row:?}");
        assert_eq!(row.level, "info");
        let is_inside = row.run_id.is_some();
        let project = row.project.as_deref();
        assert_eq!(project, is_inside.then_some("/src/app"), "{row:?}");
    }
    assert!(rows.is_sorted_by_key(|row| row.at_ms));
    assert_eq!(rows[0].at_ms, NOW);
    assert_eq!(
        serde_json::Value::from(rows[3].fields.clone()),
        json!({"message": "once more", "attempt": 2, "parent": 3})
    );
    assert_eq!(
        serde_json::Value::from(rows[5].fields.clone()),
        json!({"outcome": "completed", "span": 2, "parent": 1, "duration_ms": 4})
    );
}

#[test]
fn ids_that_are_known_late_hold_from_then_on_and_the_inner_one_counts() {
    let rows = rows_of(options(), || {
        let job = info_span!("job", run_id = Empty, project = "/src/app");
        let _inside = job.enter();
        info!(name: "early", "said");
        job.record("run_id", "sync-1");
        info!(name: "late", "said");
        info!(name: "own", run_id = "sync-2", "said");
        info_span!("run", run_id = "sync-3").in_scope(|| info!(name: "inner", "said"));
    });
    let table = [
        ("early", None),
        ("late", Some("sync-1")),
        ("own", Some("sync-2")),
        ("inner", Some("sync-3")),
    ];
    for (name, expected) in table {
        let row = named(&rows, name)[0];
        assert_eq!(row.run_id.as_deref(), expected, "{name}");
        assert_eq!(row.project.as_deref(), Some("/src/app"), "{name}");
        assert!(!row.fields.contains_key("run_id"), "{name}");
    }
}

#[test]
fn a_failure_is_an_error_whoever_tells_it() {
    let rows = rows_of(options(), || {
        drop(info_span!("run", error = "no disk"));
        drop(info_span!("plugin", fault = "trap"));
        drop(info_span!("step", outcome = "completed"));
        drop(error_span!("step"));
    });
    let ends: Vec<_> = rows.iter().filter(|row| row.kind == "end").collect();
    let levels: Vec<_> = ends.iter().map(|row| row.level).collect();
    assert_eq!(levels, ["error", "error", "info", "error"]);
}

#[test]
fn only_what_acreta_says_from_info_on_becomes_a_row() {
    let rows = rows_of(options(), || {
        debug!(target: "acreta_pipeline", "no");
        trace!(target: "acreta_pipeline", "no");
        warn!(target: "rustls", "no");
        info!(target: "hyper", "no");
        trace!(target: TEXTS, request = "no", response = "no");
        info!(target: "acreta_pipeline::run", "yes");
        warn!(target: "acreta", "yes");
    });
    let told: Vec<_> = rows
        .iter()
        .map(|row| (row.name.as_str(), row.level, row.fields["message"].clone()))
        .collect();
    let yes = || json!("yes");
    assert_eq!(told, [("log", "info", yes()), ("log", "warn", yes())]);
}

#[test]
fn a_span_that_is_ended_in_another_thread_belongs_where_it_was_made() {
    let rows = rows_of(options(), || {
        let run = info_span!("run", run_id = "sync-1");
        run.in_scope(|| {
            let calls: Vec<_> = (0..3).map(|_| info_span!("plugin", ok = Empty)).collect();
            std::thread::scope(|scope| {
                for call in calls {
                    scope.spawn(move || {
                        call.in_scope(|| call.record("ok", true));
                    });
                }
            });
        });
    });
    let ends: Vec<_> = rows
        .iter()
        .filter(|row| row.name == "plugin" && row.kind == "end")
        .collect();
    assert_eq!(ends.len(), 3);
    for end in ends {
        assert_eq!(end.run_id.as_deref(), Some("sync-1"));
        assert_eq!(
            (&end.fields["ok"], &end.fields["parent"]),
            (&json!(true), &json!(1))
        );
    }
}

#[test]
fn values_keep_their_kind_and_huge_ones_are_cut() {
    struct Endless;
    impl std::fmt::Display for Endless {
        fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            loop {
                formatter.write_str("and so on ")?;
            }
        }
    }
    let error: Box<dyn Error + 'static> = "said no".into();
    let rows = rows_of(options(), || {
        info!(
            name: "values",
            whole = -3_i64,
            large = u64::MAX,
            part = 0.5,
            is = true,
            no_number = f64::NAN,
            debugged = ?Some("x"),
            error = error.as_ref(),
            long = "日".repeat(1_000),
            endless = %Endless,
        );
    });
    let fields = &rows[0].fields;
    assert_eq!(fields["whole"], -3);
    assert_eq!(fields["large"], u64::MAX);
    assert_eq!(fields["part"], 0.5);
    assert_eq!(fields["is"], true);
    assert_eq!(fields["no_number"], json!(null));
    assert_eq!(fields["debugged"], "Some(\"x\")");
    assert_eq!(fields["error"], "said no");
    for name in ["long", "endless"] {
        let text = fields[name].as_str().unwrap();
        assert!(text.ends_with('…') && text.len() <= 2_051, "{name}");
        assert!(text.len() > 2_000, "{name}");
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_a_hint_and_without_keys() {
    let header = |name: &str, value: &str| Otlp {
        headers: vec![(name.to_owned(), value.to_owned())],
        ..otlp("http://localhost:4318")
    };
    let table = [
        (otlp(""), "``"),
        (otlp("localhost:4318"), "`localhost:4318`"),
        (otlp("ftp://localhost"), "`ftp://localhost`"),
        (otlp("http://"), "`http://`"),
        (otlp("http://a b"), "`http://a b`"),
        (header("bad name", "key-7"), "`bad name`"),
        (header("x-key", "key-7\n"), "`x-key`"),
    ];
    for (otlp, expected) in table {
        let shown = format!("{otlp:?}");
        assert!(!shown.contains("key-7"), "{shown}");
        let result = prepare(acreta_telemetry::Options {
            otlp: Some(otlp),
            ..options()
        });
        let error: StartError = result.err().unwrap();
        let message = error.to_string();
        assert!(message.contains(expected), "{message}");
        assert!(!message.contains("key-7"), "{message}");
        assert!(error.hint().is_some(), "{message}");
    }
}
