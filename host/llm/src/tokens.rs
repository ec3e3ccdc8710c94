//! What a request counts, and what it may count by another tokenizer than ours: a budget is kept by
//! [`worst_case`].

use acreta_text::count_tokens;

use crate::Message;

/// Our own count of what is sent: the words of all messages, the schema, and the frame around each.
pub(crate) fn count_request(messages: &[Message], schema: Option<&str>) -> u64 {
    let words: u64 = messages
        .iter()
        .map(|message| count_tokens(&message.content) as u64 + FRAME)
        .sum();
    words + schema.map_or(0, |schema| count_tokens(schema) as u64 + FRAME)
}

/// The most that `counted` tokens can be by another tokenizer: twice as many, but never more than
/// there are bytes, since no token is shorter than one.
pub(crate) fn worst_case(counted: u64, messages: &[Message], schema: Option<&str>) -> u64 {
    let bytes: usize = messages
        .iter()
        .map(|message| message.content.len())
        .chain(schema.map(str::len))
        .sum();
    let frames = messages.len() as u64 * WIDE_FRAME + schema.map_or(0, |_| SCHEMA_FRAME);
    (counted * 2).min(bytes as u64) + frames
}

/// Tokens around a message, by our count and at the most.
const FRAME: u64 = 4;
const WIDE_FRAME: u64 = 32;

/// What a provider may put around a schema: its own instructions for using a tool, mostly.
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
