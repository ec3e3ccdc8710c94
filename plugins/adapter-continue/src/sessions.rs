//! Identifies the session of a file. A file is Continue's by its beginning, never by its name; only then is the rest
//! read.

use std::io::Read;

use acreta_sdk::adapter::json::{Scanner, Value};
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{Failure, Session, attr, document, file_probe, path};

use crate::{AGENT, HISTORY};

/// The list of all sessions next to them, and the maximum bytes read of it.
const LIST: &str = "sessions.json";
const LIST_BYTES: u64 = 8 * 1024 * 1024;

/// Lists the sessions in a file: one, or none if the file is not Continue's.
pub(crate) fn sessions(file: &str) -> Result<Vec<Session>, Failure> {
    let head = file_probe::beginning(file)?;
    if !Outline::of(&head, HISTORY).is_some_and(|outline| is_session(&outline)) {
        return Ok(Vec::new());
    }
    let bytes = document::load(file)?;
    let outline = Outline::of(&bytes, HISTORY);
    let session = outline.and_then(|outline| session(file, &bytes, &outline));
    Ok(session.into_iter().collect())
}

fn is_session(outline: &Outline<'_>) -> bool {
    let has = |name| outline.text(name).is_some();
    has("sessionId") && has("workspaceDirectory") && outline.items.is_some()
}

fn session(file: &str, bytes: &[u8], outline: &Outline<'_>) -> Option<Session> {
    let id = outline.text("sessionId")?;
    let directory = outline.text("workspaceDirectory")?;
    let project_dir = path::of_address(&directory)
        .or_else(|| (!directory.contains("://")).then_some(directory))
        .filter(|directory| !directory.is_empty());
    let items = outline.items.as_deref().unwrap_or_default();

    let mut attrs = Vec::new();
    attrs.extend(outline.text("title").map(|title| attr("title", title)));
    let model = outline.text("chatModelTitle");
    attrs.extend(model.map(|model| attr("model", model)));
    if items.is_empty() && outline.fault.is_none() {
        attrs.push(attr("empty", "true"));
    }
    Some(Session {
        started_ms: created(file, &id),
        id,
        agent: AGENT.to_owned(),
        path: file.to_owned(),
        project_dir,
        parent: None,
        updated_ms: None,
        revision: document::revision(bytes),
        attrs,
    })
}

/// Returns the start time of a session from the list next to it, which alone has it.
fn created(file: &str, id: &str) -> Option<u64> {
    let list = file_probe::open(&format!("{}/{LIST}", path::parent(file))).ok()?;
    let mut bytes = Vec::new();
    list.take(LIST_BYTES).read_to_end(&mut bytes).ok()?;
    let (items, _cut) = document::items(&mut Scanner::new(&bytes), 0);
    let is_this = |entry: &Value<'_>| entry.text_of("sessionId").is_some_and(|text| text.is(id));
    let mut entries = items.into_iter().map(|item| item.value);
    let date = entries.find(is_this)?.field("dateCreated")?;
    match date {
        // Milliseconds as text, or a date.
        Value::Text(text) => instant(Value::Scalar(text.raw)).or_else(|| instant(date)),
        date => instant(date),
    }
}
