//! Reads the sessions of Grok Build: a folder per session with an append-only file of the model's input.
//!
//! That file has neither ids nor times. The folder name is the session's id; files next to it have the directory and
//! the times. Without them, as in a copy, these are unknown.

mod beside;
mod emit;

use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::objects::Typed;
use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Fields, Root, Session, Sign, Sink, attr, author,
    journal, overview, path as place,
};

use crate::beside::{Summary, Times};

/// Name of the agent whose sessions are read.
const AGENT: &str = "grok";

/// Text before the working directory.
const WORKSPACE: &str = "Workspace Path: ";

/// The adapter.
pub struct Grok;

acreta_sdk::adapter!(Grok);

impl Adapter for Grok {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &["$GROK_HOME/sessions", "~/.grok/sessions"],
            &["*/*/chat_history.jsonl"],
            "Grok Build keeps a folder per session here; they are read to learn from finished work \
             and never changed.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        let (mut directory, mut model) = (None, None);
        let seen = overview::<Typed>(path, &Fields::default(), |record| {
            if directory.is_none() {
                directory = workspace(record);
            }
            if let Some(id) = record.text_of("model_id") {
                model = Some(id.lossy().into_owned());
            }
            sign(record)
        })?;
        let Some(mut seen) = seen else {
            return Ok(Vec::new());
        };
        let summary = Summary::beside(path);
        let folder = place::folders(path).next().filter(|name| is_id(name));
        seen.id = summary.id.or_else(|| folder.map(str::to_owned));
        seen.directory = summary.directory.or(directory);
        seen.started_ms = summary.started_ms;
        seen.updated_ms = summary.updated_ms;
        let mut session = seen.session(AGENT, path);
        let known = [("title", summary.title), ("model", model)];
        for (key, value) in known {
            session.attrs.extend(value.map(|value| attr(key, value)));
        }
        Ok(vec![session])
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        let times = Times::beside(&session.path);
        journal::read::<Typed, _, _>(&session.path, from, sink, |told, last, record, span| {
            emit::record(told, *record, span, &times, last)
        })
    }
}

/// Only Grok Build numbers its prompts, gives a reason for synthetic messages, and names the model in this way.
fn sign(record: Value<'_>) -> Sign {
    let kind = record.text_of("type").map(Text::lossy).unwrap_or_default();
    let has = |name| record.field(name).is_some();
    match &*kind {
        "user" if has("prompt_index") => Sign::OwnSaid,
        "user" if has("synthetic_reason") => Sign::Own,
        "assistant" if has("model_id") && has("content") => Sign::OwnSaid,
        _ => Sign::Nothing,
    }
}

/// Returns the directory in the first message of a session.
fn workspace(record: Value<'_>) -> Option<String> {
    let first = record.field("content")?.elements().into_iter().next()?;
    let text = first.text_of("text")?.lossy().into_owned();
    let (_, behind) = author::element(&text, "user_info")?.split_once(WORKSPACE)?;
    let directory = behind.lines().next()?.trim();
    (!directory.is_empty()).then(|| directory.to_owned())
}

/// Reports whether a folder is called like a session.
fn is_id(name: &str) -> bool {
    name.len() == 36
        && name
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
}
