//! The result of a shell command as agents word it: its exit status, and its output without the agent's own lines.
//!
//! Hooks and adapters get the same texts from one agent, so both are read here. Known frames:
//!
//! ```text
//! exit: 2                             Grok Build
//! error: Cannot find module 'rows'
//!
//! <untrusted_context>                 Gemini CLI; a success has no line `Exit Code`
//! Output: error: Cannot find module 'rows'
//! Exit Code: 2
//! Process Group PGID: 25153
//! </untrusted_context>
//!
//! Command: sh check.sh                Qwen Code
//! Directory: (root)
//! Output: error: Cannot find module 'rows'
//! Error: (none)
//! Exit Code: 2
//! Signal: (none)
//! Process Group PGID: (none)
//!
//! {"query":"sh check.sh",             Cline, on one line
//!  "result":"[Command exited with code 2]\n[stderr]\nerror: Cannot find module 'rows'\n",
//!  "error":"Command exited with code 2","success":false}
//! ```
//!
//! Others put a sentence before or after the output: `Exit code 2`, `<exited with exit code 2>`.

use std::borrow::Cow;

use serde_json::Value;

/// A result, read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ShellResult<'a> {
    /// `None` if the text does not state it.
    pub(crate) status: Option<i64>,
    pub(crate) output: Cow<'a, str>,
}

impl<'a> ShellResult<'a> {
    pub(crate) fn parse(text: &'a str) -> Self {
        if let Some(framed) = headed(text)
            .or_else(|| listed(text))
            .or_else(|| object(text))
        {
            return framed;
        }
        Self {
            status: stated_status(text),
            output: text.into(),
        }
    }
}

/// `exit: 2` before the output.
fn headed(text: &str) -> Option<ShellResult<'_>> {
    let (first, output) = text.split_once('\n').unwrap_or((text, ""));
    let status = first.strip_prefix("exit: ")?.trim().parse().ok()?;
    Some(ShellResult {
        status: Some(status),
        output: output.into(),
    })
}

/// A list of fields, the output among them.
fn listed(text: &str) -> Option<ShellResult<'_>> {
    let text = text.trim();
    let inner = text.strip_prefix("<untrusted_context>");
    let inner = inner.and_then(|inner| inner.strip_suffix("</untrusted_context>"));
    let text = inner.unwrap_or(text).trim();
    let is_listed = ["Command: ", "Output: "]
        .iter()
        .any(|field| text.starts_with(field));
    let last = text.lines().last()?;
    if !is_listed || !last.starts_with("Process Group PGID:") {
        return None;
    }
    let mut status = 0;
    let mut output = String::new();
    for line in text.lines() {
        if let Some(value) = line.strip_prefix("Exit Code: ") {
            status = value.trim().parse().unwrap_or(status);
            continue;
        }
        let line = line.strip_prefix("Output: ").unwrap_or(line);
        if FIELDS.iter().any(|field| line.starts_with(field)) || EMPTY.contains(&line) {
            continue;
        }
        output.push_str(line);
        output.push('\n');
    }
    Some(ShellResult {
        status: Some(status),
        output: output.into(),
    })
}

/// An object that says whether the command succeeded.
fn object(text: &str) -> Option<ShellResult<'_>> {
    let is_object = text.trim_start().starts_with("{\"query\":");
    let value: Value = is_object.then(|| serde_json::from_str(text).ok())??;
    let has_succeeded = value["success"].as_bool()?;
    let printed = value["result"].as_str().unwrap_or_default();
    let lines = printed
        .lines()
        .filter(|line| !line.starts_with("[Command exited with code ") && *line != "[stderr]");
    let output: String = lines.flat_map(|line| [line, "\n"]).collect();
    let status = match has_succeeded {
        true => 0,
        false => stated_status(value["error"].as_str().unwrap_or_default()).unwrap_or(1),
    };
    Some(ShellResult {
        status: Some(status),
        output: output.into(),
    })
}

const FIELDS: &[&str] = &[
    "Command: ",
    "Directory: ",
    "Signal: ",
    "Background PIDs: ",
    "Process Group PGID:",
];

const EMPTY: &[&str] = &["(empty)", "Error: (none)", "Signal: (none)"];

/// Returns the exit status that a sentence before or after an output states.
fn stated_status(text: &str) -> Option<i64> {
    let head = acreta_text::head(text, 300);
    let tail = tail(text);
    [head, tail].iter().find_map(|part| {
        MARKS.iter().find_map(|mark| {
            let behind = part.split(mark).nth(1)?.trim_start();
            let digits = behind.split(|next: char| !next.is_ascii_digit()).next()?;
            digits.parse().ok()
        })
    })
}

const MARKS: &[&str] = &[
    "Exit code:",
    "Exit Code:",
    "Exit code ",
    "with exit code ",
    "exited with code ",
    "exit code ",
    "exit status ",
];

/// Returns about the last 200 bytes.
pub(crate) fn tail(text: &str) -> &str {
    let mut start = text.len().saturating_sub(200);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}
