//! Content of messages and tool results of both generations: a text, or a list of parts.

use acreta_sdk::adapter::author::{Author, Wrapping};
use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::{RecordSpan, shorten};

/// Marks around text that Kimi writes in a person's name.
pub(crate) const WRAPPING: Wrapping = Wrapping {
    wrappers: &[
        ("<system>", Author::Injected("system")),
        ("<system-reminder>", Author::Injected("system-reminder")),
        ("<git-context>", Author::Injected("git-context")),
        ("<imported_context", Author::Injected("import")),
        ("<local-command-stdout>", Author::Injected("local-command")),
    ],
    inserts: &[
        ("<system>", "</system>", "system"),
        ("<system-reminder>", "</system-reminder>", "system-reminder"),
        ("<git-context>", "</git-context>", "git-context"),
    ],
};

/// One part of a message.
pub(crate) enum Part<'a> {
    Text(Text<'a>),
    Thinking(Text<'a>),
    /// Content other than text: an image, a sound, a film.
    Thing(&'static str),
    Unknown(Text<'a>),
}

/// Splits a content into parts; a plain text is one part.
pub(crate) fn parts(content: Option<Value<'_>>) -> Vec<Part<'_>> {
    match content {
        Some(Value::Text(text)) => vec![Part::Text(text)],
        Some(list) => list.elements().into_iter().map(part).collect(),
        None => Vec::new(),
    }
}

/// Reads a single part.
pub(crate) fn part(part: Value<'_>) -> Part<'_> {
    let text = |name: &str| part.text_of(name).unwrap_or_default();
    let kind = text("type");
    match &*kind.lossy() {
        "text" => Part::Text(text("text")),
        "think" => Part::Thinking(text("think")),
        "image_url" => Part::Thing("image"),
        "audio_url" => Part::Thing("audio"),
        "video_url" => Part::Thing("video"),
        _ => Part::Unknown(kind),
    }
}

/// Renders a content as one text, with placeholders for other content.
pub(crate) fn joined(content: Option<Value<'_>>, place: &mut RecordSpan) -> String {
    let texts = parts(content).into_iter().map(|part| match part {
        Part::Text(text) | Part::Thinking(text) => place.decode(text).into_owned(),
        Part::Thing(thing) => format!("[{thing}]"),
        Part::Unknown(kind) => format!("[{}]", shorten(&kind.lossy())),
    });
    texts.collect::<Vec<_>>().join("\n")
}
