//! Conversations of the world: turns that are repeated, with everything that a reader shows, and the figures that agents
//! record as adapters emit them. Codex and Claude Code record all of them, Cursor neither tokens nor results of tools.

use acreta_types::{Attrs, Event, Origin};
use serde_json::{Value, json};

use super::texts::{HOSTILE, TOPICS};

/// Events that are repeated.
const TURN: usize = 14;

/// Time between two events.
const PAUSE_MS: u64 = 20_000;

/// The event that memories quote: the beginning of a turn's answer.
pub(super) const QUOTED: &str = "e2";

/// Returns the sentence of [`QUOTED`] about a topic.
pub(super) fn quote(title: &str) -> String {
    format!("we should say it like this: {}", title.to_lowercase())
}

/// Returns the events of a session whose last one was at `ended_ms`.
pub(super) fn conversation(
    session: usize,
    agent: &str,
    length: usize,
    ended_ms: u64,
) -> Vec<Event> {
    let begun_ms = ended_ms - length as u64 * PAUSE_MS;
    let events = (0..length).map(|index| {
        let at_ms = begun_ms + index as u64 * PAUSE_MS;
        event(session, agent, index, at_ms)
    });
    let is_recorded = |event: &Event| agent != "cursor" || event.kind != "tool-result";
    events.filter(is_recorded).collect()
}

fn event(session: usize, agent: &str, index: usize, at_ms: u64) -> Event {
    let turn = index / TURN;
    let topic = &TOPICS[(session + turn) % TOPICS.len()];
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
    let answered = |text: String| ("assistant", "text", text, figures(agent, index));
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
        2 => answered(format!(
            "{}\n\n{}\n\nThat means **three tries**:\n\n- `backoff` in between\n- a warning in the log",
            quote(topic.title),
            topic.body
        )),
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
        12 => answered(format!("Done. {}", topic.body.repeat(1 + turn % 5))),
        _ if turn % 3 == 1 => {
            let hostile = HOSTILE[(session + turn) % HOSTILE.len()];
            said("user", "text", format!("said {hostile}"))
        }
        _ => said("user", "text", "Good, do that.".to_owned()),
    };
    let mut event = Event {
        id: format!("e{index}"),
        origin: Origin::default(),
        role: role.to_owned(),
        kind: kind.to_owned(),
        at_ms: Some(at_ms),
        text,
        attrs: Attrs::default(),
    };
    for (name, value) in attrs {
        event.attrs.push(name, value);
    }
    event
}

/// Returns the figures that an agent records with an answer.
fn figures(agent: &str, index: usize) -> Vec<(&'static str, String)> {
    let model = match agent {
        "claude" => "claude-opus-4-6",
        "codex" => "gpt-5-codex",
        "cursor" => return vec![("model", "own-model".to_owned())],
        _ => return Vec::new(),
    };
    let read = 20_000 + 100 * index;
    vec![
        ("model", model.to_owned()),
        ("input_tokens", (read + 2_000).to_string()),
        ("cache_read_tokens", read.to_string()),
        ("output_tokens", (400 + index % 90).to_string()),
    ]
}
