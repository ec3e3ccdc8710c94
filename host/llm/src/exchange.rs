//! One question to one model, and how it ended: the words that providers, cache and tape share.

use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::account::Taken;
use crate::{LlmError, Message, Money, Purpose, Schema};

/// What is sent. Its messages are redacted.
#[derive(Debug, Clone)]
pub(crate) struct Exchange<'a> {
    pub(crate) provider: &'a str,
    /// What tells the provider's replies from another's of the same name.
    pub(crate) address: &'a str,
    pub(crate) model: &'a str,
    pub(crate) purpose: Purpose,
    pub(crate) messages: Vec<Message>,
    pub(crate) schema: Option<&'a Schema>,
    pub(crate) max_output_tokens: u32,
}

/// What came back. Its content is redacted once it has left the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) content: String,
    /// Input and output as the provider counts them.
    pub(crate) tokens: Option<(u64, u64)>,
    pub(crate) stop: Stop,
    /// The price of the call by the provider's price list, as the provider says; a plan is not billed.
    pub(crate) list_price: Option<Money>,
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    Done,
    /// The reply is as long as it may be.
    Length,
    Refused,
}

/// A call that failed: what it may have cost and whether it is worth making again.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) error: LlmError,
    pub(crate) taken: Taken,
    pub(crate) again: Again,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    No,
    /// After a pause of our own choice.
    Soon,
    /// After the pause the provider asks for.
    After(Duration),
}

impl Exchange<'_> {
    /// Names what is asked and of whom: the same digest, the same question.
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

impl Failed {
    /// A failure that cost nothing and will be the same the next time.
    pub(crate) fn for_good(error: LlmError) -> Self {
        Self {
            error,
            taken: Taken::Nothing,
            again: Again::No,
        }
    }

    /// A failure that may have been paid for. It is not tried again by itself.
    pub(crate) fn maybe_paid(error: LlmError) -> Self {
        Self {
            error,
            taken: Taken::Unknown,
            again: Again::No,
        }
    }
}

/// The instruction that stands in for a schema where the provider takes none.
pub(crate) fn schema_in_words(schema: &Schema) -> String {
    format!(
        "Answer with one JSON value and nothing else: no words around it, no code fence. \
         It must fit this JSON schema:\n{}",
        schema.text()
    )
}

/// A count of tokens in a reply: a whole number that is there.
pub(crate) fn count(value: &Value, name: &str) -> Option<u64> {
    value.get(name)?.as_u64()
}

const DIGEST_VERSION: u32 = 1;
