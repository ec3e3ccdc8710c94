//! One session of the command line: a database of blobs keyed by their digest. A blob is a message as JSON, or a node
//! of the tree of messages, of which only the root is read. A repeated message is one blob, which the root names twice.

use std::collections::HashSet;

use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::database::{Database, Value};
use acreta_sdk::adapter::json::{Scanner, Text};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{
    Attrs, EventWriter, Failure, RecordSpan, Session, Sink, Speaker, Unique, attr, path as place,
};

use crate::message;
use crate::root::Root;

/// One blob of at most 8 MiB: it has to fit into memory.
const BLOB: &str = "SELECT CASE WHEN octet_length(data) <= 8388608 THEN data END
                    FROM blobs WHERE id = ?1";

/// Blobs that are messages of at most this size.
const IS_MESSAGE: &str = "CASE WHEN octet_length(data) <= 8388608 THEN
                              CASE WHEN json_valid(CAST(data AS TEXT))
                                   THEN json_extract(CAST(data AS TEXT), '$.role') END
                          END IS NOT NULL";

/// Reports whether a database is the command line's.
pub(crate) fn is_own(database: &Database) -> Result<bool, Failure> {
    let tables = [("blobs", ["id", "data"]), ("meta", ["key", "value"])];
    for (table, expected) in tables {
        let columns = database.columns(table)?;
        if !expected
            .iter()
            .all(|name| columns.iter().any(|column| column == name))
        {
            return Ok(false);
        }
    }
    Ok(Meta::of(database)?.is_some())
}

/// Returns the session in a database.
pub(crate) fn sessions(path: &str, database: &Database) -> Result<Vec<Session>, Failure> {
    let Some(meta) = Meta::of(database)? else {
        return Ok(Vec::new());
    };
    let root = meta.root(database)?.unwrap_or_default();
    let mut folders = place::folders(path);
    let (session, bucket) = (folders.next(), folders.next());
    let id = meta
        .id
        .or_else(|| session.map(str::to_owned))
        .unwrap_or_default();
    let mut attrs = Attrs::new();
    attrs.extend(meta.name.map(|name| attr("title", name)));
    attrs.extend(meta.model.map(|model| attr("model", model)));
    let is_digest = |name: &&str| name.len() == 32 && name.bytes().all(|d| d.is_ascii_hexdigit());
    attrs.extend(
        bucket
            .filter(is_digest)
            .map(|digest| attr("project_digest", digest)),
    );
    let blobs = count(database, "SELECT count(*) FROM blobs")?;
    if blobs == 0 {
        attrs.push(attr("empty", "true"));
    }
    Ok(vec![Session {
        id,
        agent: crate::AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: root.directory.as_deref().and_then(place::of_address),
        parent: None,
        started_ms: meta.started_ms,
        updated_ms: meta.started_ms,
        revision: format!("{}:{blobs}", meta.root.unwrap_or_default()),
        attrs,
    }])
}

/// Reads the session.
pub(crate) fn read(
    session: &Session,
    database: &Database,
    sink: &mut impl Sink,
) -> Result<(), Failure> {
    let mut told = EventWriter::new(sink, Calls::default());
    let mut unique = Unique::default();
    let speaker = Speaker::of(session);
    let whole = RecordSpan::new(&*session.id, 0, 0, None);
    let root = match Meta::of(database)? {
        Some(meta) => meta.root(database)?,
        None => None,
    };
    let ids = root.unwrap_or_default().messages;
    let messages = count(
        database,
        &format!("SELECT count(*) FROM blobs WHERE {IS_MESSAGE}"),
    )?;
    if ids.is_empty() && messages > 0 {
        told.diagnose(
            &whole,
            "the order of the messages is not known: told as they were written",
        );
        let statement = format!("SELECT id, data FROM blobs WHERE {IS_MESSAGE} ORDER BY rowid");
        database.each_row(&statement, &[], |row| {
            let [id, data] = row else { return Ok(()) };
            let id = id.text().unwrap_or_default();
            blob(&mut told, &mut unique, speaker, &id, bytes(data))
        })?;
        return told.finish().map(|_| ());
    }
    let mut found = HashSet::new();
    for id in &ids {
        let rows = database.rows(BLOB, &[Value::Text(id.clone())])?;
        let data = rows.first().and_then(|row| row.first()).and_then(bytes);
        if data.is_some() {
            found.insert(id);
        }
        blob(&mut told, &mut unique, speaker, id, data)?;
    }
    let left = messages.saturating_sub(found.len() as u64);
    if left > 0 {
        let message = format!("{left} messages are not in the conversation and left out");
        told.diagnose(&whole, &message);
    }
    told.finish().map(|_| ())
}

