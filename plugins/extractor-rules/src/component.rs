//! The component: pages the host's trace through a [`Reading`], once for each question.

use acreta_sdk::extractor::host::config;
use acreta_sdk::extractor::host::registry::memory_types;
use acreta_sdk::extractor::{Candidate, Failure, Guest, Reader, Session, Summary};

use crate::json::Json;
use crate::{Outcome, Reading};

struct Rules;

impl Guest for Rules {
    fn extract(_session: Session, events: &Reader) -> Result<Vec<Candidate>, Failure> {
        let mut candidates = outcome(events)?.candidates;
        // The host's table decides what a memory may be.
        let known = memory_types();
        candidates.retain(|one| {
            let entry = known.iter().find(|entry| entry.name == one.category);
            entry.is_some_and(|entry| entry.kinds.is_empty() || entry.kinds.contains(&one.kind))
        });
        Ok(candidates)
    }

    fn summarise(_session: Session, events: &Reader) -> Result<Summary, Failure> {
        Ok(outcome(events)?.summary)
    }
}

fn outcome(events: &Reader) -> Result<Outcome, Failure> {
    events.rewind();
    let mut reading = Reading::without(&left_out());
    loop {
        let page = events.next(PAGE)?;
        if page.is_empty() {
            return Ok(reading.finish());
        }
        for event in &page {
            reading.take(event);
        }
    }
}

/// The kinds of evidence that the setting `without` leaves out: a JSON list of their names.
fn left_out() -> Vec<String> {
    let setting = config::get("without").unwrap_or_default();
    match Json::parse(&setting) {
        Json::List(names) => names
            .iter()
            .filter_map(|name| name.as_text().map(str::to_owned))
            .collect(),
        _ => Vec::new(),
    }
}

/// Bytes of text asked for at a time.
const PAGE: u32 = 1024 * 1024;

acreta_sdk::extractor::export!(Rules);
