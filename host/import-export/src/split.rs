//! Combines pieces of text into notes within the limits: as much as fits together, cut between pieces, then between
//! sentences, then between words. A piece that cannot be cut is skipped and reported.

use std::ops::Range;

use acreta_text::tokens;

use acreta_text::bounds;

use crate::blocks::newlines;
use crate::sink::{NoteDraft, NoteSink};
use crate::text::{TITLE_CHARACTERS, in_one_line, sentence_end, shortened, title_of};
use crate::trivial::trivial;
use crate::wording::{NoteClass, classify};

/// Maximum length of a note's context, in characters.
const CONTEXT_CHARACTERS: usize = 120;

/// Length that the number of a part adds to a title.
const PART_CHARACTERS: usize = " (999)".len();

const CONTEXT: &str = "\n\nContext: ";

/// A passage that is not split unless it is too long for a note.
#[derive(Debug, Clone)]
pub(crate) struct TextPiece {
    /// In one line, as in a note.
    pub(crate) text: String,
    /// Code that belongs to it.
    pub(crate) code: Option<String>,
    /// Bytes of the source.
    pub(crate) range: Range<usize>,
    pub(crate) line: u64,
    pub(crate) passage: CutSource,
}

/// The text from which a piece too long for a note is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CutSource {
    /// Its range of the source, so that each part has its own quote.
    Source,
    /// Its text, which the source spells differently.
    Text,
}

/// The common properties of notes made from some pieces.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// From the most general subject to the nearest heading.
    pub(crate) path: Vec<String>,
    /// Text that introduces the pieces.
    pub(crate) lead: Option<String>,
    /// The title, if the source has one.
    pub(crate) title: Option<String>,
    pub(crate) class: ClassOf,
    pub(crate) tags: Vec<String>,
    pub(crate) confidence: Option<f32>,
    pub(crate) created_ms: Option<u64>,
    pub(crate) key: Key,
    /// Separator of pieces in one note.
    pub(crate) separator: &'static str,
}

/// Source of a note's class.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ClassOf {
    Given(NoteClass),
    /// By its wording, else this.
    Wording(NoteClass),
}

/// Source of a note's key.
#[derive(Debug, Clone)]
pub(crate) enum Key {
    None,
    /// The id of a record; further parts of it are numbered.
    Record(String),
    /// The id of a document, followed by the note's title.
    Document(String),
}

/// Makes notes from the pieces, in order.
pub(crate) fn make_notes(pieces: Vec<TextPiece>, frame: &Frame, sink: &mut NoteSink<'_>) {
    let mut maker = Maker {
        frame,
        sink,
        made: 0,
    };
    let mut held: Vec<TextPiece> = Vec::new();
    for piece in pieces {
        held.push(piece);
        if maker.frame.fits(&held) {
            continue;
        }
        let Some(last) = held.pop() else { continue };
        maker.make(&held);
        held.clear();
        if maker.frame.fits(std::slice::from_ref(&last)) {
            held.push(last);
        } else {
            maker.cut(last);
        }
    }
    maker.make(&held);
}

impl Frame {
    /// Reports whether some pieces fit into one note.
    pub(crate) fn fits(&self, pieces: &[TextPiece]) -> bool {
        let text = joined(pieces, self.separator);
        // Avoids counting the characters of a very long text.
        text.len() <= 4 * bounds::TEXT && {
            let (title, body) = self.compose(&text);
            let part = self.title.as_ref().map_or(0, |_| PART_CHARACTERS);
            title.chars().count() + part + body.chars().count() <= bounds::TEXT
        }
    }

    fn compose(&self, text: &str) -> (String, String) {
        let title = match &self.title {
            Some(title) => shortened(title, TITLE_CHARACTERS - PART_CHARACTERS),
            None => title_of(text),
        };
        let body = match self.context(text) {
            Some(context) => format!("{text}{CONTEXT}{context}"),
            None => text.to_owned(),
        };
        (title, body)
    }

    /// Returns the context that the text needs: the path to it, unless the text names its subject.
    fn context(&self, text: &str) -> Option<String> {
        let named = self
            .path
            .last()
            .is_none_or(|nearest| shares_word(nearest, text));
        let mut parts: Vec<&str> = if named {
            Vec::new()
        } else {
            self.path.iter().map(String::as_str).collect()
        };
        parts.extend(self.lead.as_deref());
        // The nearest heading is the most specific.
        while parts.len() > 1 && parts.join(" / ").chars().count() > CONTEXT_CHARACTERS {
            parts.remove(0);
        }
        (!parts.is_empty()).then(|| shortened(&parts.join(" / "), CONTEXT_CHARACTERS))
    }

    fn class(&self, text: &str) -> NoteClass {
        match self.class {
            ClassOf::Given(class) => class,
            ClassOf::Wording(otherwise) => {
                let heading = self.path.last().map_or("", String::as_str);
                classify(text, heading, otherwise)
            }
        }
    }
}

struct Maker<'a, 'source> {
    frame: &'a Frame,
    sink: &'a mut NoteSink<'source>,
    made: u64,
}

