//! Reads the conversations of Forge: one database, each conversation in one row as a document.
//!
//! The document is the model's context, which Forge rewrites at every change. It has no times.

mod emit;

use acreta_sdk::adapter::calls::{Calls, hash};
use acreta_sdk::adapter::database::{Database, MAGIC, Table, Value, text};
use acreta_sdk::adapter::json::Text;
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::time::milliseconds;
use acreta_sdk::adapter::{
    Adapter, Cursor, Description, EventWriter, Failure, Root, Session, Sink, Speaker, attr,
    failure, file_probe,
};

/// Name of the agent whose sessions are read.
const AGENT: &str = "forge";

/// The field of a context that holds the conversation.
const MESSAGES: &str = "messages";

/// An empty cursor: the session is read whole every time.
const START: Cursor = Cursor {
    offset: 0,
    state: Vec::new(),
};

/// The adapter.
pub struct Forge;

acreta_sdk::adapter!(Forge);

impl Adapter for Forge {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &["$FORGE_CONFIG", "~/forge", "~/.forge"],
            &[".forge.db"],
            "Forge keeps its conversations in a database here; they are read to learn from finished \
             work and never changed.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        if !file_probe::beginning(path)?.starts_with(MAGIC) {
            return Ok(Vec::new());
        }
        let database = Database::open(path)?;
        let Some(table) = conversations(&database)? else {
            return Ok(Vec::new());
        };
        let columns = table.pick(&[
            "conversation_id",
            "context",
            "title",
            "created_at",
            "updated_at",
        ]);
        let sql = format!("SELECT {columns} FROM conversations ORDER BY conversation_id");
        let mut found = Vec::new();
        database.each_row(&sql, &[], |row| {
            found.extend(session(path, row));
            Ok(())
        })?;
        Ok(found)
    }

    fn read(session: &Session, _from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        let database = Database::open(&session.path)?;
        if conversations(&database)?.is_none() {
            let message = "the database holds no conversations any more";
            return Err(failure::unreadable(message));
        }
        let sql = "SELECT context FROM conversations WHERE conversation_id = ?1";
        let rows = database.rows(sql, &[Value::Text(session.id.clone())])?;
        let context = rows
            .first()
            .and_then(|row| text(row, 0))
            .unwrap_or_default();
        let told = EventWriter::new(sink, Calls::default());
        match Outline::of(context.as_bytes(), MESSAGES) {
            Some(outline) => emit::conversation(&outline, told, Speaker::of(session))?,
            None => emit::nothing(told)?,
        }
        Ok(START)
    }
}

/// Returns the table of conversations; `None` if this is another program's database.
fn conversations(database: &Database) -> Result<Option<Table>, Failure> {
    let needed = ["conversation_id", "workspace_id", "context"];
    Table::with(database, "conversations", &needed)
}

fn session(path: &str, row: &[Value]) -> Option<Session> {
    let filled = |column| text(row, column).filter(|text| !text.is_empty());
    let time = |column| filled(column).and_then(|time| milliseconds(time.as_bytes()));
    let context = filled(1).unwrap_or_default();
    let outline = Outline::of(context.as_bytes(), MESSAGES);
    let messages = outline
        .iter()
        .flat_map(|outline| outline.items.iter().flatten());
    let (mut directory, mut model, mut has_conversation) = (None, None, false);
    for message in messages.filter_map(|item| emit::text_message(item.value)) {
        let is_system = emit::role(message) == "System";
        has_conversation |= !is_system;
        if is_system && directory.is_none() {
            directory = emit::directory(message);
        }
        let name = message.text_of("model").map(Text::lossy);
        model = name.map(String::from).or(model);
    }
    // Another agent's request, on behalf of which Forge started the conversation.
    let initiator = outline.and_then(|outline| outline.text("initiator"));
    let is_subagent = initiator.as_deref() == Some("agent");
    let mut attrs = Vec::new();
    attrs.extend(is_subagent.then(|| attr("relation", "subagent")));
    attrs.extend(filled(2).map(|title| attr("title", title)));
    attrs.extend(model.map(|model| attr("model", model)));
    attrs.extend((!has_conversation).then(|| attr("empty", "true")));
    Some(Session {
        id: filled(0)?,
        agent: AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: directory,
        parent: None,
        started_ms: time(3),
        updated_ms: time(4).or_else(|| time(3)),
        revision: format!("{}:{:016x}", context.len(), hash(context.as_bytes())),
        attrs,
    })
}
