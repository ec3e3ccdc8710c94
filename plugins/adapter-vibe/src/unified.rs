//! A session since version 3: the entries that Vibe shows. What a host injects into the model's context is not among them.

use acreta_sdk::adapter::author::Wrapping;
use acreta_sdk::adapter::blocks::words;
use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::json::{Scanner, Text, Value};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{
    Attrs, Cursor, EventWriter, Failure, RecordSpan, Reply, Session, Sink, Speaker, Unique, attr,
    chat, document, failure, path as place,
};

use crate::AGENT;
use crate::meta::Meta;

/// Format of the stores that are read.
const FORMAT: &str = "mistral.vibe.unified-session-store/";

/// An empty cursor: the session is read whole every time.
const START: Cursor = Cursor {
    offset: 0,
    state: Vec::new(),
};

/// Returns the session of a folder; empty if it is not Vibe's.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let Some(snapshot) = Snapshot::of(path)? else {
        return Ok(Vec::new());
    };
    let meta = Meta::beside(path);
    let mut session = Session {
        id: snapshot.session,
        agent: AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: None,
        parent: None,
        started_ms: None,
        updated_ms: None,
        revision: snapshot.generation,
        // The file at the path only names the others: a copy of it would be no copy of the session.
        attrs: vec![attr("spread", "true")],
    };
    if snapshot.chunks.is_empty() {
        session.attrs.push(("empty".to_owned(), "true".to_owned()));
    }
    meta.complete(&mut session);
    Ok(vec![session])
}

/// Emits a session that [`sessions`] found.
pub(crate) fn read(session: &Session, sink: &mut impl Sink) -> Result<Cursor, Failure> {
    let Some(snapshot) = Snapshot::of(&session.path)? else {
        return Err(failure::unreadable("the folder holds no session any more"));
    };
    let speaker = Speaker::of(session);
    let mut told = EventWriter::new(sink, Calls::default());
    let mut ids = Unique::default();
    for chunk in &snapshot.chunks {
        let bytes = match document::load(&format!(
            "{}/chunks/{chunk}.json",
            place::parent(&session.path)
        )) {
            Ok(bytes) => bytes,
            Err(_) => {
                told.diagnose(&RecordSpan::default(), "a part of the session is missing");
                continue;
            }
        };
        let (items, read) = document::items(&mut Scanner::new(&bytes), 0);
        for item in items {
            let id = item
                .value
                .text_of("id")
                .map(Text::lossy)
                .unwrap_or_default();
            let at_ms = item.value.field("createdAt").and_then(instant);
            let mut place = RecordSpan::new(id, 0, 0, at_ms);
            ids.name(&mut place, chunk);
            entry(&mut told, item.value, &mut place, speaker)?;
            told.close(&place);
        }
        if let Err(fault) = read {
            told.diagnose(&RecordSpan::default(), document::cause(fault));
        }
    }
    told.finish()?;
    Ok(START)
}

/// The newest snapshot of a session.
struct Snapshot {
    session: String,
    generation: String,
    /// Names of the documents with the entries.
    chunks: Vec<String>,
}

impl Snapshot {
    /// Returns `None` if the document does not name a snapshot of Vibe.
    fn of(path: &str) -> Result<Option<Self>, Failure> {
        let current = document::load(path)?;
        let Ok(current) = Scanner::new(&current).object() else {
            return Ok(None);
        };
        let text = |name: &str| {
            let text = current.text_of(name).map(Text::lossy)?;
            Some(text.into_owned())
        };
        let is_own = text("store_format").is_some_and(|format| format.starts_with(FORMAT));
        let (Some(session), Some(generation)) = (text("session_id"), text("generation")) else {
            return Ok(None);
        };
        if !is_own || !is_name(&generation) {
            return Ok(None);
        }
        let manifest = format!(
            "{}/generations/{generation}/manifest.json",
            place::parent(path)
        );
        // Without its manifest, the session is listed as one without conversation.
        let manifest = document::load(&manifest).unwrap_or_default();
        let state = Scanner::new(&manifest)
            .object()
            .ok()
            .and_then(|manifest| manifest.field("projection_state")?.field("chunks"));
        let chunks = state.map(Value::elements).unwrap_or_default().into_iter();
        let chunks = chunks.filter_map(|name| Some(name.text()?.lossy().into_owned()));
        Ok(Some(Self {
            session,
            generation,
            chunks: chunks.filter(|name| is_name(name)).collect(),
        }))
    }
}

