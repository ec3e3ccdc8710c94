//! What words mean here: which mean the same, which the opposite, which carry no meaning and which
//! are names. Tables only; every entry is a plain word and is stemmed once, when the tables are built.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use frostem::{Algorithm, Stemmer};

use meanings::{OPPOSITES, SYNONYMS};
use names::{ALTERNATIVES, TOOLS};
use roles::{
    ACT, CHOOSE, CONTINUITIES, GENERIC, MOVES, NUMBER_WORDS, REJECTIONS, REMOVALS, STOP_WORDS,
};

mod meanings;
mod names;
mod roles;

/// What a word does in a sentence, besides meaning something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// An ordinary word.
    Plain,
    /// Says little wherever it stands: `file`, `code`, `run`.
    Generic,
    /// What follows it is chosen: `use`, `prefer`.
    Choose,
    /// What follows it is what the choice is about, and how or where is the choice: `store`, `run`.
    Act,
    /// The well-known name of a tool, language or format.
    Tool,
}

/// A word as it is compared: one spelling for all words of one meaning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Concept {
    pub(crate) text: String,
    pub(crate) role: Role,
}

/// The concept of a lower-case word.
pub(crate) fn concept(word: &str) -> Concept {
    let stemmed = stem(word);
    let text = TABLES
        .synonyms
        .get(word)
        .or_else(|| TABLES.synonyms.get(stemmed.as_str()))
        .cloned()
        .unwrap_or(stemmed);
    let role = if is_tool(word) {
        Role::Tool
    } else {
        TABLES.roles.get(&text).copied().unwrap_or(Role::Plain)
    };
    Concept { text, role }
}

/// Whether a lower-case word only holds a sentence together.
pub(crate) fn is_stop_word(word: &str) -> bool {
    TABLES.stop_words.contains(word)
}

/// Whether a lower-case word is the name of a tool, a language or a format.
pub(crate) fn is_tool(word: &str) -> bool {
    TABLES.tools.contains(word)
}

/// Whether a word says that what was said before goes on.
pub(crate) fn is_continuity(word: &str) -> bool {
    TABLES.continuities.contains(word)
}

/// Whether a word gives something up.
pub(crate) fn is_rejection(word: &str) -> bool {
    TABLES.rejections.contains(word)
}

/// Whether a word gives something up when it is said of the past.
pub(crate) fn is_removal(word: &str) -> bool {
    TABLES.removals.contains(word)
}

/// Whether a word leaves one thing for another.
pub(crate) fn is_move(word: &str) -> bool {
    TABLES.moves.contains(word)
}

/// The concepts that say the opposite of this one.
pub(crate) fn opposites(concept: &str) -> &'static [String] {
    TABLES.opposites.get(concept).map_or(&[], Vec::as_slice)
}

/// The digits of a number written as a word.
pub(crate) fn number_word(word: &str) -> Option<&'static str> {
    NUMBER_WORDS
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, digits)| *digits)
}

/// The groups of alternatives a concept belongs to, as a set of bits.
pub(crate) fn alternatives(concept: &str) -> u128 {
    TABLES.alternatives.get(concept).copied().unwrap_or(0)
}

const _: () = assert!(ALTERNATIVES.len() <= 128, "each group has a bit of its own");

struct Tables {
    alternatives: HashMap<String, u128>,
    synonyms: HashMap<String, String>,
    roles: HashMap<String, Role>,
    opposites: HashMap<String, Vec<String>>,
    stop_words: HashSet<&'static str>,
    tools: HashSet<&'static str>,
    continuities: HashSet<&'static str>,
    rejections: HashSet<&'static str>,
    removals: HashSet<&'static str>,
    moves: HashSet<&'static str>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::build);

impl Tables {
    fn build() -> Self {
        let mut synonyms = HashMap::new();
        for group in SYNONYMS {
            let mut words = group.split_whitespace();
            let Some(first) = words.next() else { continue };
            let meaning = stem(first);
            for word in std::iter::once(first).chain(words) {
                synonyms.insert(word.to_owned(), meaning.clone());
                synonyms
                    .entry(stem(word))
                    .or_insert_with(|| meaning.clone());
            }
        }
        let meaning = |word: &str| {
            let stemmed = stem(word);
            synonyms
                .get(word)
                .or_else(|| synonyms.get(&stemmed))
                .cloned()
                .unwrap_or(stemmed)
        };
        let mut roles = HashMap::new();
        for (role, words) in [
            (Role::Generic, GENERIC),
            (Role::Act, ACT),
            (Role::Choose, CHOOSE),
        ] {
            for word in words.split_whitespace() {
                roles.insert(meaning(word), role);
            }
        }
        let mut opposites: HashMap<String, Vec<String>> = HashMap::new();
        for (left, right) in OPPOSITES {
            let (left, right) = (meaning(left), meaning(right));
            opposites
                .entry(left.clone())
                .or_default()
                .push(right.clone());
            opposites.entry(right).or_default().push(left);
        }
        let mut alternatives: HashMap<String, u128> = HashMap::new();
        for (at, group) in ALTERNATIVES.iter().enumerate() {
            for word in group.split_whitespace() {
                *alternatives.entry(meaning(word)).or_default() |= 1 << at;
            }
        }
        Self {
            alternatives,
            synonyms,
            roles,
            opposites,
            stop_words: STOP_WORDS.split_whitespace().collect(),
            tools: TOOLS.split_whitespace().collect(),
            continuities: CONTINUITIES.split_whitespace().collect(),
            rejections: REJECTIONS.split_whitespace().collect(),
            removals: REMOVALS.split_whitespace().collect(),
            moves: MOVES.split_whitespace().collect(),
        }
    }
}

fn stem(word: &str) -> String {
    static ENGLISH: LazyLock<Stemmer> = LazyLock::new(|| Stemmer::new(Algorithm::English));
    if word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        ENGLISH.stem(word).into_owned()
    } else {
        word.to_owned()
    }
}
