//! Interprets one tool call and its result: edited files, the command, its outcome, and whether it checks the work.
//! Knows the names of many tools, but nothing about any project.

use serde_json::Value;

/// One command and its outcome.
#[derive(Debug, Clone)]
pub(crate) struct Command {
    pub(crate) event_id: String,
    pub(crate) order: u64,
    /// One line, at most [`LONGEST_COMMAND`] bytes.
    pub(crate) line: String,
    pub(crate) call: String,
    pub(crate) failed: bool,
    pub(crate) done: bool,
    /// The most informative line of its output, if it failed.
    pub(crate) complaint: String,
    /// The event that holds the complaint.
    pub(crate) result_id: String,
}

/// Reports whether a call may edit files, by its tool or its input.
pub(crate) fn may_edit(tool: &str, raw: &str) -> bool {
    writes_files(tool) || holds_patch(raw)
}

/// Lists the files that a call would edit.
pub(crate) fn edited_files(tool: &str, input: &Value, raw: &str) -> Vec<String> {
    let writes = writes_files(tool);
    let mut found = Vec::new();
    if writes && let Some(path) = text(input, &PATHS) {
        found.push(path.to_owned());
    }
    if writes || holds_patch(raw) {
        let text = text(input, &PATCHES).unwrap_or(raw);
        found.extend(patched_files(text));
    }
    found.retain(|path| path.len() < 300);
    found
}

/// Lists the files that the header lines of a patch name.
fn patched_files(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    if !text.contains(" File: ") {
        return found;
    }
    for mark in ["*** Update File: ", "*** Add File: ", "*** Delete File: "] {
        for piece in text.split(mark).skip(1).take(12) {
            let path = piece.split(['\n', '\\', '"']).next().unwrap_or("").trim();
            if !path.is_empty() && path.len() < 200 {
                found.push(path.to_owned());
            }
        }
    }
    found
}

fn writes_files(tool: &str) -> bool {
    ["edit", "write", "create", "patch", "replace", "notebook"]
        .iter()
        .any(|verb| tool.contains(verb))
        && !["todo", "task", "stdin", "issue", "plan", "memory"]
            .iter()
            .any(|other| tool.contains(other))
}

fn holds_patch(raw: &str) -> bool {
    raw.contains("*** Begin Patch")
}

/// Reports whether a tool runs shell commands.
pub(crate) fn runs_commands(tool: &str) -> bool {
    ["bash", "shell", "exec", "terminal", "command", "run"]
        .iter()
        .any(|name| tool.contains(name))
}

/// Returns the shell command of a call, as one line.
pub(crate) fn command_line(tool: &str, input: &Value) -> Option<String> {
    if !runs_commands(tool) {
        return None;
    }
    let command = COMMANDS.iter().find_map(|name| input.get(name))?;
    let last = command.as_array().and_then(|parts| parts.last());
    let line = acreta_text::one_line(last.unwrap_or(command).as_str()?);
    (!line.is_empty()).then(|| acreta_text::head(&line, LONGEST_COMMAND).to_owned())
}

/// Reports whether an output shows that its command failed.
pub(crate) fn has_failed(text: &str) -> bool {
    let head = acreta_text::head(text, 400);
    // All of the marks contain it, most outputs do not.
    if !head.contains("xit") {
        return false;
    }
    [
        "Exit code ",
        "exit code ",
        "exited with code ",
        "exit status ",
    ]
    .iter()
    .any(|mark| {
        head.split(mark)
            .nth(1)
            .is_some_and(|rest| rest.starts_with(|digit: char| ('1'..='9').contains(&digit)))
    })
}

/// Returns the line of an output that describes the error.
pub(crate) fn complaint(text: &str) -> String {
    let lines = || {
        text.lines()
            .map(str::trim)
            .filter(|line| line.len() > 8 && line.len() < 200)
    };
    let error = || lines().find(|line| line.to_lowercase().contains("error"));
    lines()
        .find(|line| is_misuse(line))
        .or_else(error)
        .unwrap_or("")
        .to_owned()
}

/// Reports whether a complaint is about the use of a tool, not about the work itself.
pub(crate) fn is_misuse(complaint: &str) -> bool {
    let lower = complaint.to_lowercase();
    MISUSES.iter().any(|mark| lower.contains(mark)) && !lower.contains("no such file")
}

/// Returns the head of a command that is worth naming in a summary.
pub(crate) fn notable(line: &str) -> Option<String> {
    let part = line.split("&&").map(str::trim).find(|part| {
        let first = part.split_whitespace().next().unwrap_or("");
        !PLAIN.contains(&first)
            && first.chars().all(|character| {
                character.is_ascii_alphanumeric() || matches!(character, '.' | '/' | '-' | '_')
            })
    })?;
    let words: Vec<&str> = part
        .split_whitespace()
        .take(3)
        .take_while(|word| !word.contains(['<', '>', '|', '"', '\'', '$', '{', '(', ';', '&']))
        .collect();
    (words.len() >= 2).then(|| words.join(" "))
}

fn text<'a>(input: &'a Value, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| input[*name].as_str())
}

const PATHS: [&str; 6] = [
    "file_path",
    "path",
    "filePath",
    "filename",
    "target_file",
    "notebook_path",
];
const PATCHES: [&str; 5] = ["input", "patch", "patchText", "command", "cmd"];
const COMMANDS: [&str; 3] = ["command", "cmd", "CommandLine"];
const LONGEST_COMMAND: usize = 240;

/// Commands that are not worth naming.
const PLAIN: [&str; 34] = [
    "cd", "ls", "cat", "echo", "sed", "grep", "rg", "head", "tail", "find", "pwd", "wc", "sleep",
    "mkdir", "which", "export", "source", "true", "set", "tmux", "ps", "kill", "test", "for", "if",
    "nl", "awk", "jq", "python3", "node", "rm", "cp", "mv", "#",
];

/// Complaints about the use of a tool.
const MISUSES: [&str; 24] = [
    "command not found",
    "unknown option",
    "unknown flag",
    "unknown command",
    "unknown argument",
    "unrecognized",
    "unexpected argument",
    "not supported",
    "unsupported",
    "parse error",
    "shim",
    "invalid option",
    "invalid flag",
    "is not a git command",
    "no such command",
    "not recognized",
    "missing required",
    "deprecated",
    "must be run",
    "requires ",
    "invalid enum",
    "not a valid",
    "was not found; run",
    "externally-managed",
];
