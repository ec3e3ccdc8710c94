//! Decides whether a memory bears on a prompt. The bar is absolute: it does not ask which memory is nearest, but whether
//! this one is about what the person asks. Pure: words and their frequencies in, a score or nothing out.
//!
//! A word weighs by how rare it is among the project's memories; words that any task may use ("fix", "test", "file") weigh
//! little everywhere. A memory passes if one sentence of the prompt, or two that follow each other, share enough weight with
//! it: in sum, as a share of the sentence, and as a share of the memory's title, which says what it is about. Where a
//! sentence model says how close prompt and memory are in meaning, a memory also passes by that, and shared words help.

use std::collections::{BTreeMap, BTreeSet};

use acreta_search::{TextTerm, terms_of};

use acreta_text::is_everyday;

/// A prompt as the gate sees it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Asked {
    sentences: Vec<Vec<Unit>>,
    /// Terms of what was pasted.
    pasted: BTreeSet<String>,
}

/// A word, or a name with its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Unit {
    term: String,
    is_everyday: bool,
    /// Of a name of several parts.
    parts: Vec<String>,
}

/// How many memories there are, and how many have each word.
#[derive(Debug, Clone, Default)]
pub(crate) struct Vocabulary {
    pub(crate) memories: u64,
    pub(crate) frequencies: BTreeMap<String, u64>,
}

/// A memory's words by where they stand.
pub(crate) struct Subject {
    title: Vec<Unit>,
    title_terms: BTreeSet<String>,
    body_terms: BTreeSet<String>,
}

/// Memories that are counted as if they were there and had none of the words: in a project with five memories a word
/// that one of them has is not yet common.
const UNSEEN_MEMORIES: f64 = 50.0;

/// Weight of a word that any task may use, beside one that says what the task is about.
const EVERYDAY: f64 = 0.3;

/// From this weight on a word says what something is about. In 100 memories: a word that at most nine have.
const TELLING: f64 = 0.42;

/// Weight of a name (`retry_budget`, `src/queue.rs`) beside a plain word as rare: it hardly means anything else.
const NAME: f64 = 1.5;

/// Weight of a word that only the body of a memory has, beside one in its title.
const IN_BODY: f64 = 0.6;

/// Weight of what was pasted, and the most it adds: a log has many words that nobody chose.
const PASTED: f64 = 0.3;
const PASTED_MOST: f64 = 0.4;

/// Shared weight that a memory needs: about two rare words, one of them in its title.
const LEAST_SHARED: f64 = 1.15;

/// Added to it for each doubling of the number of sentences: the more there are, the more is shared by chance.
const LEAST_SHARED_MORE: f64 = 0.08;

/// Share of a sentence's weight that a memory must carry.
const LEAST_OF_SENTENCE: f64 = 0.34;

/// Share of a title's weight that a sentence must carry.
const LEAST_OF_TITLE: f64 = 0.3;

/// Closeness in meaning that a memory needs if it shares no words with the prompt. Chosen on prompts of people whose notes
/// bear on a few of them, for at least nine right in ten.
const CLOSE: f64 = 0.6;

/// A unit of shared weight counts as much as this closeness, and so many units at most: long prompts share some with
/// everything.
const SHARED_BESIDE_MEANING: f64 = 0.06;
const SHARED_MOST: f64 = 3.0;

/// Sentences that are looked at.
const SENTENCES: usize = 64;

/// Terms of pasted text that are looked at.
const PASTED_TERMS: usize = 400;

impl Asked {
    pub(crate) fn new(sentences: &[String], pasted: &str) -> Self {
        let sentences = sentences.iter().map(|sentence| units(sentence));
        let pasted = terms_of(acreta_text::head(pasted, 16 * 1024)).into_iter();
        Self {
            sentences: sentences
                .filter(|units| !units.is_empty())
                .take(SENTENCES)
                .collect(),
            pasted: pasted
                .filter(|term| !is_empty_word(term) && !is_everyday(&term.term))
                .map(|term| term.term)
                .take(PASTED_TERMS)
                .collect(),
        }
    }

    /// Reports whether any word could say what the prompt is about.
    pub(crate) fn says_something(&self) -> bool {
        self.sentences
            .iter()
            .flatten()
            .any(|unit| !unit.is_everyday)
    }

    /// Every term whose frequency the gate needs, but for those of titles.
    pub(crate) fn terms(&self) -> impl Iterator<Item = &str> {
        let own = self.sentences.iter().flatten();
        let own = own.flat_map(|unit| std::iter::once(&unit.term).chain(&unit.parts));
        own.chain(&self.pasted).map(String::as_str)
    }

    /// How much a memory bears on the prompt; `None` below the bar. `closeness` is the cosine between their meanings.
    pub(crate) fn relevance(
        &self,
        subject: &Subject,
        vocabulary: &Vocabulary,
        closeness: Option<f64>,
    ) -> Option<f64> {
        let count = self.sentences.len().max(1) as f64;
        let least = LEAST_SHARED + LEAST_SHARED_MORE * count.log2();
        let pairs = self.sentences.windows(2).map(|pair| pair.concat());
        let windows = self.sentences.iter().cloned().chain(pairs);
        let pasted: f64 = self
            .pasted
            .iter()
            .filter(|term| subject.title_terms.contains(*term))
            .map(|term| PASTED * vocabulary.rarity(term))
            .sum();
        let pasted = pasted.min(PASTED_MOST);
        let windows: Vec<Window> = windows
            .map(|window| Window::new(&window, subject, vocabulary))
            .collect();
        let by_words = windows
            .iter()
            .filter(|window| window.passes(least, pasted))
            .map(|window| (window.shared + pasted) * (window.of_sentence + window.of_title));
        let by_words = by_words.max_by(f64::total_cmp);
        let shared = windows.iter().map(|window| window.shared);
        let shared = shared.fold(0.0, f64::max).min(SHARED_MOST);
        let by_meaning = closeness
            .map(|closeness| closeness + SHARED_BESIDE_MEANING * shared)
            .filter(|sum| *sum >= CLOSE);
        by_words
            .into_iter()
            .chain(by_meaning)
            .max_by(f64::total_cmp)
    }
}

