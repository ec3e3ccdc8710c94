//! Chats in VS Code: one file each, a document or a log of changes to one. Both are read whole.

use std::borrow::Cow;

use acreta_sdk::adapter::document::Item;
use acreta_sdk::adapter::json::{Scanner, Text, Value};
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{
    Attrs, Cursor, EventWriter, Failure, RecordSpan, Session, Sink, Unique, attr, document,
    failure, file_probe, path,
};

use crate::chat;
use crate::replay::{Problem, replay, snapshot};

/// Maximum size of a log: the log and its document have to fit into the adapter's memory.
const LOG_LIMIT: u64 = document::DOCUMENT_LIMIT / 2;

/// The list of requests and answers.
const REQUESTS: &str = "requests";

/// Reports whether a file with this beginning is a chat.
pub(crate) fn is_chat(beginning: &[u8]) -> bool {
    let document = snapshot(beginning).unwrap_or(beginning);
    Outline::of(document, REQUESTS).is_some_and(|chat| {
        let is_answered = chat.field("responderUsername").and_then(Value::text);
        chat.items.is_some() && is_answered.is_some()
    })
}

/// Returns the session in a chat's file; empty if the file is not a chat.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    if !is_chat(&file_probe::beginning(path)?) {
        return Ok(Vec::new());
    }
    let bytes = document::load(path)?;
    let (document, _) = whole(&bytes)?;
    let Some(chat) = Outline::of(&document, REQUESTS) else {
        return Ok(Vec::new());
    };
    let text = |name: &str| chat.text(name).filter(|text| !text.is_empty());
    let requests = chat.items.as_deref().unwrap_or_default();
    let asked_at = |request: &Item<'_>| request.value.field("timestamp").and_then(instant);
    let mut attrs = Attrs::new();
    attrs.extend(text("customTitle").map(|title| attr("title", title)));
    let first = requests.first().map(|request| request.value);
    let model = first.and_then(|request| request.text_of("modelId"));
    attrs.extend(model.map(|model| attr("model", model.lossy())));
    if requests.is_empty() && chat.fault.is_none() {
        attrs.push(attr("empty", "true"));
    }
    let last = chat.field("lastMessageDate").and_then(instant);
    Ok(vec![Session {
        id: text("sessionId").unwrap_or_else(|| path::stem(path).to_owned()),
        agent: crate::AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: folder(path),
        parent: None,
        started_ms: chat.field("creationDate").and_then(instant),
        updated_ms: requests.last().and_then(asked_at).max(last),
        revision: document::revision(&bytes),
        attrs,
    }])
}

pub(crate) fn read(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let bytes = document::load(&session.path)?;
    if document::is_told(&bytes, from)? {
        return Ok(from.clone());
    }
    let mut told = EventWriter::new(sink, Default::default());
    let (document, problems) = whole(&bytes)?;
    for (start, end, problem) in problems {
        told.diagnose(&RecordSpan::new("", start, end, None), problem);
    }
    let is_log = snapshot(&bytes).is_some();
    if let Some(chat) = Outline::of(&document, REQUESTS) {
        let mut unique = Unique::default();
        for (index, item) in chat.items.iter().flatten().enumerate() {
            let request = item.value;
            // A document assembled from many lines has no span in the file.
            let (start, end) = if is_log {
                (0, 0)
            } else {
                (item.start, item.end)
            };
            let id = request.text_of("requestId").map(Text::lossy);
            let at_ms = request.field("timestamp").and_then(instant);
            let id = id.unwrap_or_else(|| format!("request {index}").into());
            let mut place = RecordSpan::new(id, start, end, at_ms);
            unique.name(&mut place, "");
            chat::emit(&mut told, request, &mut place)?;
            told.close(&place);
        }
        if let Some((at, why)) = chat.fault {
            told.diagnose(&RecordSpan::new("", at, at, None), why);
        }
    }
    told.finish()?;
    Ok(document::after(&bytes))
}

/// Returns the document of a file, replayed if it is a log.
fn whole(bytes: &[u8]) -> Result<(Cow<'_, [u8]>, Vec<Problem>), Failure> {
    if snapshot(bytes).is_none() {
        return Ok((Cow::Borrowed(bytes), Vec::new()));
    }
    if bytes.len() as u64 > LOG_LIMIT {
        return Err(failure::unreadable(&format!(
            "the chat is a log of more than {} MiB",
            LOG_LIMIT / 1024 / 1024
        )));
    }
    let (document, problems) = replay(bytes);
    Ok((Cow::Owned(document), problems))
}

/// Returns the open folder, which a file above the chats names.
fn folder(path: &str) -> Option<String> {
    let storage = path::parent(path::parent(path));
    let description = file_probe::beginning(&format!("{storage}/workspace.json")).ok()?;
    let description = Scanner::new(&description).object().ok()?;
    path::of_address(&description.text_of("folder")?.lossy())
}
