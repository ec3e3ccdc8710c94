//! The log of this process: what is shown on stderr, stored and sent.

use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use acreta_service::process::clock::{now_ms, seed};
use acreta_service::process::events::CatalogSink;
use acreta_service::process::logs::{LOG, LOGS};
use acreta_service::{Failure, learn::sync_options, process::state};
use acreta_telemetry::{Guard, LogFile, Options, Otlp};

use crate::args::EventRetention;
use crate::context::Context;

/// Starts the log. `ACRETA_LOG=debug` shows internal events on stderr.
pub(crate) fn start(
    kept: EventRetention,
    request_id: Option<String>,
    context: &Context,
) -> Result<Guard, Failure> {
    let filter = context.environment.get("ACRETA_LOG").cloned();
    let is_kept = kept == EventRetention::Yes;
    let folder = context.home.folder();
    // An unusable setting is for the command to report, and for `config` and `doctor` to repair.
    let state = is_kept.then(|| state::location(context).ok()).flatten();
    let options = Options {
        stderr: filter.unwrap_or_default(),
        events: state.map(|state| Box::new(CatalogSink::new(state)) as _),
        log_file: is_kept.then(|| LogFile::at(folder.join(LOGS).join(LOG))),
        otlp: receiver(context).filter(|_| is_kept),
        redactor: Arc::new(sync_options::redactor(&context.config)?),
        clock: Arc::new(|| UNIX_EPOCH + Duration::from_millis(now_ms())),
        request_id,
    };
    acreta_telemetry::start(options).map_err(|error| {
        let hint = error.hint();
        let mut failure = Failure::from_error(&error);
        failure.hints.extend(hint.map(str::to_owned));
        failure
    })
}

/// Returns the id of the request that this process works on: the daemon's, or a new one.
pub(crate) fn request_id(context: &Context) -> String {
    match context.environment.get("ACRETA_REQUEST_ID") {
        Some(id) => id.clone(),
        None => format!("{:016x}", seed() ^ now_ms()),
    }
}

/// Returns the configured OTLP receiver, if any.
fn receiver(context: &Context) -> Option<Otlp> {
    let config = &context.config;
    let asked = context.environment.get("ACRETA_TRACING");
    let is_wanted = match asked.map(String::as_str) {
        Some("" | "0" | "false") => false,
        Some(_) => true,
        None => config.boolean("tracing.enabled"),
    };
    let headers = config.text_list("tracing.headers");
    is_wanted.then(|| Otlp {
        endpoint: config.text("tracing.endpoint").to_owned(),
        headers: headers
            .iter()
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
            .collect(),
        include_http: config.boolean("tracing.include_http"),
    })
}
