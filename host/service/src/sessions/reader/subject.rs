//! What a tool call is about, in a line: a command, a path, a question.

use acreta_types::Event;
use serde_json::Value;

/// Maximum bytes of an input that is parsed.
const INPUT_BYTES: usize = 1 << 20;

/// Fields that say what a call is about, the most telling first.
const TELLING: [&str; 26] = [
    "command",
    "cmd",
    "CommandLine",
    "pattern",
    "query",
    "file_path",
    "filePath",
    "path",
    "notebook_path",
    "TargetFile",
    "AbsolutePath",
    "url",
    "description",
    "title",
    "subject",
    "question",
    "skill",
    "name",
    "paths",
    "prompt",
    "message",
    "explanation",
    "chars",
    "task_id",
    "taskId",
    "action",
];

/// The input of a tool call.
pub(super) struct Input<'a> {
    pub(super) tool: &'a str,
    pub(super) text: &'a str,
    /// The fields, if it is JSON.
    pub(super) value: Option<Value>,
    command: Option<String>,
}

impl<'a> Input<'a> {
    pub(super) fn new(event: &'a Event) -> Self {
        let text = event.text.as_str();
        let is_json = text.trim_start().starts_with('{') && text.len() <= INPUT_BYTES;
        Self {
            tool: event.attrs.get("tool").unwrap_or_default(),
            text,
            value: is_json.then(|| serde_json::from_str(text).ok()).flatten(),
            command: acreta_cures::command_line(event),
        }
    }

    /// Returns what the call is about, which for one that changes files are these; paths below `root` are relative to it.
    pub(super) fn subject(&self, root: Option<&str>, changed: &[String]) -> String {
        let subject = match (&self.command, &self.value) {
            _ if !changed.is_empty() => changed.join(", "),
            (Some(command), _) => command.clone(),
            (None, Some(Value::Object(fields))) => {
                let telling = TELLING
                    .iter()
                    .find_map(|name| fields.get(*name).and_then(words));
                let first = || fields.values().find_map(words);
                let names = || fields.keys().cloned().collect::<Vec<_>>().join(", ");
                telling.or_else(first).unwrap_or_else(names)
            }
            _ => self.text.to_owned(),
        };
        match root.filter(|root| !root.is_empty()) {
            Some(root) => subject.replace(&format!("{}/", root.trim_end_matches('/')), ""),
            None => subject,
        }
    }
}

/// Returns a value as words, if it has any.
fn words(value: &Value) -> Option<String> {
    let words = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Array(items) => {
            let texts: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            match texts.is_empty() {
                true => return (!items.is_empty()).then(|| format!("{} items", items.len())),
                false => texts.join(" "),
            }
        }
        _ => return None,
    };
    (!words.trim().is_empty()).then_some(words)
}

/// Spreads the fields of JSON over lines, as a person reads them; other input is as it is.
pub(super) fn spread(text: &str) -> String {
    let fields = match serde_json::from_str(text) {
        Ok(Value::Object(fields)) if text.len() <= INPUT_BYTES => fields,
        _ => return text.to_owned(),
    };
    let mut spread = String::new();
    for (name, value) in &fields {
        let value = match value {
            Value::String(text) => text.clone(),
            Value::Array(_) | Value::Object(_) => {
                serde_json::to_string_pretty(value).unwrap_or_default()
            }
            other => other.to_string(),
        };
        spread.push_str(name);
        spread.push(':');
        match value.contains('\n') {
            true => {
                for line in value.lines() {
                    spread.push_str("\n  ");
                    spread.push_str(line);
                }
            }
            false => {
                spread.push(' ');
                spread.push_str(&value);
            }
        }
        spread.push('\n');
    }
    spread
}
