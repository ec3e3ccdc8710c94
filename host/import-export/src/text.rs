//! Prepares text for a note: cleaned, in one line, with a title. Never adds words, and never makes a text longer.

use std::borrow::Cow;

use acreta_text::is_hidden;

/// Maximum length of a title, in characters: below the gates' limit, so that an ellipsis fits.
pub(crate) const TITLE_CHARACTERS: usize = 100;

/// Removes hidden characters and ends lines with `
/// `.
pub(crate) fn cleaned(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' if characters.peek() == Some(&'\n') => {}
            '\r' => clean.push('\n'),
            hidden if is_hidden(hidden) => {}
            other => clean.push(other),
        }
    }
    clean
}

/// Returns the number of hidden characters that [`cleaned`] removes, and the line of the first, from 1.
pub(crate) fn hidden_in(text: &str) -> Option<(u64, u64)> {
    let mut count = 0;
    let mut first = 0;
    let mut line = 1;
    for character in text.chars() {
        if character == '\n' {
            line += 1;
        } else if character != '\r' && is_hidden(character) {
            count += 1;
            if first == 0 {
                first = line;
            }
        }
    }
    (count > 0).then_some((count, first))
}

/// Joins a passage of markdown into one line: without quote marks, comments and line breaks.
pub(crate) fn in_one_line(passage: &str) -> String {
    let passage = cleaned(passage);
    let passage = without_comments(&passage);
    let lines = passage.lines().map(|line| {
        line.trim_start()
            .trim_start_matches("> ")
            .trim_start_matches('>')
    });
    let mut joined = String::with_capacity(passage.len());
    let words = lines.flat_map(str::split_whitespace);
    for word in words.filter(|word| !is_alert(word)) {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

/// `[!NOTE]` at the head of a quote.
fn is_alert(word: &str) -> bool {
    word.starts_with("[!") && word.ends_with(']') && !word.contains("](")
}

fn without_comments(passage: &str) -> Cow<'_, str> {
    let Some(mut start) = passage.find("<!--") else {
        return Cow::Borrowed(passage);
    };
    let mut rest = passage;
    let mut kept = String::with_capacity(passage.len());
    while let Some(length) = rest[start..].find("-->") {
        kept.push_str(&rest[..start]);
        rest = &rest[start + length + "-->".len()..];
        match rest.find("<!--") {
            Some(next) => start = next,
            None => break,
        }
    }
    kept.push_str(rest);
    Cow::Owned(kept)
}

/// Returns the first sentence of a text without markup, cut at a word if it is too long.
pub(crate) fn title_of(text: &str) -> String {
    let line = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("");
    // Removes markup after the cut, so that a very long line costs no more than a short one.
    let start = acreta_text::head(line, TITLE_CHARACTERS * 16);
    let start = without_links(start).replace("**", "").replace("__", "");
    let start = start.trim_start().trim_start_matches("- ");
    let sentence = &start[..sentence_end(start).unwrap_or(start.len())];
    shortened(
        sentence.trim().trim_end_matches([':', '.']).trim(),
        TITLE_CHARACTERS,
    )
}

/// Returns a text of at most `limit` characters, cut after a word.
pub(crate) fn shortened(text: &str, limit: usize) -> String {
    if text.chars().nth(limit).is_none() {
        return text.to_owned();
    }
    let end = text
        .char_indices()
        .nth(limit - 1)
        .map_or(text.len(), |(index, _)| index);
    let cut = &text[..end];
    let cut = cut
        .rfind(char::is_whitespace)
        .map_or(cut, |space| &cut[..space]);
    format!("{}…", cut.trim_end_matches([' ', ',', ';', ':', '(']))
}

/// Returns the end of the first sentence of a text, unless it is the only one.
pub(crate) fn sentence_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(found) = text[from..].find(['.', '!', '?']) {
        let end = from + found + 1;
        let follows = bytes.get(end).is_some_and(u8::is_ascii_whitespace);
        if follows && !ends_in_abbreviation(&text[..end]) {
            return Some(end);
        }
        from = end;
    }
    None
}

fn ends_in_abbreviation(text: &str) -> bool {
    const ABBREVIATIONS: &[&str] = &["e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "no."];
    let word = text.rsplit(char::is_whitespace).next().unwrap_or("");
    let word = word.trim_start_matches(['(', '[']).to_ascii_lowercase();
    ABBREVIATIONS.contains(&word.as_str())
        // A numbered step, or an initial.
        || word.trim_end_matches('.').chars().count() <= 1
        || word.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit())
}

/// Replaces links and pictures by their words.
pub(crate) fn without_links(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let (before, link) = rest.split_at(open);
        plain.push_str(before.strip_suffix('!').unwrap_or(before));
        match link_at(link) {
            Some((words, length)) => {
                plain.push_str(words);
                rest = &link[length..];
            }
            None => {
                plain.push('[');
                rest = &link[1..];
            }
        }
    }
    plain.push_str(rest);
    plain
}

/// Returns the words and the length of the link a text starts with: `[words](target)`.
pub(crate) fn link_at(text: &str) -> Option<(&str, usize)> {
    let middle = text.find("](")?;
    let words = &text[1..middle];
    if words.contains('[') && !words.starts_with("![") {
        return None;
    }
    let end = middle + text[middle..].find(')')?;
    Some((words, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_the_first_sentence() {
        let long = "word ".repeat(40);
        let cases = [
            ("Run it. Then wait.", "Run it"),
            (
                "Use e.g. serde for this. Not more.",
                "Use e.g. serde for this",
            ),
            ("Needs version 1.2 of it", "Needs version 1.2 of it"),
            (
                "**Never** push to [main](https://x.example/a).",
                "Never push to main",
            ),
            ("\n\nCommands:\n- one", "Commands"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(title_of(text), expected, "{text}");
        }
        let cut = title_of(&long);
        assert!(cut.ends_with("word…"), "{cut}");
        assert!(cut.chars().count() <= TITLE_CHARACTERS);
        assert_eq!(title_of(&"x".repeat(500)).chars().count(), TITLE_CHARACTERS);
    }

    #[test]
    fn passages_become_one_line() {
        let cases = [
            ("> a\r\n> b", "a b"),
            ("a <!-- hidden --> b <!-- more -->", "a b"),
            ("a <!-- open", "a <!-- open"),
            ("\u{feff}nev\u{200b}er\tdo", "never do"),
        ];
        for (passage, expected) in cases {
            assert_eq!(in_one_line(passage), expected, "{passage:?}");
        }
    }
}
