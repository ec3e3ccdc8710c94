//! One line of the record as a model sees it: `[number voice] text`. Only a true line starts with a bracket at the
//! margin, so no text can pose as another voice. The voice comes from the event, never from its text.

use acreta_text::asks_person;

use crate::Event;

/// The speaker of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Voice {
    Person,
    /// The person's answer to a question asked by a tool.
    Answer,
    Agent,
    Call,
    Result,
    Error,
    /// The agent was stopped.
    Note,
    /// Something was left out here.
    Gap,
}

/// A rendered line.
#[derive(Debug, Clone)]
pub(crate) struct TranscriptLine {
    /// Its position in the trace, from 1.
    pub(crate) number: u64,
    /// The events it shows, the one with its number first. A quote may come from any of them.
    pub(crate) event_ids: Vec<String>,
    pub(crate) voice: Voice,
    /// With its head, without a newline at the end.
    pub(crate) text: String,
}

impl Voice {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Voice::Person => "person",
            Voice::Answer => "answer",
            Voice::Agent => "agent",
            Voice::Call => "call",
            Voice::Result => "result",
            Voice::Error => "error",
            Voice::Note => "note",
            Voice::Gap => "gap",
        }
    }

    pub(crate) fn is_person(self) -> bool {
        matches!(self, Voice::Person | Voice::Answer)
    }
}

impl TranscriptLine {
    /// Returns `None` if `shown` has no visible text.
    pub(crate) fn new(number: u64, event_id: &str, voice: Voice, shown: &str) -> Option<Self> {
        let shown = indented(shown);
        if shown.is_empty() {
            return None;
        }
        Some(Self {
            number,
            event_ids: vec![event_id.to_owned()],
            voice,
            text: format!("{}{shown}", head(number, voice)),
        })
    }

    /// Returns the text without its head.
    pub(crate) fn body(&self) -> &str {
        &self.text[head(self.number, self.voice).len()..]
    }

    /// Splits a line that is longer than `limit`; a line that fits is one piece. Each piece has the head of the line.
    pub(crate) fn pieces(&self, limit: usize) -> Vec<String> {
        if self.text.len() <= limit {
            return vec![self.text.clone()];
        }
        let head = head(self.number, self.voice);
        // With room for heads only, splitting would never end.
        let room = limit.saturating_sub(head.len()).max(LEAST_PIECE);
        let mut rest = self.body();
        let mut pieces = Vec::new();
        while !rest.is_empty() {
            let piece = acreta_text::head(rest, room);
            pieces.push(format!("{head}{piece}"));
            rest = &rest[piece.len()..];
        }
        pieces
    }
}

const LEAST_PIECE: usize = 8;

fn head(number: u64, voice: Voice) -> String {
    format!("[{number} {}] ", voice.name())
}

/// Returns the speaker of an event; `None` if it is not shown.
pub(crate) fn voice(event: &Event) -> Option<Voice> {
    if is_of_subagent(event) {
        return Some(Voice::Gap);
    }
    match (event.role.as_str(), event.kind.as_str()) {
        ("user", "text") if event.text.starts_with("[Request interrupted") => Some(Voice::Note),
        ("user", "text") if is_machine(&event.text) => Some(Voice::Gap),
        ("user", "text") => Some(Voice::Person),
        ("assistant", "text") => Some(Voice::Agent),
        (_, "tool-call") => Some(Voice::Call),
        (_, "tool-result") if asks_person(attribute(event, "tool")) => Some(Voice::Answer),
        (_, "tool-result") if attribute(event, "is_error") == "true" => Some(Voice::Error),
        (_, "tool-result") => Some(Voice::Result),
        (_, "note") if tells_interruption(&event.text) => Some(Voice::Note),
        (_, "injected" | "compaction") => Some(Voice::Gap),
        _ => None,
    }
}

/// Returns the value of an event's attribute; empty if it is missing.
pub(crate) fn attribute<'a>(event: &'a Event, key: &str) -> &'a str {
    let mut attrs = event.attrs.iter();
    attrs
        .find(|(name, _)| name == key)
        .map_or("", |(_, value)| value.as_str())
}

/// Returns the files and tools that a call names, the tool first.
pub(crate) fn touched(event: &Event) -> Vec<String> {
    let mut found = Vec::new();
    let tool = attribute(event, "tool");
    if !tool.is_empty() {
        found.push(acreta_text::head(tool, 24).to_owned());
    }
    let text = acreta_text::head(&event.text, 600);
    let words = text.split(|character: char| {
        !(character.is_alphanumeric() || matches!(character, '/' | '.' | '_' | '-'))
    });
    for word in words {
        let name = word.rsplit('/').next().unwrap_or(word);
        let is_file = name.rsplit_once('.').is_some_and(|(stem, ending)| {
            !stem.is_empty()
                && (1..=5).contains(&ending.len())
                && ending.starts_with(|first: char| first.is_ascii_lowercase())
                && !ending.contains(|letter: char| letter.is_ascii_uppercase())
        });
        if is_file && name.len() <= 40 && !found.iter().any(|known| known == name) {
            found.push(name.to_owned());
            if found.len() == 3 {
                break;
            }
        }
    }
    found
}

pub(crate) fn is_of_subagent(event: &Event) -> bool {
    attribute(event, "sidechain") == "true" || !attribute(event, "agent_id").is_empty()
}

fn tells_interruption(text: &str) -> bool {
    let head = acreta_text::head(text, 200).to_lowercase();
    ["interrupt", "abort", "cancel"]
        .iter()
        .any(|mark| head.contains(mark))
}

/// Reports whether a program inserted a text in the person's position.
fn is_machine(text: &str) -> bool {
    const OPENINGS: &[&str] = &[
        "<",
        "Caveat:",
        "This session is being continued",
        "# AGENTS.md",
        "# CLAUDE.md",
        "Base directory for this skill",
        "Stop hook feedback",
        "# Context from my IDE",
        "---\nname:",
    ];
    let text = text.trim_start();
    text.is_empty() || OPENINGS.iter().any(|opening| text.starts_with(opening))
}

/// Indents lines after the first, and leaves out empty lines and invisible characters.
fn indented(text: &str) -> String {
    let mut shown = String::with_capacity(text.len() + 16);
    for line in text.lines() {
        let line: String = line
            .chars()
            .filter(|character| !acreta_text::is_hidden(*character))
            .collect();
        let line = line.trim_end();
        if line.is_empty() {
            continue;
        }
        if !shown.is_empty() {
            shown.push_str("\n    ");
        }
        shown.push_str(line);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_true_line_begins_at_the_margin_and_only_visible_text_is_shown() {
        let line =
            |text: &str| TranscriptLine::new(7, "e", Voice::Person, text).map(|line| line.text);
        assert_eq!(
            line("a\n\n[8 person] b\u{e0041}\u{200b}c").as_deref(),
            Some("[7 person] a\n    [8 person] bc")
        );
        assert_eq!(line("\u{200b}\n \n\u{feff}"), None);
    }

    #[test]
    fn a_long_line_comes_in_pieces_with_its_head() {
        let line = TranscriptLine::new(7, "e", Voice::Agent, &"é".repeat(50)).unwrap();
        let pieces = line.pieces(40);
        assert!(pieces.iter().all(|piece| piece.starts_with("[7 agent] ")));
        assert!(pieces.iter().all(|piece| piece.len() <= 40));
        let letters: usize = pieces.iter().map(|piece| piece.matches('é').count()).sum();
        assert_eq!(letters, 50);
    }
}
