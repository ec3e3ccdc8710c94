//! A task of the extension for VS Code: a list of messages in a folder named after the task.

use acreta_sdk::adapter::calls::{Calls, hash};
use acreta_sdk::adapter::document::{self, Item};
use acreta_sdk::adapter::json::{Fault, Scanner, Text, Value};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{
    Cursor, EventWriter, Failure, Session, Sink, Speaker, attr, path as place, shorten,
};

use crate::AGENT;
use crate::author;
use crate::emit::Conversation;

/// Returns the session in a file; empty if it is not a task.
pub fn sessions(file: &str) -> Result<Vec<Session>, Failure> {
    let bytes = document::load(file)?;
    let (items, _) = messages(&bytes);
    let Some(first) = items.first().filter(|item| is_task(item.value)) else {
        return Ok(Vec::new());
    };
    let folder = place::folders(file).next().filter(|name| is_id(name));
    let began = folder.and_then(|id| instant(Value::Scalar(id.as_bytes())));
    let time = |item: &Item<'_>| item.value.field("ts").and_then(instant);
    let model = items.iter().rev().find_map(|item| {
        let model = item.value.field("modelInfo")?.text_of("modelId")?;
        Some(model.lossy().into_owned())
    });
    let mut texts = items.iter().flat_map(|item| author::texts(item.value));
    let model = model.or_else(|| texts.clone().find_map(|text| author::model(&text)));
    let directory = texts.find_map(|text| author::directory(&text));
    let entry = HistoryEntry::beside(file);
    let mut attrs = Vec::new();
    attrs.extend(entry.parent.is_some().then(|| attr("relation", "subagent")));
    attrs.extend(entry.title.map(|title| attr("title", title)));
    attrs.extend(model.map(|model| attr("model", model)));
    Ok(vec![Session {
        id: match folder {
            Some(id) => id.to_owned(),
            None => format!("task-{:016x}", hash(first.value.raw())),
        },
        agent: AGENT.to_owned(),
        path: file.to_owned(),
        project_dir: entry.directory.or(directory),
        parent: entry.parent,
        started_ms: began.or_else(|| time(first)),
        updated_ms: items.iter().filter_map(time).next_back(),
        revision: document::revision(&bytes),
        attrs,
    }])
}

/// Content of the document that Roo Code keeps beside a task. A task with a parent was given by an agent.
#[derive(Default)]
struct HistoryEntry {
    directory: Option<String>,
    parent: Option<String>,
    title: Option<String>,
}

impl HistoryEntry {
    fn beside(file: &str) -> Self {
        let path = format!("{}/history_item.json", place::parent(file));
        let Ok(bytes) = document::load(&path) else {
            return Self::default();
        };
        let Ok(entry) = Scanner::new(&bytes).object() else {
            return Self::default();
        };
        let text = |name: &str| {
            let text = entry.text_of(name).map(Text::lossy)?;
            (!text.trim().is_empty()).then(|| text.trim().to_owned())
        };
        let title = text("task").map(|task| shorten(task.lines().next().unwrap_or("")).to_owned());
        Self {
            directory: text("workspace"),
            parent: text("parentTaskId"),
            title,
        }
    }
}

/// Emits a task that [`sessions`] found.
pub fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
    let bytes = document::load(&session.path)?;
    if document::is_told(&bytes, from)? {
        return Ok(from.clone());
    }
    let told = EventWriter::new(sink, Calls::default());
    let mut conversation = Conversation::new(told, Speaker::of(session));
    let (items, read) = messages(&bytes);
    for item in &items {
        conversation.message(item)?;
    }
    let end = items.last().map_or(0, |item| item.end);
    conversation.finish(read.err().map(|fault| (end, document::cause(fault))))?;
    Ok(document::after(&bytes))
}

fn messages(bytes: &[u8]) -> (Vec<Item<'_>>, Result<(), Fault>) {
    document::items(&mut Scanner::new(bytes), 0)
}

/// Reports whether a message starts a task: a person's request inside Cline's elements.
fn is_task(message: Value<'_>) -> bool {
    let is_user = message.text_of("role").is_some_and(|role| role.is("user"));
    let mut texts = author::texts(message).into_iter();
    is_user && texts.any(|text| author::is_task(&text))
}

/// Reports whether a folder is called like a task: the time it began, or a UUID.
fn is_id(name: &str) -> bool {
    let is_time = name.len() >= 12 && name.bytes().all(|byte| byte.is_ascii_digit());
    let is_uuid = name.len() == 36 && name.bytes().filter(|byte| *byte == b'-').count() == 4;
    is_time || is_uuid
}
