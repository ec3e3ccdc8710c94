//! Content words, comparable across inflections and scripts: Chinese, Japanese and Korean text has no blanks, so it is
//! compared by pairs of characters.

use std::collections::BTreeSet;

/// Returns the content words of a text, by their beginnings.
pub(crate) fn subject_words(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for word in acreta_text::words(text) {
        let letters: Vec<char> = word.chars().collect();
        if letters
            .iter()
            .any(|letter| acreta_text::is_unspaced(*letter))
        {
            for pair in letters.windows(2) {
                found.insert(pair.iter().collect());
            }
        } else if letters.len() >= LEAST && !COMMON.contains(&word.as_str()) {
            found.insert(letters.iter().take(STEM).collect());
        }
    }
    found
}

const LEAST: usize = 4;
const STEM: usize = 6;

/// Stop words.
const COMMON: &[&str] = &[
    "about", "after", "again", "also", "before", "because", "could", "does", "done", "dont",
    "even", "every", "from", "have", "here", "into", "just", "like", "make", "more", "need",
    "only", "other", "please", "same", "should", "some", "that", "them", "then", "there", "these",
    "they", "think", "this", "those", "use", "used", "using", "want", "well", "what", "when",
    "where", "which", "will", "with", "work", "would", "your", "file", "files", "code", "look",
    "sure", "thing", "things",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_meet_and_scripts_without_blanks_too() {
        let shared = |left: &str, right: &str| {
            subject_words(left)
                .intersection(&subject_words(right))
                .count()
        };
        assert_eq!(shared("configure the parser", "Parsers are configured"), 2);
        assert!(shared("数据库用 PostgreSQL", "不要用数据库了") >= 2);
        assert_eq!(shared("please use this file", "this file please"), 0);
    }
}
