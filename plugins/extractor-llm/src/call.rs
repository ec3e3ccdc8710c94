//! Renders tool calls for a model, by value: questions to the person in full, plans nearly so, edits with their new
//! text, commands, commits with their message; everything else in a few words.

use std::collections::BTreeSet;

use acreta_text::asks_person;
use serde_json::Value;

use crate::shorten::{ends, one_line};

/// A parsed tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) shape: CallKind,
    /// A few words: the tool and its target.
    pub(crate) compact: String,
    /// The full rendering, for a separate line.
    pub(crate) full: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallKind {
    /// A question to the person, with its options.
    Question,
    /// A plan presented to the person.
    Plan,
    /// Work delegated to a subagent; the result is its report.
    Delegation,
    Edit,
    Command,
    /// A command that commits work with a message.
    Commit,
    /// Shown in a few words.
    Routine,
}

/// Reads the input of a tool call.
pub(crate) fn read(tool: &str, input: &str) -> Call {
    let parsed: Option<Value> = serde_json::from_str(input).ok();
    let value = parsed.as_ref().unwrap_or(&Value::Null);
    let call = |shape, compact: String, full: String| Call {
        shape,
        compact,
        full,
    };
    if asks_person(tool) {
        let full = question(value).unwrap_or_else(|| input.to_owned());
        let full = format!("{tool} {}", ends(&full, QUESTION_HEAD, QUESTION_TAIL));
        return call(CallKind::Question, one_line(&full, COMPACT), full);
    }
    if let Some(plan) = text(value, &["plan"]).filter(|plan| plan.len() > 80) {
        let full = format!("{tool} {}", ends(plan, PLAN_HEAD, PLAN_TAIL));
        return call(CallKind::Plan, one_line(&full, COMPACT), full);
    }
    if let Some(patch) = patch(value, input) {
        let full = format!("{tool} {}", ends(&patched(patch), EDIT, EDIT_TAIL));
        return call(CallKind::Edit, one_line(&full, COMPACT), full);
    }
    if let Some(command) = command(value) {
        let compact = one_line(&format!("{tool} {}", without_folder(&command)), COMPACT);
        if let Some(message) = commit(&command) {
            let full = format!("{tool} {}", ends(message, COMMIT_HEAD, COMMIT_TAIL));
            return call(CallKind::Commit, compact, full);
        }
        let full = format!("{tool} {}", ends(&command, COMMAND_HEAD, COMMAND_TAIL));
        let shape = if is_exploring(&command) {
            CallKind::Routine
        } else {
            CallKind::Command
        };
        return call(shape, compact, full);
    }
    if is_delegation(tool)
        && let Some(task) = text(value, &["description", "task", "prompt", "objective"])
    {
        let full = one_line(&format!("{tool} {task}"), DELEGATION);
        return call(CallKind::Delegation, one_line(&full, COMPACT), full);
    }
    let path = text(value, PATHS).map(short_path);
    if let (Some(path), Some(new)) = (path, new_text(value)) {
        let keeps = is_rules_file(path);
        let (head, tail) = if keeps {
            (RULES_HEAD, RULES_TAIL)
        } else {
            (EDIT, EDIT_TAIL)
        };
        let old = text(value, OLD).map(str::trim).unwrap_or_default();
        let (old, new) = changed_lines(old, &new);
        let old = if old.is_empty() || old.len() > OLD_TEXT {
            String::new()
        } else {
            format!("\n- {}", old.replace('\n', "\n- "))
        };
        let new = if new.len() <= head + tail {
            new
        } else if keeps {
            ends(&new, head, tail)
        } else {
            format!("{} …", acreta_text::head(&new, EDIT_START).trim_end())
        };
        let full = format!("{tool} {path}{old}\n+ {}", new.trim().replace('\n', "\n+ "));
        return call(
            CallKind::Edit,
            one_line(&format!("{tool} {path}"), COMPACT),
            full,
        );
    }
    let label = label(value, input);
    let compact = one_line(&format!("{tool} {label}"), COMPACT);
    call(CallKind::Routine, compact.clone(), compact)
}

/// Returns the end of a long path: the parent folders of a project carry no information.
fn short_path(path: &str) -> &str {
    if path.len() <= SHORT_PATH {
        return path;
    }
    let slashes = path
        .char_indices()
        .filter(|(_, one)| matches!(one, '/' | '\\'));
    let slashes: Vec<usize> = slashes.map(|(at, _)| at).collect();
    match slashes.as_slice() {
        [.., third, _, _] => &path[third + 1..],
        _ => path,
    }
}

