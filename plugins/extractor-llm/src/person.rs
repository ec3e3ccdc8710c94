//! Renders the person's words for a model: complete, except for pasted blocks, which are shortened and marked.
//! Templates (texts of slash commands, copied prompts) are marked too, since their wording is not the person's own.

use crate::shorten::{last, size};

/// Renders a message of the person.
pub(crate) fn shown(text: &str) -> String {
    let text = text.trim();
    if is_template(text) {
        return format!("(template) {}", cut(text, TEMPLATE_HEAD, TEMPLATE_TAIL));
    }
    let mut shown = String::with_capacity(text.len().min(MOST) + 64);
    for block in blocks(text) {
        if block.is_pasted && block.text.len() > PASTED_HEAD + PASTED_TAIL {
            shown.push_str(&cut(block.text, PASTED_HEAD, PASTED_TAIL));
            shown.push('\n');
        } else {
            shown.push_str(block.text);
        }
    }
    // Nobody types this much: it was pasted.
    cut(&shown, MOST * 2 / 3, MOST / 3)
}

/// Reports whether a text is an answer that cannot be understood without the agent's question.
pub(crate) fn is_short_answer(text: &str) -> bool {
    let text = text.trim();
    !text.is_empty() && text.chars().count() <= SHORT_ANSWER && !text.contains('\n')
}

const SHORT_ANSWER: usize = 40;
const MOST: usize = 15_000;
const PASTED_HEAD: usize = 500;
const PASTED_TAIL: usize = 300;
const TEMPLATE_HEAD: usize = 4_000;
const TEMPLATE_TAIL: usize = 2_000;
/// Minimum bytes of a block that counts as pasted.
const LEAST_PASTED: usize = 900;
const LEAST_TEMPLATE: usize = 700;

/// Returns the start and the end of a pasted text, with its size between them.
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

/// Reports whether a text looks like a prompt file rather than a message.
fn is_template(text: &str) -> bool {
    if text.len() < LEAST_TEMPLATE {
        return false;
    }
    let headings = text.lines().filter(|line| is_heading(line)).count();
    let opening = acreta_text::head(text, 40).to_lowercase();
    text.contains("$ARGUMENTS")
        || text.contains("\nARGUMENTS:")
        || opening.starts_with("---\n")
        || opening.starts_with("you are a")
        || (headings >= 3 && is_heading(text.lines().next().unwrap_or("")))
        || (headings >= 6 && text.len() >= 4 * LEAST_TEMPLATE)
}

fn is_heading(line: &str) -> bool {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    (1..=4).contains(&marks) && line[marks..].starts_with(' ')
}

struct MessageBlock<'a> {
    text: &'a str,
    is_pasted: bool,
}

/// Splits a message into typed and pasted blocks, in order and without a gap.
fn blocks(text: &str) -> Vec<MessageBlock<'_>> {
    let mut blocks: Vec<MessageBlock<'_>> = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let mut pasting = false;
    let mut fenced = false;
    // Machine-made lines may have one other line among them.
    let mut since = 0;
    for line in text.split_inclusive('\n') {
        let is_fence = line.trim_start().starts_with("```");
        let is_machine = fenced || is_fence || is_machine_line(line);
        if is_machine {
            if !pasting {
                push(&mut blocks, &text[start..at], false);
                start = at;
                pasting = true;
            }
            since = 0;
        } else if pasting {
            since += 1;
            if since > 1 {
                let end = at - previous_line(&text[..at]);
                push(&mut blocks, &text[start..end], true);
                start = end;
                pasting = false;
            }
        }
        if is_fence {
            fenced = !fenced;
        }
        at += line.len();
    }
    push(&mut blocks, &text[start..], pasting);
    blocks
}

fn push<'a>(blocks: &mut Vec<MessageBlock<'a>>, text: &'a str, is_machine: bool) {
    if !text.is_empty() {
        let is_pasted = is_machine && text.len() >= LEAST_PASTED;
        blocks.push(MessageBlock { text, is_pasted });
    }
}

/// Returns the size in bytes of the last line of a text.
fn previous_line(text: &str) -> usize {
    let before = text.strip_suffix('\n').unwrap_or(text);
    text.len() - before.rfind('\n').map_or(0, |at| at + 1)
}

/// Reports whether a line looks like output or code rather than a sentence.
fn is_machine_line(line: &str) -> bool {
    const OPENINGS: &[&str] = &[
        "at ", "$ ", "+", "@@", "|", "{", "}", "[", "<", "//", "File \"", "diff --", "│", "└", "├",
    ];
    let trimmed = line.trim();
    if trimmed.is_empty() || OPENINGS.iter().any(|opening| trimmed.starts_with(opening)) {
        return !trimmed.is_empty();
    }
    let total = trimmed.chars().count();
    let of_words = trimmed
        .chars()
        .filter(|one| one.is_alphabetic() || *one == ' ' || *one == ',')
        .count();
    let begins_with_digits = trimmed.bytes().take_while(u8::is_ascii_digit).count() >= 2;
    let is_indented = line.starts_with("    ") || line.starts_with('\t');
    let least = if is_indented || begins_with_digits {
        86
    } else {
        72
    };
    of_words * 100 < total * least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_was_typed_is_there_and_what_was_pasted_is_short() {
        let typed = "I want this rule from now on. ".repeat(200);
        let log: String = (0..400)
            .map(|at| format!("2026-01-02 10:{at:03} [worker-{at}] ERR {at:x}: 0x{at:08x}\n"))
            .collect();
        let message =
            format!("{typed}\n{log}\nAnd that is what I saw, so never again, please.\nThanks.");
        let shown = shown(&message);
        assert!(shown.starts_with(typed.trim_end()), "{shown}");
        assert!(shown.ends_with("And that is what I saw, so never again, please.\nThanks."));
        assert!(shown.contains("(pasted, ") && shown.contains("[worker-0]"));
        assert!(shown.len() < typed.len() + 1_200, "{}", shown.len());
    }

    #[test]
    fn code_between_fences_is_shortened_only_when_it_is_long() {
        let short = "look:\n```\nlet a = 1;\n```\nwhy?";
        assert_eq!(shown(short), short);
        let code = "let value = compute(index);\n".repeat(100);
        let long = format!("look:\n```rust\n{code}```\nwhy is it like this?\nI want to know.");
        let shown = shown(&long);
        assert!(shown.len() < 1_200 && shown.starts_with("look:"), "{shown}");
        assert!(shown.ends_with("why is it like this?\nI want to know."));
    }

    #[test]
    fn a_nested_list_of_sentences_is_typed() {
        let list = "- the first point of it\n    - and what I mean by that, in some more words\n"
            .repeat(30);
        assert_eq!(shown(&list), list.trim());
        let list = "- 第一点是数据库的选择，必须支持事务，而且要能离线使用\n".repeat(40);
        assert_eq!(shown(&list), list.trim());
    }

    #[test]
    fn templates_are_marked() {
        let template = format!(
            "# Review\n\n## Steps\n{}\n## Output\nA table.\n\nARGUMENTS: the parser",
            "1. Read every file with care.\n".repeat(60)
        );
        let shown = shown(&template);
        assert!(shown.starts_with("(template) # Review"), "{shown}");
        assert!(shown.ends_with("ARGUMENTS: the parser"));
        let list = "Please:\n# one\nthat is all";
        assert_eq!(super::shown(list), list);
    }

    #[test]
    fn a_novel_is_no_message() {
        let shown = shown(&"word after word ".repeat(10_000));
        assert!(shown.len() <= MOST + 100 && shown.contains("(pasted, 160 kB, shortened)"));
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
