//! Quotes the passages of memory that are nearest to a question, and says how sure it is that they answer it.
//!
//! The figure is the share of the question's words that a passage has. Each word weighs as much as it is rare in this
//! memory: in "which port does the gateway use?" `gateway` may be in one memory of a hundred and `use` in most. A word
//! that no memory has weighs most, because the question is then about something that memory does not know. If a second
//! memory has as many of the words, neither is surely meant, and the figure is less.
//!
//! Words cannot tell whether a passage about the right subject also has the detail that is asked for. So nearly all
//! words must be there before a passage counts as an answer; below that it is shown as a perhaps, and nothing is shown if
//! next to no word is there.

use std::collections::BTreeSet;

use acreta_search::terms_of;
use acreta_text::{beginning, is_everyday, is_stop_word, is_unspaced};

use super::Passage;
use super::sentences::sentences;
use crate::recall::Vocabulary;

/// From this share of the question on, a passage counts as an answer. With 0.85, a fifth of questions that were written
/// to have no answer had one (decision 0027).
const ANSWERS: f64 = 0.95;

/// Below this share of the question a passage is not near.
const NEAR: f64 = 0.25;

/// From this similarity of meaning on, a passage is near whatever words it has.
const NEAR_IN_MEANING: f32 = 0.6;

/// Part of the share that is lost if a second memory has as many words of the question.
const AMBIGUOUS: f64 = 0.25;

/// Weight of a word that any text may use, relative to one that names a subject.
const EVERYDAY: f64 = 0.3;

/// Match of two words that only begin alike: forms of one word in most languages.
const SAME_BEGINNING: f64 = 0.7;

/// Shorter words must be equal.
const BEGINNING_LETTERS: usize = 5;

/// Maximum length of a quote; a shorter memory is quoted whole.
const QUOTE_CHARACTERS: usize = 400;

/// A passage of a memory that may answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct QuotedPassage {
    /// Index of the memory among those given.
    pub(crate) passage: usize,
    /// Whole sentences, word for word.
    pub(crate) quote: String,
    /// How sure it is that the quote answers, 0 to 1.
    pub(crate) sure: f64,
    is_near: bool,
}

impl QuotedPassage {
    pub(crate) fn answers(&self) -> bool {
        self.sure >= ANSWERS
    }

    /// Reports whether it may answer.
    pub(crate) fn is_near(&self) -> bool {
        self.is_near
    }

    /// Returns how sure it is in percent.
    pub(crate) fn percent(&self) -> u8 {
        (self.sure.clamp(0.0, 1.0) * 100.0).round() as u8
    }
}

/// The words of a question that carry information, each once.
pub(crate) struct Question(Vec<String>);

impl Question {
    pub(crate) fn new(question: &str) -> Self {
        let mut words = Vec::new();
        for word in words_of(question) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        Self(words)
    }

    /// Returns the words whose frequencies [`Question::nearest`] needs.
    pub(crate) fn words(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter().map(String::as_str)
    }

    /// Returns the sentences of a text with most of the question, and the share of the question that they have.
    pub(crate) fn in_text(&self, text: &str, vocabulary: &Vocabulary) -> (String, f64) {
        let weights: Vec<f64> = self.words().map(|word| weight(word, vocabulary)).collect();
        let passage = Passage {
            title: String::new(),
            body: text.to_owned(),
            score: 0.0,
            closeness: None,
        };
        self.quote(&passage, &weights)
    }

    /// Returns the share of the question that a text has.
    pub(crate) fn share_in(&self, text: &str, vocabulary: &Vocabulary) -> f64 {
        let weights: Vec<f64> = self.words().map(|word| weight(word, vocabulary)).collect();
        self.share(&words_of(text).collect(), &weights)
    }

