//! Text taken apart into sentences. Every sentence is a slice of the text it came from, so that a
//! quote is verbatim by construction; code blocks, tables and rules are never part of one.

use crate::cues::Phrases;

/// Where in a document a sentence stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Prose,
    Item,
    Heading,
    /// Prose or item that ends with a colon and leads in what follows.
    Lead,
}

/// One sentence, list item or heading.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sentence<'a> {
    /// Verbatim, without list marks and surrounding space.
    pub(crate) text: &'a str,
    pub(crate) place: Place,
    /// The heading (or bold lead line) it stands under, when there is one.
    pub(crate) under: &'a str,
    /// Counts blocks: sentences of one paragraph or item share it.
    pub(crate) block: usize,
}

/// The sentences of a markdown-like text, in order.
pub(crate) fn sentences(text: &str) -> Vec<Sentence<'_>> {
    let mut found = Vec::new();
    let mut under = "";
    for (block, paragraph) in blocks(text).into_iter().enumerate() {
        match paragraph.place {
            Place::Heading => {
                under = paragraph.text;
                found.push(Sentence {
                    text: paragraph.text,
                    place: Place::Heading,
                    under: "",
                    block,
                });
            }
            place => {
                for piece in split(paragraph.text) {
                    let place = if piece.ends_with(':') {
                        Place::Lead
                    } else {
                        place
                    };
                    found.push(Sentence {
                        text: piece,
                        place,
                        under,
                        block,
                    });
                }
            }
        }
        if found.len() > MOST_SENTENCES {
            break;
        }
    }
    found
}

/// The fenced code blocks of a text, without their fences.
pub(crate) fn fenced(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut open: Option<usize> = None;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            match open.take() {
                Some(start) => found.push(text[start..offset].trim_end()),
                None => open = Some(offset + line.len()),
            }
        }
        offset += line.len();
    }
    found
}

const MOST_SENTENCES: usize = 400;

struct Block<'a> {
    text: &'a str,
    place: Place,
}

/// Paragraphs, items and headings; a wrapped line joins the one before it.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut found: Vec<Block<'_>> = Vec::new();
    // The open paragraph as a byte range of `text`.
    let mut open: Option<(usize, usize, Place)> = None;
    let mut in_code = false;
    let mut offset = 0;
    let mut close = |open: &mut Option<(usize, usize, Place)>| {
        if let Some((start, end, place)) = open.take() {
            let slice = text[start..end].trim();
            if !slice.is_empty() {
                found.push(Block { text: slice, place });
            }
        }
    };
    for line in text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let trimmed = line.trim();
        if trimmed.starts_with("```") {
            close(&mut open);
            in_code = !in_code;
            continue;
        }
        if in_code || trimmed.is_empty() || is_furniture(trimmed) {
            close(&mut open);
            continue;
        }
        let lead = start + (line.len() - line.trim_start().len());
        let end = start + line.trim_end().len();
        let mark = list_mark(trimmed);
        if trimmed.starts_with('#') && trimmed.trim_start_matches('#').starts_with(' ') {
            close(&mut open);
            let skip = trimmed.len() - trimmed.trim_start_matches('#').trim_start().len();
            open = Some((lead + skip, end, Place::Heading));
            close(&mut open);
        } else if is_bold_line(trimmed) {
            close(&mut open);
            open = Some((lead, end, Place::Heading));
            close(&mut open);
        } else if mark > 0 {
            close(&mut open);
            open = Some((lead + mark, end, Place::Item));
        } else if let Some((_, open_end, _)) = open.as_mut()
            && continues(&text[..*open_end], trimmed)
        {
            *open_end = end;
        } else {
            close(&mut open);
            open = Some((lead, end, Place::Prose));
        }
    }
    close(&mut open);
    found
}

/// Whether a line goes on with the paragraph that ends `before`: a wrap, not a new thought.
fn continues(before: &str, line: &str) -> bool {
    let ended = before.ends_with(['.', '!', '?', ':', ';']);
    let last_line = before.rsplit('\n').next().unwrap_or(before);
    !ended
        && (50..=110).contains(&last_line.trim().len())
        && line.starts_with(|first: char| first.is_lowercase())
}

/// How many bytes of list mark (`- `, `* `, `3. `, `[ ] `) a line opens with.
pub(crate) fn list_mark(line: &str) -> usize {
    let bytes = line.as_bytes();
    for mark in ["- [ ] ", "- [x] ", "- ", "* ", "• ", "– ", "+ "] {
        if line.starts_with(mark) {
            return mark.len();
        }
    }
    let digits = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if (1..=2).contains(&digits)
        && matches!(bytes.get(digits), Some(b'.' | b')'))
        && bytes.get(digits + 1) == Some(&b' ')
    {
        return digits + 2;
    }
    0
}

