//! Renders the person's words for a model: whole. What the person did not type (see [`acreta_text::foreign`]) is marked,
//! since its wording is not the person's own, and shortened if it is long.
//!
//! ```text
//! why is that?
//! (pasted) error: cannot find `x` … (end of pasted)
//! never ignore it.
//! ```

use crate::shorten::{last, size};

/// Renders a message of the person.
pub(crate) fn shown(text: &str) -> String {
    let text = text.trim();
    let mut shown = String::with_capacity(text.len().min(MOST) + 64);
    let mut from = 0;
    for range in acreta_text::foreign(text) {
        let passage = &text[range.clone()];
        if passage.len() < LEAST_MARKED && !passage.trim().contains('\n') {
            continue;
        }
        shown.push_str(&text[from..range.start]);
        let passage = cut(passage.trim(), PASTED_HEAD, PASTED_TAIL);
        shown.push_str(&format!("(pasted) {passage} (end of pasted)\n"));
        from = range.end;
    }
    shown.push_str(&text[from..]);
    // Nobody types this much: it was pasted.
    cut(shown.trim_end(), MOST * 2 / 3, MOST / 3)
}

/// Reports whether a text is an answer that cannot be understood without the agent's question.
pub(crate) fn is_short_answer(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.chars().count() <= SHORT_ANSWER && !text.contains('\n')
}

const SHORT_ANSWER: usize = 40;
const MOST: usize = 15_000;
/// Shorter passages in a line (`a command`, a quotation) stand as they are.
const LEAST_MARKED: usize = 120;
/// A structured wish that the person did type may look pasted, so much of it is shown.
const PASTED_HEAD: usize = 1_500;
const PASTED_TAIL: usize = 800;

/// Returns the start and the end of a text, with its size between them.
fn cut(text: &str, head: usize, tail: usize) -> String {
    let text = text.trim_matches('\n');
    if text.len() <= head + tail + 64 {
        return text.to_owned();
    }
    format!(
        "{}\n… (pasted, {}, shortened) …\n{}",
        acreta_text::head(text, head).trim_end(),
        size(text.len()),
        last(text, tail).trim_start()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_was_typed_is_there_and_what_was_pasted_is_marked_and_short() {
        let typed = "I want this rule from now on. ".repeat(200);
        let log: String = (0..400)
            .map(|at| format!("2026-01-02 10:{at:03} [worker-{at}] ERR {at:x}: 0x{at:08x}\n"))
            .collect();
        let after = "And that is what I saw, so never again, please.";
        let shown = shown(&format!("{typed}\n\n```\n{log}```\n\n{after}"));
        assert!(shown.starts_with(typed.trim_end()), "{shown}");
        assert!(shown.ends_with(after), "{shown}");
        assert!(shown.contains("(pasted) ```\n2026") && shown.contains("(pasted, "));
        assert!(shown.len() < typed.len() + 2_600, "{}", shown.len());
    }

    #[test]
    fn short_code_in_a_sentence_stays() {
        let short = "run `cargo test` before every push, please";
        assert_eq!(shown(short), short);
    }

    #[test]
    fn a_list_of_sentences_is_typed() {
        let list =
            "- the first point of it\n- and what I mean by that, in some more words\n".repeat(3);
        assert_eq!(shown(&list), list.trim());
    }

    #[test]
    fn templates_are_marked() {
        let template = format!(
            "# Review\n\n## Steps\n{}\n## Output\nA table.",
            "1. Read every file with care.\n".repeat(60)
        );
        assert!(shown(&template).starts_with("(pasted) # Review"));
    }

    #[test]
    fn a_novel_is_no_message() {
        let shown = shown(&"word after word ".repeat(10_000));
        assert!(shown.len() <= MOST + 100 && shown.contains("shortened) …"));
    }

    #[test]
    fn short_answers() {
        for (text, expected) in [
            ("A", true),
            ("可以", true),
            (" yes please ", true),
            ("", false),
        ] {
            assert_eq!(is_short_answer(text), expected, "{text}");
        }
        assert!(!is_short_answer(&"word ".repeat(12)));
    }
}
