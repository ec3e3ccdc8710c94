//! Notes of basic-memory: `- [category] observation #tag (context)` and `- relation [[Target]]` anywhere in the text,
//! and prose around them. Keys follow its permalinks.

use acreta_text::slug;

use crate::Source;
use crate::blocks::{BlockKind, MarkdownBlock, blocks};
use crate::fields::time_ms;
use crate::head::ForeignFrontMatter;
use crate::reading::ReadingOptions;
use crate::sink::NoteSink;
use crate::split::{ClassOf, CutSource, Frame, Key, TextPiece, make_notes};
use crate::text::in_one_line;
use crate::trivial::trivial;
use crate::walk::walk;
use crate::wording::{NoteClass, named};

/// A fact with a category.
#[derive(Debug, PartialEq, Eq)]
struct Observation<'a> {
    category: &'a str,
    text: String,
    tags: Vec<String>,
}

pub(crate) fn read(source: &Source<'_>, sink: &mut NoteSink<'_>) {
    let head = ForeignFrontMatter::of(source.text);
    head.report_repeated(sink);
    let mut reading = ReadingOptions::new(source);
    let title = head.text("title", sink).unwrap_or_else(|| source.subject());
    reading.tags = head.list("tags", sink);
    reading.key = head.text("permalink", sink);
    reading.created_ms = head.text("created", sink).and_then(|time| time_ms(&time));
    reading.subject = vec![title.clone()];
    let mut others = Vec::new();
    for block in blocks(source.text, head.end) {
        let text = in_one_line(&source.text[block.range.clone()]);
        if block.kind != BlockKind::Bullet {
            others.push(block);
        } else if let Some(observation) = observation(&text) {
            add_observation(observation, &block, &reading, sink);
        } else if let Some((relation, target)) = relation(&text) {
            add_relation(&title, relation, target, &block, &reading, sink);
        } else {
            others.push(block);
        }
    }
    others.retain(|block| !repeats_title(block, source.text, &title));
    walk(&others, &reading, sink);
}

/// Reports whether only basic-memory writes such a line.
pub(crate) fn is_observation(line: &str) -> bool {
    line.trim_start()
        .strip_prefix("- ")
        .is_some_and(|text| observation(text.trim()).is_some())
}

/// Reports whether the first heading repeats the title.
fn repeats_title(block: &MarkdownBlock, source: &str, title: &str) -> bool {
    matches!(block.kind, BlockKind::Heading { .. })
        && in_one_line(&source[block.range.clone()]).eq_ignore_ascii_case(title)
}

fn add_observation(
    observation: Observation<'_>,
    block: &MarkdownBlock,
    reading: &ReadingOptions,
    sink: &mut NoteSink<'_>,
) {
    if let Some(reason) = trivial(&observation.text) {
        return sink.skip(block.line, &observation.text, reason);
    }
    let class = named(observation.category).filter(|class| *class != NoteClass::CONTEXT);
    let category = slug(observation.category);
    let mut frame = frame(reading);
    frame.class = class.map_or(ClassOf::Wording(NoteClass::CONTEXT), ClassOf::Given);
    frame.key = match &reading.key {
        Some(key) => Key::Record(format!(
            "{key}/observations/{category}/{}",
            slug(&observation.text)
        )),
        None => Key::None,
    };
    frame.tags.extend(observation.tags);
    make_notes(vec![piece(observation.text, block)], &frame, sink);
}

fn add_relation(
    title: &str,
    relation: &str,
    target: &str,
    block: &MarkdownBlock,
    reading: &ReadingOptions,
    sink: &mut NoteSink<'_>,
) {
    let words = relation.replace(['_', '-'], " ");
    if matches!(
        words.as_str(),
        "" | "relates to" | "links to" | "related to" | "see also"
    ) {
        return sink.skip(
            block.line,
            target,
            "is a link that says only that there is one",
        );
    }
    let mut frame = frame(reading);
    frame.class = ClassOf::Given(NoteClass::CONTEXT);
    frame.key = match &reading.key {
        Some(key) => Key::Record(format!("{key}/{}/{}", slug(relation), slug(target))),
        None => Key::None,
    };
    let text = format!("{title} {words} {target}");
    make_notes(vec![piece(text, block)], &frame, sink);
}

fn piece(text: String, block: &MarkdownBlock) -> TextPiece {
    TextPiece {
        text,
        code: None,
        range: block.range.clone(),
        line: block.line,
        passage: CutSource::Text,
    }
}

fn frame(reading: &ReadingOptions) -> Frame {
    Frame {
        path: reading.subject.clone(),
        lead: None,
        title: None,
        class: ClassOf::Wording(NoteClass::CONTEXT),
        tags: reading.tags.clone(),
        confidence: None,
        created_ms: reading.created_ms,
        key: Key::None,
        separator: "\n",
    }
}

/// Parses `[category] text #tag (context)`; not a task, a link or a wiki link.
fn observation(text: &str) -> Option<Observation<'_>> {
    let (category, rest) = text.strip_prefix('[')?.split_once(']')?;
    let category = category.trim();
    let is_category = category.chars().count() > 1
        && category.len() <= 60
        && !category.contains('[')
        && rest.starts_with(' ')
        && !rest.trim().is_empty();
    if !is_category {
        return None;
    }
    let mut tags = Vec::new();
    let mut words = Vec::new();
    for word in rest.split_whitespace() {
        match word
            .strip_prefix('#')
            .filter(|tag| tag.starts_with(char::is_alphabetic))
        {
            Some(tag) => tags.push(tag.to_owned()),
            None => words.push(word),
        }
    }
    Some(Observation {
        category,
        text: words.join(" "),
        tags,
    })
}

/// Parses `relation_type [[Target]]`, the type in quotes if it has spaces.
fn relation(text: &str) -> Option<(&str, &str)> {
    let (relation, rest) = text.split_once("[[")?;
    let (target, _) = rest.split_once("]]")?;
    let relation = relation.trim().trim_matches(['"', '\'']);
    // More words before a link are a sentence.
    let is_relation =
        relation.split_whitespace().count() <= 4 && !relation.contains(['.', ',', ':']);
    (is_relation && !target.trim().is_empty()).then_some((relation, target.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn observations_and_relations_are_told_by_their_signs() {
        let cases = [
            ("[decision] Keep JWT #auth (after the audit)", true, false),
            ("[ ] a task", false, false),
            ("[x] done", false, false),
            ("[docs](a.md) more", false, false),
            ("[[Search]]", false, true),
            ("implements [[Search Design]]", false, true),
            ("The index, once built, is read by [[Search]]", false, false),
        ];
        for (text, is_observation, is_relation) in cases {
            assert_eq!(observation(text).is_some(), is_observation, "{text}");
            assert_eq!(
                relation(text).is_some(),
                is_relation && !is_observation,
                "{text}"
            );
        }
    }
}
