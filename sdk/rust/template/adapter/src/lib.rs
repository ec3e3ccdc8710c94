//! Reads the sessions of example-plugin: one JSON object per line. The first line identifies the agent, the others are
//! the conversation.

use acreta_sdk::adapter::json::Value;
use acreta_sdk::adapter::objects::Typed;
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::author::Wrapping;
use acreta_sdk::adapter::{
    Adapter, Cursor, Description, Failure, Fields, RecordSpan, Root, Session, Sign, Sink, attr, journal,
    overview,
};

/// Name of the agent whose sessions are read.
pub const AGENT: &str = "example-plugin";

/// Names of the fields that describe the whole session.
const FIELDS: Fields<'_> = Fields {
    id: &["session"],
    time: &["time"],
    directory: &["cwd"],
};

/// The adapter.
pub struct ExamplePlugin;

acreta_sdk::adapter!(ExamplePlugin);

impl Adapter for ExamplePlugin {
    /// Has to match the directories, patterns and reasons in `plugin.toml`.
    fn describe() -> Description {
        let reason = "example-plugin keeps its conversations here; they are read to learn from \
                      finished work and never changed.";
        let candidates = ["~/.example-plugin/sessions"];
        let root = Root::new("sessions", &candidates, &["**/*.jsonl"], reason);
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        let seen = overview::<Typed>(path, &FIELDS, sign)?;
        Ok(Vec::from_iter(seen.map(|seen| seen.session(AGENT, path))))
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        journal::read::<Typed, (), _>(&session.path, from, sink, |told, (), record, span| {
            let time = record.field("time").and_then(instant);
            let mut place = RecordSpan::new("", span.0, span.1, time);
            let text = place.text(*record, "text");
            let call = place.text(*record, "call");
            match &*place.text(*record, "type") {
                "session" => {}
                "user" => told.person(&mut place, &text, &Wrapping::default())?,
                "assistant" => {
                    let model = vec![attr("model", place.text(*record, "model"))];
                    told.assistant(&mut place, "text", text, model)?;
                }
                "tool_call" => {
                    let tool = place.text(*record, "tool");
                    let input = place.shown(record.field("input"));
                    told.tool_call(&mut place, &tool, &call, input, Vec::new())?;
                }
                "tool_result" => {
                    let failed = record.field("failed").is_some_and(Value::is_true);
                    told.tool_result(&mut place, &call, text, failed)?;
                }
                other => told.unknown(&place, "records", other),
            }
            told.close(&place);
            Ok(())
        })
    }
}

fn sign(record: Value<'_>) -> Sign {
    match &*record.text_of("type").unwrap_or_default().lossy() {
        "session" if record.text_of("agent").is_some_and(|agent| agent.is(AGENT)) => Sign::Own,
        "user" | "assistant" => Sign::Said,
        _ => Sign::Nothing,
    }
}
