//! Shortens text: heads, tails, one line, whole sentences. Never cuts inside a character.

/// Returns the start and the end of a text, with a mark between them.
pub(crate) fn ends(text: &str, head: usize, tail: usize) -> String {
    let text = text.trim();
    if text.len() <= head + tail + CUT.len() {
        return text.to_owned();
    }
    format!(
        "{}{CUT}{}",
        acreta_text::head(text, head).trim_end(),
        last(text, tail).trim_start()
    )
}

/// Returns the end of a text, at most `limit` bytes.
pub(crate) fn last(text: &str, limit: usize) -> &str {
    let mut start = text.len().saturating_sub(limit);
    while !text.is_char_boundary(start) {
        start += 1;
    }
    &text[start..]
}

/// Returns the start of a text as one line, at most `limit` bytes plus the mark of a cut.
pub(crate) fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        let room = limit.saturating_sub(line.len() + usize::from(!line.is_empty()));
        if word.len() > room {
            if line.is_empty() {
                line.push_str(acreta_text::head(word, limit));
            }
            line.push('…');
            break;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Returns the end of a text as one line, at most `limit` bytes plus the mark of a cut.
pub(crate) fn last_line(text: &str, limit: usize) -> String {
    let text = text.trim();
    let end = last(text, limit);
    let line = acreta_text::one_line(end);
    if end.len() < text.len() {
        format!("…{line}")
    } else {
        line
    }
}

/// Formats a size for people: `240 B`, `12 kB`.
pub(crate) fn size(bytes: usize) -> String {
    if bytes < 1_000 {
        format!("{bytes} B")
    } else {
        format!("{} kB", (bytes + 500) / 1_000)
    }
}

/// Removes invisible characters and reduces blanks to single ones.
pub(crate) fn plain(text: &str) -> String {
    let seen: String = text
        .chars()
        .map(|character| {
            if character.is_whitespace() {
                ' '
            } else {
                character
            }
        })
        .filter(|character| !acreta_text::is_hidden(*character))
        .collect();
    acreta_text::one_line(&seen)
}

/// Returns as many whole sentences as fit into `limit` characters; empty if the first does not.
pub(crate) fn sentences(text: &str, limit: usize) -> &str {
    if text.chars().count() <= limit {
        return text;
    }
    let mut end = 0;
    for (count, (at, character)) in text.char_indices().enumerate() {
        if count >= limit {
            break;
        }
        let after = at + character.len_utf8();
        let closes = match character {
            '.' | '!' | '?' => text[after..].starts_with(' '),
            '。' | '！' | '？' => true,
            _ => false,
        };
        if closes {
            end = after;
        }
    }
    &text[..end]
}

/// The mark of an omission.
pub(crate) const CUT: &str = " … ";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_fall_between_characters_words_and_sentences() {
        assert_eq!(ends("日本語日本語日本語", 4, 4), "日 … 語");
        assert_eq!(ends(" short ", 4, 4), "short");
        assert_eq!(last("日本語", 4), "語");
        assert_eq!(one_line("a  b\nccc dddd", 7), "a b ccc…");
        assert_eq!(one_line("abcdefgh", 3), "abc…");
        assert_eq!(last_line("one two three", 6), "…three");
        assert_eq!(plain(" a\u{200b}b\n\tc\u{e0041} "), "ab c");
        assert_eq!(
            sentences("One v1.2 is. Two is. Three", 22),
            "One v1.2 is. Two is."
        );
        assert_eq!(sentences("No end in sight here", 8), "");
        assert_eq!(sentences("Short.", 8), "Short.");
    }
}
