//! Transcripts with a record per line: `{role, message: {content}}`. They have no times, no ids and usually no results;
//! the path identifies the session.

use acreta_sdk::adapter::file_probe::STRANGERS;
use acreta_sdk::adapter::json::{Fault, Scanner, Text, Value};
use acreta_sdk::adapter::objects::{Records, ScannedKind, Stop};
use acreta_sdk::adapter::{
    Attrs, Cursor, Failure, RecordSpan, Session, Sink, Speaker, attr, file_probe, journal,
    path as place,
};

use crate::message;

/// The records of a transcript.
struct Lines;

impl Records for Lines {
    type Record<'a> = Value<'a>;

    const BEGINNINGS: &'static [&'static [u8]] = &[b"{\"role\":"];

    fn scan<'a>(scanner: &mut Scanner<'a>) -> Result<Value<'a>, Fault> {
        scanner.object()
    }

    fn is_whole(record: &Value<'_>) -> bool {
        is_own(*record)
    }
}

/// Reports whether this is a record that only Cursor writes.
fn is_own(record: Value<'_>) -> bool {
    let role = record.text_of("role").map(Text::lossy).unwrap_or_default();
    let content = record
        .field("message")
        .and_then(|message| message.field("content"));
    let foreign = ["type", "uuid", "id", "sessionId", "timestamp", "kind"];
    matches!(&*role, "user" | "assistant" | "system" | "tool")
        && matches!(content, Some(Value::List(_) | Value::Text(_)))
        && foreign.iter().all(|name| record.field(name).is_none())
}

/// Returns the session in a transcript; empty if it is not Cursor's.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let mut file = file_probe::open(path)?;
    let size = file_probe::size(&mut file)?;
    let (mut seen, mut is_cursors) = (0, false);
    file_probe::head::<Lines>(&mut file, size, |found| {
        seen += 1;
        if let ScannedKind::Record(record) = found.what {
            is_cursors |= is_own(*record);
        }
        if is_cursors || seen >= STRANGERS {
            return Err(Stop::Enough);
        }
        Ok(())
    })?;
    if !is_cursors {
        return Ok(Vec::new());
    }
    let revision = file_probe::revision(&mut file, size)?;
    Ok(vec![session(path, revision)])
}

/// Builds a session from its path alone.
pub(crate) fn session(path: &str, revision: String) -> Session {
    let folders: Vec<&str> = place::folders(path).collect();
    let parent = match &folders[..] {
        ["subagents", parent, ..] => Some((*parent).to_owned()),
        _ => None,
    };
    let mut attrs = Attrs::new();
    attrs.extend(parent.is_some().then(|| attr("relation", "subagent")));
    let transcripts = folders.iter().position(|name| *name == "agent-transcripts");
    let slug = transcripts.and_then(|above| folders.get(above + 1));
    attrs.extend(slug.map(|slug| attr("project_slug", *slug)));
    Session {
        id: place::stem(path).to_owned(),
        agent: crate::AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: None,
        parent,
        started_ms: None,
        updated_ms: None,
        revision,
        attrs,
    }
}

/// Reads a transcript on from a cursor.
pub(crate) fn read(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let speaker = Speaker::of(session);
    journal::read::<Lines, (), _>(
        &session.path,
        from,
        sink,
        |told, (), record, (start, end)| {
            let mut place = RecordSpan::new("", start, end, None);
            let message = record.field("message");
            let content = message.and_then(|message| message.field("content"));
            message::emit(told, speaker, *record, content, &mut place)
        },
    )
}
