//! A trajectory: one list of events, saved as a whole.

use acreta_sdk::adapter::document::{self, Item};
use acreta_sdk::adapter::json::{Scanner, Text};
use acreta_sdk::adapter::{Cursor, Failure, RecordSpan, Session, Sink, attr, path};

use crate::emit::{Audience, Telling};
use crate::event::{Event, events};

/// Maximum number of elements that are searched for a sign of OpenHands.
const STRANGERS: usize = 5;

/// Reports whether a list with this beginning is OpenHands'.
pub(crate) fn is_one(beginning: &[u8]) -> bool {
    let (items, _) = document::items(&mut Scanner::new(beginning), 0);
    let items = events(items);
    let mut first = items.iter().take(STRANGERS);
    first.any(|item| Event(item.value).is_sure())
}

/// Returns the session in such a list.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let bytes = document::load(path)?;
    let items = events(document::items(&mut Scanner::new(&bytes), 0).0);
    let each = || items.iter().map(|item| Event(item.value));
    let times = || each().filter_map(Event::at_ms);
    let first = each().find_map(|event| event.0.text_of("timestamp"));
    let mut attrs = Vec::new();
    let model = each().find_map(|event| event.call()?.model());
    attrs.extend(model.map(|model| attr("model", model.lossy())));
    if !has_words(&items) {
        attrs.push(attr("empty", "true"));
    }
    Ok(vec![Session {
        id: first.map_or_else(|| path::stem(path).to_owned(), id_of),
        agent: crate::AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: directory(&items),
        parent: None,
        started_ms: times().next(),
        updated_ms: times().next_back(),
        revision: document::revision(&bytes),
        attrs,
    }])
}

/// Emits the session in such a list.
pub(crate) fn read(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let bytes = document::load(&session.path)?;
    if document::is_told(&bytes, from)? {
        return Ok(from.clone());
    }
    let (items, read) = document::items(&mut Scanner::new(&bytes), 0);
    let whole = items.last().map_or(0, |item| item.end);
    let mut telling = Telling::new(sink, Audience::Person);
    for item in events(items) {
        telling.event(item)?;
    }
    if let Err(fault) = read {
        let place = RecordSpan::new("", whole, bytes.len() as u64, None);
        telling.diagnose(&place, document::cause(fault));
    }
    telling.finish()?;
    Ok(document::after(&bytes))
}

/// Returns the first working directory that the agent names.
pub(crate) fn directory(items: &[Item<'_>]) -> Option<String> {
    let mut events = items.iter().map(|item| Event(item.value));
    let text = events.find_map(|event| {
        let metadata = event
            .detail("metadata")
            .and_then(|metadata| metadata.text_of("working_dir"));
        let named = ["repo_directory", "working_dir"].into_iter();
        let mut named = named.filter_map(|name| event.detail_text(name));
        named.find(|text| !text.raw.is_empty()).or(metadata)
    });
    text.map(|text| text.lossy().into_owned())
}

/// Reports whether there is any message or action.
pub(crate) fn has_words(items: &[Item<'_>]) -> bool {
    const SPEAKERS: [&str; 2] = ["user", "agent"];
    items.iter().any(|item| {
        let event = Event(item.value);
        let is_spoken = match event.source() {
            Some(source) => SPEAKERS.iter().any(|speaker| source.is(speaker)),
            None => true,
        };
        is_spoken && event.0.text_of("action").is_some()
    })
}

/// Derives the id from the time of the first event: `openhands-20250120-202913-519638`.
fn id_of(time: Text<'_>) -> String {
    let time = time.lossy();
    let parts = time.split(['T', '.']);
    let digits = parts.map(|part| {
        part.chars()
            .filter(char::is_ascii_digit)
            .collect::<String>()
    });
    let digits: Vec<_> = digits.collect();
    format!("{}-{}", crate::AGENT, digits.join("-"))
}
