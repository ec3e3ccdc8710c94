//! Detects the person's own words. The text of a user event may be typed, pasted or inserted by a program; only typed
//! text counts as the person's, and in doubt it does not.

use std::borrow::Cow;

use crate::blocks::TextPosition;
use crate::blocks::list_mark;
use crate::phrases::{Folded, Phrases, phrases};
use crate::sentences::{Sentence, sentences};

/// Origin of a user's message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MessageForm {
    /// Typed: a request, an answer, a remark, perhaps with a paste in it.
    Speech,
    /// A written order with headings: a plan or a task to carry out.
    Brief,
    /// A pasted document, log or review.
    Paste,
    /// Inserted by the agent's program.
    Machine,
}

/// The start of a user's message, as far as it is examined.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Message<'a> {
    pub(crate) text: &'a str,
    pub(crate) form: MessageForm,
}

impl<'a> Message<'a> {
    /// Takes at most `limit` bytes of a text; its form is determined from these alone.
    pub(crate) fn of(text: &'a str, limit: usize) -> Self {
        let text = acreta_text::head(text, limit);
        Self {
            text,
            form: form(text),
        }
    }

    /// Returns at most `limit` bytes of this message.
    pub(crate) fn head(self, limit: usize) -> Self {
        if self.text.len() <= limit {
            self
        } else {
            Self::of(self.text, limit)
        }
    }

    /// Returns the person's sentences; pasted lines are left out.
    pub(crate) fn speech(self) -> impl Iterator<Item = Sentence<'a>> {
        let Self { text, form } = self;
        let silent = form == MessageForm::Machine || is_review(text);
        // A long structured message or a paste: only the text before it was certainly typed.
        let only_first = form != MessageForm::Speech
            || (text.len() > LONG_MESSAGE && MessageShape::of(text).items >= 8)
            || shows_text(text);
        sentences(if silent { "" } else { text })
            .take_while(move |sentence| !only_first || sentence.block == 0)
            .filter(|sentence| {
                sentence.place != TextPosition::Heading
                    && sentence.text.len() <= LONGEST_SENTENCE
                    && !looks_pasted(sentence.text)
            })
    }
}

/// Reports whether a message asks about a text that it quotes below: `what does this say?`
fn shows_text(text: &str) -> bool {
    const THIS: Phrases = phrases!("this|dies|das|esto|ceci|ça|это");
    let Some((first, rest)) = text.trim().split_once("\n\n") else {
        return false;
    };
    let asks = first.trim_end().ends_with(['?', ':', '？', '：']);
    let shown = ["这", "這", "これ"].iter().any(|word| first.contains(word));
    asks && !rest.trim().is_empty() && (shown || Folded::of(first).any(THIS))
}

fn form(text: &str) -> MessageForm {
    if is_machine(text) {
        return MessageForm::Machine;
    }
    let trimmed = text.trim_start();
    let shape = MessageShape::of(trimmed);
    if shape.headings >= 2 {
        return if is_order(trimmed) {
            MessageForm::Brief
        } else {
            MessageForm::Paste
        };
    }
    if (shape.lines >= 12 && shape.loud * 10 >= shape.lines * 6)
        || shape.wrapped >= 4
        || is_review(trimmed)
    {
        return MessageForm::Paste;
    }
    MessageForm::Speech
}

/// Reports whether a line looks like output, code, a path or markup, not like speech.
pub(crate) fn looks_pasted(line: &str) -> bool {
    let line = line.trim();
    if line.starts_with([
        '❯', '➜', '$', '+', '|', '<', '{', '[', '/', '│', '─', '→', '⠇', '✓', '✗', '@', '\'',
    ]) || line.starts_with("at ") && line.contains('(')
        || is_output(line)
        || line.starts_with("http")
        || line.starts_with("--")
        || line.starts_with("=>")
        || line.contains(" --- ")
    {
        return true;
    }
    // Code in ticks is neither speech nor output; URLs neither.
    let told: Vec<&str> = line.split('`').step_by(2).collect();
    let spoken = if told.len() > 1 && told.concat().trim().len() >= 8 {
        Cow::Owned(told.concat())
    } else if line.contains("://") {
        let words = line.split_whitespace();
        let words: Vec<&str> = words.filter(|word| !word.contains("://")).collect();
        Cow::Owned(words.join(" "))
    } else {
        Cow::Borrowed(line)
    };
    // Letters and characters, with one space between two words.
    let (mut plain, mut characters) = (0, 0);
    let mut in_word = true;
    for character in spoken.chars() {
        if character.is_whitespace() {
            in_word = false;
            continue;
        }
        if !in_word {
            in_word = true;
            plain += 1;
            characters += 1;
        }
        characters += 1;
        plain += usize::from(character.is_alphabetic());
    }
    plain * 100 / characters.max(1) < 72
        || (spoken.len() > 90
            && spoken
                .split_whitespace()
                .any(|word| word.len() > 90 && word.is_ascii()))
        || (line.contains("   ") && line.split_whitespace().count() > 3)
}

