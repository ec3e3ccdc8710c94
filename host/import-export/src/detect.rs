//! Detects the format of a source from its name first and then from its text. A heuristic: the caller may name the
//! format instead.

use acreta_store::Document;

use crate::head::ForeignFrontMatter;
use crate::{Format, Source, basic_memory, claude, json, own};

/// Number of lines that are searched for signs of a format.
const LINES: usize = 400;

/// Minimum number of basic-memory lines in a text without other signs.
const OBSERVATIONS: usize = 2;

pub(crate) fn detect(source: &Source<'_>) -> Format {
    let text = source.text.trim_start_matches('\u{feff}');
    if own::is_export(text) {
        return Format::Acreta;
    }
    by_name(source).unwrap_or_else(|| by_text(text))
}

fn by_name(source: &Source<'_>) -> Option<Format> {
    let path = source.name.replace('\\', "/").to_lowercase();
    let name = path.rsplit('/').next().unwrap_or(&path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match (name, extension) {
        (_, "jsonl" | "ndjson" | "json") => Some(json_or_own(source.text)),
        (".cursorrules", _) | (_, "mdc") => Some(Format::Cursor),
        ("claude.md" | "claude.local.md" | "memory.md", _) => Some(Format::Claude),
        ("agents.md" | "agents.override.md" | "gemini.md" | "copilot-instructions.md", _) => {
            Some(Format::Agents)
        }
        _ if path.contains(".cursor/rules/") => Some(Format::Cursor),
        _ if path.contains(".claude/") => Some(Format::Claude),
        _ => None,
    }
}

fn by_text(text: &str) -> Format {
    let start = text.trim_start();
    if start.starts_with(['{', '[']) && json::is_json(text) {
        return json_or_own(text);
    }
    let head = ForeignFrontMatter::of(text);
    if head.has("permalink") {
        return Format::BasicMemory;
    }
    if claude::is_topic(&head) {
        return Format::Claude;
    }
    if head.has("globs") || head.has("alwaysApply") {
        return Format::Cursor;
    }
    let is_memory = head.has("id") && head.has("created") && head.has("updated");
    if is_memory && Document::parse(text).is_ok() {
        return Format::Acreta;
    }
    let observations = text
        .lines()
        .take(LINES)
        .filter(|line| basic_memory::is_observation(line))
        .take(OBSERVATIONS)
        .count();
    if observations == OBSERVATIONS {
        Format::BasicMemory
    } else {
        Format::Markdown
    }
}

fn json_or_own(text: &str) -> Format {
    if json::is_own(text) {
        Format::Acreta
    } else {
        Format::Jsonl
    }
}
