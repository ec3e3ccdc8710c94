//! The lexicon: synonyms, opposites, function words and names. Tables only; every entry is a plain word and is stemmed
//! once, when the tables are built.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::LazyLock;

use acreta_text::{Fnv, SYNONYMS, stem};

use crate::hash::hash;
use names::{ALTERNATIVES, TOOLS};
use opposites::{NEGATIVES, OPPOSITES};
use roles::{
    ACT, CHOOSE, CONTINUITIES, GENERIC, MOVES, NUMBER_WORDS, REJECTIONS, REMOVALS, STOP_WORDS,
};

mod names;
mod opposites;
mod roles;
mod titles;

/// Function of a word in a sentence, in addition to its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordRole {
    /// An ordinary word.
    Plain,
    /// Carries little meaning anywhere: `file`, `code`, `run`.
    Generic,
    /// The following word is the choice: `use`, `prefer`.
    Choose,
    /// The following word is the subject of the choice, and the way or place is the choice: `store`, `run`.
    Act,
}

/// A word as it is compared: one key for all words with the same meaning.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Concept {
    pub(crate) key: u64,
    pub(crate) role: WordRole,
    /// Means the opposite of its key: `forbid` has the key of `allow`.
    pub(crate) is_negative: bool,
    /// Bits of the groups of alternatives it belongs to.
    pub(crate) alternatives: u128,
    /// Keys of concepts that exclude it in the same position.
    pub(crate) opposites: &'static [u64],
}

/// Returns the concept of a lower-case word.
pub(crate) fn concept(word: &str) -> Concept {
    if let Some(concept) = TABLES.concepts.get(word) {
        return *concept;
    }
    let stemmed = stem(word);
    let known = TABLES.concepts.get(stemmed.as_ref()).copied();
    known.unwrap_or_else(|| Concept::named(&stemmed))
}

impl Concept {
    /// Creates a concept that is compared by its spelling.
    pub(crate) fn named(text: &str) -> Self {
        Self::plain(hash(text))
    }

    fn plain(key: u64) -> Self {
        Self {
            key,
            role: WordRole::Plain,
            is_negative: false,
            alternatives: 0,
            opposites: &[],
        }
    }
}

/// Property of a word, by its spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trait {
    /// A function word.
    Stop,
    /// The name of a tool, a language or a format.
    Tool,
    /// Says that an earlier statement continues to hold.
    Continuity,
    /// Gives something up.
    Rejection,
    /// Gives something up if used in the past tense.
    Removal,
    /// Leaves one thing for another.
    Move,
    /// A number written as a word.
    Number,
    /// Refers to the past.
    Past,
    /// Follows the subject of a title: `is`, `must`.
    Auxiliary,
    /// A verb that is hardly ever a noun.
    Verb,
    /// Starts a title in the imperative.
    Imperative,
    /// In a title, the following word is the choice, and the place or purpose is the subject.
    Choice,
    /// Stands between an object and the way it is acted on.
    Link,
    /// In a title, the following words are the subject.
    Place,
    /// Ends the part of a title that can contain its verb.
    Boundary,
    /// Starts an object: a word before it that ends in `s` is a verb.
    Determiner,
    /// Allows further answers of the kind: `needs`, `no`, `because`.
    Open,
}

/// The traits of one word.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Traits(u32);

impl Traits {
    pub(crate) fn has(self, one: Trait) -> bool {
        self.0 & (1 << one as u8) != 0
    }
}

/// Returns the traits of a lower-case word.
pub(crate) fn traits(word: &str) -> Traits {
    TABLES.traits.get(word).copied().unwrap_or_default()
}

/// Returns the digits of a number written as a word.
pub(crate) fn number_word(word: &str) -> Option<&'static str> {
    NUMBER_WORDS
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, digits)| *digits)
}

const _: () = assert!(ALTERNATIVES.len() <= 128, "each group has a bit of its own");

type Map<K, V> = HashMap<K, V, BuildHasherDefault<Fnv>>;

struct LexiconTables {
    /// By word and by stem.
    concepts: Map<String, Concept>,
    traits: Map<&'static str, Traits>,
}

static TABLES: LazyLock<LexiconTables> = LazyLock::new(LexiconTables::build);