/// `remote: …`, `AssertionError: …`: output of a program.
fn is_output(line: &str) -> bool {
    const SPEAKERS: Phrases = phrases!("remote|fatal|error|warning|hint|note|info|debug|npm");
    line.split_once(':').is_some_and(|(label, rest)| {
        rest.starts_with(' ')
            && (SPEAKERS.contains(label)
                || !label.contains(' ')
                    && ["Error", "Exception", "Warning"]
                        .iter()
                        .any(|end| label.ends_with(end)))
    })
}

const LONG_MESSAGE: usize = 1400;
const LONGEST_SENTENCE: usize = 600;

/// Reports whether a message is a review comment copied from a tool.
fn is_review(text: &str) -> bool {
    const MARKS: Phrases = phrases!(
        "around line|around lines|reviewer feedback|pr feedback|review comment|coderabbit"
    );
    Folded::of(acreta_text::head(text, 600)).any(MARKS)
}

struct MessageShape {
    lines: usize,
    headings: usize,
    items: usize,
    /// Lines that look pasted.
    loud: usize,
    /// Lines that end in the middle of a sentence near column 80.
    wrapped: usize,
}

impl MessageShape {
    fn of(text: &str) -> Self {
        let mut shape = Self {
            lines: 0,
            headings: 0,
            items: 0,
            loud: 0,
            wrapped: 0,
        };
        let mut in_code = false;
        for line in text.lines().take(400) {
            let trimmed = line.trim();
            if trimmed.starts_with("```") {
                in_code = !in_code;
            }
            if trimmed.is_empty() {
                continue;
            }
            shape.lines += 1;
            if in_code {
                shape.loud += 1;
                continue;
            }
            if trimmed.starts_with('#') && trimmed.trim_start_matches('#').starts_with(' ') {
                shape.headings += 1;
            }
            if list_mark(trimmed) > 0 {
                shape.items += 1;
            }
            if looks_pasted(trimmed) {
                shape.loud += 1;
            }
            if line.len() >= 66
                && trimmed.ends_with(|last: char| last.is_alphanumeric() || last == ',')
                && (66..=100).contains(&line.chars().count())
            {
                shape.wrapped += 1;
            }
        }
        shape
    }
}

/// Reports whether a message is empty or was inserted by the agent's program.
pub(crate) fn is_machine(text: &str) -> bool {
    const OPENINGS: Phrases = phrases!(
        "<|Caveat:|[Request interrupted|This session is being continued|# AGENTS.md|\
         # CLAUDE.md|Base directory for this skill|Operation stopped by hook|\
         Stop hook feedback|[[ ##|# Context from my IDE|\
         Summarize this|[Image|API Error|[trimmed|[redacted",
    );
    let text = text.trim_start();
    text.is_empty()
        || text.starts_with("---\nname:")
        || text.starts_with("---\ndescription:")
        || OPENINGS.iter().any(|opening| text.starts_with(opening))
}

/// Reports whether a structured message opens like an order to the agent.
fn is_order(text: &str) -> bool {
    const ORDERS: Phrases =
        phrases!("implement|plan|task|please|build|goal|you are working|we want|i want|create|add");
    const REPORTS: Phrases =
        phrases!("review for|code review|feedback|summarize|summary of|release notes|changelog");
    let opening: Vec<&str> = text.lines().take(4).collect();
    let opening = Folded::of(&opening.join(" "));
    opening.any(ORDERS) && !opening.any(REPORTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_apart() {
        let log =
            "❯ ./run.sh\n".to_owned() + &"[+] Building 1.3s (1/2)\n => load 0.0s\n".repeat(10);
        let cases = [
            ("please use tabs, never spaces", MessageForm::Speech),
            ("<command-name>/clear</command-name>", MessageForm::Machine),
            ("Caveat: The messages below", MessageForm::Machine),
            (
                "---\nname: a-skill\n---\nAlways do this.",
                MessageForm::Machine,
            ),
            (
                "Implement the following plan:\n\n# Plan: X\n\n## Context\n\nA.\n",
                MessageForm::Brief,
            ),
            (
                "Code Review for PR 17\n# Strengths\n- good\n# Issues\n- bad\n",
                MessageForm::Paste,
            ),
            (log.as_str(), MessageForm::Paste),
            ("", MessageForm::Machine),
        ];
        for (text, expected) in cases {
            assert_eq!(form(text), expected, "{text}");
        }
    }

    #[test]
    fn pasted_lines_are_no_speech() {
        let text = "this must never crash\n\n➜  app git:(main) ✗ npx tsx cli.ts\n    at run (/x/y.ts:1:2)\n";
        let message = Message::of(text, 1000);
        let found: Vec<&str> = message.speech().map(|sentence| sentence.text).collect();
        assert_eq!(found, ["this must never crash"]);
    }
}
