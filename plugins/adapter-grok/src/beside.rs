//! Files next to the conversation: one with the session's properties, one with everything the program showed and its
//! times.

use std::collections::HashMap;
use std::io::Read;

use acreta_sdk::adapter::calls::hash;
use acreta_sdk::adapter::json::{Scanner, Value};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{file_probe, path};

/// Maximum bytes read of such a file.
const BYTES: u64 = 32 * 1024 * 1024;

/// Content of `summary.json`.
#[derive(Default)]
pub(crate) struct Summary {
    pub(crate) id: Option<String>,
    pub(crate) directory: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) started_ms: Option<u64>,
    pub(crate) updated_ms: Option<u64>,
}

impl Summary {
    pub(crate) fn beside(file: &str) -> Self {
        let bytes = load(file, "summary.json").unwrap_or_default();
        let Ok(summary) = Scanner::new(&bytes).object() else {
            return Self::default();
        };
        let text = |of: Option<Value<'_>>, name: &str| {
            let text = of?.text_of(name)?.lossy().into_owned();
            (!text.is_empty()).then_some(text)
        };
        let info = summary.field("info");
        Self {
            id: text(info, "id"),
            directory: text(info, "cwd"),
            title: text(Some(summary), "generated_title"),
            started_ms: summary.field("created_at").and_then(instant),
            updated_ms: summary.field("updated_at").and_then(instant),
        }
    }
}

/// Times of prompts, tool calls and results, from `updates.jsonl`.
#[derive(Default)]
pub(crate) struct Times {
    prompts: HashMap<u64, u64>,
    /// Start and end, by the hash of the call's id.
    calls: HashMap<u64, (u64, u64)>,
}

impl Times {
    pub(crate) fn beside(file: &str) -> Self {
        let mut times = Self::default();
        let bytes = load(file, "updates.jsonl").unwrap_or_default();
        for line in bytes.split(|byte| *byte == b'\n') {
            if let Ok(update) = Scanner::new(line).object() {
                times.add(update);
            }
        }
        times
    }

    fn add(&mut self, record: Value<'_>) -> Option<()> {
        let parameters = record.field("params")?;
        let exact = parameters
            .field("_meta")
            .and_then(|meta| meta.field("agentTimestampMs"));
        let at_ms = exact
            .or_else(|| record.field("timestamp"))
            .and_then(instant)?;
        let update = parameters.field("update")?;
        let kind = update.text_of("sessionUpdate")?;
        if kind.is("user_message_chunk") {
            let index = update.field("_meta")?.field("promptIndex")?.number()?;
            self.prompts.entry(index).or_insert(at_ms);
        } else if kind.is("tool_call") || kind.is("tool_call_update") {
            let id = hash(update.text_of("toolCallId")?.raw);
            self.calls.entry(id).or_insert((at_ms, at_ms)).1 = at_ms;
        }
        Some(())
    }

    pub(crate) fn prompt(&self, index: u64) -> Option<u64> {
        self.prompts.get(&index).copied()
    }

    pub(crate) fn call(&self, id: &str) -> Option<(u64, u64)> {
        self.calls.get(&hash(id.as_bytes())).copied()
    }
}

fn load(file: &str, name: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let beside = file_probe::open(&format!("{}/{name}", path::parent(file))).ok()?;
    beside.take(BYTES).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}
