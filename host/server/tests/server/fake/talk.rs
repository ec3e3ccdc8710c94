//! Conversations of the invented world.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use acreta_server::api::*;
use acreta_service::sessions::reader::Reading;
use acreta_types::{Attrs, Event, Origin};
use serde_json::{Value, json};

use crate::fake::texts::{HOSTILE, TOPICS};

/// Events that are repeated.
const TURN: usize = 14;

/// Events of the longest session.
const LONGEST: usize = 6_000;

pub(crate) fn conversation(row: &SessionRow) -> Vec<SessionEvent> {
    let events = events(row).into_iter().map(|event| {
        let truncated = event.text.len() > 2_000;
        let attrs = event.attrs.0.into_iter();
        SessionEvent {
            id: event.id,
            role: event.role,
            kind: event.kind,
            at_ms: event.at_ms,
            text: event.text.chars().take(2_000).collect(),
            attrs: attrs
                .map(|(name, value)| (name, Value::String(value)))
                .collect(),
            truncated,
        }
    });
    events.collect()
}

/// Readings by session and time; the longest ones are asked for hundreds of times.
type Readings = HashMap<(String, Option<u64>), Arc<Reading>>;

pub(crate) fn reading(row: &SessionRow) -> Arc<Reading> {
    static KNOWN: LazyLock<Mutex<Readings>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap();
    let key = (format!("{}/{}", row.agent, row.id), row.updated_ms);
    let reading = known.entry(key).or_insert_with(|| {
        let mut reading = Reading::default();
        for event in events(row) {
            reading.add(event, row.project.as_deref(), &[]);
        }
        Arc::new(reading)
    });
    Arc::clone(reading)
}

pub(crate) fn body(row: &SessionRow, event: &str) -> Option<RowBody> {
    let reading = reading(row);
    let shown = &reading.rows()[reading.place(event)?];
    let events = events(row);
    let of = |id: &str| events.iter().find(|event| event.id == id);
    Some(RowBody::of(
        of(&shown.id)?,
        shown.result.as_deref().and_then(of),
    ))
}

pub(crate) fn matches(row: &SessionRow, text: &str) -> RowMatches {
    let (reading, wanted) = (reading(row), text.to_lowercase());
    let events = events(row).into_iter();
    let mut rows: Vec<u64> = events
        .filter(|event| event.text.to_lowercase().contains(&wanted))
        .filter_map(|event| reading.place(&event.id).map(|place| place as u64))
        .collect();
    rows.sort_unstable();
    rows.dedup();
    let total = rows.len() as u64;
    RowMatches { rows, total }
}

fn events(row: &SessionRow) -> Vec<Event> {
    let number: usize = row.id.trim_start_matches("session-").parse().unwrap_or(0);
    let length = match number {
        1 => LONGEST,
        _ => 24 + (number * 37) % 600,
    };
    let begun = row.updated_ms.unwrap_or(0) - length as u64 * 20_000;
    let at_ms = |index: usize| Some(begun + index as u64 * 20_000);
    (0..length)
        .map(|index| event(number, index, at_ms(index)))
        .collect()
}

fn event(number: usize, index: usize, at_ms: Option<u64>) -> Event {
    let turn = index / TURN;
    let topic = &TOPICS[(number + turn) % TOPICS.len()];
    let hostile = HOSTILE[(number + turn) % HOSTILE.len()];
    let call = |tool: &str, input: Value| {
        let attrs = vec![("tool", tool.to_owned()), ("call_id", format!("c{index}"))];
        ("assistant", "tool-call", input.to_string(), attrs)
    };
    let result = |of: usize, text: String, has_failed: bool| {
        let mut attrs = vec![("call_id", format!("c{of}"))];
        if has_failed {
            attrs.push(("is_error", "true".to_owned()));
        }
        ("tool", "tool-result", text, attrs)
    };
    let said =
        |role: &'static str, kind: &'static str, text: String| (role, kind, text, Vec::new());
    let (role, kind, text, attrs) = match index % TURN {
        0 => said(
            "user",
            "text",
            format!("Please look at this: {}?", topic.title.to_lowercase()),
        ),
        1 => said(
            "assistant",
            "thinking",
            "The test fails only on the second run. Something stays behind.".to_owned(),
        ),
        2 => said(
            "assistant",
            "text",
            format!(
                "we should say it like this: {}\n\n{}",
                topic.title.to_lowercase(),
                topic.body
            ),
        ),
        3 => call("Bash", json!({ "command": "grep -rn 'lease' src/" })),
        4 => result(
            index - 1,
            format!("src/queue.rs:{index}: let lease = token;\n").repeat(1 + index % 80),
            false,
        ),
        5 => call(
            "Edit",
            json!({
                "file_path": "src/queue.rs",
                "old_string": "fn renew(&self) {\n    self.lease.touch();\n}\n",
                "new_string": "fn renew(&self) -> Result<(), Lost> {\n    // Fails if another worker has it.\n    self.lease.extend(self.token)\n}\n",
            }),
        ),
        6 => call("Bash", json!({ "command": "cargo test -p queue renew" })),
        7 => result(index - 2, "The file was updated.".to_owned(), false),
        8 => result(
            index - 2,
            "running 3 tests\ntest renew::lost ... FAILED\n\nerror: test failed".to_owned(),
            turn.is_multiple_of(2),
        ),
        9 if turn.is_multiple_of(3) => said("user", "note", "[image: queue.png]".to_owned()),
        9 => said(
            "user",
            "injected",
            "<system-reminder>The list of tasks is empty.</system-reminder>".to_owned(),
        ),
        10 => call("Bash", json!({ "command": "git diff" })),
        11 => result(
            index - 1,
            "diff --git a/src/queue.rs b/src/queue.rs\n--- a/src/queue.rs\n+++ b/src/queue.rs\n@@ -8,2 +8,2 @@ impl Queue\n fn renew(&self) {\n-    self.lease.touch();\n+    self.lease.extend(self.token)\n".to_owned(),
            false,
        ),
        12 => said(
            "assistant",
            "text",
            format!("Done. {}", topic.body.repeat(1 + turn % 5)),
        ),
        _ => said(
            "user",
            "text",
            if turn % 3 == 1 {
                format!("said {hostile}")
            } else {
                "Good, do that.".to_owned()
            },
        ),
    };
    let attrs = attrs.into_iter();
    Event {
        id: format!("e{index}"),
        origin: Origin::default(),
        role: role.to_owned(),
        kind: kind.to_owned(),
        at_ms,
        text,
        attrs: Attrs(
            attrs
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
        ),
    }
}
