//! Collects notes and skipped parts while a source is read. Enforces the guarantees of [`Note`]: limits, clean text,
//! verbatim quotes.

use std::ops::Range;

use acreta_text::bounds;

use crate::text::{TITLE_CHARACTERS, cleaned, hidden_in, shortened};
use crate::wording::NoteClass;
use crate::{Format, Imported, Note, RestoredMemory, Skipped};

/// Maximum number of skipped parts that are reported; the rest is counted.
const SKIPPED: usize = 1_000;

/// A note before it is checked.
#[derive(Debug, Clone)]
pub(crate) struct NoteDraft {
    pub(crate) class: NoteClass,
    pub(crate) title: String,
    pub(crate) body: String,
    pub(crate) tags: Vec<String>,
    pub(crate) confidence: Option<f32>,
    pub(crate) created_ms: Option<u64>,
    pub(crate) line: u64,
    /// Its range in bytes of the source.
    pub(crate) range: Range<usize>,
    pub(crate) key: Option<String>,
}

pub(crate) struct NoteSink<'a> {
    source: &'a str,
    notes: Vec<Note>,
    memories: Vec<RestoredMemory>,
    skipped: Vec<Skipped>,
    uncounted: u64,
    hidden: u64,
    hidden_line: u64,
}

impl<'a> NoteSink<'a> {
    pub(crate) fn new(source: &'a str) -> Self {
        Self {
            source,
            notes: Vec::new(),
            memories: Vec::new(),
            skipped: Vec::new(),
            uncounted: 0,
            hidden: 0,
            hidden_line: 0,
        }
    }

    pub(crate) fn source(&self) -> &'a str {
        self.source
    }

    /// Records a part that does not become a note; `what` is shortened to its start.
    pub(crate) fn skip(&mut self, line: u64, what: &str, reason: impl Into<String>) {
        if self.skipped.len() >= SKIPPED {
            self.uncounted += 1;
            return;
        }
        let start = cleaned(acreta_text::head(what, 400));
        let says = |line: &&str| line.contains(char::is_alphanumeric);
        let first = start.lines().find(says).unwrap_or("").trim();
        self.skipped.push(Skipped {
            line,
            what: shortened(first, 80),
            reason: reason.into(),
        });
    }

    /// Counts the hidden characters of a text that notes are made from; `line` is its first line.
    pub(crate) fn count_hidden(&mut self, text: &str, line: u64) {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if let Some((count, first)) = hidden_in(text) {
            if self.hidden == 0 {
                self.hidden_line = line + first - 1;
            }
            self.hidden += count;
        }
    }

    /// Adds a note that fits the limits; cleans its texts.
    pub(crate) fn add(&mut self, draft: NoteDraft) {
        let mut title = one_line(&draft.title);
        let body = cleaned(&draft.body).trim().to_owned();
        if title.is_empty() || body.is_empty() {
            return self.skip(draft.line, &draft.body, "has no words");
        }
        title = shortened(&title, TITLE_CHARACTERS);
        debug_assert!(title.chars().count() + body.chars().count() <= bounds::TEXT);
        let tags = self.tags(draft.tags, draft.line);
        self.push(Note {
            memory_type: draft.class.memory_type,
            kind: draft.class.kind.to_owned(),
            title,
            body,
            tags,
            confidence: draft.confidence,
            created_ms: draft.created_ms,
            line: draft.line,
            quote: self.quote(draft.range),
            key: draft.key.map(|key| one_line(&key)),
        });
    }

    /// Adds a note unchanged.
    pub(crate) fn push(&mut self, note: Note) {
        self.notes.push(note);
    }

    /// Adds a memory of an export.
    pub(crate) fn restore(&mut self, memory: RestoredMemory) {
        self.memories.push(memory);
    }

    /// Returns the start of a part of the source.
    pub(crate) fn quote(&self, range: Range<usize>) -> String {
        acreta_text::head(self.source[range].trim(), bounds::QUOTE_BYTES)
            .trim_end()
            .to_owned()
    }

    pub(crate) fn finish(mut self, format: Format) -> Imported {
        if self.hidden > 0 {
            let plural = if self.hidden == 1 { "" } else { "s" };
            self.skipped.push(Skipped {
                line: self.hidden_line,
                what: format!("{} hidden character{plural}", self.hidden),
                reason: "taken out of the notes".to_owned(),
            });
        }
        self.notes.sort_by_key(|note| note.line);
        self.skipped.sort_by_key(|skipped| skipped.line);
        if self.uncounted > 0 {
            self.skipped.push(Skipped {
                line: 0,
                what: format!("{} more", self.uncounted),
                reason: format!("only the first {SKIPPED} are listed"),
            });
        }
        Imported {
            format,
            notes: self.notes,
            memories: self.memories,
            skipped: self.skipped,
        }
    }

    fn tags(&mut self, tags: Vec<String>, line: u64) -> Vec<String> {
        let mut kept: Vec<String> = Vec::new();
        for tag in tags {
            let clean = one_line(&tag);
            let clean = clean.trim_start_matches('#').trim();
            if clean.is_empty() || kept.iter().any(|other| other == clean) {
                continue;
            }
            if kept.len() == bounds::TAGS || clean.chars().nth(bounds::TAG).is_some() {
                self.skip(line, clean, "a note has at most twelve short tags");
            } else {
                kept.push(clean.to_owned());
            }
        }
        kept
    }
}

fn one_line(text: &str) -> String {
    cleaned(text)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}
