//! What stands in the text of a session: prose, and blocks of code between fences. Read line by line, without judging markup: an
//! open fence ends with the text.

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Prose(&'a str),
    /// Its language, as it was named, and its lines.
    Code(&'a str, &'a str),
}

/// Maximum bytes of one event on a page; more of it is counted.
const TEXT: usize = 20_000;

/// Splits a text at its fences.
pub(super) fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut start = 0;
    let mut at = 0;
    // The fence that is open, and the language after it.
    let mut open: Option<(&str, &str)> = None;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let bare = line.trim();
        match open {
            None => {
                if let Some(fence) = fence_of(bare) {
                    push_prose(&mut parts, &text[start..at]);
                    open = Some((fence, bare[fence.len()..].trim()));
                    start = end;
                }
            }
            Some((fence, language)) => {
                if bare.starts_with(fence) && bare.trim_start_matches(&fence[..1]).is_empty() {
                    parts.push(Part::Code(language, &text[start..at]));
                    open = None;
                    start = end;
                }
            }
        }
        at = end;
    }
    match open {
        Some((_, language)) => parts.push(Part::Code(language, &text[start..])),
        None => push_prose(&mut parts, &text[start..]),
    }
    parts
}

fn push_prose<'a>(parts: &mut Vec<Part<'a>>, prose: &'a str) {
    if !prose.trim().is_empty() {
        parts.push(Part::Prose(prose));
    }
}

fn fence_of(line: &str) -> Option<&str> {
    let mark = line
        .chars()
        .next()
        .filter(|mark| matches!(mark, '`' | '~'))?;
    let length = line.len() - line.trim_start_matches(mark).len();
    let is_fence = length >= 3 && !line[length..].contains('`');
    is_fence.then(|| &line[..length])
}

/// Returns the beginning of a text as it is shown, with hidden characters made visible, and a note of what is left out.
pub(super) fn shown(text: &str) -> String {
    let head = acreta_text::head(text, TEXT);
    let mut shown = acreta_text::visible(&head.replace("\r\n", "\n"));
    if head.len() < text.len() {
        shown.push_str(&format!("\n[… {} bytes more]", text.len() - head.len()));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_told_from_prose() {
        let table: [(&str, &[Part<'_>]); 5] = [
            ("one\ntwo", &[Part::Prose("one\ntwo")]),
            (
                "a\n```rust\nlet x;\n```\nb",
                &[
                    Part::Prose("a\n"),
                    Part::Code("rust", "let x;\n"),
                    Part::Prose("b"),
                ],
            ),
            ("````\n```\n````", &[Part::Code("", "```\n")]),
            ("~~~\nopen", &[Part::Code("", "open")]),
            ("``` `x` ```", &[Part::Prose("``` `x` ```")]),
        ];
        for (text, expected) in table {
            assert_eq!(parts(text), expected, "{text}");
        }
    }
}
