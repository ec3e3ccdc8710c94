//! A provider: its settings, key and rate limit, and the classification of its failures. Each failure says if it may
//! have been billed and if it is retried.

use std::collections::BTreeMap;

use camino::Utf8Path;
use serde_json::Value;

use crate::account::CallUsage;
use crate::command::{self, CommandContext};
use crate::exchange::{Exchange, FailedCall, ModelAnswer, RetryAdvice};
use crate::http::{HttpClient, HttpFailure, HttpReply, MOST_BYTES};
use crate::pace::Pace;
use crate::scrub::{Scrubber, Secret};
use crate::settings::{Endpoint, ProviderKind, ProviderSettings};
use crate::{Clock, Code, LlmError, Run, anthropic, ollama, openai, programs};

pub(crate) struct Provider {
    pub(crate) settings: ProviderSettings,
    pub(crate) address: String,
    pub(crate) pace: Pace,
    http: HttpClient,
}

/// The run that makes a call, and its resources.
pub(crate) struct Caller<'a> {
    pub(crate) run: &'a Run,
    pub(crate) environment: &'a BTreeMap<String, String>,
    pub(crate) scrubber: &'a Scrubber,
    pub(crate) clock: &'a dyn Clock,
    /// Folder in which agent programs run.
    pub(crate) programs: &'a Utf8Path,
    pub(crate) is_cancelled: &'a dyn Fn() -> bool,
}

impl Provider {
    pub(crate) fn new(settings: &ProviderSettings) -> Self {
        Self {
            address: settings.address(),
            pace: Pace::new(settings),
            http: HttpClient::new(settings),
            settings: settings.clone(),
        }
    }

    /// Checks that the provider can be asked at all: nothing is reserved for one without a key.
    pub(crate) fn check(&self, environment: &BTreeMap<String, String>) -> Result<(), LlmError> {
        match &self.settings.kind {
            ProviderKind::Anthropic(endpoint) | ProviderKind::Ollama(endpoint) => {
                endpoint.address("", environment).map(drop)
            }
            ProviderKind::OpenAi(openai) => openai.endpoint.address("", environment).map(drop),
            ProviderKind::Command(_) => Ok(()),
            ProviderKind::Agent(agent) => programs::check(agent, environment),
        }
    }

    /// Makes one call.
    pub(crate) fn ask(
        &self,
        exchange: &Exchange<'_>,
        caller: &Caller<'_>,
    ) -> Result<ModelAnswer, FailedCall> {
        match &self.settings.kind {
            ProviderKind::Anthropic(endpoint) => {
                let address = endpoint.address(anthropic::PATH, caller.environment);
                let address = address.map_err(FailedCall::for_good)?;
                let headers = anthropic::headers(address.key.as_ref().map(Secret::reveal));
                let body = anthropic::body(exchange).to_string();
                let reply = self.http.post(&address.url, &headers, &body);
                self.read(endpoint, reply, anthropic::answer, caller)
            }
            ProviderKind::OpenAi(settings) => {
                let endpoint = &settings.endpoint;
                let address = endpoint.address(openai::PATH, caller.environment);
                let address = address.map_err(FailedCall::for_good)?;
                let headers = openai::headers(address.key.as_ref().map(Secret::reveal));
                let body = openai::body(exchange, settings).to_string();
                let reply = self.http.post(&address.url, &headers, &body);
                self.read(endpoint, reply, openai::answer, caller)
            }
            ProviderKind::Ollama(endpoint) => {
                let endpoint = Endpoint {
                    base_url: ollama::base_url(&endpoint.base_url).to_owned(),
                    ..endpoint.clone()
                };
                let address = endpoint.address(ollama::PATH, caller.environment);
                let address = address.map_err(FailedCall::for_good)?;
                let headers = openai::headers(address.key.as_ref().map(Secret::reveal));
                let body = ollama::body(exchange).to_string();
                let reply = self.http.post(&address.url, &headers, &body);
                self.read(&endpoint, reply, ollama::answer, caller)
            }
            ProviderKind::Agent(settings) => programs::ask(&programs::ProgramCall {
                settings,
                exchange,
                environment: caller.environment,
                folder: caller.programs,
                timeout: self.settings.timeout,
                scrubber: caller.scrubber,
                clock: caller.clock,
                is_cancelled: caller.is_cancelled,
            }),
            ProviderKind::Command(settings) => {
                let place = CommandContext {
                    folder: &caller.run.folder,
                    environment: caller.environment,
                    timeout: self.settings.timeout,
                    is_cancelled: caller.is_cancelled,
                };
                command::ask(settings, exchange, &place, caller.scrubber)
            }
        }
    }

    fn read(
        &self,
        endpoint: &Endpoint,
        reply: Result<HttpReply, HttpFailure>,
        answer: fn(&Value) -> Result<ModelAnswer, &'static str>,
        caller: &Caller<'_>,
    ) -> Result<ModelAnswer, FailedCall> {
        let scrubber = caller.scrubber;
        let reply = reply.map_err(|failure| self.broken(failure, scrubber))?;
        if !(200..300).contains(&reply.status) {
            return Err(self.turned_down(endpoint, &reply, caller));
        }
        // A reply that cannot be parsed may still have been billed.
        let unreadable = |reason: &str| {
            let said = scrubber.excerpt(&String::from_utf8_lossy(&reply.body));
            FailedCall::maybe_paid(
                LlmError::new(
                    Code::InvalidReply,
                    format!("its reply cannot be read: {reason}"),
                )
                .because(format!("it starts with `{said}`")),
            )
        };
        let value: Value =
            serde_json::from_slice(&reply.body).map_err(|_| unreadable("it is not JSON"))?;
        answer(&value).map_err(unreadable)
    }

