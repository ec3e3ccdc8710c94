//! Claude's memory: `CLAUDE.md` with its sections, `MEMORY.md` as an index, and the topic files it lists, which have a
//! name and a type. A reference to another file is not a note.

use acreta_text::bounds;

use crate::Source;
use crate::head::ForeignFrontMatter;
use crate::reading::ReadingOptions;
use crate::sections::read_markdown;
use crate::sink::NoteSink;
use crate::split::{ClassOf, CutSource, Frame, Key, TextPiece, make_notes};
use crate::text::{TITLE_CHARACTERS, cleaned, link_at, shortened, title_of};
use crate::trivial::trivial;
use crate::wording::NoteClass;

pub(crate) fn read(source: &Source<'_>, sink: &mut NoteSink<'_>) {
    let head = ForeignFrontMatter::of(source.text);
    head.report_repeated(sink);
    let mut reading = ReadingOptions::new(source);
    reading.refuses = refuses;
    if is_topic(&head) {
        read_topic(source, &head, reading, sink);
    } else {
        read_markdown(head.end, &reading, sink);
    }
}

/// Reports whether front matter is that of a topic file.
pub(crate) fn is_topic(head: &ForeignFrontMatter<'_>) -> bool {
    head.has("name") && (head.has("type") || head.has("metadata")) && !head.has("permalink")
}

/// Returns the reason why a passage of an instruction file is not a note: it points to another file, or says nothing.
pub(crate) fn refuses(text: &str) -> Option<&'static str> {
    if is_import(text) {
        return Some("points to another file; import that one");
    }
    if is_index_entry(text) {
        return Some("is an entry of an index; import the file it names");
    }
    trivial(text)
}

/// Reports whether a text is `@path`, alone or with a few words around it.
fn is_import(text: &str) -> bool {
    let is_path = |word: &&str| {
        word.strip_prefix('@')
            .is_some_and(|path| path.contains(['/', '.', '~']) && !path.ends_with('.'))
    };
    let start = acreta_text::head(text, 600);
    let paths = start.split_whitespace().filter(is_path).count();
    let words = start.split_whitespace().count() - paths;
    paths > 0 && words <= 3
}

/// Reports whether a text is `[Title](topic.md) - description`.
fn is_index_entry(text: &str) -> bool {
    if !text.starts_with('[') {
        return false;
    }
    let start = acreta_text::head(text, 600);
    link_at(start).is_some_and(|(_, length)| {
        let target = start[..length]
            .rsplit_once("](")
            .map_or("", |(_, target)| target);
        target.trim_end_matches(')').ends_with(".md") && !target.contains("://")
    })
}

/// Reads a topic file: one note if it fits, else its sections.
fn read_topic(
    source: &Source<'_>,
    head: &ForeignFrontMatter<'_>,
    mut reading: ReadingOptions,
    sink: &mut NoteSink<'_>,
) {
    let name = head.text("name", sink).unwrap_or_else(|| source.subject());
    let description = head.text("description", sink);
    let topic = match head.has("type") {
        true => head.text("type", sink),
        false => head.nested("metadata", "type", sink),
    };
    // The name is often only a slug.
    let title = match &description {
        Some(description) if !name.contains(' ') => title_of(description),
        _ => name.clone(),
    };
    let title = shortened(&title, TITLE_CHARACTERS);
    let otherwise = match topic.as_deref() {
        Some("user") => NoteClass::PREFERENCE,
        Some("feedback") => NoteClass::CONVENTION,
        _ => NoteClass::CONTEXT,
    };
    let body = cleaned(&source.text[head.end..]);
    let body = body.trim();
    if title.chars().count() + body.chars().count() > bounds::TEXT {
        reading.subject = vec![title];
        reading.otherwise = otherwise;
        reading.key = Some(name);
        return read_markdown(head.end, &reading, sink);
    }
    let (text, range) = match (body, description) {
        ("", Some(description)) => (description, 0..head.end),
        ("", None) => return sink.skip(1, &name, "has no words"),
        (body, _) => (body.to_owned(), head.end..source.text.len()),
    };
    let blank = source.text[range.clone()].len() - source.text[range.clone()].trim_start().len();
    let piece = TextPiece {
        text,
        code: None,
        line: 1 + crate::blocks::newlines(&source.text[..range.start + blank]),
        range,
        passage: CutSource::Text,
    };
    let frame = Frame {
        path: Vec::new(),
        lead: None,
        title: Some(title),
        class: ClassOf::Wording(otherwise),
        tags: Vec::new(),
        confidence: None,
        created_ms: None,
        key: Key::Record(name),
        separator: "\n\n",
    };
    make_notes(vec![piece], &frame, sink);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_to_other_files_are_told_from_notes() {
        let cases = [
            ("@docs/git.md", true),
            ("@~/.claude/own.md", true),
            ("See @README.md", true),
            ("git workflow @docs/git.md", true),
            ("See @README.md and @docs/git.md", true),
            (
                "See @README.md for an overview and read it to the end",
                false,
            ),
            ("Ask @maria before a release", false),
            ("[Ports](ports.md) - which are taken", true),
            (
                "[Ports](https://x.example/ports.md) lists which are taken",
                false,
            ),
            ("Read [ports](ports.md) first", false),
        ];
        for (text, points) in cases {
            let refused = is_import(text) || is_index_entry(text);
            assert_eq!(refused, points, "{text}");
        }
    }
}
