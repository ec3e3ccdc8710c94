//! Reads the conversations of gptme: a folder per conversation, with a file of messages and one of settings.

mod author;
mod calls;

use std::io::Read;

use acreta_sdk::adapter::chat::Messages;
use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{
    Adapter, Cursor, Description, EventWriter, Failure, Fields, RecordSpan, Reply, Root, Session,
    Sign, Sink, Speaker, Tokens, attr, file_probe, journal, overview, path as place,
};

use crate::calls::Part;

/// Name of the agent whose sessions are read.
const AGENT: &str = "gptme";

/// Beginning of the name of a conversation that an agent began.
const SUBAGENT: &str = "subagent-";

/// Maximum bytes read of the settings beside a conversation.
const SETTINGS: u64 = 64 * 1024;

const FIELDS: Fields<'_> = Fields {
    id: &[],
    time: &["timestamp"],
    directory: &[],
};

/// The adapter.
pub struct Gptme;

acreta_sdk::adapter!(Gptme);

impl Adapter for Gptme {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &[
                "$GPTME_LOGS_HOME",
                "$XDG_DATA_HOME/gptme/logs",
                "~/.local/share/gptme/logs",
                "<data>/gptme/logs",
            ],
            &["*/conversation.jsonl"],
            "gptme keeps a folder per conversation here; they are read to learn from finished work \
             and never changed.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        let mut model = None;
        let seen = overview::<Messages>(path, &FIELDS, |record| {
            let name = record.field("metadata").and_then(|it| it.text_of("model"));
            model = name.map(|name| name.lossy().into()).or(model.take());
            sign(record)
        })?;
        // The messages say neither; other programs write the same fields.
        let folder = place::folders(path).next();
        let (Some(mut seen), Some(folder), true) = (seen, folder, is_conversation(path)) else {
            return Ok(Vec::new());
        };
        let settings = settings(path);
        seen.id = Some(folder.to_owned());
        seen.directory = setting(&settings, "workspace");
        let mut session = seen.session(AGENT, path);
        let is_subagent = folder.starts_with(SUBAGENT);
        let relation = is_subagent.then(|| "subagent".to_owned());
        let model = model.or_else(|| setting(&settings, "model"));
        for (key, value) in [
            ("relation", relation),
            ("title", setting(&settings, "name")),
            ("model", model),
        ] {
            session.attrs.extend(value.map(|value| attr(key, value)));
        }
        Ok(vec![session])
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        let speaker = Speaker::of(session);
        journal::read::<Messages, Waiting, _>(
            &session.path,
            from,
            sink,
            |told, waiting, record, (start, end)| {
                let at_ms = record.field("timestamp").and_then(instant);
                let mut place = RecordSpan::new("", start, end, at_ms);
                message(told, waiting, *record, &mut place, speaker)?;
                told.close(&place);
                Ok(())
            },
        )
    }
}

/// Calls of the last reply without an id of their own, as (tool, id). Their results follow in order.
type Waiting = Vec<(String, String)>;

fn is_conversation(path: &str) -> bool {
    path.ends_with("/conversation.jsonl")
}

/// Every message has a time, and its text is plain.
fn sign(record: Value<'_>) -> Sign {
    let has = |name| record.text_of(name).is_some();
    match record.text_of("role") {
        Some(role) if has("content") && has("timestamp") => match role.is("system") {
            true => Sign::Own,
            false => Sign::OwnSaid,
        },
        _ => Sign::Nothing,
    }
}

/// Reads the settings beside a conversation; empty if there are none.
fn settings(path: &str) -> String {
    let file = file_probe::open(&format!("{}/config.toml", place::parent(path)));
    let mut bytes = Vec::new();
    let read = file.map(|file| file.take(SETTINGS).read_to_end(&mut bytes));
    match read {
        Ok(Ok(_)) => String::from_utf8_lossy(&bytes).into_owned(),
        _ => String::new(),
    }
}

