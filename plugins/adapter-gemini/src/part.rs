//! The parts of a message's content, and tool results in them. Forks of Gemini CLI use the same parts in their own
//! files.

use acreta_sdk::adapter::author::Author;
use acreta_sdk::adapter::json::{self, Text, Value};
use acreta_sdk::adapter::{RecordSpan, shorten};

/// Opens the message that tells the model what a `!` command of the person put out. The output may hold its fence, so all
/// of the message is the command's.
pub const SHELL: (&str, Author<'static>) = (
    "I ran the following shell command:",
    Author::Injected("shell"),
);

/// Finds the content of files that a person referenced. It reaches to the end of the message: an end mark may stand in a
/// file, too.
pub fn files(text: &str) -> Option<usize> {
    let is_part = text.trim_start().starts_with("Content from @");
    match is_part {
        true => Some(0),
        false => text.find("--- Content from referenced files ---"),
    }
}

pub enum Piece<'a> {
    Said(Text<'a>),
    Thought(Text<'a>),
    Call(Value<'a>),
    Answer(Value<'a>),
    /// Content other than text, by its name.
    Thing(String),
}

/// Splits a content into parts: a text, a part, or a list of them.
pub fn pieces(content: Option<Value<'_>>) -> Vec<Piece<'_>> {
    let parts = match content {
        Some(list @ Value::List(_)) => list.elements(),
        other => other.into_iter().collect(),
    };
    parts.into_iter().filter_map(piece).collect()
}

fn piece(part: Value<'_>) -> Option<Piece<'_>> {
    if let Value::Text(text) = part {
        return Some(Piece::Said(text));
    }
    if let Some(text) = part.text_of("text") {
        let is_thought = part.field("thought").is_some_and(Value::is_true);
        return Some(if is_thought {
            Piece::Thought(text)
        } else {
            Piece::Said(text)
        });
    }
    if let Some(call) = part.field("functionCall") {
        return Some(Piece::Call(call));
    }
    if let Some(answer) = part.field("functionResponse") {
        return Some(Piece::Answer(answer));
    }
    let data = part
        .field("inlineData")
        .or_else(|| part.field("fileData"))?;
    let name = data.text_of("fileUri").or_else(|| data.text_of("mimeType"));
    let name = name.map(Text::lossy).unwrap_or_default();
    Some(Piece::Thing(format!("[file {}]", shorten(&name))))
}

/// Reports whether a message brings a tool's result: text beside it is the tool's as well.
pub fn has_result(pieces: &[Piece<'_>]) -> bool {
    let mut pieces = pieces.iter();
    pieces.any(|piece| matches!(piece, Piece::Answer(_)))
}

/// Renders the text of a content, without thoughts.
pub fn words(content: Option<Value<'_>>, place: &mut RecordSpan) -> String {
    let pieces = pieces(content).into_iter();
    let texts = pieces.filter_map(|piece| match piece {
        Piece::Said(text) => Some(place.decode(text).into_owned()),
        Piece::Thing(name) => Some(name),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// Renders a tool's result: a text, or results among other parts.
pub fn answers(result: Value<'_>, place: &mut RecordSpan) -> String {
    let pieces = pieces(Some(result)).into_iter();
    let texts = pieces.filter_map(|piece| match piece {
        Piece::Answer(answer) => Some(answered(answer, place).0),
        Piece::Said(text) => Some(place.decode(text).into_owned()),
        Piece::Thing(name) => Some(name),
        Piece::Thought(_) | Piece::Call(_) => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

/// Renders one result, and reports whether it is an error.
pub fn answered(answer: Value<'_>, place: &mut RecordSpan) -> (String, bool) {
    let Some(response) = answer.field("response") else {
        return (String::new(), false);
    };
    if let Some(text) = response.text().or_else(|| response.text_of("output")) {
        return (place.decode(text).into_owned(), false);
    }
    if let Some(text) = response.text_of("error") {
        return (place.decode(text).into_owned(), true);
    }
    (place.lossy(json::compact(response.raw())), false)
}
