//! `acreta status --live`: what happens, as it happens, in whichever process it does.

use std::time::Duration;

use acreta_catalog::{Catalog, Event, EventFilter, EventKind};
use acreta_service::clock::shown_time;
use acreta_service::{Failure, scopes};
use serde_json::{Value, json as value};

use crate::context::Context;
use crate::output::{line, raw, talk};
use crate::watch;

/// Between two looks.
const LOOK: Duration = Duration::from_millis(250);

/// Events of one look.
const EVENTS: u64 = 1_000;

/// Tells events from now on, until somebody interrupts it.
pub(crate) fn follow(context: &Context) -> Result<(), Failure> {
    let catalog = scopes::open_catalog(context)?;
    watch::catch_interrupts();
    let mut last = catalog.last_event()?.map_or(0, |event| event.seq);
    talk("waiting for what happens; interrupt to stop");
    while !watch::is_interrupted() {
        for event in after(&catalog, last)? {
            last = event.seq;
            match context.json {
                true => raw(&format!("{}\n", as_json(&event))),
                false => line(&told(&event)),
            }
        }
        std::thread::sleep(LOOK);
    }
    Ok(())
}

fn after(catalog: &Catalog, last: u64) -> Result<Vec<Event>, Failure> {
    Ok(catalog.events(&EventFilter {
        after_seq: Some(last),
        limit: Some(EVENTS),
        ..EventFilter::default()
    })?)
}

pub(super) fn as_json(event: &Event) -> Value {
    let (seq, event) = (event.seq, &event.event);
    value!({
        "seq": seq,
        "at_ms": event.at_ms,
        "level": event.level.name(),
        "kind": event.kind.name(),
        "name": event.name,
        "run_id": event.run_id,
        "request_id": event.request_id,
        "project": event.project,
        "fields": event.fields,
    })
}

fn told(event: &Event) -> String {
    let event = &event.event;
    let edge = match event.kind {
        EventKind::Begin => "▸",
        EventKind::End => "▪",
        EventKind::Event => " ",
    };
    let mut text = format!("{} {edge} {}", shown_time(event.at_ms), event.name);
    for (name, field) in &event.fields {
        // Numbers of spans tie rows together, and tell a person nothing.
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
