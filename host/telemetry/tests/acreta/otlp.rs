//! Spans as an OTLP receiver gets them.

use std::process::{Command, Stdio};

use acreta_telemetry::{Options, Otlp, TEXTS};
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use tracing::field::Empty;
use tracing::{Level, info_span, trace};

use crate::receiver::{Answers, Receiver, attribute};
use crate::support::{NOW, options, otlp, run};

fn sent_to(receiver: &Receiver, include_http: bool) -> Options {
    Options {
        otlp: Some(Otlp {
            headers: vec![("x-key".to_owned(), "key-of-the-receiver".to_owned())],
            include_http,
            ..otlp(&receiver.url())
        }),
        ..options()
    }
}

/// A run with a step, a plugin call that fails, and a question to a model.
fn a_run() {
    let request = info_span!("request", request_id = "r-1");
    let _request = request.enter();
    let run = info_span!(
        "run",
        run_id = "sync-1",
        project = "/src/app",
        agent = Empty,
        error = "the model said: words of the model"
    );
    let _run = run.enter();
    run.record("agent", "claude");
    info_span!("step", step = "extract").in_scope(|| {
        drop(info_span!("plugin", plugin = "rules", fault = "trap", guest_ms = 12_u64));
        let llm = info_span!("llm", input_tokens = 7_u64, cached = false, cost_dollars = 0.25);
        llm.in_scope(|| {
            if tracing::enabled!(target: TEXTS, Level::TRACE) {
                trace!(target: TEXTS, request = "words of the person", response = "words of the model");
            }
        });
    });
}

fn one<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    let mut found = spans.iter().filter(|span| span.name == name);
    let span = found.next().unwrap_or_else(|| panic!("no {name}"));
    assert!(found.next().is_none(), "{name} came twice");
    span
}

#[test]
fn spans_arrive_with_their_parents_and_figures() {
    let receiver = Receiver::start(Answers::With(200));
    run(sent_to(&receiver, false), a_run);
    let (resources, spans): (Vec<_>, Vec<_>) = receiver.spans(5).into_iter().unzip();
    for resource in &resources {
        let service = attribute(&resource.attributes, "service.name");
        assert_eq!(service.as_deref(), Some("acreta"));
    }
    let parents = [
        ("request", None),
        ("run", Some("request")),
        ("step", Some("run")),
        ("plugin", Some("step")),
        ("llm", Some("step")),
    ];
    for (name, parent) in parents {
        let span = one(&spans, name);
        assert_eq!(span.trace_id, one(&spans, "request").trace_id, "{name}");
        let expected = parent.map_or(&[][..], |parent| &one(&spans, parent).span_id);
        assert_eq!(span.parent_span_id, expected, "{name}");
        assert_eq!((span.trace_id.len(), span.span_id.len()), (16, 8));
        assert!(span.start_time_unix_nano >= NOW * 1_000_000, "{name}");
        assert!(
            span.end_time_unix_nano > span.start_time_unix_nano,
            "{name}"
        );
    }
    let attributes = [
        ("request", "run_id", None),
        ("run", "agent", Some("claude")),
        ("run", "project", Some("/src/app")),
        ("run", "error", None),
        ("step", "run_id", Some("sync-1")),
        ("step", "request_id", Some("r-1")),
        ("plugin", "guest_ms", Some("12")),
        ("plugin", "fault", Some("trap")),
        ("llm", "run_id", Some("sync-1")),
        ("llm", "input_tokens", Some("7")),
        ("llm", "cached", Some("false")),
        ("llm", "cost_dollars", Some("0.25")),
        ("llm", "request", None),
        ("llm", "response", None),
    ];
    for (span, name, expected) in attributes {
        let found = attribute(&one(&spans, span).attributes, name);
        assert_eq!(found.as_deref(), expected, "{name} of {span}");
    }
    let status = |name: &str| one(&spans, name).status.clone().unwrap().code();
    assert_eq!(status("run"), StatusCode::Error);
    assert_eq!(status("plugin"), StatusCode::Error);
    assert_eq!(status("step"), StatusCode::Unset);
    assert_eq!(one(&spans, "llm").kind(), SpanKind::Client);
    assert_eq!(one(&spans, "request").kind(), SpanKind::Server);
    assert_eq!(one(&spans, "run").kind(), SpanKind::Internal);
}

