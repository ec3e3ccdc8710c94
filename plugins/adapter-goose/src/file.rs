//! The files that Goose had before its database: a line about the session, then one message per line.

use acreta_sdk::adapter::json::{Fault, Scanner, Text, Value};
use acreta_sdk::adapter::objects::Records;
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{
    Cursor, Failure, Fields, RecordSpan, Session, Sign, Sink, Speaker, attr, journal, overview,
};

use crate::AGENT;
use crate::content::Message;

pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let fields = Fields {
        id: &[],
        time: &["created"],
        directory: &["working_dir"],
    };
    let mut title = None;
    let seen = overview::<Lines>(path, &fields, |record| {
        let has = |name| record.field(name).is_some();
        if has("working_dir") && has("description") {
            title = record
                .text_of("description")
                .map(|text| text.lossy().into_owned());
            Sign::Own
        } else if has("role") && has("content") && has("created") {
            Sign::Said
        } else {
            Sign::Nothing
        }
    })?;
    let session = seen.map(|seen| {
        let mut session = seen.session(AGENT, path);
        let title = title.filter(|title| !title.is_empty());
        session
            .attrs
            .extend(title.map(|title| attr("title", title)));
        session
    });
    Ok(session.into_iter().collect())
}

pub(crate) fn read(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    journal::read::<Lines, (), _>(
        &session.path,
        from,
        sink,
        |told, (), record, (start, end)| {
            let id = record.text_of("id").map(Text::lossy).unwrap_or_default();
            let at_ms = record.field("created").and_then(instant);
            let mut place = RecordSpan::new(id, start, end, at_ms);
            // Ids are the model's and repeat over the parts of one reply.
            place.id = Some(format!("@{start}"));
            let role = record.text_of("role").map(Text::lossy);
            let message = Message {
                role: role.as_deref().unwrap_or_default(),
                content: record.field("content"),
                metadata: None,
            };
            if role.is_some() {
                message.emit(told, &mut place, Speaker::Person)?;
            }
            told.close(&place);
            Ok(())
        },
    )
}

/// The lines of such a file.
struct Lines;

impl Records for Lines {
    type Record<'a> = Value<'a>;

    const BEGINNINGS: &'static [&'static [u8]] = &[b"{\"role\":", b"{\"id\":"];

    fn scan<'a>(scanner: &mut Scanner<'a>) -> Result<Value<'a>, Fault> {
        scanner.object()
    }

    fn is_whole(record: &Value<'_>) -> bool {
        record.field("role").is_some() && record.field("content").is_some()
    }
}
