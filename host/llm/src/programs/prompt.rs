//! Converts a conversation into the two texts that an agent program accepts: a system prompt and a prompt.

use crate::exchange::{Exchange, schema_in_words};
use crate::{Message, Speaker};

/// Joins all system messages, and the schema in words if the program does not support one.
pub(super) fn system(exchange: &Exchange<'_>, with_schema: bool) -> String {
    let messages = exchange.messages.iter();
    let spoken = messages.filter(|message| message.role == Speaker::System);
    let mut parts: Vec<String> = spoken.map(|message| message.content.clone()).collect();
    if let Some(schema) = exchange.schema.filter(|_| with_schema) {
        parts.push(schema_in_words(schema));
    }
    if parts.is_empty() {
        // Without a system prompt the program would use its own, which describes tools.
        parts.push("Answer the request.".to_owned());
    }
    parts.join("\n\n")
}

/// Joins all other messages. Several messages are labelled with their role.
pub(super) fn prompt(exchange: &Exchange<'_>) -> String {
    let messages = exchange.messages.iter();
    let spoken: Vec<&Message> = messages
        .filter(|message| message.role != Speaker::System)
        .collect();
    if let [one] = spoken.as_slice() {
        return one.content.clone();
    }
    let parts = spoken.iter().map(|message| {
        let heading = match message.role {
            Speaker::Assistant => "=== Your earlier reply ===",
            Speaker::User | Speaker::System => "=== Message ===",
        };
        format!("{heading}\n{}", message.content)
    });
    parts.collect::<Vec<_>>().join("\n\n")
}

/// Joins both, for a program whose system prompt cannot be replaced.
pub(super) fn whole(exchange: &Exchange<'_>) -> String {
    format!("{}\n\n{}", system(exchange, true), prompt(exchange))
}
