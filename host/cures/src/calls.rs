//! Extracts the command lines of tool calls, and recognises calls that change files. Knows the names of many tools,
//! but of no project.

use acreta_types::Event;
use serde_json::Value;

use crate::commands::is_look;
use crate::shell::ShellLine;
use crate::word_lists::word_list;

/// Maximum length of a command line, in bytes.
const LONGEST: usize = 8 * 1024;

/// Reports whether a tool runs shell commands, by its name.
pub(crate) fn runs_commands(tool: &str) -> bool {
    let tool = tool.to_lowercase();
    ["bash", "shell", "exec", "terminal", "command", "run"]
        .iter()
        .any(|name| tool.contains(name))
        && !tool.contains("stdin")
}

/// Returns the shell command line that a tool call runs.
pub fn command_line(event: &Event) -> Option<String> {
    if event.text.len() > LONGEST || !runs_commands(event.attrs.get("tool")?) {
        return None;
    }
    let line = match serde_json::from_str(&event.text) {
        Ok(Value::Object(input)) => match NAMES.iter().find_map(|name| input.get(*name)) {
            Some(found) => words(found)?,
            None => only_line(input.get("commands")?)?,
        },
        // A log that shows only the command.
        _ => event
            .text
            .trim()
            .strip_prefix('`')?
            .strip_suffix('`')?
            .to_owned(),
    };
    let line = line.trim();
    (!line.is_empty()).then(|| line.to_owned())
}

const NAMES: &[&str] = &["command", "cmd", "CommandLine", "script", "shell_command"];

/// Returns the line of a list of lines, as Cline sends them, if it has only one: the result of several does not say which
/// of them it is of.
fn only_line(value: &Value) -> Option<String> {
    match value.as_array()?.as_slice() {
        [line] => line.as_str().map(ToOwned::to_owned),
        _ => None,
    }
}

fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(line) => Some(line.clone()),
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match words.as_slice() {
                [shell, flag, line] if shell.ends_with("sh") && flag.starts_with('-') => {
                    Some((*line).to_owned())
                }
                words => Some(words.join(" ")),
            }
        }
        _ => None,
    }
}

/// Reports whether a call is a script that only runs commands, which follow as calls of their own: Codex wraps them in
/// JavaScript, `await tools.exec_command({cmd: "…"})`.
pub(crate) fn only_wraps_commands(event: &Event) -> bool {
    let mut calls = event.text.split("tools.").skip(1).peekable();
    calls.peek().is_some()
        && calls.all(|call| call.starts_with("exec_command") || call.starts_with("write_stdin"))
}

/// Returns the session number of the running command that a call polls or writes to.
pub(crate) fn continued(event: &Event) -> Option<u64> {
    if !event.attrs.get("tool")?.contains("stdin") {
        return None;
    }
    let input: Value = serde_json::from_str(&event.text).ok()?;
    input.get("session_id")?.as_u64()
}

/// Returns the session number of a command that is still running, from its result so far.
pub(crate) fn still_running(text: &str) -> Option<u64> {
    let behind = acreta_text::head(text, 400)
        .split("Process running with session ID ")
        .nth(1)?;
    behind
        .split(|next: char| !next.is_ascii_digit())
        .next()?
        .parse()
        .ok()
}

/// Reports whether an event is a call that may have changed files, settings or anything else that lasts. False for
/// calls that only look, for commands as well as for other tools. In doubt, as for work given to a subagent, true.
pub fn may_have_changed(event: &Event) -> bool {
    if event.kind != "tool-call" {
        return false;
    }
    let tool = event.attrs.get("tool").unwrap_or_default();
    match command_line(event) {
        Some(line) => {
            let line = ShellLine::parse(&line);
            line.writes || line.has_document || !is_look(&line)
        }
        None => {
            runs_commands(tool)
                || may_change(tool)
                || DELEGATING.contains(&tool.to_lowercase().as_str())
        }
    }
}

/// Tools that let a subagent work, whose calls need not be in the session.
const DELEGATING: &[&str] = &["task", "agent"];

/// Reports whether a call of a tool other than a shell may change files or settings: true unless it is known to be
/// read-only.
pub(crate) fn may_change(tool: &str) -> bool {
    let tool = tool.to_lowercase();
    let tool: String = tool.chars().filter(char::is_ascii_alphanumeric).collect();
    !word_list("looking").iter().any(|name| tool.contains(name))
}
