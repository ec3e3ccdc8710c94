//! Stemming and stop words for English prose. The only implementation of each; `docs/decisions/0024-text.md` explains
//! the exceptions.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::LazyLock;

use frostem::{Algorithm, Stemmer};

/// Returns the English stem of a lower-case word; words with digits or other scripts are unchanged.
pub fn stem(word: &str) -> Cow<'_, str> {
    static ENGLISH: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::new(Algorithm::English));
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        ENGLISH.stem(word)
    } else {
        Cow::Borrowed(word)
    }
}

/// Reports whether a word carries no information for search. [`crate::tokens`] removes fewer words: it compares short
/// texts, where a `not` or a `before` makes the difference.
pub fn is_stop_word(word: &str) -> bool {
    static WORDS: LazyLock<HashSet<&str>> =
        LazyLock::new(|| STOP_WORDS.split_whitespace().collect());
    WORDS.contains(word)
}

const STOP_WORDS: &str = "
    a about after also am an and any are aren as at be been before being but by can could d did didn
    do does doesn don down for from had has have he her here him his how i if in into is isn it its
    just ll m may me might my no not of on or our out over re s she should so some such t than that
    the their them then there these they this those to up us ve very was wasn we were what when where
    which who whom why will with would you your";

/// Compares a generated file of this folder with its lines; `ACRETA_UPDATE=1` writes it.
#[cfg(test)]
pub(crate) fn generated<T: AsRef<str>>(name: &str, lines: &[T], known: &str) {
    let mut text = String::new();
    for line in lines {
        text.push_str(line.as_ref());
        text.push('\n');
    }
    if std::env::var_os("ACRETA_UPDATE").is_some() {
        let path = format!("{}/src/{name}", env!("CARGO_MANIFEST_DIR"));
        #[expect(clippy::disallowed_methods, reason = "a file of this crate")]
        std::fs::write(path, text).unwrap();
        return;
    }
    assert!(
        text == known,
        "{name} is old: run this test with ACRETA_UPDATE=1"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_meets_in_its_stems() {
        assert_eq!(stem("connections"), stem("connected"));
        for same in ["e0425", "größe", "Caps"] {
            assert_eq!(stem(same), same);
        }
    }

    #[test]
    fn every_word_that_short_texts_are_weighed_without_is_a_stop_word() {
        for word in crate::FUNCTION_WORDS {
            assert!(is_stop_word(word), "{word}");
            assert!(word.len() <= crate::FUNCTION_LETTERS, "{word}");
        }
    }
}
