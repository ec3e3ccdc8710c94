//! Formats an item as lines of text: what waits, why, its evidence in context, and the effect of each action.

use acreta_service::process::clock::shown;
use acreta_service::review::{
    ActionEffect, ReviewDetail, ReviewEvidence, ReviewKind, ReviewReport, Turn,
};
use acreta_service::visible;
use console::measure_text_width;

/// One line and its style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StyledLine {
    pub(super) text: String,
    pub(super) tone: Tone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    Plain,
    Title,
    Heading,
    Muted,
    Quoted,
    Added,
    Removed,
}

/// Formats an item with everything a decision needs.
pub(super) fn detail(detail: &ReviewDetail, width: usize) -> Vec<StyledLine> {
    let item = &detail.item;
    let mut page = PageBuilder::new(width);
    page.put(Tone::Title, "", &item.title);
    let kind = item.memories.first().map_or("", |memory| &memory.kind);
    let about = format!("{} · {kind} · {}", item.kind.name(), item.id);
    page.put(Tone::Muted, "", &about);
    page.space();
    page.put(Tone::Plain, "", &item.why);
    for (number, memory) in item.memories.iter().enumerate() {
        let name = match (item.kind, number) {
            (ReviewKind::Conflict, 0) => "Newer",
            (ReviewKind::Conflict, _) => "Older",
            (ReviewKind::Proposal, 0) => "Now",
            (ReviewKind::Proposal, _) => "Proposed",
            _ if memory.body.trim() == memory.title => continue,
            _ => "Text",
        };
        page.space();
        page.put(Tone::Heading, "", &format!("{name}: {}", memory.title));
        if memory.body.trim() != memory.title {
            for line in memory.body.trim().lines() {
                page.put(Tone::Plain, "  ", line);
            }
        }
    }
    if !detail.evidence.is_empty() {
        page.space();
        page.put(Tone::Heading, "", "Evidence");
    }
    for evidence in &detail.evidence {
        page.evidence(evidence);
    }
    page.space();
    page.put(Tone::Heading, "", "Effect of each key");
    for offered in &item.actions {
        page.space();
        let key = &offered.action.name()[..1];
        page.put(Tone::Plain, "", &format!("[{key}] {}", offered.label));
        let effect = detail
            .effects
            .iter()
            .find(|one| one.action == offered.action);
        if let Some(effect) = effect {
            page.effect(effect);
        }
    }
    page.lines
}

/// Formats the effects of decisions.
pub(super) fn report(report: &ReviewReport, width: usize) -> Vec<StyledLine> {
    let mut page = PageBuilder::new(width);
    for one in &report.decisions {
        let name = one.effect.action.name();
        let title = if one.title.is_empty() {
            &one.id
        } else {
            &one.title
        };
        page.put(Tone::Heading, "", &format!("{name} {title}"));
        page.effect(&one.effect);
    }
    page.lines
}

struct PageBuilder {
    width: usize,
    lines: Vec<StyledLine>,
}

impl PageBuilder {
    fn new(width: usize) -> Self {
        Self {
            width: width.max(20),
            lines: Vec::new(),
        }
    }

    fn space(&mut self) {
        self.push(Tone::Plain, String::new());
    }

    fn push(&mut self, tone: Tone, text: String) {
        self.lines.push(StyledLine { text, tone });
    }

    /// Adds a text, wrapped to the width, each line after `indent`.
    fn put(&mut self, tone: Tone, indent: &str, text: &str) {
        let width = self.width.saturating_sub(indent.len());
        for part in wrap(&visible(text), width) {
            self.push(tone, format!("{indent}{part}"));
        }
    }

    fn evidence(&mut self, evidence: &ReviewEvidence) {
        let when = evidence
            .at_ms
            .map_or(String::new(), |at| format!(" · {} UTC", shown(at)));
        let whose = match evidence.session_id.is_empty() {
            true => evidence.agent.clone(),
            false => format!("{}/{}", evidence.agent, evidence.session_id),
        };
        self.put(Tone::Muted, "", &format!("{whose}{when}"));
        if evidence.turns.is_empty() {
            self.said(&evidence.role, &evidence.quote, Tone::Quoted);
        }
        for Turn {
            role, text, quoted, ..
        } in &evidence.turns
        {
            let tone = if *quoted { Tone::Quoted } else { Tone::Muted };
            self.said(role, text, tone);
        }
    }

    fn said(&mut self, role: &str, text: &str, tone: Tone) {
        let who = match role {
            "user" => "you",
            "assistant" => "agent",
            other => other,
        };
        let mark = if tone == Tone::Quoted { "▌" } else { " " };
        let width = self.width.saturating_sub(9);
        let lines = text.trim().lines().filter(|line| !line.trim().is_empty());
        let parts = lines.flat_map(|line| wrap(&visible(line), width));
        for (number, part) in parts.enumerate() {
            let who = if number == 0 { who } else { "" };
            self.push(tone, format!("{mark} {who:<6} {part}"));
        }
    }

    fn effect(&mut self, effect: &ActionEffect) {
        for sentence in &effect.summary {
            self.put(Tone::Muted, "    ", sentence);
        }
        if let Some(problem) = &effect.problem {
            self.put(Tone::Removed, "    ", problem);
        }
        for file in effect.files.iter().filter(|file| !file.diff.is_empty()) {
            for line in file.diff.lines() {
                let tone = match line.chars().next() {
                    Some('+') => Tone::Added,
                    Some('-') => Tone::Removed,
                    _ => Tone::Muted,
                };
                self.put(tone, "    ", line);
            }
        }
    }
}

/// Wraps a text to at most `width` columns, between words if possible.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = vec![String::new()];
    for word in text.split_inclusive(' ') {
        let line = lines.last_mut().expect("there is always a line");
        if measure_text_width(line) + measure_text_width(word.trim_end()) <= width {
            line.push_str(word);
            continue;
        }
        lines.push(String::new());
        for character in word.chars() {
            let line = lines.last_mut().expect("there is always a line");
            if measure_text_width(line) >= width {
                lines.push(String::new());
            }
            lines
                .last_mut()
                .expect("there is always a line")
                .push(character);
        }
    }
    if lines.len() > 1 && lines[0].is_empty() {
        lines.remove(0);
    }
    // Only the first line keeps the indentation of the text.
    let lines = lines.iter().enumerate();
    lines
        .map(|(number, line)| match number {
            0 => line.trim_end().to_owned(),
            _ => line.trim().to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_broken_between_words_and_never_wider_than_the_screen() {
        let table: [(&str, usize, &[&str]); 6] = [
            ("", 5, &[""]),
            ("one two three", 7, &["one two", "three"]),
            ("one two three", 20, &["one two three"]),
            ("abcdefghij", 4, &["abcd", "efgh", "ij"]),
            ("a abcdefgh b", 4, &["a", "abcd", "efgh", "b"]),
            ("日本語です", 4, &["日本", "語で", "す"]),
        ];
        for (text, width, expected) in table {
            let lines = wrap(text, width);
            assert_eq!(lines, expected, "{text}");
            assert!(
                lines.iter().all(|line| measure_text_width(line) <= width),
                "{text}"
            );
        }
    }
}
