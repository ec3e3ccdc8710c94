//! A conversation as a document: a file that a person saved, or the value of a row.
//!
//! Of a truncated document, the readable part is emitted.

use acreta_sdk::adapter::calls::{Calls, hash};
use acreta_sdk::adapter::document;
use acreta_sdk::adapter::file_probe::filled;
use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{Attrs, Cursor, EventWriter, Failure, RecordSpan, Session, Sink, attr};

use crate::conversation::{Conversation, sides};

/// Returns the session in a document; empty if it is not a conversation.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let bytes = document::load(path)?;
    let outline = Outline::of(&bytes, "history").filter(|outline| outline.items.is_some());
    let Some((outline, id)) = outline.and_then(|outline| {
        let id = outline.text("conversation_id")?;
        Some((outline, id))
    }) else {
        return Ok(Vec::new());
    };
    let conversation = conversation(outline, Origin::File);
    let entries = conversation.entries.iter();
    let users: Vec<_> = entries.filter_map(|entry| sides(entry.value).0).collect();
    let mut times = users
        .iter()
        .filter_map(|user| user.field("timestamp").and_then(instant));
    let directory = users.iter().find_map(|user| {
        let state = user.field("env_context")?.field("env_state")?;
        state.text_of("current_working_directory")
    });
    let mut attrs = Attrs::new();
    attrs.extend(conversation.model.map(|model| attr("model", model.lossy())));
    if conversation.entries.is_empty() && conversation.next.is_none() {
        attrs.push(attr("empty", "true"));
    }
    let started_ms = times.next();
    Ok(vec![Session {
        id,
        agent: crate::AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: filled(directory),
        parent: None,
        started_ms,
        updated_ms: times.next_back().or(started_ms),
        revision: format!("{}:{:016x}", bytes.len(), hash(&bytes)),
        attrs,
    }])
}

/// Reads a document in a file.
pub(crate) fn read(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let bytes = document::load(&session.path)?;
    emit(&bytes, Origin::File, from, sink)
}

/// Emits a document, unless it was already emitted.
pub(crate) fn emit(
    bytes: &[u8],
    origin: Origin,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    if document::is_told(bytes, from)? {
        return Ok(document::after(bytes));
    }
    let mut told = EventWriter::new(sink, Calls::default());
    match Outline::of(bytes, "history") {
        Some(outline) => {
            let fault = outline.fault;
            conversation(outline, origin).emit(&mut told)?;
            if let Some((at, cause)) = fault {
                let (start, end) = match origin {
                    Origin::File => (at, bytes.len() as u64),
                    Origin::Row => (0, 0),
                };
                told.diagnose(&RecordSpan::new("history", start, end, None), cause);
            }
        }
        None => told.diagnose(&RecordSpan::new("history", 0, 0, None), "not a JSON object"),
    }
    told.finish()?;
    Ok(document::after(bytes))
}

/// Source of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    File,
    /// A row of a database, without spans.
    Row,
}

fn conversation(outline: Outline<'_>, origin: Origin) -> Conversation<'_> {
    let info = outline.field("model_info");
    let model = info.and_then(|info| info.text_of("model_id"));
    let model = model.or_else(|| outline.field("model").and_then(Value::text));
    let next = outline.field("next_message");
    let summary = outline.field("latest_summary");
    let mut entries = outline.items.unwrap_or_default();
    if origin == Origin::Row {
        for entry in &mut entries {
            (entry.start, entry.end) = (0, 0);
        }
    }
    Conversation {
        entries,
        summary,
        next: next.filter(|next| matches!(next, Value::Object(_))),
        model: model.filter(|model: &Text<'_>| !model.raw.is_empty()),
    }
}
