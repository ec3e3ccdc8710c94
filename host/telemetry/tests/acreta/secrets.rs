//! Secrets are removed from everything that is written or sent, wherever they occur.

use acreta_telemetry::{Options, Otlp, TEXTS};
use tracing::{info, info_span, trace, warn};

use crate::receiver::{Answers, Receiver};
use crate::support::{LogFolder, TOKEN, options, otlp, rows_of};

/// A secret that only its field name gives away.
const PASSWORD: &str = "Tr0ub4dor-canary-Zq81";

#[test]
fn no_secret_gets_into_rows_lines_or_traces() {
    let place = LogFolder::new();
    let receiver = Receiver::start(Answers::With(200));
    let options = Options {
        log_file: Some(place.log_file()),
        otlp: Some(Otlp {
            include_http: true,
            ..otlp(&receiver.url())
        }),
        ..options()
    };
    // Long enough to be cut, and with so many tokens that little of it is left.
    let many = format!("{TOKEN}, ").repeat(2_000);
    let late = format!("{}{TOKEN} and more", "long ".repeat(405));
    let rows = rows_of(options, || {
        let run = info_span!(
            "run",
            run_id = format!("sync-{TOKEN}"),
            request_id = TOKEN,
            project = format!("/src/{TOKEN}"),
            password = PASSWORD,
            error = format!("could not reach https://user:{PASSWORD}@example.org"),
        );
        run.in_scope(|| {
            warn!("the token is {TOKEN}");
            info!(name: "fields", api_key = PASSWORD, debugged = ?Some(TOKEN), many, late);
            let llm = info_span!("llm");
            let _inside = llm.enter();
            trace!(target: TEXTS, request = many, response = format!("take {TOKEN}"));
        });
    });
    assert_eq!(rows.len(), 6);
    let kept = format!("{rows:?}");
    let file = place.text("home/logs/acreta.log");
    receiver.spans(2);
    let deliveries = receiver.deliveries();
    let sent: String = deliveries
        .iter()
        .map(|delivery| String::from_utf8_lossy(&delivery.body))
        .collect();
    for (place, text) in [("rows", &kept), ("file", &file), ("traces", &sent)] {
        assert!(text.contains("[redacted:"), "{place}");
        for secret in [&TOKEN[..16], &TOKEN[4..], PASSWORD] {
            assert!(!text.contains(secret), "{place} has {secret}");
        }
    }
    assert!(sent.contains("take [redacted:"), "the texts were sent");
}
