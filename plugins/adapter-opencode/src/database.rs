//! OpenCode's database: many sessions, their messages and the parts of these.
//!
//! Reads only the tables of the conversation and selects columns by name, since every version has others. Listing takes
//! a few queries for any number of sessions, and reading holds at most one message.

use std::collections::{HashMap, HashSet};

use acreta_sdk::adapter::database::{Database, Table, Value, number, text};
use acreta_sdk::adapter::json::{self, Scanner};
use acreta_sdk::adapter::{Cursor, Failure, RecordSpan, Session, Sink};

use crate::emit::{Conversation, Part};
use crate::info::{self, SessionDetails};
use crate::{AGENT, Program, START, go};

/// The tables of the conversation.
struct Tables {
    sessions: Vec<Table>,
    /// Messages whose parts have their own rows, and these parts.
    messages: Option<Table>,
    parts: Option<Table>,
    /// Messages of newer versions.
    newer: Option<Table>,
}

impl Tables {
    /// Returns `None` if this is not OpenCode's database.
    fn of(database: &Database) -> Result<Option<Self>, Failure> {
        let mut sessions = Vec::new();
        for name in ["session", "session_v2"] {
            sessions.extend(Table::with(database, name, &["id", "directory"])?);
        }
        let parts = Table::with(database, "part", &["id", "message_id", "data"])?;
        let messages = Table::with(database, "message", &["id", "session_id", "data"])?;
        let newer = Table::with(
            database,
            "session_message",
            &["id", "session_id", "type", "data"],
        )?;
        let tables = Self {
            sessions,
            messages: messages.filter(|_| parts.is_some()),
            parts: parts.filter(|parts| parts.has("session_id")),
            newer,
        };
        let has_messages = tables.messages.is_some() || tables.newer.is_some();
        Ok((!tables.sessions.is_empty() && has_messages).then_some(tables))
    }
}

/// Lists all sessions in a database; empty if it is not this program's.
pub(crate) fn sessions(path: &str, program: Program) -> Result<Vec<Session>, Failure> {
    let database = Database::open(path)?;
    let Some(tables) = Tables::of(&database)? else {
        return go::sessions(&database, path, program);
    };
    if Program::of_database(path, &database)? != program {
        return Ok(Vec::new());
    }
    let mut said: HashMap<String, Said> = HashMap::new();
    for table in tables.messages.iter().chain(&tables.newer) {
        let last = table.pick(&["time_updated"]);
        count(&database, table, &last, |session, messages, last| {
            let said = said.entry(session).or_default();
            said.messages += messages;
            said.revision.push_str(&format!(":{messages}:{last}"));
        })?;
    }
    // A growing reply gets more parts while its message stays unchanged. Their number is in an index; their times would
    // need a lookup each.
    if let Some(table) = &tables.parts {
        count(&database, table, "NULL", |session, parts, _| {
            let said = said.entry(session).or_default();
            said.revision.push_str(&format!(":{parts}"));
        })?;
    }
    let mut known = HashSet::new();
    let mut sessions = Vec::new();
    for table in &tables.sessions {
        let columns = table.pick(&[
            "id",
            "parent_id",
            "directory",
            "title",
            "version",
            "time_created",
            "time_updated",
            "model",
        ]);
        let sql = format!("SELECT {columns} FROM {} ORDER BY id", table.name);
        database.each_row(&sql, &[], |row| {
            let session = text(row, 0).and_then(|id| session(path, row, said.get(&id)));
            if let Some(session) = session
                && known.insert(session.id.clone())
            {
                sessions.push(session);
            }
            Ok(())
        })?;
    }
    Ok(sessions)
}

/// Size of a session's content, in a form that changes whenever it grows.
#[derive(Default)]
struct Said {
    messages: i64,
    revision: String,
}

/// Calls `visit` with each session, its number of rows in a table and the largest `last` of them.
fn count(
    database: &Database,
    table: &Table,
    last: &str,
    mut visit: impl FnMut(String, i64, i64),
) -> Result<(), Failure> {
    let sql = format!(
        "SELECT session_id, count(*), max({last}) FROM {} GROUP BY session_id",
        table.name
    );
    database.each_row(&sql, &[], |row| {
        if let Some(session) = text(row, 0) {
            visit(
                session,
                number(row, 1).unwrap_or(0),
                number(row, 2).unwrap_or(0),
            );
        }
        Ok(())
    })
}

fn session(path: &str, row: &[Value], said: Option<&Said>) -> Option<Session> {
    let updated = number(row, 6);
    let mut revision = updated.unwrap_or(0).to_string();
    revision.push_str(said.map_or("", |said| &said.revision));
    let model = text(row, 7);
    let model = model.as_deref().and_then(|model| {
        let model = Scanner::new(model.as_bytes()).object().ok()?;
        Some(model.text_of("id")?.lossy().into_owned())
    });
    let parent = text(row, 1).filter(|parent| !parent.is_empty());
    Some(Session {
        id: text(row, 0)?,
        agent: AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: text(row, 2).filter(|directory| !directory.is_empty()),
        started_ms: milliseconds(row, 5),
        updated_ms: milliseconds(row, 6),
        revision,
        attrs: info::attrs(SessionDetails {
            is_child: parent.is_some(),
            title: text(row, 3),
            version: text(row, 4),
            model,
            is_empty: said.is_none_or(|said| said.messages == 0),
        }),
        parent,
    })
}

