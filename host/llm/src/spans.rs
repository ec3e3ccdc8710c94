//! Tracing of each request to a model: recipient, usage and outcome. Texts are logged under a separate target, and only
//! if a subscriber enabled it.

use tracing::field::Empty;
use tracing::{Level, info_span};

use crate::exchange::Exchange;
use crate::{LlmError, Price, Reply, Run};

/// Asks one model inside a span.
pub(crate) fn asked(
    run: &Run,
    exchange: &Exchange<'_>,
    price: Option<Price>,
    ask: impl FnOnce() -> Result<Reply, LlmError>,
) -> Result<Reply, LlmError> {
    let bytes: usize = exchange.messages.iter().map(|one| one.content.len()).sum();
    let span = info_span!(
        "llm",
        run_id = run.id,
        provider = exchange.provider,
        model = exchange.model,
        purpose = exchange.purpose.name(),
        request_bytes = bytes,
        response_bytes = Empty,
        input_tokens = Empty,
        output_tokens = Empty,
        cached = Empty,
        cost_dollars = Empty,
        outcome = Empty,
        fault = Empty,
    );
    let _inside = span.enter();
    let reply = ask();
    match &reply {
        Ok(reply) => {
            span.record("outcome", "ok")
                .record("response_bytes", reply.content.len())
                .record("input_tokens", reply.input_tokens)
                .record("output_tokens", reply.output_tokens)
                .record("cached", reply.cached);
            if let Some(price) = price.filter(|_| !reply.cached) {
                let cost = price.of(reply.input_tokens, reply.output_tokens);
                span.record("cost_dollars", cost.dollars());
            }
        }
        Err(error) => {
            span.record("outcome", "failed")
                .record("fault", error.code().name());
        }
    }
    if tracing::enabled!(target: TEXTS, Level::TRACE) {
        let request = asked_words(exchange);
        let response = reply.as_ref().map_or("", |reply| reply.content.as_str());
        tracing::trace!(target: TEXTS, request, response);
    }
    reply
}

/// Logs that a call failed and is retried.
pub(crate) fn again(attempt: u32, error: &LlmError) {
    tracing::info!(name: "llm.retry", attempt, fault = error.code().name());
}

/// Target of the request and reply texts.
const TEXTS: &str = "acreta_llm::texts";

fn asked_words(exchange: &Exchange<'_>) -> String {
    let words = exchange.messages.iter();
    let words = words.map(|one| format!("{}: {}", one.role.name(), one.content));
    words.collect::<Vec<_>>().join("\n\n")
}
