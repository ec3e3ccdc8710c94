//! Turns the rows of a session into events: speakers, and results linked to calls.

use std::collections::HashSet;

use acreta_sdk::adapter::author::{Author, Wrapping};
use acreta_sdk::adapter::blocks::words;
use acreta_sdk::adapter::calls::{Calls, hash};
use acreta_sdk::adapter::chat;
use acreta_sdk::adapter::database::{Database, Table, Value, number, text};
use acreta_sdk::adapter::json::Scanner;
use acreta_sdk::adapter::{EventWriter, Failure, RecordSpan, Reply, Session, Sink, Speaker};

use crate::seconds;

/// Mark of content that is JSON: a list of parts.
const PARTS: &str = "\0json:";

/// Headings below which Hermes adds, to a prompt, the files and pages that it mentions.
const ATTACHED: [&str; 2] = ["--- Attached Context ---", "--- Context Warnings ---"];

/// What Hermes writes under the name of the user.
const WRAPPING: Wrapping = Wrapping {
    wrappers: &[
        ("[CONTEXT COMPACTION", Author::Compaction),
        ("[CONTEXT SUMMARY]:", Author::Compaction),
        ("[System: ", Author::Injected("hermes")),
        ("[SYSTEM: ", Author::Injected("hermes")),
        ("[IMPORTANT: ", Author::Injected("hermes")),
        ("[Your active task list", Author::Injected("hermes")),
        (
            "Continue from the compressed conversation context above.",
            Author::Injected("hermes"),
        ),
        (
            "You just executed tool calls but returned an empty response.",
            Author::Injected("hermes"),
        ),
        (
            "You've reached the maximum number of tool-calling iterations",
            Author::Injected("hermes"),
        ),
    ],
    inserts: &[("<memory-context>", "</memory-context>", "memory")],
};

/// Emits one session.
pub(crate) fn session<S: Sink>(
    database: &Database,
    messages: &Table,
    session: &Session,
    speaker: Speaker,
    sink: &mut S,
) -> Result<(), Failure> {
    let mut told = EventWriter::new(sink, Calls::default());
    // A compaction keeps the summarised messages, and adds the last ones once more.
    let mut summarised = HashSet::new();
    let columns = messages.pick(&[
        "id",
        "role",
        "content",
        "tool_call_id",
        "tool_calls",
        "tool_name",
        "timestamp",
        "reasoning_content",
        "reasoning",
        "active",
        "compacted",
    ]);
    let sql = format!("SELECT {columns} FROM messages WHERE session_id = ?1 ORDER BY id");
    database.each_row(&sql, &[Value::Text(session.id.clone())], |row| {
        let is_active = number(row, 9).unwrap_or(1) != 0;
        let is_summarised = number(row, 10).unwrap_or(0) != 0;
        // The person took it back.
        if !is_active && !is_summarised {
            return Ok(());
        }
        let content: Vec<_> = (1..6).map(|column| text(row, column)).collect();
        let copy = hash(format!("{content:?}").as_bytes());
        if is_summarised {
            summarised.insert(copy);
        } else if summarised.remove(&copy) {
            return Ok(());
        }
        let id = number(row, 0).unwrap_or(0).to_string();
        let mut place = RecordSpan::new(id, 0, 0, seconds(row, 6));
        message(&mut told, session, row, &mut place, speaker)?;
        told.close(&place);
        Ok(())
    })?;
    told.finish()?;
    Ok(())
}

fn message<S: Sink>(
    told: &mut EventWriter<'_, S>,
    session: &Session,
    row: &[Value],
    place: &mut RecordSpan,
    speaker: Speaker,
) -> Result<(), Failure> {
    let filled = |column| text(row, column).unwrap_or_default();
    let content = content(&filled(2), place);
    match &*filled(1) {
        "user" => {
            let headings = ATTACHED.iter().filter_map(|heading| content.find(heading));
            let (typed, attached) = content.split_at(headings.min().unwrap_or(content.len()));
            speaker.prompt(told, place, typed, &WRAPPING)?;
            told.injected(place, "user", "file", attached.trim().to_owned())
        }
        "assistant" => {
            let model = session.attrs.iter().find(|(name, _)| name == "model");
            let mut reply = Reply::new(model.map(|(_, model)| &**model), None);
            let thoughts = match filled(7) {
                none if none.is_empty() => filled(8),
                thoughts => thoughts,
            };
            chat::words(told, thoughts, content, place, &mut reply)?;
            let calls = filled(4);
            let calls = Scanner::new(calls.as_bytes()).value().ok();
            chat::calls(told, calls, place, &mut reply)
        }
        "tool" => {
            let (id, named) = (filled(3), filled(5));
            let tool = told.calls.close(&id).unwrap_or(named);
            let is_error = chat::has_failed(&content);
            told.result_of(place, Some(&tool), &id, content, is_error)
        }
        "system" => told.injected(place, "system", "system-prompt", content),
        // The tools of a session, as they were offered.
        "session_meta" => Ok(()),
        other => {
            told.unknown(place, "messages", other);
            Ok(())
        }
    }
}

/// Renders a content, which is text or a list of parts.
fn content(stored: &str, place: &mut RecordSpan) -> String {
    let Some(parts) = stored.strip_prefix(PARTS) else {
        return stored.to_owned();
    };
    words(Scanner::new(parts.as_bytes()).value().ok(), place)
}