fn blob<S: Sink>(
    told: &mut EventWriter<'_, S>,
    unique: &mut Unique,
    speaker: Speaker,
    id: &str,
    data: Option<&[u8]>,
) -> Result<(), Failure> {
    let mut place = RecordSpan::new(id, 0, 0, None);
    unique.name(&mut place, id);
    let Some(data) = data else {
        told.diagnose(
            &place,
            "a message of the conversation is not in the database, or too large",
        );
        return Ok(());
    };
    match Scanner::new(data).object() {
        Ok(message) if message.text_of("role").is_some() => {
            message::emit(told, speaker, message, message.field("content"), &mut place)
        }
        _ => {
            told.diagnose(&place, "a message of the conversation is not valid JSON");
            Ok(())
        }
    }
}

/// The session's properties in the database.
struct Meta {
    id: Option<String>,
    root: Option<String>,
    name: Option<String>,
    model: Option<String>,
    started_ms: Option<u64>,
}

impl Meta {
    /// Returns `None` if the database has no session.
    fn of(database: &Database) -> Result<Option<Self>, Failure> {
        let rows = database.rows("SELECT value FROM meta WHERE key = '0'", &[])?;
        let value = rows.first().and_then(|row| row.first()).and_then(bytes);
        let Some(json) = value.and_then(plain) else {
            return Ok(None);
        };
        let Ok(value) = Scanner::new(&json).object() else {
            return Ok(None);
        };
        let text = |name: &str| {
            let text = value.text_of(name).map(Text::lossy);
            text.filter(|text| !text.is_empty())
                .map(|text| text.into_owned())
        };
        let (id, root) = (text("agentId"), text("latestRootBlobId"));
        let is_session = id.is_some() || root.is_some();
        Ok(is_session.then(|| Self {
            id,
            root,
            name: text("name"),
            model: text("lastUsedModel"),
            started_ms: value.field("createdAt").and_then(instant),
        }))
    }

    /// Returns the root of the session; `None` if it is missing or invalid.
    fn root(&self, database: &Database) -> Result<Option<Root>, Failure> {
        let Some(id) = self.root.clone() else {
            return Ok(None);
        };
        let rows = database.rows(BLOB, &[Value::Text(id)])?;
        let data = rows.first().and_then(|row| row.first()).and_then(bytes);
        Ok(data.and_then(Root::of))
    }
}

/// Decodes JSON that is written plainly or in hexadecimal.
fn plain(value: &[u8]) -> Option<Vec<u8>> {
    if value.first() == Some(&b'{') {
        return Some(value.to_vec());
    }
    let digit = |byte: u8| {
        char::from(byte)
            .to_digit(16)
            .and_then(|digit| u8::try_from(digit).ok())
    };
    let (pairs, []) = value.as_chunks::<2>() else {
        return None;
    };
    pairs
        .iter()
        .map(|[high, low]| Some(digit(*high)? * 16 + digit(*low)?))
        .collect()
}

fn bytes(value: &Value) -> Option<&[u8]> {
    match value {
        Value::Text(text) => Some(text.as_bytes()),
        Value::Blob(bytes) => Some(bytes),
        _ => None,
    }
}

fn count(database: &Database, statement: &str) -> Result<u64, Failure> {
    let rows = database.rows(statement, &[])?;
    let count = rows.first().and_then(|row| row.first()?.integer());
    Ok(count
        .and_then(|count| u64::try_from(count).ok())
        .unwrap_or(0))
}
