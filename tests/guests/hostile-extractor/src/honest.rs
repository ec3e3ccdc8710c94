//! A minimal extractor: one candidate that quotes the first thing the user said. The config may set its content:
//! `category`, `kind`, `title`, `body`.

use acreta_sdk::extractor::{Candidate, Event, Evidence, Failure, Reader, Summary, host};

const PAGE_BYTES: u32 = 64 * 1024;

pub(crate) fn extract(events: &Reader) -> Result<Vec<Candidate>, Failure> {
    let candidate = first_word(events)?.map(|event| Candidate {
        id: "c-1".to_owned(),
        category: setting("category").unwrap_or_else(|| "decision".to_owned()),
        kind: setting("kind").unwrap_or_default(),
        title: setting("title").unwrap_or_else(|| "Do as the user said".to_owned()),
        body: setting("body")
            .unwrap_or_else(|| format!("The session starts with: {}", quote(&event))),
        confidence: 0.9,
        tags: vec!["test".to_owned()],
        evidence: evidence(&event),
        attrs: Vec::new(),
    });
    Ok(candidate.into_iter().collect())
}

fn setting(key: &str) -> Option<String> {
    host::config::get(key).and_then(|json| hostile_attacks::text(&json))
}

pub(crate) fn summarise(events: &Reader) -> Result<Summary, Failure> {
    let event = first_word(events)?;
    Ok(Summary {
        title: "A session".to_owned(),
        description: "The user said something.".to_owned(),
        body: event.as_ref().map(quote).unwrap_or_default().to_owned(),
        tags: Vec::new(),
        evidence: event.as_ref().map(evidence).unwrap_or_default(),
        attrs: Vec::new(),
    })
}

/// Returns the first event in the person's own words.
pub(crate) fn first_word(events: &Reader) -> Result<Option<Event>, Failure> {
    events.rewind();
    loop {
        let page = events.next(PAGE_BYTES)?;
        if page.is_empty() {
            return Ok(None);
        }
        let found = page.into_iter().find(|event| {
            event.role == "user" && event.kind == "text" && !event.text.trim().is_empty()
        });
        if found.is_some() {
            return Ok(found);
        }
    }
}

fn evidence(event: &Event) -> Vec<Evidence> {
    vec![Evidence {
        event_id: event.id.clone(),
        quote: quote(event).to_owned(),
    }]
}

fn quote(event: &Event) -> &str {
    &event.text[..event.text.floor_char_boundary(200)]
}
