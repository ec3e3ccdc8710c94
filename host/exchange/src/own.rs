//! Reads acreta's own files: exports in JSON, JSONL and markdown, and memory files. Notes are restored at any length,
//! without hidden characters.

use acreta_model::MemoryType;
use acreta_store::Document;
use serde::{Deserialize, Serialize};

use crate::fields::{JsonRecord, time_ms};
use crate::json::records;
use crate::record::{confidence, strings, text};
use crate::sink::NoteSink;
use crate::text::cleaned;
use crate::wording::{NoteClass, classify};
use crate::{Note, Source};

/// First line of an exported document.
pub(crate) const DOCUMENT: &str = "<!-- acreta memory -->";

/// Line before the text of a memory.
pub(crate) const TEXT: &str = "<!-- text -->";

const START: &str = "<!-- memory ";
const CLOSE: &str = " -->";
const END: &str = "<!-- end of memory -->";

/// Content of the comment before a memory.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct MemoryComment {
    pub(crate) id: String,
    #[serde(rename = "type")]
    pub(crate) memory_type: MemoryType,
    pub(crate) kind: Option<String>,
    pub(crate) title: String,
    pub(crate) tags: Vec<String>,
    pub(crate) confidence: Option<f32>,
    pub(crate) created: Option<String>,
}

impl MemoryComment {
    /// Renders a comment on one line. `>` is escaped, so that no title ends the comment.
    pub(crate) fn line(&self) -> String {
        let json = serde_json::to_string(self).expect("a head has string keys and plain values");
        format!("{START}{}{CLOSE}", json.replace('>', "\\u003e"))
    }

    fn of(line: &str) -> Option<Result<Self, serde_json::Error>> {
        let json = line.strip_prefix(START)?.strip_suffix(CLOSE)?;
        Some(serde_json::from_str(json))
    }
}

/// Returns the line that ends the text of a memory.
pub(crate) fn end_line() -> String {
    format!("{END}\n")
}

/// Escapes a line of a memory's text that looks like the line that ends it.
pub(crate) fn escaped(line: &str) -> String {
    if line.trim_start_matches('\\').starts_with(END) {
        format!("\\{line}")
    } else {
        line.to_owned()
    }
}

/// Reports whether a text is an exported document.
pub(crate) fn is_export(text: &str) -> bool {
    text.lines()
        .next()
        .is_some_and(|line| line.trim_end() == DOCUMENT)
}

pub(crate) fn read(source: &Source<'_>, sink: &mut NoteSink<'_>) {
    let text = source.text.trim_start_matches('\u{feff}');
    if is_export(text) {
        read_export(source.text, sink);
    } else if text.trim_start().starts_with(['{', '[']) {
        for record in records(source.text, sink) {
            read_record(&record, sink);
        }
    } else {
        read_memory(source, sink);
    }
}

/// A restored note before it is checked.
struct RestoredNote {
    head: MemoryComment,
    body: String,
    line: u64,
    quote: String,
}

fn add(own: RestoredNote, sink: &mut NoteSink<'_>) {
    let RestoredNote {
        head,
        body,
        line,
        quote,
    } = own;
    sink.count_hidden(&head.title, line);
    sink.count_hidden(&body, line);
    let title = cleaned(&head.title).trim().replace('\n', " ");
    let body = cleaned(&body).trim().to_owned();
    if title.is_empty() || body.is_empty() {
        return sink.skip(line, &quote, "has no title or no text");
    }
    let kind = match head.kind.filter(|kind| !kind.is_empty()) {
        None if !head.memory_type.entry().kinds.is_empty() => {
            classify(&body, "", NoteClass::CONTEXT).kind.to_owned()
        }
        kind => kind.unwrap_or_default(),
    };
    if !head.memory_type.allows_kind(&kind) {
        let reason = format!(
            "`{}` is no kind of {}",
            cleaned(&kind),
            head.memory_type.name()
        );
        return sink.skip(line, &title, reason);
    }
    sink.push(Note {
        memory_type: head.memory_type,
        kind,
        title,
        body,
        tags: head.tags.iter().map(|tag| cleaned(tag)).collect(),
        confidence: head.confidence.filter(|value| (0.0..=1.0).contains(value)),
        created_ms: head.created.as_deref().and_then(time_ms),
        line,
        quote,
        key: Some(cleaned(&head.id)),
    });
}

