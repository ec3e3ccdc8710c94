//! Reads the sessions of Hermes Agent: one database of many sessions, whose messages have the fields of OpenAI's chat
//! interface as columns. Only the tables of the conversation are read.

mod emit;

use acreta_sdk::adapter::database::{Database, MAGIC, Table, Value, number, text};
use acreta_sdk::adapter::json::{Scanner, Value as Json};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Root, Session, Sink, Speaker, attr, failure, file_probe,
};

/// Name of the agent whose sessions are read.
const AGENT: &str = "hermes";

/// An empty cursor: the session is read whole every time.
const START: Cursor = Cursor {
    offset: 0,
    state: Vec::new(),
};

/// Sources of sessions that nobody types in.
const UNTYPED: [&str; 3] = ["cron", "subagent", "tool"];

/// Sources of sessions at this machine. All others are channels, in which anybody may write: chat groups, mailboxes, webhooks.
const LOCAL: [&str; 6] = ["", "acp", "cli", "desktop", "local", "tui"];

/// The adapter.
pub struct Hermes;

acreta_sdk::adapter!(Hermes);

impl Adapter for Hermes {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &["$HERMES_HOME", "~/.hermes"],
            &["state.db"],
            "Hermes Agent keeps its sessions in a database here; they are read to learn from \
             finished work and never changed.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        if !file_probe::beginning(path)?.starts_with(MAGIC) {
            return Ok(Vec::new());
        }
        let database = Database::open(path)?;
        match tables(&database)? {
            Some((sessions, _)) => list(&database, &sessions, path),
            None => Ok(Vec::new()),
        }
    }

    fn read(session: &Session, _from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        let database = Database::open(&session.path)?;
        let Some((_, messages)) = tables(&database)? else {
            let message = "the database holds no sessions any more";
            return Err(failure::unreadable(message));
        };
        emit::session(&database, &messages, session, Speaker::of(session), sink)?;
        Ok(START)
    }
}

/// Returns the tables of the conversation; `None` if this is another program's database.
fn tables(database: &Database) -> Result<Option<(Table, Table)>, Failure> {
    let sessions = Table::with(database, "sessions", &["id", "source", "started_at"])?;
    let needed = [
        "id",
        "session_id",
        "role",
        "content",
        "tool_calls",
        "tool_name",
    ];
    let messages = Table::with(database, "messages", &needed)?;
    Ok(sessions.zip(messages))
}

fn list(database: &Database, sessions: &Table, path: &str) -> Result<Vec<Session>, Failure> {
    let columns = sessions.pick(&[
        "id",
        "source",
        "model",
        "model_config",
        "parent_session_id",
        "started_at",
        "ended_at",
        "cwd",
        "git_repo_root",
        "title",
        "git_branch",
    ]);
    // A message is added, or set inactive when it was summarised.
    let sql = format!(
        "SELECT {columns}, m.count, m.last, m.at, m.bytes FROM sessions LEFT JOIN \
         (SELECT session_id AS holder, count(*) AS count, max(id) AS last, max(timestamp) AS at, \
         sum(length(content)) AS bytes FROM messages GROUP BY session_id) m \
         ON m.holder = sessions.id ORDER BY sessions.id"
    );
    let mut found = Vec::new();
    database.each_row(&sql, &[], |row| {
        found.extend(session(path, row));
        Ok(())
    })?;
    Ok(found)
}

fn session(path: &str, row: &[Value]) -> Option<Session> {
    let filled = |column| text(row, column).filter(|text| !text.is_empty());
    let count = |column| number(row, column).unwrap_or(0);
    let config = filled(3).unwrap_or_default();
    let config = Scanner::new(config.as_bytes()).object().ok();
    let is_delegate = config.is_some_and(|config| config.field("_delegate_from").is_some());
    let source = filled(1).unwrap_or_default();
    let is_untyped = is_delegate || UNTYPED.contains(&&*source);
    let parent = filled(4);
    // Otherwise a session goes on from one that was summarised or branched.
    let relation = match (is_untyped, &parent) {
        (true, _) => Some("subagent"),
        (false, Some(_)) => Some("fork"),
        (false, None) => None,
    };
    let mut attrs = Vec::new();
    attrs.extend(relation.map(|relation| attr("relation", relation)));
    let is_channel = !is_untyped && !LOCAL.contains(&&*source);
    attrs.extend(is_channel.then(|| attr("channel", &source)));
    attrs.extend(filled(9).map(|title| attr("title", title)));
    attrs.extend(filled(2).map(|model| attr("model", model)));
    attrs.extend(filled(10).map(|branch| attr("branch", branch)));
    attrs.extend((count(11) == 0).then(|| attr("empty", "true")));
    let started_ms = seconds(row, 5);
    Some(Session {
        id: text(row, 0)?,
        agent: AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: filled(7).or_else(|| filled(8)),
        parent,
        started_ms,
        updated_ms: seconds(row, 13).max(seconds(row, 6)).or(started_ms),
        revision: format!("{}:{}:{}", count(11), count(12), count(14)),
        attrs,
    })
}

/// Returns the time in a column with seconds and a fraction.
fn seconds(row: &[Value], column: usize) -> Option<u64> {
    let seconds = match row.get(column)? {
        Value::Integer(seconds) => seconds.to_string(),
        Value::Real(seconds) => seconds.to_string(),
        _ => return None,
    };
    instant(Json::Scalar(seconds.as_bytes()))
}
