//! Errors of a request: a code for the caller, a message for a person. No error contains a key or text that was not
//! redacted; for that reason causes are stored as redacted text.

use acreta_fs::FsError;
use acreta_types::{Failure, with_causes};

/// Stable error codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// The plugin may not use models.
    NotGranted,
    /// No provider is configured for the purpose, or models are switched off.
    NoProvider,
    /// The key is not set, or the provider does not accept it.
    NoKey,
    /// The agent program that answers for a model is not logged in.
    LoggedOut,
    /// The call would exceed the run's or the day's budget. Nothing was spent.
    Budget,
    /// The day's spending cannot be recorded, so the call was not made.
    NoLedger,
    /// The provider asks for a longer pause than a run waits.
    RateLimited,
    Timeout,
    /// The model, or the host, refuses such a request.
    Refused,
    /// The reply cannot be used, even after a repair.
    InvalidReply,
    /// The provider failed in another way.
    Provider,
    /// The request or the reply is too large.
    TooLarge,
    Cancelled,
}

/// A failed request.
#[derive(Debug)]
pub struct LlmError {
    details: Box<Details>,
}

impl Code {
    pub const ALL: [Code; 13] = [
        Code::NotGranted,
        Code::NoProvider,
        Code::NoKey,
        Code::LoggedOut,
        Code::Budget,
        Code::NoLedger,
        Code::RateLimited,
        Code::Timeout,
        Code::Refused,
        Code::InvalidReply,
        Code::Provider,
        Code::TooLarge,
        Code::Cancelled,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Code::NotGranted => "not-granted",
            Code::NoProvider => "no-provider",
            Code::NoKey => "no-key",
            Code::LoggedOut => "logged-out",
            Code::Budget => "budget",
            Code::NoLedger => "no-ledger",
            Code::RateLimited => "rate-limited",
            Code::Timeout => "timeout",
            Code::Refused => "refused",
            Code::InvalidReply => "invalid-reply",
            Code::Provider => "provider",
            Code::TooLarge => "too-large",
            Code::Cancelled => "cancelled",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Code> {
        Self::ALL.into_iter().find(|code| code.name() == name)
    }

    /// Returns true if another provider might succeed.
    pub(crate) fn falls_back(self) -> bool {
        !matches!(
            self,
            Code::NotGranted | Code::Budget | Code::NoLedger | Code::Cancelled
        )
    }
}

impl LlmError {
    /// Returns the error for a plugin without the grant.
    pub fn not_granted(plugin: &str) -> Self {
        Self::new(
            Code::NotGranted,
            format!("plugin `{plugin}` may not use language models"),
        )
        .hint("grant it `llm` in the user config if you trust it")
    }

    pub fn code(&self) -> Code {
        self.details.code
    }

    pub fn provider(&self) -> Option<&str> {
        self.details.place.as_ref().map(|place| place.0.as_str())
    }

    pub fn model(&self) -> Option<&str> {
        self.details.place.as_ref().map(|place| place.1.as_str())
    }

    /// Returns advice on how to resolve the error.
    pub fn help(&self) -> Option<&str> {
        self.details.hint.as_deref()
    }

    /// Returns true if the same request may succeed later.
    pub fn is_retryable(&self) -> bool {
        self.details.retryable
    }

    /// Returns the earliest time at which the same request may succeed, if the provider gave one.
    pub fn retry_at_ms(&self) -> Option<u64> {
        self.details.retry_at_ms
    }

    /// Returns the error in the form that a plugin receives.
    pub fn to_failure(&self) -> Failure {
        let mut message = with_causes(self);
        if let Some(hint) = self.help() {
            message.push_str("; ");
            message.push_str(hint);
        }
        Failure {
            code: self.code().name().to_owned(),
            message,
            retryable: self.is_retryable(),
        }
    }

    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            details: Box::new(Details {
                code,
                place: None,
                message: message.into(),
                hint: None,
                retryable: false,
                retry_at_ms: None,
                cause: None,
            }),
        }
    }

    pub(crate) fn at(mut self, provider: &str, model: &str) -> Self {
        self.details.place = Some((provider.to_owned(), model.to_owned()));
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.details.hint = Some(hint.into());
        self
    }

    pub(crate) fn retryable(mut self) -> Self {
        self.details.retryable = true;
        self
    }

    pub(crate) fn retry_at(mut self, retry_at_ms: u64) -> Self {
        self.details.retry_at_ms = Some(retry_at_ms);
        self
    }

    /// `cause` must be redacted already.
    pub(crate) fn because(mut self, cause: impl Into<String>) -> Self {
        self.details.cause = Some(Cause(cause.into()));
        self
    }

    /// Appends to the cause.
    pub(crate) fn also(self, cause: &str) -> Self {
        let joined = match &self.details.cause {
            Some(Cause(first)) => format!("{first}; {cause}"),
            None => cause.to_owned(),
        };
        self.because(joined)
    }

    pub(crate) fn disk(code: Code, message: &str, cause: &FsError) -> Self {
        Self::new(code, message).because(with_causes(cause))
    }

    /// Returns the message alone, without the provider; for the tape.
    pub(crate) fn message(&self) -> &str {
        &self.details.message
    }
}

impl std::fmt::Display for LlmError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some((provider, model)) = &self.details.place {
            write!(formatter, "provider `{provider}`, model `{model}`: ")?;
        }
        formatter.write_str(&self.details.message)
    }
}

impl std::error::Error for LlmError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let cause = self.details.cause.as_ref()?;
        Some(cause)
    }
}

#[derive(Debug)]
struct Details {
    code: Code,
    place: Option<(String, String)>,
    message: String,
    hint: Option<String>,
    retryable: bool,
    retry_at_ms: Option<u64>,
    cause: Option<Cause>,
}

#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Cause(String);