#[test]
fn a_delivery_is_plain_protobuf_to_the_place_that_was_named() {
    let receiver = Receiver::start(Answers::With(200));
    for end in ["", "/", "/v1/traces", "/v1/traces/"] {
        let mut options = sent_to(&receiver, false);
        if let Some(otlp) = &mut options.otlp {
            otlp.endpoint.push_str(end);
        }
        run(options, || drop(info_span!("run")));
    }
    receiver.spans(4);
    let deliveries = receiver.deliveries();
    assert_eq!(deliveries.len(), 4);
    for delivery in deliveries {
        let head = &delivery.head;
        assert!(head.starts_with("post /v1/traces http/1.1\r\n"), "{head}");
        assert!(
            head.contains("content-type: application/x-protobuf\r\n"),
            "{head}"
        );
        assert!(head.contains("x-key: key-of-the-receiver\r\n"), "{head}");
        assert!(head.contains("user-agent: acreta/"), "{head}");
        assert!(!head.contains("encoding: "), "{head}");
    }
}

#[test]
fn words_are_sent_only_when_that_was_asked_for() {
    let words = ["words of the person", "words of the model"];
    for include_http in [false, true] {
        let receiver = Receiver::start(Answers::With(200));
        run(sent_to(&receiver, include_http), a_run);
        let spans: Vec<_> = receiver
            .spans(5)
            .into_iter()
            .map(|(_, span)| span)
            .collect();
        let deliveries = receiver.deliveries();
        let sent: String = deliveries
            .iter()
            .map(|delivery| String::from_utf8_lossy(&delivery.body))
            .collect();
        for word in words {
            assert_eq!(sent.contains(word), include_http, "{word}");
        }
        let asked = attribute(&one(&spans, "llm").attributes, "request");
        assert_eq!(asked.as_deref(), include_http.then_some(words[0]));
    }
}

#[test]
fn long_texts_are_cut() {
    let receiver = Receiver::start(Answers::With(200));
    run(sent_to(&receiver, true), || {
        info_span!("llm").in_scope(|| {
            trace!(target: TEXTS, request = "long ".repeat(1_000_000), response = "short");
        });
    });
    let (_, span) = receiver.spans(1).remove(0);
    let length = attribute(&span.attributes, "request").unwrap().len();
    assert!((30_000..33_000).contains(&length), "{length}");
    let response = attribute(&span.attributes, "response");
    assert_eq!(response.as_deref(), Some("short"));
}

#[test]
fn many_spans_come_in_batches() {
    let receiver = Receiver::start(Answers::With(200));
    run(sent_to(&receiver, false), || {
        for _ in 0..1_500 {
            drop(info_span!("step"));
        }
    });
    receiver.spans(1_500);
    assert!(receiver.deliveries().len() >= 3);
}

/// Set for the process that the test below starts.
const ENDPOINT: &str = "ACRETA_TEST_RECEIVER";

#[test]
fn variables_of_other_programs_change_nothing() {
    if let Some(endpoint) = std::env::var_os(ENDPOINT) {
        let options = Options {
            otlp: Some(otlp(&endpoint.into_string().unwrap())),
            ..options()
        };
        run(options, || drop(info_span!("run")));
        // Waits until the parent process has what it needs.
        std::io::stdin().read_line(&mut String::new()).unwrap();
        return;
    }
    let receiver = Receiver::start(Answers::With(200));
    let mut process = Command::new(std::env::current_exe().unwrap())
        .args([
            "otlp::variables_of_other_programs_change_nothing",
            "--exact",
        ])
        .env(ENDPOINT, receiver.url())
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
        .env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "http://127.0.0.1:1")
        .env("OTEL_EXPORTER_OTLP_HEADERS", "x-foreign=key-of-another")
        .env(
            "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
            "x-foreign=key-of-another",
        )
        .env("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
        .env("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")
        .env("OTEL_RESOURCE_ATTRIBUTES", "owner=somebody")
        .env("OTEL_SERVICE_NAME", "another")
        .env("OTEL_BSP_MAX_QUEUE_SIZE", "0")
        .env("OTEL_BSP_SCHEDULE_DELAY", "1")
        .env("HTTP_PROXY", "http://127.0.0.1:1")
        .env("http_proxy", "http://127.0.0.1:1")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let spans = receiver.spans(1);
    drop(process.stdin.take());
    assert!(process.wait().unwrap().success());
    assert_eq!(spans[0].0.attributes.len(), 2, "{:?}", spans[0].0);
    let head = &receiver.deliveries()[0].head;
    assert!(!head.contains("foreign"), "{head}");
    assert!(!head.contains("encoding: "), "{head}");
}
