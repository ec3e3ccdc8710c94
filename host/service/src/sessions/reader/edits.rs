//! Changes of files in tool calls: old and new text in the input, patches of Codex, and unified diffs in results.

use acreta_types::Event;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::subject::Input;
use crate::remember::diff::diff;

/// Maximum bytes of two texts that are compared line by line; larger ones are shown as replaced.
const COMPARED_BYTES: usize = 128 * 1024;

/// Maximum bytes of the difference of one file.
const DIFF_BYTES: usize = 200_000;

/// Names of the old and the new text in the inputs of edit tools.
const PAIRS: [(&str, &str); 5] = [
    ("old_string", "new_string"),
    ("old_str", "new_str"),
    ("oldString", "newString"),
    ("oldText", "newText"),
    ("old_text", "new_text"),
];
const PATHS: [&str; 6] = [
    "file_path",
    "filePath",
    "path",
    "notebook_path",
    "TargetFile",
    "absolute_path",
];
const CONTENTS: [&str; 4] = ["content", "file_text", "contents", "new_source"];
const PATCHES: [&str; 4] = ["input", "patch", "patchText", "diff"];
/// Parts of the names of tools that write a whole file.
const WRITING: [&str; 4] = ["write", "create", "edit", "replace"];

const BEGIN_PATCH: &str = "*** Begin Patch";

/// Stands between the old and the new path of a file that was moved.
const MOVED: &str = " → ";

/// The change of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileEdit {
    pub path: String,
    /// Lines that begin with `+`, `-` or a blank, or with `@` where lines are left out.
    pub diff: String,
    pub added: u64,
    pub removed: u64,
}

impl FileEdit {
    fn new(path: &str, diff: String) -> Self {
        let count = |sign: char| diff.lines().filter(|line| line.starts_with(sign)).count() as u64;
        let (added, removed) = (count('+'), count('-'));
        Self {
            path: path.to_owned(),
            diff: acreta_text::head(&diff, DIFF_BYTES).to_owned(),
            added,
            removed,
        }
    }
}

/// Returns the lines that a call writes, by its input, as the index of sessions has them.
pub(crate) fn written(call: &Event) -> Vec<u64> {
    let changes = of_call(call).into_iter();
    let mut lines: Vec<u64> = changes
        .flat_map(|change| {
            let path = change.path.rsplit(MOVED).next().unwrap_or_default();
            let added = change
                .diff
                .lines()
                .filter_map(|line| line.strip_prefix('+'));
            let lines = added.filter_map(|line| acreta_search::written_line(path, line));
            lines.collect::<Vec<_>>()
        })
        .collect();
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// Returns the changes that a call makes.
pub(crate) fn of_call(call: &Event) -> Vec<FileEdit> {
    of_input(&Input::new(call))
}

/// Returns the changes that a call makes, by its input.
pub(super) fn of_input(input: &Input<'_>) -> Vec<FileEdit> {
    let Some(Value::Object(fields)) = &input.value else {
        return patch(input.text);
    };
    let path = text(fields, &PATHS).unwrap_or_default();
    let mut changes: Vec<FileEdit> = pair(fields, path).into_iter().collect();
    for edit in fields.values().filter_map(Value::as_array).flatten() {
        if let Value::Object(edit) = edit {
            changes.extend(pair(edit, text(edit, &PATHS).unwrap_or(path)));
        }
    }
    if !changes.is_empty() {
        return changes;
    }
    let tool = input.tool.to_lowercase();
    if !path.is_empty()
        && WRITING.iter().any(|name| tool.contains(name))
        && let Some(content) = text(fields, &CONTENTS)
    {
        return vec![FileEdit::new(path, difference("", content))];
    }
    let texts = fields.values().flat_map(|value| match value {
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        value => value.as_str().into_iter().collect::<Vec<_>>(),
    });
    let patches: Vec<FileEdit> = texts.flat_map(patch).collect();
    match patches.is_empty() {
        true => text(fields, &PATCHES).map_or_else(Vec::new, unified),
        false => patches,
    }
}

fn text<'a>(fields: &'a Map<String, Value>, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| fields.get(*name)?.as_str())
}

fn pair(fields: &Map<String, Value>, path: &str) -> Option<FileEdit> {
    let of = |name: &str| fields.get(name).and_then(Value::as_str);
    let (old, new) = PAIRS
        .iter()
        .find_map(|(old, new)| Some((of(old), of(new)?)))?;
    Some(FileEdit::new(
        path,
        difference(old.unwrap_or_default(), new),
    ))
}

