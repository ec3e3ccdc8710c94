//! Outcomes of a call to an agent program, and their meaning for the caller.

use serde_json::Value;

use super::{ProgramCall, limits};
use crate::account::CallUsage;
use crate::exchange::{FailedCall, ModelAnswer, RetryAdvice};
use crate::process::{Completed, Unfinished};
use crate::{Code, LlmError};

/// Outcome of a call, with the program's message if there is one.
pub(super) enum ProgramOutcome {
    Answered(ModelAnswer),
    /// There is no login, or it has expired.
    LoggedOut(String),
    /// The limit of the plan or the key is reached for now.
    Limited(String),
    /// The model did not follow the schema.
    SchemaUnmet {
        tokens: Option<(u64, u64)>,
    },
    TooLong(String),
    /// The service failed temporarily.
    Unavailable(String),
    Failed(String),
    /// The output cannot be parsed.
    Unreadable {
        reason: &'static str,
        said: String,
    },
    Unfinished(Unfinished),
}

/// Returns the JSON lines of a text; other lines are skipped.
pub(super) fn json_lines(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// Returns the events that a program wrote, one per line, or its outcome if there are none.
pub(super) fn events(completed: &Completed) -> Result<Vec<Value>, ProgramOutcome> {
    let said = completed.stdout_text();
    let events = json_lines(&said);
    match events.is_empty() {
        false => Ok(events),
        true if said.trim().is_empty() => Err(without_output(completed)),
        true => Err(ProgramOutcome::Unreadable {
            reason: "wrote something that is not JSON",
            said,
        }),
    }
}

impl ProgramOutcome {
    pub(super) fn judge(self, call: &ProgramCall<'_>) -> Result<ModelAnswer, FailedCall> {
        let program = call.settings.program;
        let name = call.settings.command();
        let clean = |said: &str| call.scrubber.excerpt(said);
        let error = |code, message: String, said: &str| {
            let said = clean(said);
            let error = LlmError::new(code, message);
            match said.is_empty() {
                true => error.because("it gave no reason"),
                false => error.because(said),
            }
        };
        Err(match self {
            ProgramOutcome::Answered(answer) => return Ok(answer),
            ProgramOutcome::LoggedOut(said) => FailedCall::for_good(match &call.settings.key_env {
                Some(variable) => error(
                    Code::NoKey,
                    format!("`{name}` does not accept the key in `{variable}`"),
                    &said,
                )
                .hint("check that the key is right and may use the model"),
                None => error(Code::LoggedOut, format!("`{name}` is not logged in"), &said)
                    .hint(format!("log in with `{}`", program.login_command())),
            }),
            ProgramOutcome::Limited(said) => {
                let now = call.clock.now_ms();
                let retry_at = limits::retry_at_ms(&said, now, call.clock.utc_offset_seconds())
                    .unwrap_or(now + UNKNOWN_LIMIT_MS);
                FailedCall {
                    error: error(
                        Code::RateLimited,
                        format!("the limit of `{name}` is used up"),
                        &said,
                    )
                    .retryable()
                    .retry_at(retry_at),
                    taken: CallUsage::Nothing,
                    again: RetryAdvice::No,
                }
            }
            ProgramOutcome::SchemaUnmet { tokens } => FailedCall {
                error: LlmError::new(
                    Code::InvalidReply,
                    format!("the model of `{name}` did not follow the schema"),
                )
                .hint("a larger model follows a schema more often"),
                taken: match tokens {
                    Some((input, output)) => CallUsage::Tokens { input, output },
                    None => CallUsage::Unknown,
                },
                again: RetryAdvice::No,
            },
            ProgramOutcome::TooLong(said) => FailedCall::for_good(
                error(
                    Code::TooLarge,
                    format!("the request is too long for the model of `{name}`"),
                    &said,
                )
                .hint("use a model with a larger context"),
            ),
            ProgramOutcome::Unavailable(said) => FailedCall::maybe_paid(
                error(Code::Provider, format!("`{name}` failed"), &said).retryable(),
            ),
            ProgramOutcome::Failed(said) => {
                let error = error(Code::Provider, format!("`{name}` failed"), &said);
                FailedCall::maybe_paid(match says_unknown_flag(&said) {
                    true => error.hint(format!("update {name}: this version may be too old")),
                    false => error,
                })
            }
            ProgramOutcome::Unreadable { reason, said } => {
                let error = LlmError::new(Code::InvalidReply, format!("`{name}` {reason}"));
                let said = clean(&said);
                FailedCall::maybe_paid(match said.is_empty() {
                    true => error,
                    false => error.because(format!("it starts with `{said}`")),
                })
            }
            ProgramOutcome::Unfinished(end) => {
                let paid = end.was_started();
                let error = end.error(name, call.timeout);
                match paid {
                    true => FailedCall::maybe_paid(error),
                    false => FailedCall::for_good(error),
                }
            }
        })
    }
}

/// Classifies an error message of a program, with its HTTP status if there is one.
pub(super) fn classify(said: &str, status: Option<u16>) -> ProgramOutcome {
    let text = said.to_lowercase();
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| text.contains(phrase));
    let owned = said.to_owned();
    match status {
        Some(401 | 403) => ProgramOutcome::LoggedOut(owned),
        Some(429) => ProgramOutcome::Limited(owned),
        _ if says(&LOGGED_OUT) => ProgramOutcome::LoggedOut(owned),
        _ if says(&LIMITED) => ProgramOutcome::Limited(owned),
        _ if says(&TOO_LONG) => ProgramOutcome::TooLong(owned),
        Some(408 | 500..=599) => ProgramOutcome::Unavailable(owned),
        _ if says(&UNAVAILABLE) => ProgramOutcome::Unavailable(owned),
        _ => ProgramOutcome::Failed(owned),
    }
}

/// Classifies the error of a program that wrote nothing on stdout.
pub(super) fn without_output(completed: &Completed) -> ProgramOutcome {
    let said = completed.stderr_text();
    match completed.succeeded() {
        true if said.trim().is_empty() => ProgramOutcome::Unreadable {
            reason: "wrote nothing",
            said,
        },
        _ => classify(&said, None),
    }
}

/// Assumed length of a limit whose end is not given.
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

const LIMITED: [&str; 16] = [
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
    "resource has been exhausted",
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