impl Maker<'_, '_> {
    /// Makes one note from pieces that fit.
    fn make(&mut self, pieces: &[TextPiece]) {
        if let (Some(first), Some(last)) = (pieces.first(), pieces.last()) {
            let text = joined(pieces, self.frame.separator);
            let range = first.range.start..last.range.end.max(first.range.start);
            self.add(self.frame, &text, range, first.line);
        }
    }

    fn add(&mut self, frame: &Frame, text: &str, range: Range<usize>, line: u64) {
        let (mut title, body) = frame.compose(text);
        self.made += 1;
        if frame.title.is_some() && self.made > 1 {
            title = format!("{title} ({})", self.made.min(999));
        }
        let key = match &frame.key {
            Key::None => None,
            Key::Record(id) if self.made == 1 => Some(id.clone()),
            Key::Record(id) => Some(format!("{id}#{}", self.made)),
            Key::Document(id) => Some(format!("{id}#{}", acreta_text::slug(&title))),
        };
        self.sink.add(NoteDraft {
            class: frame.class(text),
            title,
            body,
            tags: frame.tags.clone(),
            confidence: frame.confidence,
            created_ms: frame.created_ms,
            line,
            range,
            key,
        });
    }

    /// Makes notes from a piece that does not fit into one.
    fn cut(&mut self, mut piece: TextPiece) {
        if let Some(code) = piece.code.take() {
            self.sink
                .skip(piece.line, &code, "the code is too long for a memory");
            if !piece.text.is_empty() {
                if self.frame.fits(std::slice::from_ref(&piece)) {
                    self.make(std::slice::from_ref(&piece));
                } else {
                    self.cut(piece);
                }
            }
            return;
        }
        let mut frame = self.frame.clone();
        // A title of the whole is the subject of its parts.
        frame.path.extend(frame.title.take());
        let source = self.sink.source();
        let passage = match piece.passage {
            CutSource::Source => &source[piece.range.clone()],
            CutSource::Text => piece.text.as_str(),
        };
        let room = bounds::TEXT - TITLE_CHARACTERS - CONTEXT_CHARACTERS - CONTEXT.len();
        let (parts, unbroken) = parts(passage, room);
        let (mut counted, mut line) = (0, piece.line);
        for part in parts {
            let mut range = piece.range.clone();
            let text = match piece.passage {
                CutSource::Source => {
                    line += newlines(&passage[counted..part.start]);
                    counted = part.start;
                    range = range.start + part.start..range.start + part.end;
                    in_one_line(&passage[part])
                }
                CutSource::Text => passage[part].trim().to_owned(),
            };
            if trivial(&text).is_none() {
                self.add(&frame, &text, range, line);
            }
        }
        if unbroken == Unbroken::Some {
            let reason = "has text without spaces that is too long for a memory";
            self.sink.skip(piece.line, passage, reason);
        }
    }
}

/// Whether a passage has words longer than a part may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unbroken {
    None,
    Some,
}

/// Splits a passage into parts of at most `room` characters, without words that are longer.
fn parts(passage: &str, room: usize) -> (Vec<Range<usize>>, Unbroken) {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut unbroken = Unbroken::None;
    let mut start = 0;
    let (mut end, mut length) = (0, 0);
    let mut add = |unit: Range<usize>, characters: usize| {
        if length + characters > room && end > start {
            parts.push(start..end);
            (start, length) = (unit.start, 0);
        }
        if characters > room {
            unbroken = Unbroken::Some;
            start = unit.end;
            return;
        }
        length += characters;
        end = unit.end;
    };
    for sentence in sentences(passage) {
        let characters = passage[sentence.clone()].chars().count();
        if characters <= room {
            add(sentence, characters);
            continue;
        }
        let mut at = sentence.start;
        for word in passage[sentence].split_inclusive(char::is_whitespace) {
            add(at..at + word.len(), word.chars().count());
            at += word.len();
        }
    }
    if end > start {
        parts.push(start..end);
    }
    (parts, unbroken)
}

fn sentences(passage: &str) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = &passage[start..];
        let length = sentence_end(rest).unwrap_or(rest.len());
        let range = start..start + length;
        start += length;
        (!range.is_empty()).then_some(range)
    })
}

fn joined(pieces: &[TextPiece], separator: &str) -> String {
    let mut text = String::new();
    for piece in pieces {
        for (part, between) in [(Some(&piece.text), separator), (piece.code.as_ref(), "\n")] {
            let Some(part) = part.filter(|part| !part.is_empty()) else {
                continue;
            };
            if !text.is_empty() {
                text.push_str(between);
            }
            text.push_str(part);
        }
    }
    text
}

/// Reports whether a text uses a word of its heading: `Testing` is about tests.
fn shares_word(heading: &str, text: &str) -> bool {
    let stem = |word: &String| {
        let word = word.strip_suffix("ing").unwrap_or(word);
        word.strip_suffix('s').unwrap_or(word).to_owned()
    };
    let words: Vec<String> = tokens(text).iter().map(stem).collect();
    tokens(heading)
        .iter()
        .any(|word| words.contains(&stem(word)))
}
