//! The person's words at second hand: listed in a compaction, or written by the agent into a file of rules on request.

use acreta_sdk::extractor::Event;

use crate::blocks::list_mark;
use crate::draft::{Draft, body, quote, title};
use crate::form::form;
use crate::json::Json;
use crate::said::{self, MessageSource};
use crate::sentences::sentences;
use crate::view::SentenceView;

/// Drafts the person's words that a compaction lists under a separate heading.
pub(crate) fn listed(event: &Event, order: u64) -> Vec<Draft> {
    let text = acreta_text::head(&event.text, LONGEST_COMPACTION);
    let source = MessageSource {
        event_id: &event.id,
        order,
        noted: false,
    };
    let mut found = Vec::new();
    let mut within = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if is_heading(line) {
            within = lists_messages(trimmed);
            continue;
        }
        let item = &trimmed[list_mark(trimmed)..];
        let words = item.strip_prefix(['"', '“']).and_then(|rest| {
            let end = rest.rfind(['"', '”'])?;
            Some(&rest[..end])
        });
        let Some(words) = words.filter(|_| within && item.len() < trimmed.len()) else {
            continue;
        };
        let spoken: Vec<_> = sentences(words).collect();
        let drafts = said::of_sentences(&source, &spoken, true);
        let first = found.len();
        found.extend(drafts.into_iter().enumerate().map(|(at, draft)| Draft {
            place: first + at,
            confidence: LISTED,
            // The agent's account of their words.
            spoken: false,
            ..draft
        }));
        if found.len() >= MOST_LISTED {
            break;
        }
    }
    found
}

/// Reports whether a line is a heading of a compaction: marked, bold or numbered at the margin.
fn is_heading(line: &str) -> bool {
    let numbered = line.starts_with(|first: char| first.is_ascii_digit()) && list_mark(line) > 0;
    numbered || line.starts_with('#') || line.trim().starts_with("**")
}

fn lists_messages(heading: &str) -> bool {
    let lower = heading.to_lowercase();
    lower.contains("user")
        && ["message", "request", "said", "instruction", "feedback"]
            .iter()
            .any(|word| lower.contains(word))
}

/// Reports whether the person asks for something to be written into a file that agents read.
pub(crate) fn asks_for_note(text: &str) -> bool {
    let view = SentenceView::of(acreta_text::head(text, 2048));
    let lower = view.text.to_lowercase();
    RULE_FILES.iter().any(|file| lower.contains(file)) && !view.is_question()
        || view.has(view.tongue.remember)
}

/// Drafts the lines that an edit adds to a file of rules, if the person asked for that.
pub(crate) fn noted(event: &Event, order: u64) -> Vec<Draft> {
    let lower = acreta_text::head(&event.text, 400).to_lowercase();
    if !RULE_FILES.iter().any(|file| lower.contains(file)) {
        return Vec::new();
    }
    let input = Json::parse(&event.text);
    let path = input
        .text(&["file_path", "path", "filePath", "target_file"])
        .unwrap_or("")
        .to_lowercase();
    if !RULE_FILES.iter().any(|file| path.contains(file)) {
        return Vec::new();
    }
    let old = input
        .text(&["old_string", "oldString", "old_str"])
        .unwrap_or("");
    let Some(new) = input.text(&["new_string", "newString", "new_str"]) else {
        return Vec::new();
    };
    let added: Vec<&str> = new
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !old.contains(line))
        .collect();
    if added.len() > LONGEST_NOTE {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (place, line) in added.iter().enumerate() {
        let item = line[list_mark(line)..].trim();
        let verbatim = !item.is_empty() && event.text.contains(item);
        if !verbatim || item.starts_with(['#', '|', '`']) || form(item).is_none() {
            continue;
        }
        let Some(title) = title(item) else {
            continue;
        };
        let draft = Draft {
            order,
            place: NOTE_PLACE + place,
            kind: "context",
            title,
            body: body(item, None, &[]),
            pending: false,
            spoken: false,
            confidence: 0.7,
            evidence: vec![quote(&event.id, item)],
        };
        if draft.reads_well() && found.len() < MOST_NOTED {
            found.push(draft);
        }
    }
    found
}

/// Files that agents read before they work.
const RULE_FILES: [&str; 11] = [
    "claude.md",
    "agents.md",
    "gemini.md",
    "copilot-instructions",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    "conventions.md",
    ".cursor/rules",
    ".claude/rules",
    "memory.md",
];

const LONGEST_COMPACTION: usize = 64 * 1024;
const MOST_LISTED: usize = 6;
const LISTED: f32 = 0.7;
/// An edit with more new lines than this is a document.
const LONGEST_NOTE: usize = 12;
const MOST_NOTED: usize = 3;
const NOTE_PLACE: usize = 3000;
