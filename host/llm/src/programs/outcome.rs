//! The ways in which a call of an agent program ends, and what each means for the caller.

use serde_json::Value;

use super::{Call, limits};
use crate::account::Taken;
use crate::exchange::{Again, Answer, Failed};
use crate::process::{Completed, Unfinished};
use crate::{Code, LlmError};

/// How a call ended, in the words of the program where there are any.
pub(super) enum Outcome {
    Answered(Answer),
    /// Nobody is logged in, or the login has expired.
    LoggedOut(String),
    /// The plan or the key has nothing left for now.
    Limited(String),
    /// The model did not keep to the schema.
    SchemaUnmet {
        tokens: Option<(u64, u64)>,
    },
    TooLong(String),
    /// The service failed in a way that may pass.
    Unavailable(String),
    Failed(String),
    /// The output cannot be read.
    Unreadable {
        reason: &'static str,
        said: String,
    },
    Unfinished(Unfinished),
}

/// The lines of JSON in a text; other lines are passed over.
pub(super) fn json_lines(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// The events that a program wrote, one a line, or how it ended without any.
pub(super) fn events(completed: &Completed) -> Result<Vec<Value>, Outcome> {
    let said = completed.stdout_text();
    let events = json_lines(&said);
    match events.is_empty() {
        false => Ok(events),
        true if said.trim().is_empty() => Err(without_output(completed)),
        true => Err(Outcome::Unreadable {
            reason: "wrote something that is no JSON",
            said,
        }),
    }
}

impl Outcome {
    pub(super) fn judge(self, call: &Call<'_>) -> Result<Answer, Failed> {
        let program = call.settings.program;
        let name = call.settings.command();
        let clean = |said: &str| call.scrubber.excerpt(said);
        let error = |code, message: String, said: &str| {
            let said = clean(said);
            let error = LlmError::new(code, message);
            match said.is_empty() {
                true => error.because("it said nothing about it"),
                false => error.because(said),
            }
        };
        Err(match self {
            Outcome::Answered(answer) => return Ok(answer),
            Outcome::LoggedOut(said) => Failed::for_good(match &call.settings.key_env {
                Some(variable) => error(
                    Code::NoKey,
                    format!("`{name}` does not accept the key in `{variable}`"),
                    &said,
                )
                .hint("check that the key is right and may use the model"),
                None => error(Code::LoggedOut, format!("`{name}` is not logged in"), &said)
                    .hint(format!("log in with `{}`", program.login_command())),
            }),
            Outcome::Limited(said) => {
                let now = call.clock.now_ms();
                let retry_at = limits::retry_at_ms(&said, now, call.clock.utc_offset_seconds())
                    .unwrap_or(now + UNKNOWN_LIMIT_MS);
                Failed {
                    error: error(
                        Code::RateLimited,
                        format!("the limit of `{name}` is used up"),
                        &said,
                    )
                    .retryable()
                    .retry_at(retry_at),
                    taken: Taken::Nothing,
                    again: Again::No,
                }
            }
            Outcome::SchemaUnmet { tokens } => Failed {
                error: LlmError::new(
                    Code::InvalidReply,
                    format!("the model of `{name}` did not keep to the schema"),
                )
                .hint("a larger model keeps to a schema more often"),
                taken: match tokens {
                    Some((input, output)) => Taken::Tokens { input, output },
                    None => Taken::Unknown,
                },
                again: Again::No,
            },
            Outcome::TooLong(said) => Failed::for_good(
                error(
                    Code::TooLarge,
                    format!("the request is too long for the model of `{name}`"),
                    &said,
                )
                .hint("use a model with a larger context"),
            ),
            Outcome::Unavailable(said) => Failed::maybe_paid(
                error(Code::Provider, format!("`{name}` failed"), &said).retryable(),
            ),
            Outcome::Failed(said) => {
                let error = error(Code::Provider, format!("`{name}` failed"), &said);
                Failed::maybe_paid(match says_unknown_flag(&said) {
                    true => error.hint(format!("update {name}: this version may be too old")),
                    false => error,
                })
            }
            Outcome::Unreadable { reason, said } => {
                let error = LlmError::new(Code::InvalidReply, format!("`{name}` {reason}"));
                let said = clean(&said);
                Failed::maybe_paid(match said.is_empty() {
                    true => error,
                    false => error.because(format!("it starts with `{said}`")),
                })
            }
            Outcome::Unfinished(end) => {
                let paid = end.was_started();
                let error = end.error(name, call.timeout);
                match paid {
                    true => Failed::maybe_paid(error),
                    false => Failed::for_good(error),
                }
            }
        })
    }
}

/// Reads a complaint of a program, with the HTTP status where it has one.
pub(super) fn classify(said: &str, status: Option<u16>) -> Outcome {
    let text = said.to_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
    let owned = said.to_owned();
    match status {
        Some(401 | 403) => Outcome::LoggedOut(owned),
        Some(429) => Outcome::Limited(owned),
        _ if says(&LOGGED_OUT) => Outcome::LoggedOut(owned),
        _ if says(&LIMITED) => Outcome::Limited(owned),
        _ if says(&TOO_LONG) => Outcome::TooLong(owned),
        Some(408 | 500..=599) => Outcome::Unavailable(owned),
        _ if says(&UNAVAILABLE) => Outcome::Unavailable(owned),
        _ => Outcome::Failed(owned),
    }
}

/// Reads the complaint of a program that wrote nothing on stdout.
pub(super) fn without_output(completed: &Completed) -> Outcome {
    let said = completed.stderr_text();
    match completed.succeeded() {
        true if said.trim().is_empty() => Outcome::Unreadable {
            reason: "wrote nothing",
            said,
        },
        _ => classify(&said, None),
    }
}

/// A limit whose end nobody names.
const UNKNOWN_LIMIT_MS: u64 = 60 * 60 * 1000;

const LOGGED_OUT: [&str; 16] = [
    "not logged in",
    "/login",
    "please log in",
    "not authenticated",
    "no authentication information",
    "authentication_error",
    "authentication required",
    "invalid api key",
    "incorrect api key",
    "api key not valid",
    "set an auth method",
    "token has expired",
    "refresh token",
    "status 401",
    "status: 401",
    "401 unauthorized",
];

const LIMITED: [&str; 15] = [
    "usage limit",
    "rate limit",
    "rate_limit",
    "ratelimit",
    "hit your limit",
    "limit reached",
    "session limit",
    "weekly limit",
    "too many requests",
    "quota",
    "resource_exhausted",
    "premium request",
    "status: 429",
    "status 429",
    "429 ",
];

const TOO_LONG: [&str; 6] = [
    "prompt is too long",
    "context_length_exceeded",
    "maximum context length",
    "context window",
    "input token count exceeds",
    "input is too long",
];

const UNAVAILABLE: [&str; 7] = [
    "overloaded",
    "internal server error",
    "service unavailable",
    "bad gateway",
    "econnrefused",
    "connection refused",
    "fetch failed",
];

fn says_unknown_flag(said: &str) -> bool {
    let text = said.to_lowercase();
    [
        "unknown option",
        "unknown argument",
        "unexpected argument",
        "unknown arguments",
        "unrecognized option",
        "invalid option",
    ]
    .iter()
    .any(|phrase| text.contains(phrase))
}
