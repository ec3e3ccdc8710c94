//! Requests and replies of the WIT interface `llm`, and their figures: estimate, remaining budget, usage.

use serde::{Deserialize, Serialize};

use crate::Money;

/// Purpose of a request. Each purpose has its own model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    Extract,
    Summarise,
    Explore,
    Ask,
    Maintain,
}

/// Author of a message.
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
    /// If set, the reply is JSON that fits this schema.
    pub json_schema: Option<String>,
    pub max_output_tokens: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub content: String,
    /// The provider's count over all rounds; our own count if it gives none.
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// True if it came from the cache and cost nothing.
    pub cached: bool,
}

/// Estimated cost of a request if it were sent now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Estimate {
    pub provider: String,
    pub model: String,
    /// By our own count; providers count up to a third more.
    pub input_tokens: u64,
    pub max_output_tokens: u64,
    /// Assumes the longest allowed reply; `None` if the price of the model is not known.
    pub cost: Option<Money>,
    /// True if the cache has the reply, which then costs nothing.
    pub cached: bool,
}

/// Remaining budget of the run and the day; `None` means no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RemainingBudget {
    pub calls: Option<u64>,
    pub tokens: Option<u64>,
    pub cost: Option<Money>,
}

/// Usage of a session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Requests sent to a provider, including failures, retries and repairs.
    pub calls: u64,
    /// Charged tokens. A call that may have been billed without a count is charged in full.
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// The part of them that nobody counted: the most that failed calls could take.
    pub assumed_input_tokens: u64,
    pub assumed_output_tokens: u64,
    pub cost: Money,
    /// By price lists, as far as programs report it; a plan is not billed.
    pub list_price: Money,
    /// Replies from the cache.
    pub cached: u64,
    /// Requests that went to the fallback.
    pub fallbacks: u64,
    /// Calls to models without a known price; `cost` does not include them.
    pub unpriced_calls: u64,
    /// Tokens that providers claim beyond the maximum of the call; not charged.
    pub disputed_tokens: u64,
}

/// An unknown purpose or role.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{word}` is unknown (expected {known})")]
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

    /// Returns the name used in requests and settings.
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
