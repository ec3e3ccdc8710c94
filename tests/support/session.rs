//! Session files of Claude Code, built record by record.

use std::fmt::Write;

use serde_json::{Value, json};

/// A session being written.
pub(crate) struct ClaudeSession {
    pub(crate) text: String,
    number: u64,
    records: u64,
}

impl ClaudeSession {
    /// Starts session `number`, on a day of its own.
    pub(crate) fn new(number: u64) -> Self {
        Self {
            text: String::new(),
            number,
            records: 0,
        }
    }

    fn add(&mut self, kind: &str, message: &Value) {
        self.records += 1;
        let record = json!({
            "type": kind, "uuid": format!("00000000-0000-4000-{:04}-{:012}", self.number, self.records),
            "parentUuid": null, "isSidechain": false, "userType": "external",
            "cwd": "/home/dev/shop", "sessionId": format!("5d2f6c1e-7a4b-4c39-9b61-{:012}", self.number),
            "version": "2.1.146", "message": message,
            "timestamp": format!("2026-05-{:02}T08:{:02}:00.000Z", 10 + self.number, self.records),
        });
        writeln!(self.text, "{record}").unwrap();
    }

    pub(crate) fn person(&mut self, text: &str) {
        self.add("user", &json!({ "role": "user", "content": text }));
    }

    pub(crate) fn agent(&mut self, text: &str) {
        let content = json!([{ "type": "text", "text": text }]);
        self.add(
            "assistant",
            &json!({ "role": "assistant", "content": content }),
        );
    }

    pub(crate) fn tool(&mut self, name: &str, input: &Value, output: &str, is_error: bool) {
        let id = format!("toolu_{:06}", self.records);
        let call = json!([{ "type": "tool_use", "id": id, "name": name, "input": input }]);
        self.add(
            "assistant",
            &json!({ "role": "assistant", "content": call }),
        );
        let result = json!([{
            "type": "tool_result", "tool_use_id": id, "content": output, "is_error": is_error,
        }]);
        self.add("user", &json!({ "role": "user", "content": result }));
    }
}
