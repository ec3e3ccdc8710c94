//! Sentences of a text.

/// Returns the sentences of a text, each with the stop at its end.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        if rest.is_empty() {
            return None;
        }
        let stop = rest.char_indices().find_map(|(at, one)| {
            let end = at + one.len_utf8();
            let is_end = match one {
                '.' | '!' | '?' => rest[end..].chars().next().is_none_or(char::is_whitespace),
                '。' | '！' | '？' | '\n' => true,
                _ => false,
            };
            is_end.then_some(end)
        });
        let (sentence, left) = rest.split_at(stop.unwrap_or(rest.len()));
        rest = left;
        Some(sentence.trim_end())
    })
}
