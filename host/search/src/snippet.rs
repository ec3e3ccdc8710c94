//! The excerpt of a passage that is displayed, with matches marked.

use std::collections::HashSet;
use std::ops::Range;

use crate::tokens::{self, IndexWord};
use crate::weights::SNIPPET_BYTES;

/// An excerpt of a memory with its matches. Untrusted: display it through `acreta_text::visible`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snippet {
    pub text: String,
    /// Byte ranges in `text`, in order and without overlap.
    pub marks: Vec<Range<usize>>,
}

/// Cuts the excerpt with the most matches out of a passage.
pub(crate) fn snippet(passage: &str, terms: &HashSet<&str>) -> Snippet {
    // A word and its stem share the first letter; stemming all words would take longer than finding the passage.
    let starts: Vec<char> = terms
        .iter()
        .filter_map(|term| term.chars().next())
        .collect();
    let matches: Vec<Range<usize>> = tokens::words_where(passage, |start| starts.contains(&start))
        .iter()
        .filter(|word| terms.contains(word.term().as_str()))
        .map(|word: &IndexWord| word.range.clone())
        .collect();
    let window = window(passage, &matches);
    let mut marks: Vec<Range<usize>> = Vec::new();
    for range in matches {
        if range.start < window.start || range.end > window.end {
            continue;
        }
        let range = range.start - window.start..range.end - window.start;
        match marks.last_mut() {
            // A part of the preceding whole word.
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => marks.push(range),
        }
    }
    Snippet {
        text: passage[window].to_owned(),
        marks,
    }
}

/// Returns the first window of at most [`SNIPPET_BYTES`] with the most matches.
fn window(passage: &str, matches: &[Range<usize>]) -> Range<usize> {
    if passage.len() <= SNIPPET_BYTES {
        return 0..passage.len();
    }
    let mut best = (0, 0);
    for (index, first) in matches.iter().enumerate() {
        let reached = matches[index..]
            .iter()
            .take_while(|range| range.end <= first.start + SNIPPET_BYTES / 2)
            .count();
        if reached > best.0 {
            best = (reached, first.start);
        }
    }
    // Some context before the first match.
    let start = passage.floor_char_boundary(best.1.saturating_sub(SNIPPET_BYTES / 4));
    let start = match passage[start..best.1].find(char::is_whitespace) {
        Some(space) if start > 0 => start + space,
        _ => start,
    };
    let end = passage.floor_char_boundary(start + SNIPPET_BYTES);
    let end = match passage[start..end].rfind(char::is_whitespace) {
        Some(space) if end < passage.len() && space > 0 => start + space,
        _ => end,
    };
    let piece = &passage[start..end];
    let start = start + (piece.len() - piece.trim_start().len());
    start..end.max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_are_marked_where_they_stand() {
        let far = format!(
            "{}the retry budget is three. {}",
            "filler ".repeat(200),
            "more ".repeat(200)
        );
        let wide = format!("{} größe {}", "ö".repeat(1000), "ü".repeat(1000));
        let cases: [(&str, &[&str], &[&str]); 6] = [
            (
                "Use the retry budget.",
                &["retri", "budget"],
                &["retry", "budget"],
            ),
            (
                "see retry_budget now",
                &["retry_budget", "retri", "budget"],
                &["retry_budget"],
            ),
            (&far, &["retri", "budget"], &["retry", "budget"]),
            (&wide, &["größe"], &["größe"]),
            ("nothing here", &["budget"], &[]),
            ("", &["budget"], &[]),
        ];
        for (passage, terms, expected) in cases {
            let terms: HashSet<&str> = terms.iter().copied().collect();
            let snippet = snippet(passage, &terms);
            assert!(snippet.text.len() <= SNIPPET_BYTES);
            assert!(passage.contains(&snippet.text));
            let marked: Vec<&str> = snippet
                .marks
                .iter()
                .map(|range| &snippet.text[range.clone()])
                .collect();
            assert_eq!(marked, expected, "{}", snippet.text);
        }
    }
}