fn difference(old: &str, new: &str) -> String {
    if old.len() + new.len() <= COMPARED_BYTES && !old.is_empty() {
        return diff(old, new);
    }
    let signed = |sign: char, text: &str| {
        let lines = text.lines().map(|line| format!("{sign}{line}\n"));
        lines.collect::<String>()
    };
    signed('-', old) + &signed('+', new)
}

/// Returns the files of a patch as Codex writes it, wherever it begins in the text.
fn patch(text: &str) -> Vec<FileEdit> {
    const FILES: [&str; 3] = ["*** Update File: ", "*** Add File: ", "*** Delete File: "];
    let Some(begin) = text.find(BEGIN_PATCH) else {
        return Vec::new();
    };
    let mut files: Vec<(String, String)> = Vec::new();
    for line in text[begin..].lines().skip(1) {
        if line.starts_with("*** End Patch") {
            break;
        }
        if let Some(mark) = FILES.iter().find(|mark| line.starts_with(**mark)) {
            files.push((line[mark.len()..].trim().to_owned(), String::new()));
        } else if let Some((path, lines)) = files.last_mut() {
            if let Some(moved) = line.strip_prefix("*** Move to: ") {
                *path = format!("{path}{MOVED}{}", moved.trim());
            } else if let Some(place) = line.strip_prefix("@@") {
                hunk(lines, place);
            } else if line.starts_with(['+', '-', ' ']) {
                lines.push_str(line);
                lines.push('\n');
            }
        }
    }
    let files = files.into_iter();
    files
        .map(|(path, lines)| FileEdit::new(&path, lines))
        .collect()
}

/// Notes that lines are left out, except at the beginning.
fn hunk(lines: &mut String, place: &str) {
    let place = place.trim();
    if !lines.is_empty() || !place.is_empty() {
        lines.push_str(&format!("@ {place}").trim_end().replace('\n', " "));
        lines.push('\n');
    }
}

/// Returns the files of a unified diff, wherever it begins in the text.
pub(super) fn unified(text: &str) -> Vec<FileEdit> {
    if !text.contains("@@ -") {
        return Vec::new();
    }
    let mut files: Vec<(String, String)> = Vec::new();
    let mut path = String::new();
    // Lines that the hunk still has, of the old and of the new file.
    let mut left = (0_u64, 0_u64);
    for line in text.lines() {
        if left != (0, 0) {
            let (old, new) = match line.chars().next() {
                Some('+') => (0, 1),
                Some('-') => (1, 0),
                Some('\\') => (0, 0),
                // An empty line may have lost its blank.
                Some(' ') | None => (1, 1),
                Some(_) => {
                    left = (0, 0);
                    continue;
                }
            };
            left = (left.0.saturating_sub(old), left.1.saturating_sub(new));
            if let Some((_, lines)) = files.last_mut() {
                lines.push_str(if line.is_empty() { " " } else { line });
                lines.push('\n');
            }
        } else if let Some(named) = line.strip_prefix("--- ") {
            path = named.to_owned();
            files.push((bare(named), String::new()));
        } else if let Some(named) = line.strip_prefix("+++ ")
            && !path.is_empty()
            && named != "/dev/null"
        {
            if let Some(file) = files.last_mut() {
                file.0 = bare(named);
            }
        } else if let Some(head) = line.strip_prefix("@@ -") {
            let Some((counts, place)) = head.split_once(" @@") else {
                continue;
            };
            let mut counts = counts.split(" +").map(length);
            left = (
                counts.next().flatten().unwrap_or(0),
                counts.next().flatten().unwrap_or(0),
            );
            if files.is_empty() {
                files.push((String::new(), String::new()));
            }
            if let Some((_, lines)) = files.last_mut() {
                hunk(lines, place);
            }
        }
    }
    let files = files.into_iter().filter(|(_, lines)| !lines.is_empty());
    files
        .map(|(path, lines)| FileEdit::new(&path, lines))
        .collect()
}

/// Returns the number of lines of `12,7`; `12` is one.
fn length(range: &str) -> Option<u64> {
    match range.split_once(',') {
        Some((_, length)) => length.parse().ok(),
        None => Some(1),
    }
}

/// Returns a path without the prefix of git and the time behind it.
fn bare(named: &str) -> String {
    let path = named.split('\t').next().unwrap_or_default().trim();
    let bare = path.strip_prefix("a/").or_else(|| path.strip_prefix("b/"));
    bare.unwrap_or(path).to_owned()
}
