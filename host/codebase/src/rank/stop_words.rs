//! Words that carry no information about a task.

use std::sync::LazyLock;

pub(crate) fn is_stop_word(word: &[u8]) -> bool {
    word.len() < 2
        || std::str::from_utf8(word).is_ok_and(|word| STOP_WORDS.binary_search(&word).is_ok())
}

/// Sorted, a word a line; in the form that [`crate::rank::terms`] produces.
static STOP_WORDS: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("stop_words.txt").lines().collect());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_can_be_searched() {
        assert!(STOP_WORDS.is_sorted());
    }
}
