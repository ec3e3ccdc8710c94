//! Token counts of a request, and their upper bound with another tokenizer: budgets use [`worst_case`].

use acreta_text::count_tokens;

use crate::Message;

/// Counts what is sent: the text of all messages, the schema, and the overhead of each message.
pub(crate) fn count_request(messages: &[Message], schema: Option<&str>) -> u64 {
    let words: u64 = messages
        .iter()
        .map(|message| count_tokens(&message.content) as u64 + FRAME)
        .sum();
    words + schema.map_or(0, |schema| count_tokens(schema) as u64 + FRAME)
}

/// Returns the maximum of `counted` tokens with another tokenizer: twice as many, but at most the number of bytes,
/// because no token is shorter than one.
pub(crate) fn worst_case(counted: u64, messages: &[Message], schema: Option<&str>) -> u64 {
    let bytes: usize = messages
        .iter()
        .map(|message| message.content.len())
        .chain(schema.map(str::len))
        .sum();
    let frames = messages.len() as u64 * WIDE_FRAME + schema.map_or(0, |_| SCHEMA_FRAME);
    (counted * 2).min(bytes as u64) + frames
}

/// Overhead tokens per message, by our count and at most.
const FRAME: u64 = 4;
const WIDE_FRAME: u64 = 32;

/// Overhead of a schema: mostly the provider's own instructions for using a tool.
const SCHEMA_FRAME: u64 = 1_024;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Speaker;

    #[test]
    fn the_worst_case_is_never_less_than_the_count() {
        for text in ["", "a", "hello world", "日本語のテキスト", "!@#$%^&*()"] {
            let messages = [Message::new(Speaker::User, text.repeat(50))];
            for schema in [None, Some("{\"type\":\"object\"}")] {
                let counted = count_request(&messages, schema);
                assert!(worst_case(counted, &messages, schema) >= counted, "{text}");
            }
        }
    }
}
