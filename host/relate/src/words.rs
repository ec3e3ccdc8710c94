//! Words of a text with their meanings, for callers that compare a question with a statement. Uses the same tables as
//! the comparison, so that a synonym is a synonym everywhere.

use crate::lexicon::{Trait, WordRole, concept, number_word, traits};
use crate::scan::{Gap, WordLook, scan};

/// One word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextWord {
    /// Lower case, without surrounding punctuation.
    pub text: String,
    /// Equal for all forms of a word.
    pub stem: String,
    /// Equal for all forms and synonyms of a word.
    pub meaning: u64,
    /// Words of a name of several pieces: `retry_budget` has two. Empty for a plain word.
    pub parts: Vec<TextWord>,
    /// An identifier, a path, an acronym, a proper noun, or anything in backticks.
    pub is_name: bool,
    /// Written in digits or as a number word.
    pub is_number: bool,
    /// A function word.
    pub is_function_word: bool,
    /// Carries little meaning anywhere: `file`, `code`, `run`.
    pub is_generic: bool,
    /// Hardly ever a noun: a verb by the tables or by its ending.
    pub is_verb: bool,
    /// Bits of the groups of alternatives it belongs to: `sqlite` and `postgres` share one.
    pub alternatives: u128,
    /// The first word of its sentence.
    pub opens_sentence: bool,
}

/// Returns the words of a text in order.
pub fn text_words(text: &str) -> Vec<TextWord> {
    let words = scan(text).into_iter();
    words
        .map(|word| {
            let is_number = word.look == WordLook::Number || number_word(&word.text).is_some();
            let pieces = word.parts.iter().filter(|_| word.parts.len() > 1);
            let parts = pieces.map(|piece| text_word(piece, false)).collect();
            TextWord {
                parts,
                is_number,
                is_name: word.look == WordLook::Name || traits(&word.text).has(Trait::Tool),
                opens_sentence: word.gap == Gap::Sentence,
                ..text_word(&word.text, is_number)
            }
        })
        .collect()
}

fn text_word(text: &str, is_number: bool) -> TextWord {
    let known = concept(number_word(text).unwrap_or(text));
    let traits = traits(text);
    TextWord {
        text: text.to_owned(),
        stem: acreta_text::stem(text).into_owned(),
        meaning: known.key,
        parts: Vec::new(),
        is_name: false,
        is_number,
        is_function_word: traits.has(Trait::Stop),
        is_generic: known.role == WordRole::Generic,
        is_verb: [
            Trait::Verb,
            Trait::Imperative,
            Trait::Rejection,
            Trait::Removal,
        ]
        .iter()
        .any(|one| traits.has(*one))
            || (text.len() > 4 && text.ends_with("ed")),
        alternatives: known.alternatives,
        opens_sentence: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_one_meaning_are_equal_and_names_have_pieces() {
        let words = text_words("Which DB stores the retry_budget? Postgres.");
        let by = |text: &str| {
            words
                .iter()
                .find(|word| word.text == text)
                .cloned()
                .unwrap()
        };
        let meaning = |text: &str| text_words(text)[0].meaning;
        assert_eq!(by("db").meaning, meaning("databases"));
        assert_eq!(by("stores").meaning, meaning("keeps"));
        assert_eq!(by("retry_budget").parts.len(), 2);
        assert!(by("retry_budget").is_name && by("postgres").is_name);
        assert!(by("which").is_function_word && by("which").opens_sentence);
        assert_ne!(
            by("postgres").alternatives & text_words("sqlite")[0].alternatives,
            0
        );
        assert!(text_words("three")[0].is_number && text_words("30s")[0].is_number);
    }
}
