//! Reads the sessions of Factory's Droid: one append-only file per session, whose messages are made
//! of blocks.

use acreta_sdk::adapter::author::Wrapping;
use acreta_sdk::adapter::blocks::{Block, blocks};
use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::objects::Typed;
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{
    Adapter, Attrs, Cursor, Description, EventWriter, Failure, Fields, RecordSpan, Reply, Root,
    Session, Sign, Sink, Speaker, attr, journal, overview,
};

/// Name of the agent whose sessions are read.
const AGENT: &str = "droid";

const WRAPPING: Wrapping = Wrapping {
    wrappers: &[],
    inserts: &[("<system-reminder>", "</system-reminder>", "system-reminder")],
};

/// The adapter.
pub struct Droid;

acreta_sdk::adapter!(Droid);

impl Adapter for Droid {
    fn describe() -> Description {
        let root = Root::new(
            AGENT,
            &["~/.factory/sessions"],
            &["*/*.jsonl", "*.jsonl"],
            "Factory's Droid keeps one file per session here; they are read to learn from finished \
             work and never changed.",
        );
        Description::new(AGENT, vec![root])
    }

    fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
        let fields = Fields {
            id: &[],
            time: &["timestamp"],
            directory: &["cwd"],
        };
        let mut head = Head::default();
        let seen = overview::<Typed>(path, &fields, |record| head.see(record))?;
        let session = seen.map(|mut seen| {
            seen.id = head.id.take();
            head.complete(seen.session(AGENT, path))
        });
        Ok(session.into_iter().collect())
    }

    fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
        let speaker = Speaker::of(session);
        journal::read::<Typed, (), _>(&session.path, from, sink, |told, (), record, span| {
            emit(told, *record, span, speaker)
        })
    }
}

/// Session properties from the first record, and the last model.
#[derive(Default)]
struct Head {
    id: Option<String>,
    title: Option<String>,
    parent: Option<String>,
    model: Option<String>,
}

impl Head {
    fn see(&mut self, record: Value<'_>) -> Sign {
        let kind = record.text_of("type").map(Text::lossy).unwrap_or_default();
        let text = |name| record.text_of(name).map(|text| text.lossy().into_owned());
        match &*kind {
            "session_start" if text("id").is_some() && text("cwd").is_some() => {
                self.id = self.id.take().or_else(|| text("id"));
                self.title = text("sessionTitle").or_else(|| text("title"));
                self.parent = text("callingSessionId").filter(|parent| !parent.is_empty());
                Sign::Own
            }
            "message" => {
                let message = record.field("message");
                let model = message.and_then(|message| message.text_of("modelId"));
                self.model = model
                    .map(|model| model.lossy().into())
                    .or(self.model.take());
                Sign::Said
            }
            _ => Sign::Nothing,
        }
    }

    fn complete(self, mut session: Session) -> Session {
        let attrs = &mut session.attrs;
        attrs.extend(self.parent.is_some().then(|| attr("relation", "subagent")));
        attrs.extend(self.title.map(|title| attr("title", title)));
        attrs.extend(self.model.map(|model| attr("model", model)));
        session.parent = self.parent;
        session
    }
}

/// Emits one record.
fn emit<S: Sink>(
    told: &mut EventWriter<'_, S>,
    record: Value<'_>,
    (start, end): (u64, u64),
    speaker: Speaker,
) -> Result<(), Failure> {
    let id = record.text_of("id").map(Text::lossy).unwrap_or_default();
    let at_ms = record.field("timestamp").and_then(instant);
    let mut place = RecordSpan::new(id, start, end, at_ms);
    let kind = record.text_of("type").map(Text::lossy);
    match kind.as_deref() {
        Some("message") => match record.field("message") {
            Some(message @ Value::Object(_)) => said(told, message, &mut place, speaker)?,
            _ => told.diagnose(&place, "a record of the conversation without a message"),
        },
        Some("compaction_state") => {
            let summary = place.text(record, "summaryText");
            told.emit(&mut place, "system", "compaction", summary, Attrs::new())?;
        }
        Some("agent_turn_outcome") => {
            let reason = place.text(record, "reason");
            if !matches!(&*reason, "completed" | "") {
                let note = format!("[the turn ended: {reason}]");
                told.emit(&mut place, "system", "note", note, Attrs::new())?;
            }
        }
        Some("session_start" | "session_end" | "todo_state") => {}
        Some(other) => told.unknown(&place, "records", other),
        None => told.diagnose_once(&place, "a record without a type"),
    }
    told.close(&place);
    Ok(())
}

fn said<S: Sink>(
    told: &mut EventWriter<'_, S>,
    message: Value<'_>,
    place: &mut RecordSpan,
    speaker: Speaker,
) -> Result<(), Failure> {
    let role = message.text_of("role").map(Text::lossy).unwrap_or_default();
    let model = message.text_of("modelId").map(Text::lossy);
    let mut reply = Reply::new(model.as_deref(), None);
    for block in blocks(message.field("content")) {
        match (block, &*role) {
            (Block::Text(text), "user") => {
                let text = place.decode(text);
                speaker.prompt(told, place, &text, &WRAPPING)?;
            }
            (Block::Text(text), "system") => {
                let text = place.decode(text).into_owned();
                told.injected(place, "system", "system-prompt", text)?;
            }
            (block, "user" | "assistant" | "system") => block.emit(told, place, &mut reply)?,
            (_, other) => told.unknown(place, "messages", other),
        }
    }
    Ok(())
}