fn read_record(record: &JsonRecord, sink: &mut NoteSink<'_>) {
    let fields = &record.fields;
    let word = |key: &str| text(fields, &[key]);
    let quote = sink.quote(record.range.clone());
    let memory_type = word("type").and_then(|name| MemoryType::from_name(&name));
    let (Some(memory_type), Some(title), Some(body), Some(id)) =
        (memory_type, word("title"), word("body"), word("id"))
    else {
        return sink.skip(
            record.line,
            &quote,
            "is not a memory: it needs id, type, title and body",
        );
    };
    let head = MemoryComment {
        id,
        memory_type,
        kind: word("kind"),
        title,
        tags: fields.get("tags").map(strings).unwrap_or_default(),
        confidence: confidence(fields),
        created: word("created"),
    };
    let line = record.line;
    add(
        RestoredNote {
            head,
            body,
            line,
            quote,
        },
        sink,
    );
}

/// Reads a document of memories between comments.
fn read_export(source: &str, sink: &mut NoteSink<'_>) {
    let mut open: Option<OpenMemory> = None;
    let mut at = 0;
    for (index, line) in source.split_inclusive('\n').enumerate() {
        let (start, number) = (at, index as u64 + 1);
        at += line.len();
        let bare = line.trim_end();
        if let Some(reading) = open.as_mut().filter(|reading| reading.text_start.is_some()) {
            if bare == END {
                if let Some(reading) = open.take() {
                    close(reading, start, sink);
                }
            } else {
                reading.push(line);
            }
        } else if bare == TEXT {
            if let Some(reading) = &mut open {
                reading.text_start = Some(at);
            }
        } else if let Some(head) = MemoryComment::of(bare) {
            if let Some(before) = open.take() {
                sink.skip(before.line, &before.head.title, "has no text");
            }
            match head {
                Ok(head) => open = Some(OpenMemory::new(head, number)),
                Err(error) => sink.skip(number, bare, format!("its head cannot be read: {error}")),
            }
        }
    }
    if let Some(reading) = open {
        sink.skip(reading.line, &reading.head.title, "its text is not closed");
    }
}

/// A memory of a document whose end is not reached yet.
struct OpenMemory {
    head: MemoryComment,
    line: u64,
    text_start: Option<usize>,
    body: String,
}

impl OpenMemory {
    fn new(head: MemoryComment, line: u64) -> Self {
        Self {
            head,
            line,
            text_start: None,
            body: String::new(),
        }
    }

    fn push(&mut self, line: &str) {
        let is_escaped = line.starts_with('\\') && line.trim_start_matches('\\').starts_with(END);
        self.body
            .push_str(if is_escaped { &line[1..] } else { line });
    }
}

fn close(reading: OpenMemory, end: usize, sink: &mut NoteSink<'_>) {
    let quote = sink.quote(reading.text_start.unwrap_or(end)..end);
    let OpenMemory {
        head, line, body, ..
    } = reading;
    add(
        RestoredNote {
            head,
            body,
            line,
            quote,
        },
        sink,
    );
}

/// Reads a file of a memory folder.
fn read_memory(source: &Source<'_>, sink: &mut NoteSink<'_>) {
    let document = match Document::parse(source.text) {
        Ok(document) => document,
        Err(error) => return sink.skip(error.line, source.name, error.message),
    };
    let head = document.front_matter;
    let folder = source
        .name
        .split(['/', '\\'])
        .find_map(MemoryType::from_folder);
    let memory_type = folder.unwrap_or(match (&head.kind, &head.coding_agent) {
        (_, Some(_)) => MemoryType::Summary,
        (Some(_), None) => MemoryType::Learning,
        (None, None) => MemoryType::Decision,
    });
    let start = source.text.len() - document.body.len();
    let blank = document.body.len() - document.body.trim_start().len();
    let own = RestoredNote {
        head: MemoryComment {
            id: head.id,
            memory_type,
            kind: head.kind,
            title: head.title,
            tags: head.tags,
            confidence: head.confidence,
            created: head.created,
        },
        body: document.body.to_owned(),
        line: 1 + crate::blocks::newlines(&source.text[..start + blank]),
        quote: sink.quote(start..source.text.len()),
    };
    add(own, sink);
}
