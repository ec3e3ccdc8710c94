//! Reads the threads of Zed's own agent: a database with one compressed document per thread. Other agents that Zed runs
//! store their threads themselves.

mod emit;
mod legacy;
mod pieces;

use std::io::Read;

use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::database::{Database, MAGIC, Table, Value, number, text};
use acreta_sdk::adapter::document::DOCUMENT_LIMIT;
use acreta_sdk::adapter::json::Value as Json;
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::time::milliseconds;
use acreta_sdk::adapter::{
    Adapter, Cursor, Description, EventWriter, Failure, Root, Session, Sink, attr, failure,
    file_probe,
};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// Name of the agent whose sessions are read.
const AGENT: &str = "zed";

/// The field of a thread that holds the conversation.
const MESSAGES: &str = "messages";

/// Maximum window: the requirement of the strongest common setting.
const WINDOW: u64 = 8 * 1024 * 1024;

/// An empty cursor: the session is read whole every time.
const START: Cursor = Cursor {
    offset: 0,
    state: Vec::new(),
};

/// The adapter.
pub struct Zed;

acreta_sdk::adapter!(Zed);

impl Adapter for Zed {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &[
                "$XDG_DATA_HOME/zed/threads",
                "<data>/zed/threads",
                "<data>/Zed/threads",
                "~/.var/app/dev.zed.Zed/data/zed/threads",
            ],
            &["threads.db"],
            "Zed keeps the threads of its agent in a database here; they are read to learn from \
             finished work and never changed.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        if !file_probe::beginning(path)?.starts_with(MAGIC) {
            return Ok(Vec::new());
        }
        let database = Database::open(path)?;
        let Some(table) = threads(&database)? else {
            return Ok(Vec::new());
        };
        let columns = table.pick(&[
            "id",
            "summary",
            "updated_at",
            "created_at",
            "folder_paths",
            "folder_paths_order",
            "parent_id",
        ]);
        let sql = format!("SELECT {columns}, length(data) FROM threads ORDER BY id");
        let mut found = Vec::new();
        database.each_row(&sql, &[], |row| {
            found.extend(session(path, row));
            Ok(())
        })?;
        // Threads from before the column was there name their directory inside.
        for session in &mut found {
            if session.project_dir.is_none()
                && let Ok(bytes) = thread(&database, &session.id)
            {
                session.project_dir = Outline::of(&bytes, MESSAGES).and_then(|it| snapshot(&it));
            }
        }
        Ok(found)
    }

    fn read(session: &Session, _: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        let database = Database::open(&session.path)?;
        let bytes = thread(&database, &session.id)?;
        let Some(thread) = Outline::of(&bytes, MESSAGES) else {
            return Err(failure::unreadable("the thread is not a JSON object"));
        };
        let told = EventWriter::new(sink, Calls::default());
        emit::thread(&thread, session, told)?;
        Ok(START)
    }
}

fn threads(database: &Database) -> Result<Option<Table>, Failure> {
    let needed = ["id", "summary", "updated_at", "data_type", "data"];
    Table::with(database, "threads", &needed)
}

fn session(path: &str, row: &[Value]) -> Option<Session> {
    let filled = |column| text(row, column).filter(|text| !text.is_empty());
    let time = |column| filled(column).and_then(|time| milliseconds(time.as_bytes()));
    let parent = filled(6);
    let mut attrs = Vec::new();
    attrs.extend(parent.is_some().then(|| attr("relation", "subagent")));
    attrs.extend(filled(1).map(|title| attr("title", title)));
    Some(Session {
        id: text(row, 0)?,
        agent: AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: filled(4).and_then(|paths| folder(&paths, filled(5).as_deref())),
        parent,
        started_ms: time(3),
        updated_ms: time(2),
        revision: format!(
            "{}:{}",
            filled(2).unwrap_or_default(),
            number(row, 7).unwrap_or(0)
        ),
        attrs,
    })
}

/// Returns the first of several folders: one per line, sorted; `order` has their order.
fn folder(paths: &str, order: Option<&str>) -> Option<String> {
    let first = order.and_then(|order| order.split(',').next()?.trim().parse().ok());
    let mut lines = paths.lines();
    let path = lines
        .nth(first.unwrap_or(0))
        .or_else(|| paths.lines().next())?;
    (!path.is_empty()).then(|| path.to_owned())
}

/// Returns the directory in which a thread began.
fn snapshot(thread: &Outline<'_>) -> Option<String> {
    let snapshot = thread.field("initial_project_snapshot")?;
    let trees = snapshot.field("worktree_snapshots").map(Json::elements)?;
    let path = trees.first()?.text_of("worktree_path")?.lossy();
    (!path.is_empty()).then(|| path.into_owned())
}

/// Reads and decompresses the document of one thread.
fn thread(database: &Database, id: &str) -> Result<Vec<u8>, Failure> {
    let sql = "SELECT data_type, data FROM threads WHERE id = ?1";
    let rows = database.rows(sql, &[Value::Text(id.to_owned())])?;
    let Some(row) = rows.first() else {
        return Err(failure::unreadable("the thread is gone"));
    };
    let data = match row.get(1) {
        Some(Value::Blob(bytes)) => bytes.clone(),
        Some(Value::Text(text)) => text.clone().into_bytes(),
        _ => Vec::new(),
    };
    if text(row, 0).as_deref() != Some("zstd") {
        return Ok(data);
    }
    let damaged = || failure::unreadable("the compressed thread cannot be decoded");
    let mut decoder = FrameDecoder::new();
    decoder.set_max_window_size(WINDOW);
    let decoder = StreamingDecoder::new_with_decoder(&data[..], decoder).map_err(|_| damaged())?;
    let mut bytes = Vec::new();
    let read = decoder.take(DOCUMENT_LIMIT + 1).read_to_end(&mut bytes);
    read.map_err(|_| damaged())?;
    if bytes.len() as u64 > DOCUMENT_LIMIT {
        let message = format!("the thread is larger than {} MiB", DOCUMENT_LIMIT >> 20);
        return Err(failure::unreadable(&message));
    }
    Ok(bytes)
}
