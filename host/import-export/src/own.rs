//! Reads acreta's own files: exports in JSON, JSONL and markdown, and memory files. Memories of an export are restored
//! as they were; those of exports without front matter (of earlier versions, or by hand) and memory files become notes.
//! Both at any length, without hidden characters.

use acreta_store::{Document, EvidenceFile, Layout, Memory, StateFile, digest, is_memory_name};
use acreta_types::MemoryType;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::fields::{JsonRecord, time_ms};
use crate::json::records;
use crate::record::{confidence, strings, text};
use crate::sink::NoteSink;
use crate::text::cleaned;
use crate::wording::{NoteClass, classify};
use crate::{Note, RestoredMemory, Source};

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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) original: Option<OriginalFile>,
}

/// Everything about an exported memory besides its text.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct OriginalFile {
    pub(crate) front_matter: String,
    pub(crate) path: String,
    pub(crate) archived: bool,
    pub(crate) edited: bool,
    pub(crate) evidence: Option<EvidenceFile>,
    pub(crate) state: Option<StateFile>,
}

impl OriginalFile {
    /// Returns the memory with this text, or the reason why there is none.
    fn restored(self, head: &MemoryComment, body: &str) -> Result<Memory, String> {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        // A name that a person chose may be any; the caller finds a free one.
        let name = Some(name).filter(|name| is_memory_name(name));
        let name = name.unwrap_or("00000000-memory.md");
        let path = match self.archived {
            true => Layout::archived_path(head.memory_type, name),
            false => format!("{}/{name}", head.memory_type.folder()).into(),
        };
        let text = format!("{}\n{body}\n", self.front_matter);
        let mut memory = Memory::parse(head.memory_type, path, text)
            .map_err(|error| format!("its front matter cannot be read: {}", error.message))?;
        let kind = head.kind.as_deref().unwrap_or(memory.kind());
        let is_same = (
            &memory.id,
            memory.title(),
            memory.kind(),
            &memory.front_matter.tags,
        ) == (&head.id, &head.title, kind, &head.tags);
        if !is_same {
            return Err("its id, title, kind or tags are not those of its front matter".to_owned());
        }
        memory.evidence = self.evidence.map(|evidence| EvidenceFile {
            id: memory.id.clone(),
            ..evidence
        });
        memory.state = self.state.map(|state| StateFile {
            id: memory.id.clone(),
            // Blank lines around the text are not exported.
            written: match self.edited {
                true => state.written,
                false => digest(&memory.text),
            },
            ..state
        });
        Ok(memory)
    }
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
        mut head,
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
    let kind = match head.kind.clone().filter(|kind| !kind.is_empty()) {
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
    if let Some(original) = head.original.take() {
        return match original.restored(&head, &body) {
            Ok(memory) => sink.restore(RestoredMemory { memory, line }),
            Err(reason) => sink.skip(line, &title, reason),
        };
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
    let original = match fields.contains_key("front_matter") {
        false => None,
        true => match serde_json::from_value(Value::Object(fields.clone())) {
            Ok(original) => Some(original),
            Err(error) => {
                let reason = format!("its evidence or state cannot be read: {error}");
                return sink.skip(record.line, &title, reason);
            }
        },
    };
    let head = MemoryComment {
        id,
        memory_type,
        kind: word("kind"),
        title,
        tags: fields.get("tags").map(strings).unwrap_or_default(),
        confidence: confidence(fields),
        created: word("created"),
        original,
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
            original: None,
        },
        body: document.body.to_owned(),
        line: 1 + crate::blocks::newlines(&source.text[..start + blank]),
        quote: sink.quote(start..source.text.len()),
    };
    add(own, sink);
}