/// Reports whether a text may be the name of a file in the session's folder.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn entry<S: Sink>(
    told: &mut EventWriter<'_, S>,
    entry: Value<'_>,
    place: &mut RecordSpan,
    speaker: Speaker,
) -> Result<(), Failure> {
    let kind = entry.text_of("type").map(Text::lossy).unwrap_or_default();
    match &*kind {
        "message" => message(told, entry, place, speaker),
        "reasoning" => {
            let text = words(entry.field("content").or(entry.field("text")), place);
            told.assistant(place, "thinking", text, Attrs::new())
        }
        "effect" => effect(told, entry, place),
        "checkpoint" => {
            let text = place.shown(entry.field("summary"));
            match text.is_empty() {
                true => Ok(()),
                false => told.emit(place, "system", "compaction", text, Attrs::new()),
            }
        }
        "notice" => {
            let text = place.text(entry, "message");
            told.injected(place, "system", "notice", text)
        }
        other => {
            told.unknown(place, "entries", other);
            Ok(())
        }
    }
}

fn message<S: Sink>(
    told: &mut EventWriter<'_, S>,
    entry: Value<'_>,
    place: &mut RecordSpan,
    speaker: Speaker,
) -> Result<(), Failure> {
    let role = entry.text_of("role").map(Text::lossy).unwrap_or_default();
    let parts = entry.field("content").map(Value::elements);
    for part in parts.unwrap_or_default() {
        let Some(text) = part.text_of("text") else {
            let kind = part.text_of("type").map(Text::lossy).unwrap_or_default();
            told.emit(place, &role, "note", format!("[{kind}]"), Attrs::new())?;
            continue;
        };
        let text = place.decode(text).into_owned();
        match &*role {
            "user" => speaker.prompt(told, place, &text, &Wrapping::default())?,
            "assistant" => told.assistant(place, "text", text, Attrs::new())?,
            _ => told.injected(place, "user", "context", text)?,
        }
    }
    Ok(())
}

/// Emits a tool call and its result, which are one entry.
fn effect<S: Sink>(
    told: &mut EventWriter<'_, S>,
    entry: Value<'_>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let detail = entry.field("detail");
    let named = detail.and_then(|detail| detail.text_of("toolName"));
    let tool = match named {
        Some(name) => place.decode(name).into_owned(),
        None => place.text(entry, "title"),
    };
    let id = place.event_id();
    let input = place.shown(detail.and_then(|detail| detail.field("input")));
    told.tool_call(place, &tool, &id, input, Reply::default().take())?;
    let Some(state) = entry.field("state") else {
        return Ok(());
    };
    let status = state.text_of("status").map(Text::lossy).unwrap_or_default();
    if matches!(&*status, "running" | "pending" | "awaiting_approval") {
        return Ok(());
    }
    let output = state.field("output");
    let structured = output.and_then(|output| output.field("structured_content"));
    let content = output.and_then(|output| output.field("content"));
    let text = match (words(content, place), structured) {
        (text, Some(Value::Object(structured))) if text.is_empty() => {
            place.shown(Some(Value::Object(structured)))
        }
        (text, _) if text.is_empty() => place.text(state, "outputText"),
        (text, _) => text,
    };
    let is_error = status != "completed" || chat::has_failed(&text);
    told.tool_result(place, &id, text, is_error)
}
