//! A provider that can be asked: its settings, its key, its pace, and what its failures mean. Says
//! of every failure whether it may have been paid for and whether to try again.

use std::collections::BTreeMap;

use camino::Utf8Path;
use serde_json::Value;

use crate::account::Taken;
use crate::command::{self, Place};
use crate::exchange::{Again, Answer, Exchange, Failed};
use crate::http::{Http, HttpFailure, HttpReply, MOST_BYTES};
use crate::pace::Pace;
use crate::scrub::{Scrubber, Secret};
use crate::settings::{Endpoint, ProviderKind, ProviderSettings};
use crate::{Clock, Code, LlmError, Run, anthropic, ollama, openai, programs};

pub(crate) struct Provider {
    pub(crate) settings: ProviderSettings,
    pub(crate) address: String,
    pub(crate) pace: Pace,
    http: Http,
}

/// Whose call it is and what it may use.
pub(crate) struct Caller<'a> {
    pub(crate) run: &'a Run,
    pub(crate) environment: &'a BTreeMap<String, String>,
    pub(crate) scrubber: &'a Scrubber,
    pub(crate) clock: &'a dyn Clock,
    /// Where agent programs run.
    pub(crate) programs: &'a Utf8Path,
    pub(crate) is_cancelled: &'a dyn Fn() -> bool,
}

impl Provider {
    pub(crate) fn new(settings: &ProviderSettings) -> Self {
        Self {
            address: settings.address(),
            pace: Pace::new(settings),
            http: Http::new(settings),
            settings: settings.clone(),
        }
    }

    /// Whether it could be asked at all: nothing is reserved for a provider without a key.
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
    ) -> Result<Answer, Failed> {
        match &self.settings.kind {
            ProviderKind::Anthropic(endpoint) => {
                let address = endpoint.address(anthropic::PATH, caller.environment);
                let address = address.map_err(Failed::for_good)?;
                let headers = anthropic::headers(address.key.as_ref().map(Secret::reveal));
                let body = anthropic::body(exchange).to_string();
                let reply = self.http.post(&address.url, &headers, &body);
                self.read(endpoint, reply, anthropic::answer, caller)
            }
            ProviderKind::OpenAi(settings) => {
                let endpoint = &settings.endpoint;
                let address = endpoint.address(openai::PATH, caller.environment);
                let address = address.map_err(Failed::for_good)?;
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
                let address = address.map_err(Failed::for_good)?;
                let headers = openai::headers(address.key.as_ref().map(Secret::reveal));
                let body = ollama::body(exchange).to_string();
                let reply = self.http.post(&address.url, &headers, &body);
                self.read(&endpoint, reply, ollama::answer, caller)
            }
            ProviderKind::Agent(settings) => programs::ask(&programs::Call {
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
                let place = Place {
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
        answer: fn(&Value) -> Result<Answer, &'static str>,
        caller: &Caller<'_>,
    ) -> Result<Answer, Failed> {
        let scrubber = caller.scrubber;
        let reply = reply.map_err(|failure| self.broken(failure, scrubber))?;
        if !(200..300).contains(&reply.status) {
            return Err(self.turned_down(endpoint, &reply, caller));
        }
        // A reply that cannot be read may have been paid for all the same.
        let unreadable = |reason: &str| {
            let said = scrubber.excerpt(&String::from_utf8_lossy(&reply.body));
            Failed::maybe_paid(
                LlmError::new(
                    Code::InvalidReply,
                    format!("its reply cannot be read: {reason}"),
                )
                .because(format!("it starts with `{said}`")),
            )
        };
        let value: Value =
            serde_json::from_slice(&reply.body).map_err(|_| unreadable("it is no JSON"))?;
        answer(&value).map_err(unreadable)
    }

    /// No whole reply came.
    fn broken(&self, failure: HttpFailure, scrubber: &Scrubber) -> Failed {
        let seconds = self.settings.timeout.as_secs_f32();
        match failure {
            HttpFailure::Unreached(cause) => Failed {
                error: LlmError::new(Code::Provider, "it could not be reached")
                    .because(scrubber.excerpt(&cause))
                    .hint("check the network, and whether a local server is running")
                    .retryable(),
                taken: Taken::Nothing,
                again: Again::Soon,
            },
            HttpFailure::Untrusted(cause) => Failed::for_good(
                LlmError::new(Code::Provider, "no safe connection could be made")
                    .because(scrubber.excerpt(&cause)),
            ),
            HttpFailure::Timeout => Failed::maybe_paid(
                LlmError::new(Code::Timeout, format!("no reply within {seconds} s"))
                    .hint("raise the provider's `timeout`, or ask for shorter replies")
                    .retryable(),
            ),
            HttpFailure::Cut(cause) => Failed::maybe_paid(
                LlmError::new(
                    Code::Provider,
                    "the connection broke before the reply was whole",
                )
                .because(scrubber.excerpt(&cause))
                .retryable(),
            ),
            HttpFailure::TooLarge => Failed::maybe_paid(LlmError::new(
                Code::TooLarge,
                format!("its reply is larger than {MOST_BYTES} bytes"),
            )),
        }
    }

    /// A reply that says no. Providers do not charge for those.
    fn turned_down(&self, endpoint: &Endpoint, reply: &HttpReply, caller: &Caller<'_>) -> Failed {
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
        let for_good = Failed::for_good;
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
            // No pause helps an empty account.
            429 if said.contains("insufficient_quota") => for_good(error(
                Code::Provider,
                "the account has nothing left".to_owned(),
            )),
            429 => self.busy(
                error(
                    Code::RateLimited,
                    "it takes no more calls for now".to_owned(),
                ),
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

    /// Worth another try, unless it asks for more patience than a run has.
    fn busy(&self, error: LlmError, reply: &HttpReply, clock: &dyn Clock) -> Failed {
        let error = error.retryable();
        let (error, again) = match reply.retry_after {
            Some(pause) if pause > self.settings.longest_pause => {
                let hint = format!("it asks for a pause of {} s", pause.as_secs());
                let pause_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
                let until = clock.now_ms().saturating_add(pause_ms);
                (error.hint(hint).retry_at(until), Again::No)
            }
            Some(pause) => (error, Again::After(pause)),
            None => (error, Again::Soon),
        };
        Failed {
            error,
            taken: Taken::Nothing,
            again,
        }
    }
}

/// What an error body says: its message and kind where it has them, or all of it.
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
