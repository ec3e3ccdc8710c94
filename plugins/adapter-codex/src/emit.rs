//! Turns records into events: thread, kind and place of each record. The conversation is in `item`, notices are in
//! `notice`.

use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::objects::{ScannedItem, ScannedKind};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{self as kit, Attrs, Failure, RecordSpan, Sink, attr};

use crate::meta::Meta;
use crate::record::{Lines, Record};
use crate::state::State;

/// Types of records without conversation.
const BOOKKEEPING: &[&str] = &[
    "world_state",
    "inter_agent_communication_metadata",
    "security_risk_score",
    "token_usage_record",
];

/// Location of the bytes that are read.
#[derive(Debug, Clone)]
pub(crate) enum Source {
    /// In the session's file.
    File,
    /// Elsewhere: in a compressed file, or in the file of the named rollout, up to a record.
    Apart { of: String, end_ordinal: u64 },
}

pub(crate) struct EventWriter<'s, S> {
    pub(crate) told: kit::EventWriter<'s, S>,
    pub(crate) state: State,
    source: Source,
    /// Number of the part that is read.
    part: usize,
}

impl<'s, S: Sink> EventWriter<'s, S> {
    pub(crate) fn new(mut state: State, part: usize, sink: &'s mut S) -> Self {
        Self {
            told: kit::EventWriter::new(sink, std::mem::take(&mut state.calls)),
            state,
            source: Source::File,
            part,
        }
    }

    /// Notes that the following records come from the beginning of another file.
    pub(crate) fn begin(&mut self, source: Source) {
        self.told.calls = Calls::default();
        self.state = State::default();
        self.source = source;
    }

    /// Sends the remaining events and returns the state for the next read.
    pub(crate) fn finish(self) -> Result<State, Failure> {
        let Self {
            told, mut state, ..
        } = self;
        state.calls = told.finish()?;
        Ok(state)
    }

    pub(crate) fn take(&mut self, found: ScannedItem<'_, Lines>) -> Result<(), Failure> {
        let (start, end) = (found.start, found.end);
        match found.what {
            ScannedKind::Record(record) => return self.record(&record, start, end),
            ScannedKind::Damage(cause, _) => {
                let place = self.place(start, end, "");
                self.told.diagnose(&place, cause);
            }
            ScannedKind::Unfinished => {
                let place = self.place(start, end, "");
                let message = "unfinished at the end of the file, left for the next read";
                self.told.diagnose(&place, message);
            }
        }
        Ok(())
    }

    fn record(&mut self, record: &Record<'_>, start: u64, end: u64) -> Result<(), Failure> {
        if let Source::Apart { end_ordinal, .. } = &self.source
            && record
                .ordinal
                .is_some_and(|ordinal| ordinal >= *end_ordinal)
        {
            return Ok(());
        }
        self.state.places.see(record);
        if self.state.places.current() != self.part {
            return Ok(());
        }
        let content = record.content();
        let id = content.text_of("id").map(Text::lossy).unwrap_or_default();
        let mut place = self.place(start, end, &id);
        place.at_ms = record.timestamp.and_then(instant);
        if let Some(meta) = Meta::of(record) {
            self.meta(meta, place.at_ms);
            return Ok(());
        }
        if let Some(origin) = self.origin(record.ordinal, place.at_ms) {
            place.attrs.push(attr("copied_from", origin));
        }
        let Some(kind) = record.kind.map(Text::lossy) else {
            if !record.is_state() {
                self.told.diagnose_once(&place, "a record without a type");
            }
            return Ok(());
        };
        let is_object = matches!(record.payload, Some(Value::Object(_)));
        match &*kind {
            "turn_context" => {
                if let Some(model) = content.text_of("model") {
                    self.state.reply().use_model(&model.lossy());
                }
            }
            "response_item" if is_object => self.item(content, &mut place)?,
            "event_msg" if is_object => self.notice(content, &mut place)?,
            "compacted" if is_object => self.compacted(content, &mut place)?,
            "inter_agent_communication" if is_object => self.agent_message(content, &mut place)?,
            known if BOOKKEEPING.contains(&known) => {}
            "session_meta"
            | "response_item"
            | "event_msg"
            | "compacted"
            | "inter_agent_communication" => {
                self.told
                    .diagnose(&place, "a record of the conversation without a payload");
            }
            _ if record.payload.is_none() => self.item(content, &mut place)?,
            other => self.told.unknown(&place, "records", other),
        }
        self.told.close(&place);
        Ok(())
    }

    /// The first description is the thread's own; one of another thread precedes records that were copied from there.
    fn meta(&mut self, meta: Meta<'_>, at_ms: Option<u64>) {
        let Some(id) = meta.id() else {
            return;
        };
        let thread = &mut self.state.thread;
        match &thread.id {
            None => {
                let parent = meta.relation().and_then(|(_, parent)| parent);
                thread.is_subagent = meta.is_subagent();
                thread.inherited = meta.own_from().zip(parent);
                thread.id = Some(id);
            }
            Some(own) if *own != id => thread.copy(id, at_ms),
            Some(_) => {}
        }
    }

    /// Returns the thread that a record was copied from; `None` for the session's own.
    fn origin(&mut self, ordinal: Option<u64>, at_ms: Option<u64>) -> Option<String> {
        let copied = self.state.thread.origin(ordinal, at_ms);
        let copied = copied.map(str::to_owned);
        copied.or_else(|| match &self.source {
            Source::Apart { of, .. } if !of.is_empty() => Some(of.clone()),
            _ => None,
        })
    }

    /// Builds the place of a record whose own id is `id`. Such ids may be missing or repeated, so event ids come from
    /// the offset.
    fn place(&self, start: u64, end: u64, id: &str) -> RecordSpan {
        match &self.source {
            Source::File => RecordSpan {
                id: Some(format!("@{start}")),
                ..RecordSpan::new(id, start, end, None)
            },
            Source::Apart { of, .. } => {
                let unique = format!("{of}@{start}");
                let record = if id.is_empty() { &unique } else { id };
                RecordSpan {
                    id: Some(unique.clone()),
                    ..RecordSpan::new(record, 0, 0, None)
                }
            }
        }
    }

    /// A compaction. The replaced history only repeats the old one, and is not emitted again.
    fn compacted(&mut self, content: Value<'_>, place: &mut RecordSpan) -> Result<(), Failure> {
        let message = content.text_of("message").map(|text| place.decode(text));
        let message = message.filter(|message| !message.trim().is_empty());
        let text = message.unwrap_or("Conversation compacted".into());
        self.told.emit(
            place,
            "system",
            "compaction",
            text.into_owned(),
            Attrs::new(),
        )
    }
}
