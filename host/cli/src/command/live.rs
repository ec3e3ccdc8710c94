//! `acreta status --live`: prints events of all processes as they happen.

use std::time::Duration;

use acreta_service::Failure;
use acreta_service::learn::runs::{self, EventRow};
use acreta_service::process::clock::shown_time;
use serde_json::Value;

use crate::context::Context;
use crate::output::{json_text, line, talk};
use crate::watch;

/// Interval between two queries.
const LOOK: Duration = Duration::from_millis(250);

/// Maximum number of events per query.
const EVENTS: u64 = 1_000;

/// Prints new events until interrupted.
pub(crate) fn follow(context: &Context) -> Result<(), Failure> {
    watch::catch_interrupts();
    let mut last = runs::last_event(context)?;
    talk("waiting for events; interrupt to stop");
    while !watch::is_interrupted() {
        for event in runs::events_after(last, EVENTS, context)? {
            last = event.seq;
            match context.json {
                true => json_text(&serde_json::to_string(&event).unwrap_or_default()),
                false => line(&told(&event)),
            }
        }
        std::thread::sleep(LOOK);
    }
    Ok(())
}

fn told(event: &EventRow) -> String {
    let edge = match event.kind {
        "begin" => "▸",
        "end" => "▪",
        _ => " ",
    };
    let mut text = format!("{} {edge} {}", shown_time(event.at_ms), event.name);
    for (name, field) in &event.fields {
        // Span numbers link rows and mean nothing to a person.
        if ["span", "parent"].contains(&name.as_str()) {
            continue;
        }
        let field = match field {
            Value::String(field) => field.clone(),
            other => other.to_string(),
        };
        text.push_str(&format!(" {name}={field}"));
    }
    if let Some(run) = &event.run_id {
        text.push_str(&format!(" run={run}"));
    }
    text
}
