//! Input and output of an import. A [`Note`] is not a memory yet: the caller applies gates and redaction and decides
//! where it belongs.

use acreta_store::Memory;
use acreta_types::MemoryType;

/// Format of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Detected from the name and the text of the source.
    Auto,
    /// Headings, bullets and prose of any origin.
    Markdown,
    /// `CLAUDE.md`, `MEMORY.md` and the topic files it lists.
    Claude,
    /// `AGENTS.md` and similar files.
    Agents,
    /// `.cursor/rules/*.mdc` and `.cursorrules`.
    Cursor,
    /// Notes with `- [category] observation` and `- relation [[Target]]`.
    BasicMemory,
    /// One record per line, or one JSON document with a list of records; also the knowledge graph of the MCP memory
    /// server and exports of mem0.
    Jsonl,
    /// Written by acreta: an export in any of its forms, or a memory file.
    Acreta,
}

/// A text to read notes from.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// File name or relative path, with `/`.
    pub name: &'a str,
    pub text: &'a str,
}

/// A self-contained statement of a source.
///
/// All notes except acreta's own keep the limits of candidates: a title of one line, title and body together no longer
/// than a short paragraph, few tags, no hidden characters.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    pub memory_type: MemoryType,
    /// One of the registry's kinds; empty if the type has none.
    pub kind: String,
    pub title: String,
    pub body: String,
    pub tags: Vec<String>,
    /// Between 0 and 1, if the source gives it.
    pub confidence: Option<f32>,
    pub created_ms: Option<u64>,
    /// Its first line in the source, from 1.
    pub line: u64,
    /// Verbatim part of the source that supports it; only its start if it is long. Not cleaned.
    pub quote: String,
    /// An id from the source, which stays the same when the source is imported again.
    pub key: Option<String>,
}

/// A memory of an export, as it was: its file, evidence and state. It may be forged like everything in a source.
#[derive(Debug, Clone, PartialEq)]
pub struct RestoredMemory {
    pub memory: Memory,
    /// Its first line in the source, from 1.
    pub line: u64,
}

/// A part of the source that did not become a note, or not completely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// From 1; 0 if it concerns the whole source.
    pub line: u64,
    pub what: String,
    pub reason: String,
}

/// Result of an import, all lists in the order of the source.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The format that was used; never [`Format::Auto`].
    pub format: Format,
    pub notes: Vec<Note>,
    /// Complete memories of acreta's own exports.
    pub memories: Vec<RestoredMemory>,
    pub skipped: Vec<Skipped>,
}

impl Format {
    /// Every format, in display order.
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
    /// Returns the last component of the name.
    pub(crate) fn file_name(&self) -> &str {
        self.name.rsplit(['/', '\\']).next().unwrap_or(self.name)
    }

    /// Returns the file name without its extension, as words.
    pub(crate) fn subject(&self) -> String {
        let name = self.file_name();
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        stem.replace(['-', '_'], " ").trim().to_owned()
    }
}