/// Returns a text of the table `chat`, which gptme writes on one line.
fn setting(settings: &str, name: &str) -> Option<String> {
    let lines = settings.lines().map(str::trim);
    let mut lines = lines.skip_while(|line| *line != "[chat]").skip(1);
    let own = lines.by_ref().take_while(|line| !line.starts_with('['));
    let value = own.filter_map(|line| {
        let value = line
            .strip_prefix(name)?
            .trim_start()
            .strip_prefix('=')?
            .trim();
        value.strip_prefix('"')?.strip_suffix('"')
    });
    let value = value.last()?.replace("\\\\", "\\");
    (!value.is_empty()).then_some(value)
}

fn message<S: Sink>(
    told: &mut EventWriter<'_, S>,
    waiting: &mut Waiting,
    record: Value<'_>,
    place: &mut RecordSpan,
    speaker: Speaker,
) -> Result<(), Failure> {
    let role = record.text_of("role").map(Text::lossy).unwrap_or_default();
    let metadata = record.field("metadata");
    let text = place.text(record, "content");
    match &*role {
        "user" => {
            waiting.clear();
            author::user(told, place, &text, metadata, speaker)
        }
        "assistant" => {
            waiting.clear();
            assistant(told, waiting, &text, metadata, place)
        }
        "system" => result(told, waiting, record, text, place),
        other => {
            told.unknown(place, "messages", other);
            Ok(())
        }
    }
}

fn assistant<S: Sink>(
    told: &mut EventWriter<'_, S>,
    waiting: &mut Waiting,
    text: &str,
    metadata: Option<Value<'_>>,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let mut reply = reply(metadata);
    for part in calls::parts(text) {
        match part {
            Part::Said(text) => told.assistant(place, "text", text.to_owned(), reply.take())?,
            Part::Thought(text) => {
                told.assistant(place, "thinking", text.to_owned(), reply.take())?;
            }
            Part::Call { tool, id, input } => {
                let own = id.map_or_else(|| place.event_id(), str::to_owned);
                if id.is_none() {
                    waiting.push((tool.to_owned(), own.clone()));
                }
                told.tool_call(place, tool, &own, input.to_owned(), reply.take())?;
            }
        }
    }
    Ok(())
}

/// Emits a message of the system: the result of a tool, or what gptme says to the model.
fn result<S: Sink>(
    told: &mut EventWriter<'_, S>,
    waiting: &mut Waiting,
    record: Value<'_>,
    text: String,
    place: &mut RecordSpan,
) -> Result<(), Failure> {
    let id = place.text(record, "call_id");
    let named = record.field("metadata").and_then(|it| it.text_of("tool"));
    let named = named.map(|tool| tool.lossy().into_owned());
    let is_error = text.starts_with("Error") || text.contains("\nReturn code: ");
    if told.calls.is_open(&id) {
        return told.tool_result(place, &id, text, is_error);
    }
    // Older versions do not name the tool of a result: then it is the next one's.
    let found = match &named {
        Some(tool) => waiting.iter().position(|(waiting, _)| waiting == tool),
        None => (!waiting.is_empty() && !author::is_notice(&text)).then_some(0),
    };
    match found {
        Some(found) => {
            let (_, id) = waiting.remove(found);
            told.tool_result(place, &id, text, is_error)
        }
        None => told.injected(place, "system", named.as_deref().unwrap_or("gptme"), text),
    }
}

fn reply(metadata: Option<Value<'_>>) -> Reply {
    let model = metadata.and_then(|metadata| metadata.text_of("model"));
    let tokens = metadata.and_then(|metadata| {
        let usage = metadata.field("usage").unwrap_or(metadata);
        let count = |name: &str| usage.field(name).and_then(Value::number);
        let tokens = Tokens::new(count("input_tokens")?, count("output_tokens")?);
        let tokens = tokens.beside(count("cache_read_tokens"), count("cache_creation_tokens"));
        Some(tokens.costing(metadata.field("cost")))
    });
    Reply::new(model.map(Text::lossy).as_deref(), tokens)
}