impl LexiconTables {
    fn build() -> Self {
        let mut meanings = Meanings::build();
        for (role, words) in [
            (WordRole::Generic, GENERIC),
            (WordRole::Act, ACT),
            (WordRole::Choose, CHOOSE),
        ] {
            for word in words.split_whitespace() {
                meanings.concept(word).role = role;
            }
        }
        for (at, group) in ALTERNATIVES.iter().enumerate() {
            for word in group.split_whitespace() {
                meanings.concept(word).alternatives |= 1 << at;
            }
        }
        let mut opposites: Map<u64, Vec<u64>> = Map::default();
        for (left, right) in OPPOSITES {
            let (left, right) = (meanings.concept(left).key, meanings.concept(right).key);
            opposites.entry(left).or_default().push(right);
            opposites.entry(right).or_default().push(left);
        }
        for concept in meanings.concepts.values_mut() {
            if let Some(found) = opposites.get(&concept.key) {
                // Leaked once per word with opposites; the tables live as long as the program.
                concept.opposites = Vec::leak(found.clone());
            }
        }
        for (positive, negative) in NEGATIVES {
            let key = meanings.concept(positive).key;
            let concept = meanings.concept(negative);
            concept.key = key;
            concept.is_negative = true;
        }
        Self {
            concepts: meanings.by_word(),
            traits: traits_by_word(),
        }
    }
}

/// Concepts by meaning, and the meaning of each word.
struct Meanings {
    names: Map<String, String>,
    concepts: Map<String, Concept>,
}

impl Meanings {
    fn build() -> Self {
        let mut names: Map<String, String> = Map::default();
        for group in SYNONYMS {
            let mut words = group.split_whitespace();
            let Some(first) = words.next() else { continue };
            let meaning = stem(first).into_owned();
            for word in std::iter::once(first).chain(words) {
                names.insert(word.to_owned(), meaning.clone());
                names
                    .entry(stem(word).into_owned())
                    .or_insert_with(|| meaning.clone());
            }
        }
        let mut meanings = Self {
            names,
            concepts: Map::default(),
        };
        for group in SYNONYMS {
            for word in group.split_whitespace() {
                meanings.concept(word);
            }
        }
        meanings
    }

    /// Returns the concept of a word; adds it if it is new.
    fn concept(&mut self, word: &str) -> &mut Concept {
        let stemmed = stem(word);
        let meaning = self
            .names
            .get(word)
            .or_else(|| self.names.get(stemmed.as_ref()))
            .cloned()
            .unwrap_or_else(|| stemmed.clone().into_owned());
        self.names
            .entry(stemmed.into_owned())
            .or_insert_with(|| meaning.clone());
        self.names
            .entry(word.to_owned())
            .or_insert_with(|| meaning.clone());
        let key = hash(&meaning);
        self.concepts
            .entry(meaning)
            .or_insert_with(|| Concept::plain(key))
    }

    fn by_word(self) -> Map<String, Concept> {
        let Self { names, concepts } = self;
        names
            .into_iter()
            .filter_map(|(word, meaning)| Some((word, *concepts.get(&meaning)?)))
            .collect()
    }
}

fn traits_by_word() -> Map<&'static str, Traits> {
    let mut found: Map<&'static str, Traits> = Map::default();
    let numbers = NUMBER_WORDS.iter().map(|(word, _)| (Trait::Number, *word));
    let lists = [
        (Trait::Stop, STOP_WORDS),
        (Trait::Tool, TOOLS),
        (Trait::Continuity, CONTINUITIES),
        (Trait::Rejection, REJECTIONS),
        (Trait::Removal, REMOVALS),
        (Trait::Move, MOVES),
        (Trait::Past, titles::PAST),
        (Trait::Auxiliary, titles::AUXILIARIES),
        (Trait::Verb, titles::VERBS),
        (Trait::Imperative, titles::IMPERATIVES),
        (Trait::Choice, titles::CHOICES),
        (Trait::Link, titles::LINKS),
        (Trait::Place, titles::PLACES),
        (Trait::Boundary, titles::BOUNDARIES),
        (Trait::Determiner, titles::DETERMINERS),
        (Trait::Open, titles::OPEN),
    ];
    let listed = lists
        .into_iter()
        .flat_map(|(one, words)| words.split_whitespace().map(move |word| (one, word)));
    for (one, word) in listed.chain(numbers) {
        found.entry(word).or_default().0 |= 1 << one as u8;
    }
    found
}