    /// Returns a quote of each memory, best first.
    pub(crate) fn nearest(
        &self,
        passages: &[Passage],
        vocabulary: &Vocabulary,
    ) -> Vec<QuotedPassage> {
        let weights: Vec<f64> = self.words().map(|word| weight(word, vocabulary)).collect();
        let best_score = passages.iter().map(|one| one.score);
        let best_score = best_score.fold(f32::MIN_POSITIVE, f32::max);
        let mut found: Vec<(f64, QuotedPassage)> = Vec::new();
        for (at, passage) in passages.iter().enumerate() {
            let (quote, share) = self.quote(passage, &weights);
            let is_close = passage.closeness.is_some_and(|one| one >= NEAR_IN_MEANING);
            let fit = f64::from(passage.score / best_score) + share;
            let quoted = QuotedPassage {
                passage: at,
                quote,
                sure: share,
                is_near: share >= NEAR || is_close,
            };
            found.push((fit, quoted));
        }
        found.sort_by(|left, right| right.0.total_cmp(&left.0));
        let shares: Vec<f64> = found.iter().map(|(_, one)| one.sure).collect();
        for (at, (_, one)) in found.iter_mut().enumerate() {
            let others = shares.iter().enumerate().filter(|(other, _)| *other != at);
            let next = others.map(|(_, share)| *share).fold(0.0, f64::max);
            if one.sure > 0.0 {
                one.sure *= 1.0 - AMBIGUOUS * (next / one.sure).min(1.0);
            }
        }
        found.into_iter().map(|(_, one)| one).collect()
    }

    /// Returns the part of a memory with most of the question, and the share of the question that it and the title have.
    fn quote(&self, passage: &Passage, weights: &[f64]) -> (String, f64) {
        let sentences = sentences(&passage.title, &passage.body);
        let length = |text: &str| text.chars().count();
        let share = |text: &str| {
            let text = format!("{} {text}", passage.title);
            self.share(&words_of(&text).collect(), weights)
        };
        let whole: Vec<&str> = sentences.iter().map(|one| one.text.as_str()).collect();
        let whole = whole.join(" ");
        if length(&whole) <= QUOTE_CHARACTERS {
            let share = share(&whole);
            return (whole, share);
        }
        let (title, body) = match sentences.split_first() {
            Some((first, rest)) if first.is_title => (first.text.as_str(), rest),
            _ => ("", sentences.as_slice()),
        };
        let mut best = (String::new(), -1.0);
        for start in 0..body.len() {
            let mut quote = title.to_owned();
            for sentence in &body[start..] {
                if !quote.is_empty() {
                    quote.push(' ');
                }
                quote.push_str(&sentence.text);
                let share = share(&quote);
                // The first of equals is the shortest.
                if share > best.1 {
                    best = (quote.clone(), share);
                }
                if length(&quote) >= QUOTE_CHARACTERS {
                    break;
                }
            }
        }
        best
    }

    fn share(&self, words: &BTreeSet<String>, weights: &[f64]) -> f64 {
        let beginnings: BTreeSet<&str> = words.iter().map(|word| beginning(word)).collect();
        let found = |word: &str| {
            if words.contains(word) {
                1.0
            } else if word.chars().count() >= BEGINNING_LETTERS
                && beginnings.contains(beginning(word))
            {
                SAME_BEGINNING
            } else {
                0.0
            }
        };
        let all: f64 = weights.iter().sum();
        let had: f64 = self
            .words()
            .zip(weights)
            .map(|(word, weight)| weight * found(word))
            .sum();
        if all > 0.0 { had / all } else { 0.0 }
    }
}

fn weight(word: &str, vocabulary: &Vocabulary) -> f64 {
    let rarity = vocabulary.rarity(word);
    if is_everyday(word) {
        EVERYDAY * rarity
    } else {
        rarity
    }
}

