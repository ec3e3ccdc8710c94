//! A session of the terminal program: a document of messages, and next to it one with the session's properties.

use std::io::Read;

use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::json::{Scanner, Text, Value};
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{
    Cursor, EventWriter, Failure, Session, Sink, Speaker, attr, document, failure, file_probe,
    path as place,
};

use crate::AGENT;
use crate::emit::Conversation;

const MESSAGES: &str = "messages";

/// Text before the directory in the system prompt.
const DIRECTORY: &str = "Working Directory: ";

/// Maximum bytes read of the document next to the messages.
const BESIDE: u64 = 4 * 1024 * 1024;

/// Returns the session in a document with this beginning; empty if it is not Cline's.
pub(crate) fn sessions(file: &str, head: &[u8]) -> Result<Vec<Session>, Failure> {
    let has = |outline: &Outline<'_>| {
        let is_list = outline.items.is_some() || outline.fault.is_some();
        is_list && outline.text("sessionId").is_some() && outline.text("agent").is_some()
    };
    if !Outline::of(head, MESSAGES).is_some_and(|outline| has(&outline)) {
        return Ok(Vec::new());
    }
    let bytes = document::load(file)?;
    let Some(outline) = Outline::of(&bytes, MESSAGES) else {
        return Ok(Vec::new());
    };
    let Some(id) = outline.text("sessionId").filter(|id| !id.is_empty()) else {
        return Ok(Vec::new());
    };
    let messages = outline.items.as_deref().unwrap_or_default();
    let time = |message: Option<Value<'_>>| message.and_then(|it| instant(it.field("ts")?));
    let model = messages.iter().rev().find_map(|item| {
        let model = item.value.field("modelInfo")?.text_of("id")?;
        Some(model.lossy().into_owned())
    });
    let beside = Beside::of(file, &id);
    let is_subagent = beside.is_subagent || outline.text("agent").is_some_and(|it| it != "lead");
    let mut attrs = Vec::new();
    attrs.extend(is_subagent.then(|| attr("relation", "subagent")));
    attrs.extend(beside.title.map(|title| attr("title", title)));
    attrs.extend(model.map(|model| attr("model", model)));
    if messages.is_empty() && outline.fault.is_none() {
        attrs.push(attr("empty", "true"));
    }
    Ok(vec![Session {
        id,
        agent: AGENT.to_owned(),
        path: file.to_owned(),
        project_dir: beside.directory.or_else(|| directory(&outline)),
        parent: beside.parent.filter(|_| is_subagent),
        started_ms: beside
            .started_ms
            .or_else(|| time(messages.first().map(|item| item.value))),
        updated_ms: outline.field("updated_at").and_then(instant),
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
    let Some(outline) = Outline::of(&bytes, MESSAGES) else {
        return Err(failure::unreadable("the file is no session any more"));
    };
    let told = EventWriter::new(sink, Calls::default());
    let mut conversation = Conversation::new(told, Speaker::of(session));
    for item in outline.items.iter().flatten() {
        conversation.message(item)?;
    }
    conversation.finish(outline.fault)?;
    Ok(document::after(&bytes))
}

/// Content of the document next to the messages.
#[derive(Default)]
struct Beside {
    directory: Option<String>,
    parent: Option<String>,
    title: Option<String>,
    started_ms: Option<u64>,
    is_subagent: bool,
}

impl Beside {
    fn of(file: &str, id: &str) -> Self {
        // Ignores an id with a path in it.
        let is_name = !id.contains(['/', '\\']) && !id.contains("..");
        let path = format!("{}/{id}.json", place::parent(file));
        let beside = file_probe::open(&path).ok().filter(|_| is_name);
        let mut bytes = Vec::new();
        let read = beside.map(|file| file.take(BESIDE).read_to_end(&mut bytes));
        let (Some(Ok(_)), Ok(known)) = (read, Scanner::new(&bytes).object()) else {
            return Self::default();
        };
        let text = |of: Value<'_>, name: &str| {
            let text = of.text_of(name).map(Text::lossy)?.into_owned();
            (!text.is_empty()).then_some(text)
        };
        Self {
            directory: text(known, "cwd").or_else(|| text(known, "workspace_root")),
            parent: text(known, "parent_session_id"),
            title: known.field("metadata").and_then(|it| text(it, "title")),
            started_ms: known.field("started_at").and_then(instant),
            is_subagent: known.field("is_subagent").is_some_and(Value::is_true),
        }
    }
}

/// Returns the directory in the system prompt.
fn directory(outline: &Outline<'_>) -> Option<String> {
    let prompt = outline.text("system_prompt")?;
    let (_, behind) = prompt.split_once(DIRECTORY)?;
    let directory = behind.lines().next()?.trim();
    (!directory.is_empty()).then(|| directory.to_owned())
}
