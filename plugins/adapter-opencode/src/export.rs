//! An exported session: one document with everything in it, under any file name.

use acreta_sdk::adapter::json::Value;
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::{Cursor, Failure, RecordSpan, Session, Sink, document, failure};

use crate::emit::{Conversation, Part};
use crate::{MESSAGES, info};

/// Returns the session in a document that begins as an export.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let bytes = document::load(path)?;
    let outline = Outline::of(&bytes, MESSAGES);
    let session = outline.and_then(|outline| {
        let is_empty = outline.items.as_ref().is_some_and(Vec::is_empty);
        let is_empty = is_empty && outline.fault.is_none();
        info::session(
            path,
            outline.field("info")?,
            document::revision(&bytes),
            is_empty,
        )
    });
    Ok(session.into_iter().collect())
}

pub(crate) fn read(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let bytes = document::load(&session.path)?;
    if document::is_told(&bytes, from)? {
        return Ok(from.clone());
    }
    let Some(outline) = Outline::of(&bytes, MESSAGES) else {
        return Err(failure::unreadable("the file is no export any more"));
    };
    let mut conversation = Conversation::new(session, sink);
    for item in outline.items.iter().flatten() {
        let info = item.value.field("info");
        let id = info.and_then(|info| info.text_of("id"));
        let place = RecordSpan::new(id.unwrap_or_default().lossy(), item.start, item.end, None);
        let Some(info) = info else {
            conversation
                .told
                .diagnose(&place, "a message without its head");
            continue;
        };
        let Some(mut message) = conversation.begin(info, place)? else {
            continue;
        };
        for value in parts(item.value) {
            let id = value.text_of("id").unwrap_or_default().lossy();
            let start = item.start + offset(item.value, value);
            let span = (start, start + value.raw().len() as u64);
            conversation.part(
                &mut message,
                Part {
                    id: &id,
                    value,
                    span,
                },
            )?;
        }
        conversation.end(message)?;
    }
    if let Some((at, why)) = outline.fault {
        let place = RecordSpan::new("", at, at, None);
        conversation.told.diagnose(&place, why);
    }
    conversation.told.finish()?;
    Ok(document::after(&bytes))
}

fn parts(message: Value<'_>) -> Vec<Value<'_>> {
    message
        .field("parts")
        .map(Value::elements)
        .unwrap_or_default()
}

/// Returns the offset of a part within `whole`.
fn offset(whole: Value<'_>, part: Value<'_>) -> u64 {
    let start = whole.raw().as_ptr() as usize;
    (part.raw().as_ptr() as usize).saturating_sub(start) as u64
}