/// Removes a leading change of folder from a command.
fn without_folder(command: &str) -> &str {
    let rest = command.trim_start().strip_prefix("cd ");
    let rest = rest.and_then(|rest| rest.split_once("&&"));
    rest.map_or(command, |(_, rest)| rest.trim_start())
}

const SHORT_PATH: usize = 32;

/// Returns the program and its subcommand, without directories, environment and options: two runs of it have the same
/// key.
pub(crate) fn key(command: &str) -> String {
    let last = command.rsplit("&&").find(|part| !part.trim().is_empty());
    let words = last.unwrap_or(command).split_whitespace();
    let words = words.filter(|word| {
        !word.contains('=') && !word.starts_with('-') && !["sudo", "timeout", "env"].contains(word)
    });
    let words = words.filter(|word| !word.bytes().all(|byte| byte.is_ascii_digit()));
    words.take(2).collect::<Vec<_>>().join(" ")
}

/// Reports whether a command only explores: finding nothing is not a failure, and finding something later is not a
/// cure.
fn is_exploring(command: &str) -> bool {
    const PROGRAMS: &[&str] = &[
        "awk", "cat", "cd", "du", "echo", "fd", "file", "find", "grep", "head", "jq", "ls", "nl",
        "pwd", "rg", "sed", "sleep", "sort", "stat", "tail", "test", "tree", "wc", "which",
    ];
    const GIT: &[&str] = &[
        "blame", "branch", "diff", "fetch", "grep", "log", "show", "status",
    ];
    let key = key(command);
    let mut words = key.split(' ');
    match (words.next(), words.next()) {
        (Some("git"), Some(verb)) => GIT.contains(&verb),
        (Some(program), _) => PROGRAMS.contains(&program),
        (None, _) => true,
    }
}

/// Reports whether a tool starts a subagent.
fn is_delegation(tool: &str) -> bool {
    let tool = tool.to_lowercase();
    [
        "task",
        "agent",
        "subagent",
        "spawn_agent",
        "dispatch_agent",
        "delegate",
    ]
    .contains(&tool.as_str())
}

const COMPACT: usize = 110;
const DELEGATION: usize = 240;
const QUESTION_HEAD: usize = 3_500;
const QUESTION_TAIL: usize = 500;
const PLAN_HEAD: usize = 2_000;
const PLAN_TAIL: usize = 600;
const COMMAND_HEAD: usize = 300;
const COMMAND_TAIL: usize = 100;
const COMMIT_HEAD: usize = 1_600;
const COMMIT_TAIL: usize = 200;
/// New text of an edit up to this size is shown whole, of a larger one only the start.
const EDIT: usize = 320;
const EDIT_TAIL: usize = 80;
const EDIT_START: usize = 160;
const OLD_TEXT: usize = 120;
const RULES_HEAD: usize = 1_500;
const RULES_TAIL: usize = 300;

const PATHS: &[&str] = &[
    "file_path",
    "filePath",
    "path",
    "filename",
    "notebook_path",
    "target_file",
    "TargetFile",
    "file",
];
const NEW: &[&str] = &[
    "new_string",
    "new_str",
    "newString",
    "newText",
    "new_text",
    "new_source",
    "content",
    "file_text",
    "contents",
    "code_edit",
    "insert_text",
    "replacement",
];
const OLD: &[&str] = &["old_string", "old_str", "oldString", "oldText", "old_text"];

fn text<'a>(value: &'a Value, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| value.get(*name)?.as_str())
}

fn new_text(value: &Value) -> Option<String> {
    if let Some(new) = text(value, NEW) {
        return Some(new.to_owned());
    }
    let edits = value.get("edits")?.as_array()?;
    let new: Vec<&str> = edits.iter().filter_map(|edit| text(edit, NEW)).collect();
    (!new.is_empty()).then(|| new.join("\n"))
}

/// Returns the lines of each text that the other lacks: an edit repeats many unchanged lines.
fn changed_lines(old: &str, new: &str) -> (String, String) {
    let only = |text: &str, other: &str| -> String {
        let known: BTreeSet<&str> = other.lines().map(str::trim).collect();
        let lines = text.lines().filter(|line| !known.contains(line.trim()));
        lines.collect::<Vec<_>>().join("\n")
    };
    if old.is_empty() {
        return (String::new(), new.to_owned());
    }
    (only(old, new), only(new, old))
}