    /// Classifies a call without a complete reply.
    fn broken(&self, failure: HttpFailure, scrubber: &Scrubber) -> FailedCall {
        let seconds = self.settings.timeout.as_secs_f32();
        match failure {
            HttpFailure::Unreached(cause) => FailedCall {
                error: LlmError::new(Code::Provider, "it could not be reached")
                    .because(scrubber.excerpt(&cause))
                    .hint("check the network, and whether a local server is running")
                    .retryable(),
                taken: CallUsage::Nothing,
                again: RetryAdvice::Soon,
            },
            HttpFailure::Untrusted(cause) => FailedCall::for_good(
                LlmError::new(Code::Provider, "no secure connection could be established")
                    .because(scrubber.excerpt(&cause)),
            ),
            HttpFailure::Timeout => FailedCall::maybe_paid(
                LlmError::new(Code::Timeout, format!("no reply within {seconds} s"))
                    .hint("raise the provider's `timeout`, or ask for shorter replies")
                    .retryable(),
            ),
            HttpFailure::Cut(cause) => FailedCall::maybe_paid(
                LlmError::new(
                    Code::Provider,
                    "the connection was lost before the reply was complete",
                )
                .because(scrubber.excerpt(&cause))
                .retryable(),
            ),
            HttpFailure::TooLarge => FailedCall::maybe_paid(LlmError::new(
                Code::TooLarge,
                format!("its reply is larger than {MOST_BYTES} bytes"),
            )),
        }
    }

    /// Classifies an error reply. Providers do not charge for those.
    fn turned_down(
        &self,
        endpoint: &Endpoint,
        reply: &HttpReply,
        caller: &Caller<'_>,
    ) -> FailedCall {
        let said = complaint(&reply.body);
        let error = |code, message: String| {
            let cause = caller.scrubber.excerpt(&said);
            let error = LlmError::new(code, message);
            if cause.is_empty() {
                error
            } else {
                error.because(cause)
            }
        };
        let status = reply.status;
        let for_good = FailedCall::for_good;
        match status {
            401 | 403 => {
                let name = endpoint.key_env.as_deref();
                let key = name.map_or("a call without key".to_owned(), |name| format!("`{name}`"));
                for_good(
                    error(
                        Code::NoKey,
                        format!("it does not accept {key} (status {status})"),
                    )
                    .hint("check that the key is right and may use the model"),
                )
            }
            413 => for_good(error(
                Code::TooLarge,
                "the request is too large for it".to_owned(),
            )),
            400 if says_too_long(&said) => for_good(
                error(
                    Code::TooLarge,
                    "the request is too long for the model".to_owned(),
                )
                .hint("use a model with a larger context, or smaller windows"),
            ),
            404 => for_good(
                error(
                    Code::Provider,
                    "it does not know the model or the address".to_owned(),
                )
                .hint("check `model` and `base_url` in the user config"),
            ),
            // A pause does not help an empty account.
            429 if said.contains("insufficient_quota") => for_good(error(
                Code::Provider,
                "the account has no credit left".to_owned(),
            )),
            429 => self.busy(
                error(Code::RateLimited, "its rate limit is reached".to_owned()),
                reply,
                caller.clock,
            ),
            408 | 500 | 502 | 503 | 504 | 529 => self.busy(
                error(Code::Provider, format!("it failed with status {status}")),
                reply,
                caller.clock,
            ),
            _ => for_good(error(
                Code::Provider,
                format!("it answered with status {status}"),
            )),
        }
    }

    /// Allows a retry, unless the requested pause is longer than a run waits.
    fn busy(&self, error: LlmError, reply: &HttpReply, clock: &dyn Clock) -> FailedCall {
        let error = error.retryable();
        let (error, again) = match reply.retry_after {
            Some(pause) if pause > self.settings.longest_pause => {
                let hint = format!("it asks for a pause of {} s", pause.as_secs());
                let pause_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
                let until = clock.now_ms().saturating_add(pause_ms);
                (error.hint(hint).retry_at(until), RetryAdvice::No)
            }
            Some(pause) => (error, RetryAdvice::After(pause)),
            None => (error, RetryAdvice::Soon),
        };
        FailedCall {
            error,
            taken: CallUsage::Nothing,
            again,
        }
    }
}

/// Returns the message and type of an error body if it has them, otherwise all of it.
fn complaint(body: &[u8]) -> String {
    let whole: Option<Value> = serde_json::from_slice(body).ok();
    let error = whole.as_ref().and_then(|whole| whole.get("error"));
    let Some(error) = error else {
        return String::from_utf8_lossy(body).into_owned();
    };
    let parts = ["message", "type", "code"].map(|name| error.get(name).and_then(Value::as_str));
    let known: Vec<&str> = parts.into_iter().flatten().collect();
    if known.is_empty() {
        error.to_string()
    } else {
        known.join(" / ")
    }
}

fn says_too_long(said: &str) -> bool {
    [
        "context_length_exceeded",
        "maximum context length",
        "prompt is too long",
        "exceeds the available context size",
    ]
    .iter()
    .any(|words| said.contains(words))
}
