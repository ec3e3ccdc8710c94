//! Reads canonical events from standard input, one JSON object per line, and prints the extractor's result as one JSON
//! object: `{"candidates": […], "summary": {…}}`. Arguments name the kinds of evidence to leave out.

use std::collections::BTreeMap;
use std::io::{BufRead as _, Write as _};

use acreta_sdk::extractor::{Event, Evidence};
use extractor_rules::Reading;
use serde_json::json;

#[derive(serde::Deserialize)]
struct Line {
    id: String,
    role: String,
    kind: String,
    at_ms: Option<u64>,
    text: String,
    #[serde(default)]
    attrs: BTreeMap<String, String>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let left_out: Vec<String> = std::env::args().skip(1).collect();
    let mut reading = Reading::without(&left_out);
    for line in std::io::stdin().lock().lines() {
        let line: Line = serde_json::from_str(&line?)?;
        reading.take(&event(line));
    }
    let outcome = reading.finish();
    let candidates: Vec<serde_json::Value> = outcome
        .candidates
        .iter()
        .chain(&outcome.pending)
        .map(|one| {
            json!({
                "id": one.id, "type": one.category, "kind": one.kind, "title": one.title, "body": one.body,
                "confidence": one.confidence, "tags": one.tags, "evidence": evidence(&one.evidence),
                "pending": one.attrs.iter().any(|(_, certainty)| certainty == "pending"),
            })
        })
        .collect();
    let summary = &outcome.summary;
    let summary = json!({
        "title": summary.title, "description": summary.description, "body": summary.body, "tags": summary.tags,
        "evidence": evidence(&summary.evidence),
    });
    let mut out = std::io::stdout().lock();
    serde_json::to_writer_pretty(
        &mut out,
        &json!({ "candidates": candidates, "summary": summary }),
    )?;
    writeln!(out)?;
    Ok(())
}

fn evidence(quotes: &[Evidence]) -> Vec<serde_json::Value> {
    quotes
        .iter()
        .map(|one| json!({ "event_id": one.event_id, "quote": one.quote }))
        .collect()
}

fn event(line: Line) -> Event {
    Event {
        id: line.id,
        origin: acreta_sdk::extractor::Origin {
            record: String::new(),
            start: 0,
            end: 0,
        },
        role: line.role,
        kind: line.kind,
        at_ms: line.at_ms,
        text: line.text,
        attrs: line.attrs.into_iter().collect(),
    }
}
