//! The database of the earlier OpenCode that was written in Go: a different program with other tables under the same
//! name. It became Crush, whose tables have grown since.

use acreta_sdk::adapter::database::{Database, Table, Value, number, text};
use acreta_sdk::adapter::json::{self, Scanner, Text};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{
    Attrs, Cursor, Failure, RecordSpan, Reply, Session, Sink, failure, shorten,
};

use crate::emit::{Conversation, text_of};
use crate::info::{self, SessionDetails};
use crate::{AGENT, Program, START};

/// Returns the tables of the conversation; `None` if this is another program's database.
fn tables(database: &Database) -> Result<Option<(Table, Table)>, Failure> {
    let sessions = Table::with(database, "sessions", &["id", "parent_session_id", "title"])?;
    let messages = Table::with(database, "messages", &["id", "session_id", "role", "parts"])?;
    Ok(sessions.zip(messages))
}

/// Lists all sessions in a database; empty if it is not this program's.
pub(crate) fn sessions(
    database: &Database,
    path: &str,
    program: Program,
) -> Result<Vec<Session>, Failure> {
    let Some((table, messages)) = tables(database)? else {
        return Ok(Vec::new());
    };
    if Program::of_messages(&messages) != program {
        return Ok(Vec::new());
    }
    let columns = table.pick(&["created_at", "updated_at"]);
    let sql = format!(
        "SELECT s.id, s.parent_session_id, s.title, {columns}, \
         (SELECT count(*) FROM messages m WHERE m.session_id = s.id), \
         (SELECT sum(length(m.parts)) FROM messages m WHERE m.session_id = s.id) \
         FROM sessions s ORDER BY s.id"
    );
    let mut sessions = Vec::new();
    database.each_row(&sql, &[], |row| {
        let Some(id) = text(row, 0) else {
            return Ok(());
        };
        let parent = text(row, 1).filter(|parent| !parent.is_empty());
        let messages = number(row, 5).unwrap_or(0);
        sessions.push(Session {
            id,
            agent: AGENT.to_owned(),
            path: path.to_owned(),
            project_dir: None,
            started_ms: number(row, 3).and_then(time),
            updated_ms: number(row, 4).and_then(time),
            // Times are whole seconds, within which a reply may grow more than once.
            revision: format!(
                "{}:{messages}:{}",
                number(row, 4).unwrap_or(0),
                number(row, 6).unwrap_or(0)
            ),
            attrs: info::attrs(SessionDetails {
                is_child: parent.is_some(),
                title: text(row, 2),
                is_empty: messages == 0,
                ..SessionDetails::default()
            }),
            parent,
        });
        Ok(())
    })?;
    Ok(sessions)
}

pub(crate) fn read(
    database: &Database,
    session: &Session,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let Some((sessions, messages)) = tables(database)? else {
        return Err(failure::unreadable(
            "the database holds no sessions any more",
        ));
    };
    let id = [Value::Text(session.id.clone())];
    let summary = sessions.pick(&["summary_message_id"]);
    let sql = format!("SELECT {summary} FROM sessions WHERE id = ?1");
    let rows = database.rows(&sql, &id)?;
    let summary = rows.first().and_then(|row| text(row, 0));

    let mut conversation = Conversation::new(session, sink);
    let columns = messages.pick(&[
        "id",
        "role",
        "parts",
        "model",
        "created_at",
        "is_summary_message",
    ]);
    let order = messages.pick(&["created_at"]);
    let sql =
        format!("SELECT {columns} FROM messages WHERE session_id = ?1 ORDER BY {order}, rowid");
    database.each_row(&sql, &id, |row| {
        let id = text(row, 0).unwrap_or_default();
        let mut place = RecordSpan::new(&*id, 0, 0, number(row, 4).and_then(time));
        conversation.ids.name(&mut place, "message");
        let message = Message {
            role: text(row, 1).unwrap_or_default(),
            is_summary: number(row, 5) == Some(1)
                || summary.as_ref().is_some_and(|summary| *summary == id),
            reply: Reply::new(text(row, 3).as_deref(), None),
        };
        let parts = text(row, 2).unwrap_or_default();
        conversation.blocks(message, &parts, &mut place)?;
        conversation.told.close(&place);
        Ok(())
    })?;
    conversation.told.finish()?;
    Ok(START)
}

