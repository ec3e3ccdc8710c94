//! One request to one model and its outcome: the types that providers, cache and tape share.

use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::account::CallUsage;
use crate::{LlmError, Message, Money, Purpose, Schema};

/// A request as it is sent. Its messages are redacted.
#[derive(Debug, Clone)]
pub(crate) struct Exchange<'a> {
    pub(crate) provider: &'a str,
    /// Distinguishes providers of the same name in digests.
    pub(crate) address: &'a str,
    pub(crate) model: &'a str,
    pub(crate) purpose: Purpose,
    pub(crate) messages: Vec<Message>,
    pub(crate) schema: Option<&'a Schema>,
    pub(crate) max_output_tokens: u32,
}

/// A provider's answer. Its content is redacted once it has left the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ModelAnswer {
    pub(crate) content: String,
    /// Input and output tokens by the provider's count.
    pub(crate) tokens: Option<(u64, u64)>,
    pub(crate) stop: StopReason,
    /// List price of the call as the provider reports it; a plan is not billed.
    pub(crate) list_price: Option<Money>,
}

/// Reason why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopReason {
    Done,
    /// The reply reached its maximum length.
    Length,
    Refused,
}

/// A failed call: its possible cost, and if it may be retried.
#[derive(Debug)]
pub(crate) struct FailedCall {
    pub(crate) error: LlmError,
    pub(crate) taken: CallUsage,
    pub(crate) again: RetryAdvice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RetryAdvice {
    No,
    /// After a backoff of our own.
    Soon,
    /// After the pause that the provider asks for.
    After(Duration),
}

impl Exchange<'_> {
    /// Identifies a request and its recipient: equal digests mean equal requests.
    pub(crate) fn digest(&self) -> String {
        let question = json!([
            DIGEST_VERSION,
            self.provider,
            self.address,
            self.model,
            self.messages,
            self.schema.map(Schema::text),
            self.max_output_tokens,
        ]);
        acreta_text::hex(&Sha256::digest(question.to_string().as_bytes()))
    }

    pub(crate) fn schema_text(&self) -> Option<&str> {
        self.schema.map(Schema::text)
    }
}

impl FailedCall {
    /// A permanent failure that cost nothing.
    pub(crate) fn for_good(error: LlmError) -> Self {
        Self {
            error,
            taken: CallUsage::Nothing,
            again: RetryAdvice::No,
        }
    }

    /// A failure that may have been billed. It is not retried automatically.
    pub(crate) fn maybe_paid(error: LlmError) -> Self {
        Self {
            error,
            taken: CallUsage::Unknown,
            again: RetryAdvice::No,
        }
    }
}

/// Returns the instruction that replaces a schema if the provider does not support one.
pub(crate) fn schema_in_words(schema: &Schema) -> String {
    format!(
        "Answer with one JSON value and nothing else: no words around it, no code fence. \
         It must fit this JSON schema:\n{}",
        schema.text()
    )
}

/// Reads a token count from a reply, if it is a whole number.
pub(crate) fn count(value: &Value, name: &str) -> Option<u64> {
    value.get(name)?.as_u64()
}

const DIGEST_VERSION: u32 = 1;
