//! Other languages: the small words that steer a sentence become the English ones that the reader follows, and
//! the rest is stemmed. Small words are a closed class, so this holds for whatever is talked about; nothing here
//! translates what a statement is about, since both statements of a pair name it in the same language.

mod glosses;

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use acreta_text::Fnv;
use frostem::{Algorithm, Stemmer};

use crate::lexicon::{self, Trait};
use crate::scan::{Gap, Look, Word, scan};

/// The language of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tongue {
    English,
    French,
    German,
    Russian,
    Spanish,
}

impl Tongue {
    /// The language with most of the small words; English where nothing says otherwise.
    pub(crate) fn of(words: &[Word]) -> Self {
        let is_cyrillic = |word: &Word| word.text.chars().any(|one| ('а'..='я').contains(&one));
        if words.iter().any(is_cyrillic) {
            return Self::Russian;
        }
        let plain = || words.iter().filter(|word| word.look != Look::Number);
        let english = plain()
            .filter(|word| lexicon::traits(&word.text).has(Trait::Stop))
            .count();
        let mut best = (english, Self::English);
        for tongue in [Self::German, Self::Spanish, Self::French] {
            let Some(glosses) = tongue.glosses() else {
                continue;
            };
            let known = plain()
                .filter(|word| glosses.words.contains_key(word.text.as_str()))
                .count();
            if known > best.0 {
                best = (known, tongue);
            }
        }
        best.1
    }

    /// The words of a text with the small ones in English.
    pub(crate) fn read(self, words: Vec<Word>) -> Vec<Word> {
        let Some(glosses) = self.glosses() else {
            return words;
        };
        let words = if self == Self::French {
            parted(words)
        } else {
            words
        };
        let mut read = Vec::with_capacity(words.len());
        let mut at = 0;
        let mut denied = false;
        // Punctuation before a word that is left out belongs to the next one.
        let mut owed = Gap::Space;
        while let Some(word) = words.get(at) {
            let gap = word.gap.max(owed);
            owed = Gap::Space;
            denied &= gap == Gap::Space;
            let Some((length, gloss)) = glosses.longest(&words[at..]) else {
                read.push(self.stemmed(word, gap));
                at += 1;
                continue;
            };
            at += length;
            // `no … nunca`, `никогда не`, `ne … pas`: one denial, told twice.
            let denies = matches!(gloss, "never" | "no" | "not" | "no longer");
            if gloss.is_empty() || (denies && denied && self.denies_twice()) {
                owed = gap;
                continue;
            }
            denied |= denies;
            for (place, text) in gloss.split(' ').enumerate() {
                read.push(Word {
                    text: text.to_owned(),
                    look: Look::Word,
                    gap: if place == 0 { gap } else { Gap::Space },
                    parts: Vec::new(),
                });
            }
        }
        read
    }

    fn denies_twice(self) -> bool {
        self != Self::German
    }

    fn stemmed(self, word: &Word, gap: Gap) -> Word {
        let mut word = Word {
            gap,
            ..word.clone()
        };
        let is_noun = self == Self::German && is_capitalised(&word) && !is_known(&word.text);
        if is_noun {
            word.look = Look::Word;
            word.parts.clear();
        }
        if word.look == Look::Word
            && !is_known(&word.text)
            && let Some(stemmer) = self.stemmer()
        {
            word.text = stemmer.stem(&word.text).into_owned();
        }
        word
    }

    fn stemmer(self) -> Option<&'static Stemmer> {
        static STEMMERS: LazyLock<[Stemmer; 4]> = LazyLock::new(|| {
            [
                Algorithm::French,
                Algorithm::German,
                Algorithm::Russian,
                Algorithm::Spanish,
            ]
            .map(Stemmer::new)
        });
        match self {
            Self::English => None,
            Self::French => Some(&STEMMERS[0]),
            Self::German => Some(&STEMMERS[1]),
            Self::Russian => Some(&STEMMERS[2]),
            Self::Spanish => Some(&STEMMERS[3]),
        }
    }

    fn glosses(self) -> Option<&'static Glosses> {
        static GLOSSES: LazyLock<[Glosses; 4]> = LazyLock::new(|| {
            [
                glosses::FRENCH,
                glosses::GERMAN,
                glosses::RUSSIAN,
                glosses::SPANISH,
            ]
            .map(Glosses::of)
        });
        match self {
            Self::English => None,
            Self::French => Some(&GLOSSES[0]),
            Self::German => Some(&GLOSSES[1]),
            Self::Russian => Some(&GLOSSES[2]),
            Self::Spanish => Some(&GLOSSES[3]),
        }
    }
}