struct Message {
    role: String,
    is_summary: bool,
    reply: Reply,
}

impl<S: Sink> Conversation<'_, S> {
    fn blocks(
        &mut self,
        mut message: Message,
        parts: &str,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        let Ok(list @ json::Value::List(_)) = Scanner::new(parts.as_bytes()).value() else {
            self.told.diagnose(place, "the parts are not a JSON list");
            return Ok(());
        };
        for part in list.elements() {
            let kind = part.text_of("type").map(Text::lossy).unwrap_or_default();
            let Some(data) = part.field("data") else {
                self.told.diagnose(place, "a part without data");
                continue;
            };
            self.block(&kind, data, &mut message, place)?;
        }
        Ok(())
    }

    fn block(
        &mut self,
        kind: &str,
        data: json::Value<'_>,
        message: &mut Message,
        place: &mut RecordSpan,
    ) -> Result<(), Failure> {
        match kind {
            "text" => {
                let text = text_of(data, "text", place);
                match &*message.role {
                    "user" if message.is_summary => {
                        self.told
                            .emit(place, "user", "compaction", text, Attrs::new())
                    }
                    "user" if data.field("hidden").is_some_and(json::Value::is_true) => {
                        self.told.injected(place, "user", "continue", text)
                    }
                    "user" => self.words(&text, place),
                    "system" => self.told.injected(place, "system", "system-prompt", text),
                    _ if text.trim().is_empty() => Ok(()),
                    _ => {
                        let kind = if message.is_summary {
                            "compaction"
                        } else {
                            "text"
                        };
                        let attrs = message.reply.take();
                        self.told.assistant(place, kind, text, attrs)
                    }
                }
            }
            "reasoning" => {
                let text = text_of(data, "thinking", place);
                match text.trim() {
                    "" => Ok(()),
                    _ => {
                        let attrs = message.reply.take();
                        self.told.assistant(place, "thinking", text, attrs)
                    }
                }
            }
            "tool_call" => {
                let (tool, call) = (text_of(data, "name", place), text_of(data, "id", place));
                let input = text_of(data, "input", place);
                let attrs = message.reply.take();
                self.told.tool_call(place, &tool, &call, input, attrs)
            }
            "tool_result" => {
                let call = text_of(data, "tool_call_id", place);
                let text = text_of(data, "content", place);
                let is_error = data.field("is_error").is_some_and(json::Value::is_true);
                self.told.tool_result(place, &call, text, is_error)
            }
            "image_url" | "binary" => {
                let name = text_of(data, "Path", place);
                let note = match &*name {
                    "" => "[image]".to_owned(),
                    name => format!("[file {}]", shorten(name)),
                };
                self.told.emit(place, "user", "note", note, Attrs::new())
            }
            "shell_command" => {
                let command = text_of(data, "command", place);
                self.told
                    .emit(place, "user", "note", command, Attrs::new())?;
                let output = text_of(data, "output", place);
                self.told.injected(place, "user", "bash", output)
            }
            "finish" => {
                let reason = text_of(data, "reason", place);
                match &*reason {
                    "canceled" | "error" | "permission_denied" | "content_filter" => {
                        let texts = [reason, text_of(data, "message", place)];
                        let texts: Vec<&str> = texts.iter().map(|text| shorten(text)).collect();
                        let note = format!("[the reply ended: {}]", texts.join(" ").trim_end());
                        self.told.emit(place, "system", "note", note, Attrs::new())
                    }
                    _ => Ok(()),
                }
            }
            other => {
                self.told.unknown(place, "parts", other);
                Ok(())
            }
        }
    }
}

/// Some versions wrote seconds, some milliseconds.
fn time(number: i64) -> Option<u64> {
    instant(json::Value::Scalar(number.to_string().as_bytes()))
}
