//! Messages whose content is a list of blocks, as in Anthropic's API. Several agents store them as they were sent.
//!
//! Classifies each block; the adapter decides who wrote a text.

use crate::adapter::json::{Text, Value, compact};
use crate::adapter::{Attrs, EventWriter, Failure, RecordSpan, Reply, Sink};

/// One block of a message.
#[derive(Debug, Clone, Copy)]
pub enum Block<'a> {
    Text(Text<'a>),
    Thinking(Text<'a>),
    /// A tool call; the whole block.
    Call(Value<'a>),
    /// A tool result; the whole block.
    Answer(Value<'a>),
    /// Content other than text, by its type.
    Thing(Text<'a>),
    /// Encrypted thoughts that only the model's vendor can read.
    Sealed,
    /// An unknown type; empty if the block has no type.
    Unknown(Text<'a>),
}

/// Splits a content into blocks: a text is one block, a list has many.
pub fn blocks(content: Option<Value<'_>>) -> Vec<Block<'_>> {
    match content {
        Some(Value::Text(text)) => vec![Block::Text(text)],
        Some(list @ Value::List(_)) => list.elements().into_iter().map(block).collect(),
        _ => Vec::new(),
    }
}

fn block(value: Value<'_>) -> Block<'_> {
    if let Value::Text(text) = value {
        return Block::Text(text);
    }
    let kind = value.text_of("type").unwrap_or_default();
    let is = |name| kind.is(name);
    match value.text_of("text") {
        Some(text) if is("text") => Block::Text(text),
        _ if is("thinking") => Block::Thinking(value.text_of("thinking").unwrap_or_default()),
        _ if is("tool_use") => Block::Call(value),
        _ if is("tool_result") => Block::Answer(value),
        _ if is("image") || is("document") => Block::Thing(kind),
        _ if is("redacted_thinking") || is("thoughtSignature") => Block::Sealed,
        // As OpenAI's interface names thoughts, if they are not encrypted.
        text if is("reasoning") => text.map_or(Block::Sealed, Block::Thinking),
        _ => Block::Unknown(kind),
    }
}

impl Block<'_> {
    /// Emits a block of the agent or of a tool. Texts are treated as the agent's.
    pub fn emit<S: Sink>(
        self,
        told: &mut EventWriter<'_, S>,
        place: &mut RecordSpan,
        reply: &mut Reply,
    ) -> Result<(), Failure> {
        match self {
            Block::Text(text) | Block::Thinking(text) => {
                let kind = match self {
                    Block::Text(_) => "text",
                    _ => "thinking",
                };
                let text = place.decode(text).into_owned();
                match text.trim() {
                    "" => Ok(()),
                    _ => told.assistant(place, kind, text, reply.take()),
                }
            }
            Block::Call(call) => {
                let (tool, id) = (place.text(call, "name"), place.text(call, "id"));
                let input = place.shown(call.field("input"));
                told.tool_call(place, &tool, &id, input, reply.take())
            }
            Block::Answer(answer) => {
                let id = place.text(answer, "tool_use_id");
                let text = words(answer.field("content"), place);
                let is_error = answer.field("is_error").is_some_and(Value::is_true);
                told.tool_result(place, &id, text, is_error)
            }
            Block::Thing(kind) => {
                let note = format!("[{}]", kind.lossy());
                told.emit(place, "user", "note", note, Attrs::new())
            }
            Block::Sealed => Ok(()),
            Block::Unknown(kind) => {
                told.unknown(place, "blocks", &kind.lossy());
                Ok(())
            }
        }
    }
}

/// Renders a content as text: its texts, and other blocks by type or as JSON.
pub fn words(content: Option<Value<'_>>, place: &mut RecordSpan) -> String {
    let list = match content {
        Some(list @ Value::List(_)) => list.elements(),
        other => return place.shown(other.filter(|value| *value != Value::Scalar(b"null"))),
    };
    let mut lines = Vec::new();
    for part in list {
        lines.push(match block(part) {
            Block::Text(text) => place.decode(text).into_owned(),
            Block::Thing(kind) => format!("[{}]", kind.lossy()),
            _ => place.lossy(compact(part.raw())),
        });
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapter::json::Scanner;

    #[test]
    fn the_words_of_a_content_are_its_texts() {
        let table = [
            (r#""plain""#, "plain"),
            (
                r#"[{"type":"text","text":"a"},{"type":"text","text":"b"}]"#,
                "a\nb",
            ),
            (r#"[{"type":"image","source":{}}]"#, "[image]"),
            (
                r#"[{"query":"ls", "result":"x"}]"#,
                r#"{"query":"ls","result":"x"}"#,
            ),
            (r#"{"ok": true}"#, r#"{"ok":true}"#),
            ("null", ""),
            ("[]", ""),
        ];
        for (json, expected) in table {
            let value = Scanner::new(json.as_bytes()).value().ok();
            assert_eq!(words(value, &mut RecordSpan::default()), expected, "{json}");
        }
    }

    #[test]
    fn every_block_is_known_by_its_type() {
        let json = r#"["a",{"type":"text","text":"b"},{"type":"thinking","thinking":"c"},
            {"type":"tool_use"},{"type":"tool_result"},{"type":"image"},{"type":"redacted_thinking"},
            {"type":"text"},{"type":"dance"},{}]"#;
        let value = Scanner::new(json.as_bytes()).value().ok();
        let names: Vec<_> = blocks(value)
            .into_iter()
            .map(|block| match block {
                Block::Text(_) => "text",
                Block::Thinking(_) => "thinking",
                Block::Call(_) => "call",
                Block::Answer(_) => "answer",
                Block::Thing(_) => "thing",
                Block::Sealed => "sealed",
                Block::Unknown(_) => "unknown",
            })
            .collect();
        assert_eq!(
            names,
            [
                "text", "text", "thinking", "call", "answer", "thing", "sealed", "unknown",
                "unknown", "unknown"
            ]
        );
    }
}
