//! The database of an agent: a row for each entry of each session. Old entries are compressed.

use std::io::Read;

use acreta_sdk::adapter::database::{Database, Table, Value, number, text};
use acreta_sdk::adapter::json::Scanner;
use acreta_sdk::adapter::{Cursor, Failure, Session, Sink, attr, failure};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// An empty cursor: the session is read whole every time.
const START: Cursor = Cursor {
    offset: 0,
    state: Vec::new(),
};

/// Maximum size of one entry, and of the window it is compressed with: OpenClaw compresses none that is larger.
const ENTRY_BYTES: u64 = 4 * 1024 * 1024;

/// Number of entries at the beginning of a session that are examined when it is listed.
const EXAMINED: i64 = 24;

/// Parts of the key of a session that no person typed in.
const UNTYPED: [&str; 3] = ["subagent", "cron", "hook"];

/// Parts of the key of a session in which several people write.
const CHANNELS: [&str; 3] = ["channel", "group", "room"];

/// Lists the sessions of a database; empty if it is not OpenClaw's.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let database = Database::open(path)?;
    if events(&database)?.is_none() {
        return Ok(Vec::new());
    }
    let Some(windows) = Table::with(&database, "session_windows", &["session_id"])? else {
        return Ok(Vec::new());
    };
    let columns = windows.pick(&["session_id", "session_key", "updated_at"]);
    let sql = format!(
        "SELECT {columns}, e.count, e.last FROM session_windows JOIN (SELECT session_id AS holder, \
         count(*) AS count, max(created_at) AS last FROM transcript_events GROUP BY session_id) e \
         ON e.holder = session_windows.session_id ORDER BY session_windows.session_id"
    );
    let mut found = Vec::new();
    for row in database.rows(&sql, &[])? {
        found.extend(session(&database, path, &row)?);
    }
    Ok(found)
}

fn session(database: &Database, path: &str, row: &[Value]) -> Result<Option<Session>, Failure> {
    let Some(id) = text(row, 0) else {
        return Ok(None);
    };
    let count = |column| number(row, column).unwrap_or(0);
    let revision = format!("{}:{}:{}", count(2), count(3), count(4));
    let mut entries = Vec::new();
    each_entry(database, &id, EXAMINED, |entry| {
        entries.extend(entry.ok());
        Ok(())
    })?;
    let entries = entries
        .iter()
        .filter_map(|entry| Scanner::new(entry).object().ok());
    let session = adapter_pi::of_entries(path, revision, entries);
    Ok(session.map(|mut session| {
        session.id = id;
        let last = u64::try_from(count(4)).ok();
        session.updated_ms = session.updated_ms.max(last.filter(|last| *last > 0));
        let key = text(row, 1).unwrap_or_default();
        if key.split(':').any(|part| UNTYPED.contains(&part)) {
            session.attrs.retain(|(name, _)| name != "relation");
            session.attrs.push(attr("relation", "subagent"));
        } else if key.split(':').any(|part| CHANNELS.contains(&part)) {
            session.attrs.push(attr("channel", key));
        }
        session
    }))
}

/// Emits one session.
pub(crate) fn read(session: &Session, sink: &mut impl Sink) -> Result<Cursor, Failure> {
    let database = Database::open(&session.path)?;
    if events(&database)?.is_none() {
        let message = "the database holds no sessions any more";
        return Err(failure::unreadable(message));
    }
    adapter_pi::read_entries(session, sink, |visit| {
        each_entry(&database, &session.id, i64::MAX, |entry| match entry {
            Ok(entry) => visit(Scanner::new(&entry).object().map_err(|_| "not valid JSON")),
            Err(message) => visit(Err(message)),
        })
    })?;
    Ok(START)
}

fn events(database: &Database) -> Result<Option<Table>, Failure> {
    let needed = ["session_id", "seq", "event_json", "created_at"];
    Table::with(database, "transcript_events", &needed)
}

/// Visits the first entries of a session, as JSON.
fn each_entry(
    database: &Database,
    id: &str,
    most: i64,
    mut visit: impl FnMut(Result<Vec<u8>, &'static str>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Some(table) = events(database)? else {
        return Ok(());
    };
    let columns = table.pick(&["event_json", "event_zstd"]);
    let sql = format!(
        "SELECT {columns} FROM transcript_events WHERE session_id = ?1 ORDER BY seq LIMIT ?2"
    );
    let parameters = [Value::Text(id.to_owned()), Value::Integer(most)];
    database.each_row(&sql, &parameters, |row| {
        let plain = text(row, 0).map(String::into_bytes);
        visit(match (plain, row.get(1)) {
            (Some(plain), _) => Ok(plain),
            (None, Some(Value::Blob(bytes))) => {
                decompressed(bytes).ok_or("a compressed entry cannot be decoded")
            }
            _ => Err("an entry without content"),
        })
    })
}

fn decompressed(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(2 * ENTRY_BYTES);
    let decoder = StreamingDecoder::new_with_decoder(bytes, decoder).ok()?;
    let mut entry = Vec::new();
    decoder.take(ENTRY_BYTES + 1).read_to_end(&mut entry).ok()?;
    (entry.len() as u64 <= ENTRY_BYTES).then_some(entry)
}
