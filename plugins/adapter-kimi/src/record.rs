//! Emits one record of either generation.

use acreta_sdk::adapter::json::Value;
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{EventWriter, Failure, RecordSpan, Session, Sink, Speaker, attr};

use crate::emit::State;
use crate::fork::Copied;
use crate::{code, legacy};

/// Properties of a session before it is read.
pub(crate) struct Context {
    /// Author of a prompt without an origin.
    speaker: Speaker,
    copied: Option<Copied>,
}

impl Context {
    pub(crate) fn of(session: &Session) -> Result<Self, Failure> {
        let speaker = Speaker::of(session);
        let copied = Copied::of(session)?;
        Ok(Self { speaker, copied })
    }
}

/// Emits one record of either generation.
pub(crate) fn record<S: Sink>(
    told: &mut EventWriter<'_, S>,
    state: &mut State,
    context: &Context,
    record: Value<'_>,
    (start, end): (u64, u64),
) -> Result<(), Failure> {
    let time = record.field("time").or_else(|| record.field("timestamp"));
    let mut place = RecordSpan::new("", start, end, time.and_then(instant));
    if let Some(copied) = context
        .copied
        .as_ref()
        .filter(|copied| start < copied.until)
    {
        place.attrs.push(attr("copied_from", &*copied.from));
    }
    let speaker = context.speaker;
    let message = record.field("message");
    match (record.text_of("type"), message) {
        (Some(kind), _) => code::record(told, state, speaker, &kind.lossy(), record, &mut place)?,
        (None, Some(message)) => legacy::message(told, state, speaker, message, &mut place)?,
        (None, None) => told.diagnose_once(&place, "a record without a type"),
    }
    told.close(&place);
    Ok(())
}
