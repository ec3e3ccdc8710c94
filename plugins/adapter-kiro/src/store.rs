//! Conversations in Kiro's database. It also holds the login, so only the two tables named here are ever queried.

use std::collections::HashSet;

use acreta_sdk::adapter::database::{Database, Value};
use acreta_sdk::adapter::{Attrs, Cursor, Failure, Session, Sink, attr, failure};

use crate::document::{self, Origin};

/// A table of conversations: the newer one has columns for id and times.
struct Table {
    name: &'static str,
    columns: &'static [&'static str],
    list: &'static str,
    value: &'static str,
}

/// Conversations up to 24 MiB are parsed when they are listed.
const TABLES: [Table; 2] = [
    Table {
        name: "conversations_v2",
        columns: &[
            "key",
            "conversation_id",
            "value",
            "created_at",
            "updated_at",
        ],
        list: "SELECT key, conversation_id, created_at, updated_at, octet_length(value),
                      CASE WHEN octet_length(value) <= 25165824 THEN
                          CASE WHEN json_valid(value) THEN json_array_length(value, '$.history') END
                      END
               FROM conversations_v2 ORDER BY updated_at DESC",
        value: "SELECT value FROM conversations_v2 WHERE conversation_id = ?1
                ORDER BY updated_at DESC",
    },
    // A damaged or oversized conversation is identified by its key.
    Table {
        name: "conversations",
        columns: &["key", "value"],
        list: "SELECT key, coalesce(json_extract(text, '$.conversation_id'), key), NULL, NULL,
                      bytes, json_array_length(text, '$.history')
               FROM (SELECT key, octet_length(value) AS bytes,
                            CASE WHEN octet_length(value) <= 25165824 THEN
                                CASE WHEN json_valid(value) THEN value END
                            END AS text
                     FROM conversations)",
        value: "SELECT value FROM conversations
                WHERE ?1 = coalesce(CASE WHEN octet_length(value) <= 25165824 THEN
                                        CASE WHEN json_valid(value) THEN
                                            json_extract(value, '$.conversation_id')
                                        END
                                    END, key)",
    },
];

impl Table {
    fn is_in(&self, database: &Database) -> Result<bool, Failure> {
        let columns = database.columns(self.name)?;
        let has = |name: &&str| columns.iter().any(|column| column == name);
        Ok(self.columns.iter().all(has))
    }
}

/// Lists the conversations in a database; empty if it is not Kiro's.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let database = Database::open(path)?;
    let mut sessions = Vec::new();
    let mut ids = HashSet::new();
    for table in &TABLES {
        if !table.is_in(&database)? {
            continue;
        }
        database.each_row(table.list, &[], |row| {
            // A conversation that was moved to the newer table may still be in the older one.
            let session = session(path, row).filter(|session| ids.insert(session.id.clone()));
            sessions.extend(session);
            Ok(())
        })?;
    }
    Ok(sessions)
}

fn session(path: &str, row: &[Value]) -> Option<Session> {
    let [key, id, created, updated, length, entries] = row else {
        return None;
    };
    let id = id.text()?.into_owned();
    let number = |value: &Value| {
        value
            .integer()
            .and_then(|number| u64::try_from(number).ok())
    };
    let updated_ms = number(updated).map(milliseconds);
    let entries = number(entries);
    let mut attrs = Attrs::new();
    if entries == Some(0) {
        attrs.push(attr("empty", "true"));
    }
    let (length, counted) = (number(length).unwrap_or(0), entries.unwrap_or(0));
    Some(Session {
        id,
        agent: crate::AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: key
            .text()
            .filter(|key| key.contains(['/', '\\']))
            .map(Into::into),
        parent: None,
        started_ms: number(created).map(milliseconds),
        updated_ms,
        revision: format!("{}:{counted}:{length}", updated_ms.unwrap_or(0)),
        attrs,
    })
}

/// Times are milliseconds, in some versions seconds.
fn milliseconds(time: u64) -> u64 {
    const MOST_SECONDS: u64 = 100_000_000_000;
    if time <= MOST_SECONDS {
        time * 1000
    } else {
        time
    }
}

/// Reads one conversation.
pub(crate) fn read(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let database = Database::open(&session.path)?;
    for table in &TABLES {
        if !table.is_in(&database)? {
            continue;
        }
        let rows = database.rows(table.value, &[Value::Text(session.id.clone())])?;
        let value = rows.first().and_then(|row| row.first()?.text());
        if let Some(value) = value {
            return document::emit(value.as_bytes(), Origin::Row, from, sink);
        }
    }
    Err(failure::unreadable(
        "the conversation is no longer in the database",
    ))
}
