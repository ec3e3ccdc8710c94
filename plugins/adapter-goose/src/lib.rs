//! Reads the sessions of Goose: one database of many sessions, of which only the tables of the conversation are read,
//! and the older files with one session each.

mod content;
mod file;

use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::database::{Database, MAGIC, Table, Value, number, text};
use acreta_sdk::adapter::json::{Scanner, Value as Json};
use acreta_sdk::adapter::time::{instant, milliseconds};
use acreta_sdk::adapter::{
    Adapter, Cursor, Description, EventWriter, Failure, RecordSpan, Root, Session, Sink, Speaker,
    Unique, attr, failure, file_probe,
};

/// Name of the agent whose sessions are read.
const AGENT: &str = "goose";

/// An empty cursor: the session is read whole every time.
const START: Cursor = Cursor {
    offset: 0,
    state: Vec::new(),
};

/// The adapter.
pub struct Goose;

acreta_sdk::adapter!(Goose);

impl Adapter for Goose {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &[
                "$GOOSE_PATH_ROOT/data/sessions",
                "$XDG_DATA_HOME/goose/sessions",
                "~/.local/share/goose/sessions",
                "<config>/Block/goose/data/sessions",
            ],
            &["sessions.db", "*.jsonl"],
            "Goose keeps its sessions in a database here, older ones in files; they are read to \
             learn from finished work and never changed.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        if !file_probe::beginning(path)?.starts_with(MAGIC) {
            return file::sessions(path);
        }
        let database = Database::open(path)?;
        match tables(&database)? {
            Some((sessions, _)) => list(&database, &sessions, path),
            None => Ok(Vec::new()),
        }
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        if !file_probe::beginning(&session.path)?.starts_with(MAGIC) {
            return file::read(session, from, sink);
        }
        let database = Database::open(&session.path)?;
        let Some((sessions, messages)) = tables(&database)? else {
            let message = "the database holds no sessions any more";
            return Err(failure::unreadable(message));
        };
        let speaker = speaker(&database, &sessions, session)?;
        emit(&database, &messages, session, speaker, sink)?;
        Ok(START)
    }
}

/// Types of sessions that a person types in.
const TYPED: &[&str] = &["acp", "terminal", "user"];

/// Returns the tables of the conversation; `None` if this is another program's database.
fn tables(database: &Database) -> Result<Option<(Table, Table)>, Failure> {
    let sessions = Table::with(database, "sessions", &["id", "working_dir"])?;
    let messages = Table::with(
        database,
        "messages",
        &["id", "session_id", "role", "content_json"],
    )?;
    Ok(sessions.zip(messages))
}

fn list(database: &Database, sessions: &Table, path: &str) -> Result<Vec<Session>, Failure> {
    let columns = sessions.pick(&[
        "id",
        "name",
        "description",
        "working_dir",
        "created_at",
        "updated_at",
        "session_type",
        "parent_session_id",
        "model_config_json",
    ]);
    // No other column of a row changes with every message.
    let sql = format!(
        "SELECT {columns}, m.count, m.last, m.bytes FROM sessions LEFT JOIN \
         (SELECT session_id AS holder, count(*) AS count, max(id) AS last, \
         sum(length(content_json)) AS bytes FROM messages GROUP BY session_id) m \
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
    let time = |column| filled(column).and_then(|time| milliseconds(time.as_bytes()));
    let count = |column| number(row, column).unwrap_or(0);
    let model = filled(8).and_then(|model| {
        let model = Scanner::new(model.as_bytes()).object().ok()?;
        Some(model.text_of("model_name")?.lossy().into_owned())
    });
    let parent = filled(7);
    let is_subagent = filled(6).as_deref() == Some("sub_agent");
    let mut attrs = Vec::new();
    attrs.extend(is_subagent.then(|| attr("relation", "subagent")));
    let title = filled(1).or_else(|| filled(2));
    attrs.extend(title.map(|title| attr("title", title)));
    attrs.extend(model.map(|model| attr("model", model)));
    attrs.extend((count(9) == 0).then(|| attr("empty", "true")));
    Some(Session {
        id: text(row, 0)?,
        agent: AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: filled(3),
        parent: parent.filter(|_| is_subagent),
        started_ms: time(4),
        updated_ms: time(5),
        revision: format!(
            "{}:{}:{}:{}",
            filled(5).unwrap_or_default(),
            count(9),
            count(10),
            count(11)
        ),
        attrs,
    })
}

/// Who speaks in a session.
#[derive(Clone, Copy)]
struct Speakers {
    first: Speaker,
    later: Speaker,
}

/// Derives who speaks. A recipe's prompt is the first message; nobody types in a session that a schedule or another agent
/// started.
fn speaker(database: &Database, sessions: &Table, session: &Session) -> Result<Speakers, Failure> {
    let columns = sessions.pick(&["session_type", "recipe_json"]);
    let sql = format!("SELECT {columns} FROM sessions WHERE id = ?1");
    let (mut is_typed, mut has_recipe) = (true, false);
    database.each_row(&sql, &[Value::Text(session.id.clone())], |row| {
        let filled = |column| text(row, column).filter(|text| !text.is_empty());
        is_typed = filled(0).is_none_or(|it| TYPED.contains(&it.as_str()));
        has_recipe = filled(1).is_some_and(|it| it != "null");
        Ok(())
    })?;
    let said_by = |is_typed| match is_typed {
        true => Speaker::Person,
        false => Speaker::Agent,
    };
    Ok(Speakers {
        first: said_by(is_typed && !has_recipe),
        later: said_by(is_typed),
    })
}

fn emit(
    database: &Database,
    messages: &Table,
    session: &Session,
    speakers: Speakers,
    sink: &mut impl Sink,
) -> Result<(), Failure> {
    let mut told = EventWriter::new(sink, Calls::default());
    let mut ids = Unique::default();
    let mut speaker = speakers.first;
    let columns = messages.pick(&[
        "id",
        "message_id",
        "role",
        "content_json",
        "created_timestamp",
        "metadata_json",
    ]);
    let sql = format!("SELECT {columns} FROM messages WHERE session_id = ?1 ORDER BY id");
    database.each_row(&sql, &[Value::Text(session.id.clone())], |row| {
        let number_of = number(row, 0).unwrap_or(0).to_string();
        let id = text(row, 1).filter(|id| !id.is_empty());
        let seconds = number(row, 4).unwrap_or(0).to_string();
        let at_ms = instant(Json::Scalar(seconds.as_bytes()));
        let mut place = RecordSpan::new(id.unwrap_or_else(|| number_of.clone()), 0, 0, at_ms);
        ids.name(&mut place, &number_of);
        let (content, metadata) = (text(row, 3).unwrap_or_default(), text(row, 5));
        let metadata = metadata.unwrap_or_default();
        let message = content::Message {
            role: &text(row, 2).unwrap_or_default(),
            content: Scanner::new(content.as_bytes()).value().ok(),
            metadata: Scanner::new(metadata.as_bytes()).object().ok(),
        };
        message.emit(&mut told, &mut place, speaker)?;
        if message.role == "user" {
            speaker = speakers.later;
        }
        told.close(&place);
        Ok(())
    })?;
    told.finish()?;
    Ok(())
}