/// `n'utilisons` as two words.
fn parted(words: Vec<Word>) -> Vec<Word> {
    let mut read = Vec::with_capacity(words.len());
    for word in words {
        match word.text.split_once('\'') {
            Some((first, rest)) if word.look == Look::Word && first.len() <= 2 => {
                let (first, rest) = (first.to_owned(), rest.to_owned());
                read.push(Word {
                    text: first,
                    ..word.clone()
                });
                read.push(Word {
                    text: rest,
                    gap: Gap::Space,
                    ..word
                });
            }
            _ => read.push(word),
        }
    }
    read
}

/// Title and body as words, read in the language that both are in.
pub(crate) fn words_of(title: &str, body: &str) -> (Vec<Word>, Vec<Word>) {
    let (title, body) = (scan(title), scan(body));
    let tongue = match Tongue::of(&title) {
        Tongue::English => Tongue::of(&body),
        tongue => tongue,
    };
    (tongue.read(title), tongue.read(body))
}

/// The small words at the head of a run without spaces, in Chinese: their length in bytes and their gloss.
pub(crate) fn chinese(run: &str) -> Option<(usize, &'static str)> {
    static GLOSSES: LazyLock<Map<&'static str, &'static str>> =
        LazyLock::new(|| pairs(glosses::CHINESE).collect());
    let ends: Vec<usize> = run
        .char_indices()
        .map(|(at, one)| at + one.len_utf8())
        .take(LONGEST)
        .collect();
    let found = |end: &usize| Some((*end, *GLOSSES.get(&run[..*end])?));
    ends.iter().rev().find_map(found)
}

/// The most words, or characters in Chinese, that one gloss stands for.
const LONGEST: usize = 5;

type Map<K, V> = HashMap<K, V, BuildHasherDefault<Fnv>>;

struct Glosses {
    words: Map<&'static str, &'static str>,
    phrases: Map<&'static str, &'static str>,
}

impl Glosses {
    fn of(table: &'static str) -> Self {
        let (phrases, words) = pairs(table).partition(|(from, _)| from.contains(' '));
        Self { words, phrases }
    }

    /// How many of the words the longest entry covers, and its gloss.
    fn longest(&self, words: &[Word]) -> Option<(usize, &'static str)> {
        let joined = words
            .iter()
            .skip(1)
            .take(LONGEST - 1)
            .take_while(|word| word.gap == Gap::Space)
            .count();
        for length in (2..=joined + 1).rev() {
            let phrase: Vec<&str> = words[..length]
                .iter()
                .map(|one| one.text.as_str())
                .collect();
            if let Some(gloss) = self.phrases.get(phrase.join(" ").as_str()) {
                return Some((length, gloss));
            }
        }
        let first = words.first()?;
        // A capital letter inside a sentence is a name, but not where nouns have one.
        let gloss = self.words.get(first.text.as_str())?;
        Some((1, gloss))
    }
}

/// `from, from: to` for each line of a table.
fn pairs(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table
        .lines()
        .filter_map(|line| line.split_once(':'))
        .flat_map(|(from, to)| from.split(',').map(move |from| (from.trim(), to.trim())))
}

fn is_known(text: &str) -> bool {
    lexicon::traits(text).has(Trait::Tool) || lexicon::concept(text).alternatives != 0
}

/// Only the first letter made it a name.
fn is_capitalised(word: &Word) -> bool {
    word.look == Look::Name && word.parts.len() <= 1 && word.text.chars().all(char::is_alphabetic)
}
