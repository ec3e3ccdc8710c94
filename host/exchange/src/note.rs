//! What goes in and what comes out of an import. A [`Note`] is not a memory yet: gates, redaction
//! and the decision where it belongs are the caller's.

use acreta_model::MemoryType;

/// What a source is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Told from the name and the text of the source.
    Auto,
    /// Headings, bullets and prose of any origin.
    Markdown,
    /// `CLAUDE.md`, `MEMORY.md` and the topic files it lists.
    Claude,
    /// `AGENTS.md` and its kin.
    Agents,
    /// `.cursor/rules/*.mdc` and `.cursorrules`.
    Cursor,
    /// Notes with `- [category] observation` and `- relation [[Target]]`.
    BasicMemory,
    /// One record a line, or one JSON document with a list of records; also the knowledge graph of
    /// the MCP memory server and exports of mem0.
    Jsonl,
    /// What acreta wrote: an export in any of its forms, or a memory file.
    Acreta,
}

/// A text to read notes from.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// File name or relative path, with `/`.
    pub name: &'a str,
    pub text: &'a str,
}

/// Something a source says, on its own feet.
///
/// All but notes of acreta itself keep the limits that candidates have: a title of one line, title
/// and body together no longer than a short paragraph, few tags, no hidden characters.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    pub memory_type: MemoryType,
    /// One of the registry's kinds; empty where the type has none.
    pub kind: String,
    pub title: String,
    pub body: String,
    pub tags: Vec<String>,
    /// Between 0 and 1, where the source says so.
    pub confidence: Option<f32>,
    pub created_ms: Option<u64>,
    /// Where it starts in the source, from 1.
    pub line: u64,
    /// Verbatim part of the source it stands on; its start, where that is long. Not cleaned.
    pub quote: String,
    /// An id of the source's own, the same when the source is imported again.
    pub key: Option<String>,
}

/// Something that did not become a note, or not wholly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// From 1; 0 when it is about the whole source.
    pub line: u64,
    pub what: String,
    pub reason: String,
}

/// What an import found, both in the order of the source.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// What the source was read as; never [`Format::Auto`].
    pub format: Format,
    pub notes: Vec<Note>,
    pub skipped: Vec<Skipped>,
}

impl Format {
    /// Every format, in the order they are shown.
    pub const ALL: &'static [Format] = &[
        Format::Auto,
        Format::Markdown,
        Format::Claude,
        Format::Agents,
        Format::Cursor,
        Format::BasicMemory,
        Format::Jsonl,
        Format::Acreta,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Format::Auto => "auto",
            Format::Markdown => "markdown",
            Format::Claude => "claude",
            Format::Agents => "agents",
            Format::Cursor => "cursor",
            Format::BasicMemory => "basic-memory",
            Format::Jsonl => "jsonl",
            Format::Acreta => "acreta",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .copied()
            .find(|format| format.name() == name)
    }
}

impl Source<'_> {
    /// The last part of the name.
    pub(crate) fn file_name(&self) -> &str {
        self.name.rsplit(['/', '\\']).next().unwrap_or(self.name)
    }

    /// The file name without its extension, as words.
    pub(crate) fn subject(&self) -> String {
        let name = self.file_name();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        stem.replace(['-', '_'], " ").trim().to_owned()
    }
}
