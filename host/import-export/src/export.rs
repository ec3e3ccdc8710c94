//! Exports memory: JSON and JSONL with everything about each memory, markdown for people. Each can be imported again
//! without loss: front matter as it is written, text, evidence and state.

use std::fmt::Write as _;

use acreta_store::{EvidenceFile, Memory, QuotedEvent, StateFile};
use acreta_text::visible;
use acreta_types::{MEMORY_TYPES, MemoryType};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::own::{DOCUMENT, MemoryComment, OriginalFile, TEXT, end_line, escaped};
use crate::text::{in_one_line, shortened};

/// Maximum length of a quote in markdown, in characters.
const QUOTE_CHARACTERS: usize = 200;

/// Exports `{"memories": […]}` in the given order: front matter, body, evidence and state of each.
pub fn export_json<'a>(memories: impl IntoIterator<Item = &'a Memory>) -> String {
    let memories: Vec<ExportedMemory<'a>> = memories.into_iter().map(ExportedMemory::new).collect();
    let mut json = serde_json::to_string_pretty(&Document { memories }).expect(PLAIN);
    json.push('\n');
    json
}

/// Exports one memory per line, each as in [`export_json`].
pub fn export_jsonl<'a>(memories: impl IntoIterator<Item = &'a Memory>) -> String {
    let mut lines = String::new();
    for memory in memories {
        lines.push_str(&serde_json::to_string(&ExportedMemory::new(memory)).expect(PLAIN));
        lines.push('\n');
    }
    lines
}

/// Exports one document for people: by type, each memory with its id, trust, tags, times, sources and text. Comments,
/// which viewers hide, hold the data for an import.
pub fn export_markdown<'a>(memories: impl IntoIterator<Item = &'a Memory>) -> String {
    let memories: Vec<&Memory> = memories.into_iter().collect();
    let mut document = format!("{DOCUMENT}\n# Memory\n");
    for entry in MEMORY_TYPES {
        let mut of_type = memories
            .iter()
            .filter(|memory| memory.memory_type == entry.memory_type)
            .peekable();
        if of_type.peek().is_some() {
            document.push_str(&format!("\n## {}\n", capitalised(entry.folder)));
        }
        for memory in of_type {
            push_memory(&mut document, memory);
        }
    }
    document
}

const PLAIN: &str = "exported memories have string keys and plain values";

#[derive(Serialize)]
struct Document<'a> {
    memories: Vec<ExportedMemory<'a>>,
}

/// A memory with all of its data, in the order of the JSON keys.
#[derive(Serialize)]
struct ExportedMemory<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    memory_type: MemoryType,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    title: &'a str,
    body: &'a str,
    tags: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    confidence: Option<f32>,
    #[serde(flatten)]
    optional: Map<String, Value>,
    related: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    extra: Option<&'a Map<String, Value>>,
    /// The front matter as it is written.
    front_matter: &'a str,
    path: &'a str,
    trust: &'static str,
    archived: bool,
    edited: bool,
    evidence: Option<&'a EvidenceFile>,
    state: Option<&'a StateFile>,
}

impl<'a> ExportedMemory<'a> {
    fn new(memory: &'a Memory) -> Self {
        let head = &memory.front_matter;
        let optional = [
            ("created", &head.created),
            ("updated", &head.updated),
            ("source", &head.source),
            ("description", &head.description),
            ("date", &head.date),
            ("time", &head.time),
            ("coding_agent", &head.coding_agent),
            ("raw_trace_path", &head.raw_trace_path),
            ("run_id", &head.run_id),
            ("repo_name", &head.repo_name),
        ];
        Self {
            id: &memory.id,
            memory_type: memory.memory_type,
            kind: head.kind.as_deref(),
            title: &head.title,
            body: memory.body().trim(),
            tags: &head.tags,
            confidence: head.confidence,
            optional: optional
                .into_iter()
                .filter_map(|(key, value)| Some((key.to_owned(), value.clone()?.into())))
                .collect(),
            related: &head.related,
            extra: (!head.extra.is_empty()).then_some(&head.extra),
            front_matter: memory.head(),
            path: memory.path.as_str(),
            trust: memory.trust().name(),
            archived: memory.is_archived(),
            edited: memory.edited(),
            evidence: memory.evidence.as_ref(),
            state: memory.state.as_ref(),
        }
    }
}

fn push_memory(document: &mut String, memory: &Memory) {
    let head = &memory.front_matter;
    let fields = MemoryComment {
        id: memory.id.clone(),
        memory_type: memory.memory_type,
        kind: head.kind.clone(),
        title: head.title.clone(),
        tags: head.tags.clone(),
        confidence: head.confidence,
        created: head.created.clone(),
        original: Some(OriginalFile {
            front_matter: memory.head().to_owned(),
            path: memory.path.to_string(),
            archived: memory.is_archived(),
            edited: memory.edited(),
            evidence: memory.evidence.clone(),
            state: memory.state.clone(),
        }),
    };
    document.push_str(&format!(
        "\n{}\n### {}\n\n",
        fields.line(),
        shown(&head.title)
    ));
    for fact in facts(memory) {
        document.push_str(&format!("- {fact}\n"));
    }
    document.push_str(&format!("\n{TEXT}\n"));
    for line in memory.body().trim().split('\n') {
        document.push_str(&escaped(line));
        document.push('\n');
    }
    document.push_str(&end_line());
}

/// Describes a memory besides its text, one fact per line.
fn facts(memory: &Memory) -> Vec<String> {
    let head = &memory.front_matter;
    let mut what = format!("Id: `{}`", shown(&memory.id));
    for part in [memory.memory_type.name(), memory.kind()] {
        if !part.is_empty() {
            what.push_str(&format!(", {}", shown(part)));
        }
    }
    let status = match &memory.state {
        Some(state) => state.status.name(),
        None if memory.is_archived() => "archived",
        None => "active",
    };
    let mut trust = format!("Trust: {}, {status}", memory.trust().name());
    if let Some(confidence) = head.confidence {
        // Writing to a string cannot fail.
        let _ = write!(trust, ", confidence {confidence:.2}");
    }
    let mut facts = vec![what, trust];
    let times = [("created", &head.created), ("updated", &head.updated)];
    let times: Vec<String> = times
        .iter()
        .filter_map(|(name, time)| Some(format!("{name} {}", shown(time.as_ref()?))))
        .collect();
    for (name, list) in [
        ("Times", &times),
        ("Tags", &head.tags),
        ("Related", &head.related),
    ] {
        if !list.is_empty() {
            facts.push(format!("{name}: {}", shown(&list.join(", "))));
        }
    }
    for contribution in memory
        .evidence
        .iter()
        .flat_map(|evidence| &evidence.contributions)
    {
        let session = format!(
            "{} session `{}`",
            contribution.agent, contribution.session_id
        );
        facts.push(format!(
            "From {}, run `{}`",
            shown(&session),
            shown(&contribution.run_id)
        ));
        facts.extend(contribution.evidence.iter().map(quoted));
    }
    facts
}

fn quoted(event: &QuotedEvent) -> String {
    let quote = shortened(&in_one_line(&event.quote), QUOTE_CHARACTERS);
    format!(
        "“{}” ({}, event `{}`)",
        shown(&quote),
        shown(&event.role),
        shown(&event.event_id)
    )
}

/// Returns one line that is safe for a terminal and cannot end a comment.
fn shown(text: &str) -> String {
    visible(&acreta_text::one_line(text)).replace("<!--", "&lt;!--")
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}