pub(crate) fn read(session: &Session, sink: &mut impl Sink) -> Result<Cursor, Failure> {
    let database = Database::open(&session.path)?;
    let Some(tables) = Tables::of(&database)? else {
        return go::read(&database, session, sink);
    };
    let mut conversation = Conversation::new(session, sink);
    for listed in list(&database, &tables, &session.id)? {
        match listed.kind {
            Kind::Parts => message(&database, &listed, &mut conversation)?,
            Kind::Row => row(&database, &listed, &mut conversation)?,
        }
    }
    conversation.told.finish()?;
    Ok(START)
}

/// A message before it is read.
struct Listed {
    id: String,
    at_ms: Option<u64>,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// Its parts have their own rows.
    Parts,
    /// All of it is one row.
    Row,
}

/// Lists the messages of a session in order. Messages in both tables are taken from the older one.
fn list(database: &Database, tables: &Tables, session: &str) -> Result<Vec<Listed>, Failure> {
    let of = |table: &Option<Table>, order: &[&'static str], kind| {
        let Some(table) = table else {
            return Ok(Vec::new());
        };
        let order = table.pick(order);
        let columns = table.pick(&["id", "time_created"]);
        let sql = format!(
            "SELECT {columns} FROM {} WHERE session_id = ?1 ORDER BY {order}, id",
            table.name
        );
        let mut listed = Vec::new();
        database.each_row(&sql, &[Value::Text(session.to_owned())], |row| {
            if let Some(id) = text(row, 0) {
                let at_ms = milliseconds(row, 1);
                listed.push(Listed { id, at_ms, kind });
            }
            Ok(())
        })?;
        Ok::<_, Failure>(listed)
    };
    let older = of(&tables.messages, &["time_created"], Kind::Parts)?;
    let mut newer = of(&tables.newer, &["seq", "time_created"], Kind::Row)?;
    let known: HashSet<&str> = older.iter().map(|listed| &*listed.id).collect();
    newer.retain(|listed| !known.contains(&*listed.id));
    Ok(merge(older, newer))
}

/// Merges both lists by time, each in its own order.
fn merge(first: Vec<Listed>, second: Vec<Listed>) -> Vec<Listed> {
    let mut merged = Vec::with_capacity(first.len() + second.len());
    let mut second = second.into_iter().peekable();
    for listed in first {
        while let Some(earlier) = second.next_if(|other| other.at_ms < listed.at_ms) {
            merged.push(earlier);
        }
        merged.push(listed);
    }
    merged.extend(second);
    merged
}

fn message<S: Sink>(
    database: &Database,
    listed: &Listed,
    conversation: &mut Conversation<'_, S>,
) -> Result<(), Failure> {
    let id = [Value::Text(listed.id.clone())];
    let mut message = None;
    database.each_row("SELECT data FROM message WHERE id = ?1", &id, |row| {
        let place = RecordSpan::new(&*listed.id, 0, 0, listed.at_ms);
        let data = text(row, 0).unwrap_or_default();
        match object(&data) {
            Some(info) => message = conversation.begin(info, place)?,
            None => conversation
                .told
                .diagnose(&place, "the message is not valid JSON"),
        }
        Ok(())
    })?;
    let Some(mut message) = message else {
        return Ok(());
    };
    let parts = "SELECT id, data FROM part WHERE message_id = ?1 ORDER BY id";
    database.each_row(parts, &id, |row| {
        let id = text(row, 0).unwrap_or_default();
        let data = text(row, 1).unwrap_or_default();
        match object(&data) {
            Some(value) => {
                let span = (0, 0);
                conversation.part(
                    &mut message,
                    Part {
                        id: &id,
                        value,
                        span,
                    },
                )
            }
            None => {
                let place = RecordSpan::new(id, 0, 0, None);
                conversation
                    .told
                    .diagnose(&place, "the part is not valid JSON");
                Ok(())
            }
        }
    })?;
    conversation.end(message)
}

fn row<S: Sink>(
    database: &Database,
    listed: &Listed,
    conversation: &mut Conversation<'_, S>,
) -> Result<(), Failure> {
    let id = [Value::Text(listed.id.clone())];
    let sql = "SELECT type, data FROM session_message WHERE id = ?1";
    database.each_row(sql, &id, |row| {
        let place = RecordSpan::new(&*listed.id, 0, 0, listed.at_ms);
        let kind = text(row, 0).unwrap_or_default();
        let data = text(row, 1).unwrap_or_default();
        match object(&data) {
            Some(data) => conversation.row(&kind, data, place),
            None => {
                conversation
                    .told
                    .diagnose(&place, "the message is not valid JSON");
                Ok(())
            }
        }
    })
}

/// Returns the object in a column; `None` if it is not a whole object.
pub(crate) fn object(data: &str) -> Option<json::Value<'_>> {
    Scanner::new(data.as_bytes()).object().ok()
}

fn milliseconds(row: &[Value], column: usize) -> Option<u64> {
    u64::try_from(number(row, column)?).ok()
}