/// Reports whether a file gives instructions to agents: edits of such files are worth more than code.
fn is_rules_file(path: &str) -> bool {
    let name = path
        .rsplit(['/', '\\'])
        .next()
        .unwrap_or(path)
        .to_lowercase();
    [
        "claude",
        "agents",
        "memory",
        "gemini",
        "copilot-instructions",
        "cursorrules",
        "conventions",
    ]
    .iter()
    .any(|known| name.starts_with(known) || name.trim_start_matches('.') == *known)
        || path.contains(".cursor/rules")
}

/// Renders questions with every option and its description.
fn question(value: &Value) -> Option<String> {
    let list = value.get("questions").and_then(Value::as_array);
    let one = [value.clone()];
    let questions: &[Value] = list.map_or(&one, Vec::as_slice);
    let mut shown = String::new();
    for question in questions {
        let asked = text(question, &["question", "prompt", "message", "text"])?;
        shown.push_str(&format!("asks: {asked}\n"));
        let options = ["options", "choices", "follow_up", "suggestions"]
            .iter()
            .find_map(|name| question.get(*name)?.as_array());
        for option in options.into_iter().flatten() {
            let label = option
                .as_str()
                .or_else(|| text(option, &["label", "text", "value", "title"]));
            let Some(label) = label else {
                shown.push_str(&format!("- {option}\n"));
                continue;
            };
            match text(option, &["description", "detail"]) {
                Some(detail) => shown.push_str(&format!("- {label}: {detail}\n")),
                None => shown.push_str(&format!("- {label}\n")),
            }
        }
    }
    Some(shown)
}

fn command(value: &Value) -> Option<String> {
    let found = ["command", "cmd", "script", "shell_command", "CommandLine"]
        .iter()
        .find_map(|name| value.get(*name))?;
    match found {
        Value::String(command) => Some(command.clone()),
        // `bash -lc COMMAND`: the last word is the command.
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match words.as_slice() {
                [shell, flag, .., last] if shell.ends_with("sh") && flag.starts_with('-') => {
                    Some((*last).to_owned())
                }
                words => Some(words.join(" ")),
            }
        }
        _ => None,
    }
}

/// Returns the part of a command from the commit or the pull request on.
fn commit(command: &str) -> Option<&str> {
    [
        "git commit",
        "gh pr create",
        "gh issue create",
        "jj commit",
        "jj describe",
    ]
    .iter()
    .filter_map(|mark| command.find(mark))
    .min()
    .map(|at| &command[at..])
    .filter(|found| {
        ["-m", "--message", "-F", "--body", "<<"]
            .iter()
            .any(|mark| found.contains(mark))
    })
}

fn patch<'a>(value: &'a Value, input: &'a str) -> Option<&'a str> {
    const BEGIN: &str = "*** Begin Patch";
    let inner = text(value, &["input", "patch", "patchText", "diff"]);
    [inner, Some(input)]
        .into_iter()
        .flatten()
        .find_map(|text| Some(&text[text.find(BEGIN)?..]))
        .filter(|found| !found.contains("\\n*** Update File") || found.contains("\n*** "))
}

/// Returns the files of a patch and its new lines.
fn patched(patch: &str) -> String {
    let kept = patch.lines().filter_map(|line| {
        if let Some(file) = line.strip_prefix("*** ") {
            let is_frame = file.starts_with("Begin") || file.starts_with("End");
            return (!is_frame).then(|| file.to_owned());
        }
        line.starts_with('+').then(|| line.to_owned())
    });
    kept.collect::<Vec<_>>().join("\n")
}

/// Labels a call by its target, else by its first words.
fn label(value: &Value, input: &str) -> String {
    const NAMES: &[&str] = &[
        "pattern",
        "query",
        "url",
        "description",
        "name",
        "skill",
        "title",
        "id",
    ];
    let path = text(value, PATHS).map(short_path);
    let about = text(value, NAMES);
    match (about, path) {
        (Some(about), Some(path)) => format!("{about} in {path}"),
        (Some(only), None) | (None, Some(only)) => only.to_owned(),
        (None, None) if value.is_object() => {
            let words = value.as_object().into_iter().flatten();
            let words = words.filter_map(|(_, value)| value.as_str());
            words.take(2).collect::<Vec<_>>().join(" ")
        }
        (None, None) => input.to_owned(),
    }
}

#[cfg(test)]
mod tests;
