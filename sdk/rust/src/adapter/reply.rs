//! Model, tokens and price of a model's reply: attached only to the first event of the reply, so that whoever adds up a
//! session counts nothing twice.
//!
//! Every agent names its counts differently, and some leave cached tokens out of the input. [`Tokens`] has one meaning:
//! `input` is all that the model read, of which `cache_read` came from its cache and `cache_write` was put there.
//! A count that the agent does not record is `None`, never zero.

use serde::{Deserialize, Serialize};

use crate::adapter::Attrs;
use crate::adapter::json::Value;
use crate::adapter::record_span::attr;

/// Tokens and price of one reply, as its agent recorded them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Tokens {
    /// All tokens in, cached or not.
    pub input: Option<u64>,
    /// All tokens out, with those of its thinking.
    pub output: Option<u64>,
    /// Part of `input`.
    pub cache_read: Option<u64>,
    /// Part of `input`.
    pub cache_write: Option<u64>,
    /// Price of the reply as the agent reckoned it.
    pub cost_dollars: Option<f64>,
}

impl Tokens {
    /// Returns counts without a word about a cache.
    pub fn new(input: u64, output: u64) -> Self {
        Self {
            input: Some(input),
            output: Some(output),
            ..Self::default()
        }
    }

    /// Adds tokens that the agent counts apart from `input` to it: those read from the cache, and those written to it.
    pub fn beside(self, cache_read: Option<u64>, cache_write: Option<u64>) -> Self {
        let cached = [cache_read, cache_write].into_iter().flatten();
        Self {
            input: self
                .input
                .map(|input| cached.fold(input, u64::saturating_add)),
            ..self.within(cache_read, cache_write)
        }
    }

    /// Notes which tokens of `input` were read from the cache, and which were written to it.
    pub fn within(self, cache_read: Option<u64>, cache_write: Option<u64>) -> Self {
        Self {
            cache_read,
            cache_write,
            ..self
        }
    }

    /// Notes the price, from a number of a record.
    pub fn costing(self, dollars: Option<Value<'_>>) -> Self {
        Self {
            cost_dollars: dollars.and_then(Value::decimal),
            ..self
        }
    }

    /// Returns the tokens of both.
    pub fn plus(self, other: Self) -> Self {
        self.with(other, u64::saturating_add, |one, other| one + other)
    }

    /// Returns how much higher these counts are than earlier ones of the same reply.
    pub fn since(self, earlier: Self) -> Self {
        self.with(earlier, u64::saturating_sub, |one, other| {
            (one - other).max(0.0)
        })
    }

    fn with(self, other: Self, count: fn(u64, u64) -> u64, dollars: fn(f64, f64) -> f64) -> Self {
        let both = |one: Option<u64>, other: Option<u64>| match (one, other) {
            (None, None) => None,
            (one, other) => Some(count(one.unwrap_or(0), other.unwrap_or(0))),
        };
        Self {
            input: both(self.input, other.input),
            output: both(self.output, other.output),
            cache_read: both(self.cache_read, other.cache_read),
            cache_write: both(self.cache_write, other.cache_write),
            cost_dollars: match (self.cost_dollars, other.cost_dollars) {
                (None, None) => None,
                (one, other) => Some(dollars(one.unwrap_or(0.0), other.unwrap_or(0.0))),
            },
        }
    }

    /// Returns whether all counts that there are are zero.
    pub fn is_zero(self) -> bool {
        let counts = [self.input, self.output, self.cache_read, self.cache_write];
        counts.into_iter().flatten().all(|count| count == 0)
            && self.cost_dollars.is_none_or(|dollars| dollars == 0.0)
    }

    /// Returns the attributes of an event: those counts that the agent recorded.
    pub fn attrs(self) -> Attrs {
        let counts = [
            ("input_tokens", self.input),
            ("output_tokens", self.output),
            ("cache_read_tokens", self.cache_read),
            ("cache_write_tokens", self.cache_write),
        ];
        let counts = counts
            .into_iter()
            .filter_map(|(name, count)| Some(attr(name, count?.to_string())));
        let dollars = self
            .cost_dollars
            .map(|dollars| attr("cost_dollars", dollars.to_string()));
        counts.chain(dollars).collect()
    }
}

/// Model and tokens that wait for the first event of their reply.
#[derive(Debug, Default)]
pub struct Reply(Attrs);

impl Reply {
    pub fn new(model: Option<&str>, tokens: Option<Tokens>) -> Self {
        let mut attrs = Attrs::new();
        attrs.extend(model.map(|model| attr("model", model)));
        attrs.extend(tokens.map(Tokens::attrs).unwrap_or_default());
        Self(attrs)
    }

    /// Returns the attributes for the first event; empty for every later one.
    pub fn take(&mut self) -> Attrs {
        std::mem::take(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_agent_does_not_count_is_not_zero() {
        let written = |tokens: Tokens| {
            let attrs = tokens.attrs().into_iter();
            let attrs: Vec<String> = attrs
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            attrs.join(" ")
        };
        let counts = Tokens::new(10, 2);
        let table = [
            (Tokens::default(), ""),
            (counts, "input_tokens=10 output_tokens=2"),
            (
                counts.within(Some(4), None),
                "input_tokens=10 output_tokens=2 cache_read_tokens=4",
            ),
            (
                counts.beside(Some(4), Some(3)),
                "input_tokens=17 output_tokens=2 cache_read_tokens=4 cache_write_tokens=3",
            ),
            (
                counts.costing(Some(Value::Scalar(b"0.0150885"))),
                "input_tokens=10 output_tokens=2 cost_dollars=0.0150885",
            ),
            (
                counts.plus(counts.within(Some(1), None)),
                "input_tokens=20 output_tokens=4 cache_read_tokens=1",
            ),
            (
                Tokens::new(10, 9).since(counts),
                "input_tokens=0 output_tokens=7",
            ),
        ];
        for (tokens, expected) in table {
            assert_eq!(written(tokens), expected);
        }
        assert!(Tokens::new(0, 0).is_zero() && !counts.is_zero());
    }
}
