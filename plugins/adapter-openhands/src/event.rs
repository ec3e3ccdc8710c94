//! One event: an action or an observation.
//!
//! Older versions store the details of an event next to its type, newer ones in `args` and `extras`.

use acreta_sdk::adapter::Tokens;
use acreta_sdk::adapter::document::{self, Item};
use acreta_sdk::adapter::json::{Scanner, Text, Value};
use acreta_sdk::adapter::time::milliseconds;

/// Returns the events of a list. The oldest versions store each action with its observation in a nested list.
pub(crate) fn events(items: Vec<Item<'_>>) -> Vec<Item<'_>> {
    let flat = items.into_iter().flat_map(|item| match item.value {
        Value::List(raw) => document::items(&mut Scanner::new(raw), item.start).0,
        _ => vec![item],
    });
    flat.collect()
}

/// Kind of an event.
pub(crate) enum Kind<'a> {
    Action(Text<'a>),
    Observation(Text<'a>),
}

#[derive(Clone, Copy)]
pub(crate) struct Event<'a>(pub(crate) Value<'a>);

impl<'a> Event<'a> {
    /// Returns `None` if it is neither an action nor an observation.
    pub(crate) fn kind(self) -> Option<Kind<'a>> {
        let action = self.0.text_of("action").map(Kind::Action);
        action.or_else(|| self.0.text_of("observation").map(Kind::Observation))
    }

    /// Reports whether this is certainly one of OpenHands' events.
    pub(crate) fn is_sure(self) -> bool {
        const SOURCES: [&str; 3] = ["user", "agent", "environment"];
        let source = self.source();
        let is_known = source.is_some_and(|source| SOURCES.iter().any(|known| source.is(known)));
        is_known && self.kind().is_some() && self.0.field("timestamp").is_some()
    }

    pub(crate) fn source(self) -> Option<Text<'a>> {
        self.0.text_of("source")
    }

    /// Returns the event's own number; empty if it has none.
    pub(crate) fn id(self) -> String {
        self.number("id")
    }

    /// Returns the number of the event that caused this one.
    pub(crate) fn cause(self) -> String {
        self.number("cause")
    }

    pub(crate) fn at_ms(self) -> Option<u64> {
        milliseconds(self.0.text_of("timestamp")?.raw)
    }

    /// Returns a detail of the event, wherever the version stores it.
    pub(crate) fn detail(self, name: &str) -> Option<Value<'a>> {
        let holders = ["args", "extras"].into_iter();
        let mut held = holders.filter_map(|holder| self.0.field(holder)?.field(name));
        held.next().or_else(|| self.0.field(name))
    }

    pub(crate) fn detail_text(self, name: &str) -> Option<Text<'a>> {
        self.detail(name)?.text()
    }

    /// Returns the tool call that the model made or that this answers.
    pub(crate) fn call(self) -> Option<Call<'a>> {
        let metadata = self.0.field("tool_call_metadata")?;
        Some(Call {
            id: metadata.text_of("tool_call_id")?,
            tool: metadata.text_of("function_name"),
            response: metadata.field("model_response"),
        })
    }

    /// Returns the exit code of a command.
    pub(crate) fn exit_code(self) -> Option<i64> {
        let metadata = self.detail("metadata");
        let code = metadata.and_then(|metadata| metadata.field("exit_code"));
        let code = code.or_else(|| self.detail("exit_code"))?;
        std::str::from_utf8(code.raw()).ok()?.parse().ok()
    }

    fn number(self, name: &str) -> String {
        match self.0.field(name) {
            Some(Value::Scalar(b"null")) | None => String::new(),
            Some(value) => String::from_utf8_lossy(value.raw()).into_owned(),
        }
    }
}

/// A call as the model made it.
#[derive(Clone, Copy)]
pub(crate) struct Call<'a> {
    pub(crate) id: Text<'a>,
    pub(crate) tool: Option<Text<'a>>,
    pub(crate) response: Option<Value<'a>>,
}

impl<'a> Call<'a> {
    /// Returns the input as the model wrote it.
    pub(crate) fn input(self) -> Option<Text<'a>> {
        let choices = self.response?.field("choices")?.elements();
        let calls = choices.into_iter().filter_map(|choice| {
            let calls = choice.field("message")?.field("tool_calls")?;
            Some(calls.elements())
        });
        let mut calls = calls.flatten();
        let call = calls.find(|call| call.text_of("id").is_some_and(|id| id.raw == self.id.raw))?;
        call.field("function")?.text_of("arguments")
    }

    /// Returns the id of the reply that contains the call.
    pub(crate) fn reply(self) -> Option<Text<'a>> {
        self.response?.text_of("id")
    }

    pub(crate) fn model(self) -> Option<Text<'a>> {
        self.response?.text_of("model")
    }

    pub(crate) fn tokens(self) -> Option<Tokens> {
        let usage = self.response?.field("usage")?;
        let count = |name: &str| usage.field(name).and_then(Value::number);
        let details = usage.field("prompt_tokens_details");
        let cached = details.and_then(|details| details.field("cached_tokens")?.number());
        let tokens = Tokens::new(count("prompt_tokens")?, count("completion_tokens")?);
        Some(tokens.within(cached, None))
    }
}
