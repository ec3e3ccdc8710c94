//! Reads the sessions of Qwen Code: one append-only file per session, whose records have the same parts as those of
//! Gemini CLI, from which Qwen Code was forked.

mod emit;

use acreta_sdk::adapter::json::{Fault, Scanner, Text, Value};
use acreta_sdk::adapter::objects::Records;
use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Fields, Root, Session, Sign, Sink, attr, journal,
    overview,
};

/// Name of the agent whose sessions are read.
const AGENT: &str = "qwen";

const FIELDS: Fields<'_> = Fields {
    id: &["sessionId"],
    time: &["timestamp"],
    directory: &["cwd"],
};

/// The adapter.
pub struct Qwen;

acreta_sdk::adapter!(Qwen);

impl Adapter for Qwen {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &["$QWEN_HOME", "~/.qwen"],
            &["projects/*/chats/*.jsonl"],
            "Qwen Code keeps one file per session here; they are read to learn from finished work \
             and never changed.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        let (mut model, mut title, mut version) = (None, None, None);
        let keep = |kept: &mut Option<String>, text: Option<Text<'_>>| {
            if let Some(text) = text {
                *kept = Some(text.lossy().into_owned());
            }
        };
        let seen = overview::<Lines>(path, &FIELDS, |record| {
            keep(&mut model, record.text_of("model"));
            keep(&mut version, record.text_of("version"));
            let payload = record.field("systemPayload");
            keep(
                &mut title,
                payload.and_then(|payload| payload.text_of("customTitle")),
            );
            sign(record)
        })?;
        let session = seen.map(|seen| {
            let mut session = seen.session(AGENT, path);
            let known = [("title", title), ("version", version), ("model", model)];
            for (key, value) in known {
                session.attrs.extend(value.map(|value| attr(key, value)));
            }
            session
        });
        Ok(session.into_iter().collect())
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        journal::read::<Lines, (), _>(&session.path, from, sink, |told, (), record, span| {
            emit::record(told, *record, span)
        })
    }
}

/// Claude Code's records have the same fields; only Qwen Code's have their text in `parts`.
fn sign(record: Value<'_>) -> Sign {
    let has = |name| record.text_of(name).is_some();
    if !(has("uuid") && has("sessionId") && has("type")) {
        return Sign::Nothing;
    }
    let parts = record
        .field("message")
        .and_then(|message| message.field("parts"));
    match parts {
        Some(Value::List(_)) => Sign::OwnSaid,
        _ if has("subtype") && record.field("systemPayload").is_some() => Sign::Own,
        _ => Sign::Nothing,
    }
}

/// The records of a session file.
struct Lines;

impl Records for Lines {
    type Record<'a> = Value<'a>;

    const BEGINNINGS: &'static [&'static [u8]] = &[b"{\"uuid\":"];

    fn scan<'a>(scanner: &mut Scanner<'a>) -> Result<Value<'a>, Fault> {
        scanner.object()
    }

    fn is_whole(record: &Value<'_>) -> bool {
        record.field("type").is_some()
    }
}
