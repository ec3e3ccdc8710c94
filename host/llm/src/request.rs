//! What is asked and what is answered, as the WIT interface `llm` has it, and the figures that are
//! told about it: what a request would cost, what is left, what was used.

use serde::{Deserialize, Serialize};

use crate::Money;

/// What a request is for. Each purpose has a model of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    Extract,
    Summarise,
    Explore,
    Ask,
    Maintain,
}

/// Whose words a message has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Speaker {
    System,
    User,
    Assistant,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    pub role: Speaker,
    pub content: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub purpose: Purpose,
    pub messages: Vec<Message>,
    /// When set, the reply is JSON that fits this schema.
    pub json_schema: Option<String>,
    pub max_output_tokens: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub content: String,
    /// As the provider counts, over all rounds it took; by our own count where it does not say.
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// Whether it came from the cache and cost nothing.
    pub cached: bool,
}

/// What a request would cost if it were sent now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Estimate {
    pub provider: String,
    pub model: String,
    /// By our own count; providers count up to a third more.
    pub input_tokens: u64,
    pub max_output_tokens: u64,
    /// With the longest reply allowed; `None` when the price of the model is not known.
    pub cost: Option<Money>,
    /// Whether the cache has the reply, which then costs nothing.
    pub cached: bool,
}

/// What may still be spent, by the run and by the day; `None` is without limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Left {
    pub calls: Option<u64>,
    pub tokens: Option<u64>,
    pub cost: Option<Money>,
}

/// What a session used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Requests sent to a provider, also those that failed, and each retry and repair.
    pub calls: u64,
    /// Tokens as charged. A call that may have been paid for without telling is charged in full.
    pub input_tokens: u64,
    pub output_tokens: u64,
    pub cost: Money,
    /// By price lists, as far as programs say so; a plan is not billed.
    pub list_price: Money,
    /// Replies from the cache.
    pub cached: u64,
    /// Requests that the fallback was asked for.
    pub fallbacks: u64,
    /// Calls to models without a known price: `cost` does not have theirs.
    pub unpriced_calls: u64,
    /// Tokens that providers claim beyond the most the call could take; not charged.
    pub disputed_tokens: u64,
}

/// A purpose or speaker that nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` is none of {known}")]
pub struct UnknownWord {
    pub word: String,
    pub known: String,
}

impl Message {
    pub fn new(role: Speaker, content: impl Into<String>) -> Self {
        Self {
            role,
            content: content.into(),
        }
    }
}

impl Purpose {
    pub const ALL: [Purpose; 5] = [
        Purpose::Extract,
        Purpose::Summarise,
        Purpose::Explore,
        Purpose::Ask,
        Purpose::Maintain,
    ];

    /// As requests and settings spell it.
    pub fn name(self) -> &'static str {
        match self {
            Purpose::Extract => "extract",
            Purpose::Summarise => "summarise",
            Purpose::Explore => "explore",
            Purpose::Ask => "ask",
            Purpose::Maintain => "maintain",
        }
    }
}

impl Speaker {
    pub const ALL: [Speaker; 3] = [Speaker::System, Speaker::User, Speaker::Assistant];

    pub fn name(self) -> &'static str {
        match self {
            Speaker::System => "system",
            Speaker::User => "user",
            Speaker::Assistant => "assistant",
        }
    }
}

impl std::str::FromStr for Purpose {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        named(&Self::ALL, Self::name, word)
    }
}

impl std::str::FromStr for Speaker {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<Self, UnknownWord> {
        named(&Self::ALL, Self::name, word)
    }
}

impl std::fmt::Display for Purpose {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}

fn named<T: Copy>(all: &[T], name: fn(T) -> &'static str, word: &str) -> Result<T, UnknownWord> {
    let found = all.iter().copied().find(|one| name(*one) == word);
    found.ok_or_else(|| UnknownWord {
        word: acreta_text::visible(acreta_text::head(word, 60)),
        known: all
            .iter()
            .map(|one| name(*one))
            .collect::<Vec<_>>()
            .join(", "),
    })
}