/// Table rows, rules, block quotes and markup lines.
fn is_furniture(line: &str) -> bool {
    line.starts_with('|')
        || line.starts_with('>')
        || line.starts_with("<")
        || line.chars().all(|character| !character.is_alphanumeric())
}

fn is_bold_line(line: &str) -> bool {
    let inner = line.trim_end_matches(':');
    inner.len() > 4
        && inner.len() < 90
        && inner.starts_with("**")
        && inner.ends_with("**")
        && !inner[2..inner.len() - 2].contains("**")
}

/// A paragraph cut into sentences.
fn split(paragraph: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let bytes = paragraph.as_bytes();
    let mut in_code = false;
    let mut index = 0;
    while index < bytes.len() {
        let byte = bytes[index];
        if byte == b'`' {
            in_code = !in_code;
        }
        let space_next = bytes.get(index + 1).is_none_or(u8::is_ascii_whitespace);
        let closes = matches!(byte, b'.' | b'!' | b'?') && space_next && !in_code;
        let quoted_close = matches!(byte, b'"' | b'*' | b')' | b'_')
            && space_next
            && !in_code
            && index > 0
            && matches!(bytes[index - 1], b'.' | b'!' | b'?')
            && !is_abbreviation(&paragraph[start..index - 1]);
        let gap = byte == b' '
            && bytes.get(index + 1) == Some(&b' ')
            && !in_code
            && index - start > 12
            && opens_clause(&paragraph[index..]);
        if (closes && !is_abbreviation(&paragraph[start..index])) || quoted_close || gap {
            push_trimmed(&mut pieces, &paragraph[start..=index]);
            start = index + 1;
        }
        index += 1;
    }
    push_trimmed(&mut pieces, &paragraph[start..]);
    pieces
}

/// Whether a text opens with a word that starts a new thought.
fn opens_clause(text: &str) -> bool {
    const OPENERS: Phrases = Phrases(
        "i|we|it|you|this|that|they|can|let's|but|so|also|please|how|what|and|i'd|i'm|\
         it's|don't|use|never|always",
    );
    let first = text.split_whitespace().next().unwrap_or("").to_lowercase();
    OPENERS.contains(&first)
}

fn push_trimmed<'a>(pieces: &mut Vec<&'a str>, piece: &'a str) {
    let piece = piece.trim();
    if piece.chars().any(char::is_alphanumeric) {
        pieces.push(piece);
    }
}

/// Whether what stands before a full stop is an abbreviation or a list number.
fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit([' ', '\n', '(']).next().unwrap_or(before);
    let word = word.to_ascii_lowercase();
    matches!(
        word.as_str(),
        "e.g" | "i.e" | "etc" | "vs" | "cf" | "approx" | "mr" | "dr" | "no" | "st" | "incl"
    ) || (word.len() <= 2
        && word.chars().all(|character| character.is_ascii_digit())
        && !word.is_empty())
        || word.ends_with("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        sentences(text)
            .iter()
            .map(|sentence| sentence.text)
            .collect()
    }

    #[test]
    fn prose_items_and_headings_come_apart() {
        let cases: &[(&str, &[&str])] = &[
            ("One thing. another thing", &["One thing.", "another thing"]),
            (
                "Use e.g. `a. b` here. Then stop.",
                &["Use e.g. `a. b` here.", "Then stop."],
            ),
            (
                "# Title\n\n- first\n- second. third",
                &["Title", "first", "second.", "third"],
            ),
            ("before\n```\ncode. here.\n```\nafter", &["before", "after"]),
            ("| a | b |\n|---|---|\nText.", &["Text."]),
            (
                "keep it local so that we can test it  it needs a container",
                &[
                    "keep it local so that we can test it",
                    "it needs a container",
                ],
            ),
            ("", &[]),
            ("…—", &[]),
        ];
        for (text, expected) in cases {
            assert_eq!(&texts(text), expected, "{text}");
        }
    }

    #[test]
    fn a_wrapped_line_stays_with_its_sentence() {
        let text =
            "Updating a team to assign a lead or to change its members is very\n  slow. Fix it.";
        let found = texts(text);
        assert_eq!(found.len(), 2);
        assert!(text.contains(found[0]));
    }

    #[test]
    fn items_know_their_heading() {
        let found = sentences("## Decisions\n- Keep the queue in SQLite.\n");
        assert_eq!(found[1].under, "Decisions");
        assert_eq!(found[1].place, Place::Item);
    }

    #[test]
    fn code_blocks_are_found_on_their_own() {
        assert_eq!(
            fenced("a\n```sh\nmake\nmake test\n```\nb"),
            ["make\nmake test"]
        );
        assert!(fenced("a\n```sh\nmake").is_empty());
    }
}
