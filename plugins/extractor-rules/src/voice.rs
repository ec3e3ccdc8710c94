//! The person's own voice. What a user event holds may be typed, pasted or put there by a program;
//! only what was typed speaks for the person, and when in doubt it is not taken for it.

use crate::cues::Phrases;
use crate::sentences::{Place, Sentence, list_mark, sentences};

/// How a user's message came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Typed: a request, an answer, a remark, perhaps with a paste in it.
    Speech,
    /// A written order with headings: a plan or a task to carry out.
    Brief,
    /// A document, log or review that was pasted.
    Paste,
    /// Put there by the agent's program.
    Machine,
}

/// How a message came to be, from its shape alone.
pub(crate) fn form(text: &str) -> Form {
    let trimmed = text.trim_start();
    if trimmed.is_empty() || is_machine(trimmed) {
        return Form::Machine;
    }
    let shape = Shape::of(trimmed);
    if shape.headings >= 2 {
        return if is_order(trimmed) {
            Form::Brief
        } else {
            Form::Paste
        };
    }
    if (shape.lines >= 12 && shape.loud * 10 >= shape.lines * 6)
        || is_review(trimmed)
        || shape.wrapped >= 4
    {
        return Form::Paste;
    }
    Form::Speech
}

/// What the person said in a message, sentence by sentence; pasted lines are left out.
pub(crate) fn speech(text: &str) -> Vec<Sentence<'_>> {
    let form = form(text);
    if form == Form::Machine || is_review(text) {
        return Vec::new();
    }
    let mut found: Vec<Sentence<'_>> = Vec::new();
    let long = text.len() > LONG_MESSAGE;
    let structured = Shape::of(text).items >= 8;
    for sentence in sentences(text) {
        let pasted = looks_pasted(sentence.text)
            || sentence.text.len() > LONGEST_SENTENCE
            || sentence.place == Place::Heading;
        // A long structured message or a paste: only what stands before it was surely typed.
        if (form != Form::Speech || (long && structured)) && sentence.block > 0 {
            break;
        }
        if !pasted {
            found.push(sentence);
        }
    }
    found
}

/// Whether a line reads like output, code, a path or markup and not like speech.
pub(crate) fn looks_pasted(line: &str) -> bool {
    let line = line.trim();
    if line.starts_with([
        '❯', '➜', '$', '+', '|', '<', '{', '[', '/', '│', '─', '→', '⠇', '✓', '✗', '@', '\'',
    ]) || line.starts_with("at ") && line.contains('(')
        || line.starts_with("Error:")
        || line.starts_with("http")
        || line.starts_with("--")
        || line.starts_with("=>")
        || line.contains(" --- ")
    {
        return true;
    }
    let spoken: String = line
        .split_whitespace()
        .filter(|word| !word.contains("://"))
        .collect::<Vec<_>>()
        .join(" ");
    let characters = spoken.chars().count().max(1);
    let plain = spoken
        .chars()
        .filter(|character| character.is_alphabetic() || *character == ' ')
        .count();
    let words = line.split_whitespace().count();
    let longest = line
        .split_whitespace()
        .filter(|word| !word.contains("://"))
        .map(str::len)
        .max()
        .unwrap_or(0);
    plain * 100 / characters < 72
        || longest > 90
        || (words > 3 && line.contains("  ") && line.contains("   "))
}

const LONG_MESSAGE: usize = 1400;
const LONGEST_SENTENCE: usize = 600;

/// Whether a message is a review comment taken over from a tool.
fn is_review(text: &str) -> bool {
    let lower = acreta_text::head(text, 600).to_lowercase();
    [
        "around line",
        "reviewer feedback",
        "pr feedback",
        "review comment:",
        "coderabbit",
    ]
    .iter()
    .any(|mark| lower.contains(mark))
}

struct Shape {
    lines: usize,
    headings: usize,
    items: usize,
    /// Lines that look pasted.
    loud: usize,
    /// Lines that end in the middle of a sentence near column 80.
    wrapped: usize,
}

impl Shape {
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
            if (66..=100).contains(&line.chars().count())
                && trimmed.ends_with(|last: char| last.is_alphanumeric() || last == ',')
            {
                shape.wrapped += 1;
            }
        }
        shape
    }
}

fn is_machine(text: &str) -> bool {
    const OPENINGS: Phrases = Phrases(
        "<|Caveat:|[Request interrupted|This session is being continued|# AGENTS.md|\
         # CLAUDE.md|Base directory for this skill|Operation stopped by hook|\
         Stop hook feedback|[[ ##|# Context from my IDE|\
         Summarize this|[Image|API Error|[trimmed|[redacted",
    );
    let front_matter = text.starts_with("---\nname:");
    front_matter
        || OPENINGS
            .into_iter()
            .any(|opening| text.starts_with(opening))
}

/// Whether a structured message opens like an order to the agent.
fn is_order(text: &str) -> bool {
    let opening: String = text
        .lines()
        .take(4)
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase();
    [
        "implement",
        "plan",
        "task",
        "please",
        "build",
        "goal",
        "you are working",
        "we want",
        "i want",
        "create",
        "add ",
    ]
    .iter()
    .any(|cue| opening.contains(cue))
        && ![
            "review for",
            "code review",
            "feedback",
            "summarize",
            "summary of",
            "release notes",
            "changelog",
        ]
        .iter()
        .any(|cue| opening.contains(cue))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_told_apart() {
        let log =
            "❯ ./run.sh\n".to_owned() + &"[+] Building 1.3s (1/2)\n => load 0.0s\n".repeat(10);
        let cases = [
            ("please use tabs, never spaces", Form::Speech),
            ("<command-name>/clear</command-name>", Form::Machine),
            ("Caveat: The messages below", Form::Machine),
            ("---\nname: a-skill\n---\nAlways do this.", Form::Machine),
            (
                "Implement the following plan:\n\n# Plan: X\n\n## Context\n\nA.\n",
                Form::Brief,
            ),
            (
                "Code Review for PR 17\n# Strengths\n- good\n# Issues\n- bad\n",
                Form::Paste,
            ),
            (log.as_str(), Form::Paste),
            ("", Form::Machine),
        ];
        for (text, expected) in cases {
            assert_eq!(form(text), expected, "{text}");
        }
    }

    #[test]
    fn pasted_lines_are_no_speech() {
        let text = "this must never crash\n\n➜  app git:(main) ✗ npx tsx cli.ts\n    at run (/x/y.ts:1:2)\n";
        let found: Vec<&str> = speech(text).iter().map(|sentence| sentence.text).collect();
        assert_eq!(found, ["this must never crash"]);
    }
}