impl Vocabulary {
    /// From 0 for a word that every memory has to 1 for one that none has.
    fn rarity(&self, term: &str) -> f64 {
        let memories = self.memories as f64 + UNSEEN_MEMORIES;
        let with_it = self.frequencies.get(term).copied().unwrap_or(0) as f64;
        let rarity = ((memories + 1.0) / (with_it + 0.5)).ln() / ((memories + 1.0) / 0.5).ln();
        rarity.clamp(0.0, 1.0)
    }

    fn weight(&self, unit: &Unit) -> f64 {
        let rarity = self.rarity(&unit.term);
        match (unit.is_everyday, unit.parts.is_empty()) {
            (true, _) => EVERYDAY * rarity,
            (false, true) => rarity,
            (false, false) => NAME * rarity,
        }
    }
}

impl Subject {
    pub(crate) fn new(title: &str, body: &str) -> Self {
        let all = |text: &str| terms_of(text).into_iter().map(|term| term.term).collect();
        Self {
            title: units(title),
            title_terms: all(title),
            body_terms: all(body),
        }
    }

    /// Every term of the title.
    pub(crate) fn terms(&self) -> impl Iterator<Item = &str> {
        self.title_terms.iter().map(String::as_str)
    }

    /// How much of a unit the memory has: 1 in its title, less in its body, and for a name the share of its parts.
    fn share_of(&self, unit: &Unit) -> f64 {
        let of = |term: &String| match () {
            () if self.title_terms.contains(term) => 1.0,
            () if self.body_terms.contains(term) => IN_BODY,
            () => 0.0,
        };
        let whole = of(&unit.term);
        if whole > 0.0 || unit.parts.is_empty() {
            return whole;
        }
        // The parts of a name are words like any other, and each of them less than the name.
        let parts: f64 = unit.parts.iter().map(of).sum();
        parts / unit.parts.len() as f64 / NAME
    }
}

/// Words that a sentence, or two that follow each other, shares with a memory.
struct Window {
    shared: f64,
    of_sentence: f64,
    of_title: f64,
    /// Shared words that say what something is about; a name counts twice.
    telling: f64,
    is_in_title: bool,
}

impl Window {
    fn new(units: &[Unit], subject: &Subject, vocabulary: &Vocabulary) -> Self {
        let (mut shared, mut all, mut telling, mut is_in_title) = (0.0, 0.0, 0.0, false);
        let mut seen = BTreeSet::new();
        for unit in units.iter().filter(|unit| seen.insert(&unit.term)) {
            let weight = vocabulary.weight(unit);
            let share = subject.share_of(unit);
            all += weight;
            shared += weight * share;
            if !unit.is_everyday && share > 0.0 && vocabulary.rarity(&unit.term) >= TELLING {
                let is_whole_name = !unit.parts.is_empty() && share >= IN_BODY;
                telling += if is_whole_name { 2.0 } else { 1.0 };
                is_in_title |= share == 1.0 || is_whole_name;
            }
        }
        let asked: BTreeSet<&str> = units
            .iter()
            .flat_map(|unit| std::iter::once(&unit.term).chain(&unit.parts))
            .map(String::as_str)
            .collect();
        let (mut title_shared, mut title_weight) = (0.0, 0.0);
        for unit in &subject.title {
            let weight = vocabulary.weight(unit);
            title_weight += weight;
            if asked.contains(unit.term.as_str()) {
                title_shared += weight;
            }
        }
        Self {
            shared,
            of_sentence: shared / f64::max(all, f64::EPSILON),
            of_title: title_shared / f64::max(title_weight, f64::EPSILON),
            telling,
            is_in_title,
        }
    }

    fn passes(&self, least: f64, pasted: f64) -> bool {
        self.telling >= 2.0
            && self.is_in_title
            && self.shared + pasted >= least
            && self.of_sentence >= LEAST_OF_SENTENCE
            && self.of_title >= LEAST_OF_TITLE
    }
}

/// The words of a sentence that say something, each name as one.
fn units(text: &str) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    let mut name_end = 0;
    for term in terms_of(text) {
        let is_within = term.range.end <= name_end;
        if term.is_name {
            if !is_within {
                name_end = term.range.end;
                units.push(Unit {
                    is_everyday: false,
                    term: term.term,
                    parts: Vec::new(),
                });
            }
            continue;
        }
        if is_empty_word(&term) {
            continue;
        }
        match units.last_mut().filter(|_| is_within) {
            Some(name) => name.parts.push(term.term),
            None => units.push(Unit {
                is_everyday: is_everyday(&term.term),
                term: term.term,
                parts: Vec::new(),
            }),
        }
    }
    units
}

/// Stop words, single letters and bare numbers.
fn is_empty_word(term: &TextTerm) -> bool {
    !term.is_name
        && (acreta_text::is_stop_word(&term.word)
            || term.word.chars().nth(1).is_none()
            || term
                .word
                .chars()
                .all(|character| character.is_ascii_digit()))
}
