//! The knowledge graph of the MCP memory server: entities with observations, and relations between them. An observation
//! becomes a note that names its entity, a relation becomes a sentence.

use acreta_text::slug;
use serde_json::{Map, Value};

use crate::fields::JsonRecord;
use crate::record::{confidence, created_ms, strings};
use crate::sink::NoteSink;
use crate::split::{ClassOf, CutSource, Frame, Key, TextPiece, make_notes};
use crate::text::cleaned;
use crate::trivial::trivial;
use crate::wording::{NoteClass, classify, named};

/// Reads a record of the graph; returns `false` if it is not one.
pub(crate) fn read(record: &JsonRecord, sink: &mut NoteSink<'_>) -> bool {
    let fields = &record.fields;
    if let (Some(name), Some(kind)) = (word(fields, "name"), word(fields, "entitytype")) {
        entity(record, name, kind, sink);
        return true;
    }
    if let (Some(from), Some(to), Some(kind)) = (
        word(fields, "from"),
        word(fields, "to"),
        word(fields, "relationtype"),
    ) {
        relation(record, [from, kind, to], sink);
        return true;
    }
    false
}

fn entity(record: &JsonRecord, name: &str, kind: &str, sink: &mut NoteSink<'_>) {
    let observations = record
        .fields
        .get("observations")
        .map(strings)
        .unwrap_or_default();
    if observations.is_empty() {
        return sink.skip(record.line, name, "is an entity without observations");
    }
    let class = named(kind).filter(|class| *class != NoteClass::CONTEXT);
    for observation in observations {
        sink.count_hidden(&observation, record.line);
        let observation = cleaned(&observation).trim().to_owned();
        if let Some(reason) = trivial(&observation) {
            sink.skip(record.line, &observation, reason);
            continue;
        }
        let mut frame = frame(record, format!("entity/{name}/{}", slug(&observation)));
        frame.tags = vec![kind.to_owned()];
        frame.class = class.map_or_else(
            || ClassOf::Given(classify(&observation, "", NoteClass::CONTEXT)),
            ClassOf::Given,
        );
        let is_named = observation.to_lowercase().contains(&name.to_lowercase());
        let text = match is_named {
            true => observation,
            false => format!("{}: {observation}", cleaned(name)),
        };
        make_notes(vec![piece(text, record)], &frame, sink);
    }
}

fn relation(record: &JsonRecord, [from, kind, to]: [&str; 3], sink: &mut NoteSink<'_>) {
    let text = format!("{from} {} {to}", kind.replace('_', " "));
    sink.count_hidden(&text, record.line);
    let mut frame = frame(record, format!("relation/{from}/{kind}/{to}"));
    frame.class = ClassOf::Given(NoteClass::CONTEXT);
    make_notes(vec![piece(cleaned(&text), record)], &frame, sink);
}

fn word<'a>(fields: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    fields
        .get(key)?
        .as_str()
        .map(str::trim)
        .filter(|word| !word.is_empty())
}

fn piece(text: String, record: &JsonRecord) -> TextPiece {
    TextPiece {
        text,
        code: None,
        range: record.range.clone(),
        line: record.line,
        passage: CutSource::Text,
    }
}

fn frame(record: &JsonRecord, key: String) -> Frame {
    Frame {
        path: Vec::new(),
        lead: None,
        title: None,
        class: ClassOf::Wording(NoteClass::CONTEXT),
        tags: Vec::new(),
        confidence: confidence(&record.fields),
        created_ms: created_ms(&record.fields),
        key: Key::Record(key),
        separator: "\n",
    }
}