/// Returns the words of a text in their indexed form, without stop words and single letters. In scripts without spaces
/// these are pairs of neighbouring characters.
fn words_of(text: &str) -> impl Iterator<Item = String> {
    let terms = terms_of(text).into_iter();
    terms
        .filter(|term| {
            let is_unspaced = term.word.chars().any(is_unspaced);
            (!term.is_name || is_unspaced) && !is_stop_word(&term.word)
        })
        .flat_map(|term| {
            let characters: Vec<char> = term.word.chars().collect();
            match characters.as_slice() {
                [_] if !characters[0].is_numeric() && !is_unspaced(characters[0]) => Vec::new(),
                [_, _, ..] if characters.iter().any(|one| is_unspaced(*one)) => characters
                    .windows(2)
                    .map(|pair| pair.iter().collect())
                    .collect(),
                _ => vec![term.term],
            }
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn passage(title: &str, body: &str, score: f32) -> Passage {
        Passage {
            title: title.to_owned(),
            body: body.to_owned(),
            score,
            closeness: None,
        }
    }

    fn memory() -> Vec<Passage> {
        vec![
            passage(
                "Use SQLite for the job queue",
                "The queue lives in `state.db`. Redis was too much to run. Retries wait 30 s.",
                9.0,
            ),
            passage("Format with two spaces", "Everywhere.", 1.0),
            passage("数据库备份每天运行", "备份保存在 S3。", 9.0),
        ]
    }

    fn nearest(question: &str, passages: &[Passage]) -> Vec<QuotedPassage> {
        let question = Question::new(question);
        let mut vocabulary = Vocabulary {
            memories: passages.len() as u64,
            ..Vocabulary::default()
        };
        for word in question.words() {
            let has = |one: &&Passage| {
                words_of(&format!("{} {}", one.title, one.body)).any(|other| other == word)
            };
            let count = passages.iter().filter(has).count() as u64;
            vocabulary.frequencies.insert(word.to_owned(), count);
        }
        question.nearest(passages, &vocabulary)
    }

    /// An answer, a perhaps, or nothing.
    #[test]
    fn the_share_of_rare_words_says_how_sure_it_is() {
        let table = [
            ("how long do retries wait?", "perhaps", "Retries wait 30 s."),
            (
                "the job queue in SQLite",
                "answer",
                "Use SQLite for the job queue.",
            ),
            ("which file does the queue live in?", "perhaps", "state.db"),
            ("who maintains the job queue?", "perhaps", "job queue"),
            (
                "which version of SQLite does the queue need?",
                "perhaps",
                "SQLite",
            ),
            ("备份保存在哪里？", "perhaps", "备份保存在 S3。"),
            ("how is the coffee machine cleaned?", "nothing", ""),
            ("", "nothing", ""),
        ];
        for (question, expected, quote) in table {
            let found = nearest(question, &memory());
            let best = &found[0];
            let shown = match (best.answers(), best.is_near()) {
                (true, _) => "answer",
                (false, true) => "perhaps",
                (false, false) => "nothing",
            };
            assert_eq!(shown, expected, "{question}: {best:?}");
            assert!(
                best.quote.contains(quote) || quote.is_empty(),
                "{question}: {best:?}"
            );
        }
    }

    #[test]
    fn two_memories_with_the_same_words_are_less_sure_than_one() {
        let one = passage("Releases are cut from main", "", 5.0);
        let other = passage("Releases are cut by the platform team from main", "", 5.0);
        let alone = nearest("releases cut from main", std::slice::from_ref(&one));
        let both = nearest("releases cut from main", &[one, other]);
        assert!(alone[0].answers(), "{alone:?}");
        assert!(!both[0].answers() && both[0].is_near(), "{both:?}");
    }

    #[test]
    fn a_long_memory_is_quoted_where_it_has_the_question() {
        let filler = "Something else that nobody asked about happens here. ".repeat(12);
        let body = format!("{filler}The gateway listens on port 8443. {filler}");
        let found = nearest(
            "gateway port",
            &[passage("Network layout of the site", &body, 1.0)],
        );
        let quote = &found[0].quote;
        assert!(
            quote.contains("The gateway listens on port 8443."),
            "{quote}"
        );
        assert!(quote.chars().count() < 2 * QUOTE_CHARACTERS, "{quote}");
    }

    proptest! {
        #[test]
        fn quotes_are_words_of_memory(question in ".{0,80}", title in ".{0,60}", body in "(.|\n){0,300}") {
            for found in nearest(&question, &[passage(&title, &body, 1.0)]) {
                prop_assert!((0.0..=1.0).contains(&found.sure), "{}", found.sure);
                let own: String = format!("{title}.{body}").split_whitespace().collect();
                for word in found.quote.trim_end_matches('.').split_whitespace() {
                    prop_assert!(own.contains(word), "{} in {}", word, own);
                }
            }
        }
    }
}
