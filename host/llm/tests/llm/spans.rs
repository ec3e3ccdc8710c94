//! Tracing of a request to a model: figures always, texts only for a receiver that asked for them.

use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::UNIX_EPOCH;

use acreta_llm::{Price, Request};
use acreta_redact::Redactor;
use acreta_telemetry::{Options, Otlp, Row, prepare, start};
use serde_json::json;
use tracing::info_span;

use crate::server::{ScriptedServer, ServerStep};
use crate::support::{KEY, ModelHome, ask};

const QUESTION: &str = "where does the ferry land";
const ANSWER: &str = "at the northern pier";

fn options() -> Options {
    Options {
        stderr: "off".to_owned(),
        events: None,
        log_file: None,
        otlp: None,
        redactor: Arc::new(Redactor::new(&[]).unwrap()),
        clock: Arc::new(|| UNIX_EPOCH),
        request_id: None,
    }
}

fn rows_of(work: impl FnOnce()) -> Vec<Row> {
    let (sink, rows) = channel();
    let (log, guard) = prepare(Options {
        events: Some(Box::new(sink)),
        ..options()
    })
    .unwrap();
    tracing::dispatcher::with_default(&log, work);
    drop(guard);
    rows.iter().collect()
}

fn ends(rows: &[Row]) -> Vec<&Row> {
    rows.iter().filter(|row| row.kind == "end").collect()
}

fn priced(server: &ScriptedServer) -> ModelHome {
    let mut home = ModelHome::openai(server);
    let price = Price::per_million(1_000.0, 2_000.0).unwrap();
    home.settings.prices.set("model", price);
    home
}

#[test]
fn figures_of_a_question_are_told_and_no_words() {
    let server = ScriptedServer::start([ServerStep::openai(ANSWER, (11, 5))]);
    let home = priced(&server);
    let rows = rows_of(|| {
        let session = home.session();
        session.complete(&ask(QUESTION)).unwrap();
        // The second time the answer comes from the cache.
        session.complete(&ask(QUESTION)).unwrap();
    });
    let ends = ends(&rows);
    assert_eq!(ends.len(), 2);
    for (end, cached) in ends.iter().zip([false, true]) {
        assert_eq!(
            (end.name.as_str(), end.run_id.as_deref()),
            ("llm", Some("run-1"))
        );
        let fields = &end.fields;
        assert_eq!(fields["provider"], "main");
        assert_eq!(fields["model"], "model");
        assert_eq!(fields["purpose"], "extract");
        assert_eq!(fields["outcome"], "ok");
        assert_eq!(fields["input_tokens"], 11);
        assert_eq!(fields["output_tokens"], 5);
        assert_eq!(fields["cached"], cached);
        assert_eq!(fields["response_bytes"], ANSWER.len());
        assert_eq!(
            fields["request_bytes"],
            "You are brief.".len() + QUESTION.len()
        );
        let cost = (!cached).then(|| json!(0.021));
        assert_eq!(fields.get("cost_dollars"), cost.as_ref());
    }
    let all = format!("{rows:?}");
    for word in [QUESTION, ANSWER, KEY] {
        assert!(!all.contains(word), "{word}");
    }
}

#[test]
fn what_failed_is_told_by_its_kind() {
    let server = ScriptedServer::start([
        ServerStep::error(503, "words of the provider").with("retry-after", "1"),
        ServerStep::error(401, "words of the provider"),
    ]);
    let home = ModelHome::openai(&server);
    let rows = rows_of(|| {
        home.session().complete(&ask(QUESTION)).unwrap_err();
    });
    let again: Vec<_> = rows.iter().filter(|row| row.name == "llm.retry").collect();
    assert_eq!(again.len(), 1);
    assert_eq!(again[0].fields["attempt"], 1);
    assert_eq!(again[0].run_id.as_deref(), Some("run-1"));
    let end = ends(&rows)[0];
    assert_eq!(
        (end.level, &end.fields["outcome"]),
        ("error", &json!("failed"))
    );
    assert_eq!(end.fields["fault"], "no-key");
    assert!(!format!("{rows:?}").contains("words of the provider"));
}

#[test]
fn a_fallback_is_a_question_of_its_own() {
    let server = ScriptedServer::start([ServerStep::error(400, "no")]);
    let second = ScriptedServer::start([ServerStep::openai(ANSWER, (1, 1))]);
    let mut home = ModelHome::openai(&server);
    home.fall_back_on(crate::support::openai(&second));
    let rows = rows_of(|| {
        home.session().complete(&ask(QUESTION)).unwrap();
    });
    let told: Vec<_> = ends(&rows)
        .iter()
        .map(|row| {
            (
                row.fields["provider"].clone(),
                row.fields["outcome"].clone(),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            (json!("main"), json!("failed")),
            (json!("second"), json!("ok"))
        ]
    );
}

#[test]
fn words_go_only_to_a_receiver_that_was_meant_to_have_them() {
    for include_http in [false, true] {
        let server = ScriptedServer::start([ServerStep::openai(ANSWER, (11, 5))]);
        let receiver = ScriptedServer::start([ServerStep::text(200, "")]);
        let home = ModelHome::openai(&server);
        let (log, guard) = prepare(Options {
            otlp: Some(Otlp {
                endpoint: receiver.url(),
                headers: Vec::new(),
                include_http,
            }),
            ..options()
        })
        .unwrap();
        tracing::dispatcher::with_default(&log, || {
            let question = format!("{QUESTION}, and is {KEY} a secret");
            home.session().complete(&ask(&question)).unwrap();
        });
        drop(guard);
        // On a busy machine it may arrive a little later.
        while receiver.calls().is_empty() {
            std::thread::yield_now();
        }
        let sent = receiver.calls().concat();
        assert!(sent.contains("output_tokens"), "{sent}");
        for word in [QUESTION, ANSWER] {
            assert_eq!(sent.contains(word), include_http, "{word}");
        }
        assert!(!sent.contains(KEY));
    }
}

#[test]
fn questions_asked_side_by_side_belong_to_whoever_asked() {
    let server = ScriptedServer::start([ServerStep::openai(ANSWER, (11, 5))]);
    let mut home = ModelHome::openai(&server);
    home.provider().max_parallel = 4;
    let (sink, rows) = channel();
    // The log of the whole process: threads have no log of their own. It also receives other tests.
    let guard = start(Options {
        events: Some(Box::new(sink)),
        ..options()
    })
    .unwrap();
    let requests: Vec<Request> = (0..8).map(|number| ask(&number.to_string())).collect();
    info_span!(target: "acreta", "request", request_id = "side-by-side").in_scope(|| {
        let replies = home.session().complete_all(&requests);
        assert!(replies.iter().all(Result::is_ok));
    });
    drop(guard);
    let own = |row: &Row| row.request_id.as_deref() == Some("side-by-side");
    let own: Vec<Row> = rows.iter().filter(own).collect();
    let asked: Vec<_> = own.iter().filter(|row| row.name == "llm").collect();
    assert_eq!(asked.len(), 16);
    let above = own.iter().find(|row| row.name == "request").unwrap();
    for row in asked {
        assert_eq!(row.fields["parent"], above.fields["span"]);
    }
}
