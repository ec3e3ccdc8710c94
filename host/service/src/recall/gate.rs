//! Decides whether a memory is relevant to a prompt. The threshold is absolute: it does not select the nearest memory,
//! but checks whether this one is about the person's request. Pure: words and their frequencies in, a score or `None`
//! out.
//!
//! A word's weight is its rarity among the project's memories; words that any task may use ("fix", "test", "file")
//! always weigh little. A memory passes if one sentence of the prompt, or two consecutive ones, share enough weight
//! with it: in sum, as a share of the sentence, and as a share of the memory's title, which states its subject. It also
//! passes if a short prompt, or two sentences of a long one, share several rare words with it: a person who describes
//! something in other words than the title still names its parts. If a sentence model measures the similarity of prompt and memory, a memory also passes by that, and shared words help.

use std::collections::{BTreeMap, BTreeSet};

use acreta_search::{TextTerm, terms_of};

use acreta_text::is_everyday;

/// A prompt prepared for the gate.
#[derive(Debug, Clone, Default)]
pub(crate) struct PromptTerms {
    sentences: Vec<Vec<TermUnit>>,
    /// Terms of pasted text.
    pasted: BTreeSet<String>,
}

/// Relevance of a memory that passed, larger for a more relevant one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Relevance {
    Sure(f64),
    /// At most one memory of a prompt is offered as likely.
    Likely(f64),
}

impl Relevance {
    pub(crate) fn score(self) -> f64 {
        match self {
            Self::Sure(score) | Self::Likely(score) => score,
        }
    }
}

/// A word, or a name with its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
struct TermUnit {
    term: String,
    is_everyday: bool,
    /// Parts of a compound name.
    parts: Vec<String>,
}

/// Number of memories, and how many contain each word.
#[derive(Debug, Clone, Default)]
pub(crate) struct Vocabulary {
    pub(crate) memories: u64,
    pub(crate) frequencies: BTreeMap<String, u64>,
}

/// A memory's words in title and body.
pub(crate) struct MemoryTerms {
    title: Vec<TermUnit>,
    title_terms: BTreeSet<String>,
    body_terms: BTreeSet<String>,
}

/// Virtual memories without any of the words: in a project with five memories, a word that one of them has is not yet
/// common.
const UNSEEN_MEMORIES: f64 = 50.0;

/// Weight of a word that any task may use, relative to one that names the task's subject.
const EVERYDAY: f64 = 0.3;

/// Minimum weight of a word that names a subject. In 100 memories: a word that at most nine have.
const TELLING: f64 = 0.42;

/// Weight of a name (`retry_budget`, `src/queue.rs`) relative to an equally rare word: it is hardly ambiguous.
const NAME: f64 = 1.5;

/// Weight of a word that only the body of a memory has, relative to one in its title.
const IN_BODY: f64 = 0.6;

/// Weight of pasted text, and its maximum contribution: a log has many words that nobody chose.
const PASTED: f64 = 0.3;
const PASTED_MOST: f64 = 0.4;

/// Minimum shared weight: about two rare words, one of them in the title.
const LEAST_SHARED: f64 = 1.15;

/// Increase of the minimum for each doubling of the number of sentences: the more there are, the more is shared by
/// chance.
const LEAST_SHARED_MORE: f64 = 0.08;

/// Minimum share of a sentence's weight that the memory must have.
const LEAST_OF_SENTENCE: f64 = 0.34;

/// Minimum share of a title's weight that the sentence must have.
const LEAST_OF_TITLE: f64 = 0.3;

/// Number of shared rare words from which a memory may pass whatever share of the sentence and of its title they are;
/// everyday words count, too. In 150 prompts of three projects the best memory with so many was relevant in about three
/// of four, and that with three in every second.
const MANY_SHARED: f64 = 4.0;

/// Increase of that number for each doubling of the number of memories beyond [`UNSEEN_MEMORIES`]: among many memories,
/// one shares some words with anything.
const MANY_SHARED_MORE: f64 = 0.5;

/// Maximum number of words of a passage that [`MANY_SHARED`] holds for: a longer one shares four with anything. Of 786
/// comparisons of shorter prompts with the memories of another project, three passed.
const PASSAGE_WORDS: usize = 40;

/// Minimum similarity of a memory that shares no words with the prompt. Chosen on real prompts, of which notes are
/// relevant to a few, for a precision of at least nine in ten.
const CLOSE: f64 = 0.6;

/// Similarity that one unit of shared weight is worth, and the maximum number of units: long prompts share some with
/// everything.
const SHARED_BESIDE_MEANING: f64 = 0.06;
const SHARED_MOST: f64 = 3.0;

/// Maximum number of sentences.
const SENTENCES: usize = 64;

/// Maximum number of terms of pasted text.
const PASTED_TERMS: usize = 400;

impl PromptTerms {
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

    /// Returns whether any word could name the prompt's subject.
    pub(crate) fn says_something(&self) -> bool {
        self.sentences
            .iter()
            .flatten()
            .any(|unit| !unit.is_everyday)
    }

    /// Returns every term whose frequency the gate needs, except those of titles.
    pub(crate) fn terms(&self) -> impl Iterator<Item = &str> {
        let own = self.sentences.iter().flatten();
        let own = own.flat_map(|unit| std::iter::once(&unit.term).chain(&unit.parts));
        own.chain(&self.pasted).map(String::as_str)
    }

    /// Returns the relevance of a memory to the prompt; `None` below the threshold. `closeness` is the cosine
    /// similarity of their embeddings.
    pub(crate) fn relevance(
        &self,
        subject: &MemoryTerms,
        vocabulary: &Vocabulary,
        closeness: Option<f64>,
    ) -> Option<Relevance> {
        let count = self.sentences.len().max(1) as f64;
        let least = LEAST_SHARED + LEAST_SHARED_MORE * count.log2();
        let doublings = (vocabulary.memories as f64 / UNSEEN_MEMORIES)
            .log2()
            .max(0.0);
        let many = MANY_SHARED + MANY_SHARED_MORE * doublings;
        let pairs = self.sentences.windows(2).map(|pair| pair.concat());
        let whole = self.sentences.concat();
        let whole = (whole.len() <= PASSAGE_WORDS && self.sentences.len() > 2).then_some(whole);
        let windows = self.sentences.iter().cloned().chain(pairs).chain(whole);
        let pasted: f64 = self
            .pasted
            .iter()
            .filter(|term| subject.title_terms.contains(*term))
            .map(|term| PASTED * vocabulary.rarity(term))
            .sum();
        let pasted = pasted.min(PASTED_MOST);
        let windows: Vec<SharedTerms> = windows
            .map(|window| SharedTerms::new(&window, subject, vocabulary))
            .collect();
        let score = |window: &SharedTerms| {
            (window.shared + pasted) * (window.of_sentence + window.of_title)
        };
        let best = |passes: &dyn Fn(&&SharedTerms) -> bool| {
            let passing = windows.iter().filter(passes);
            passing.map(score).max_by(f64::total_cmp)
        };
        let by_words = best(&|window| window.passes(least, pasted));
        let shared = windows.iter().map(|window| window.shared);
        let shared = shared.fold(0.0, f64::max).min(SHARED_MOST);
        let by_meaning = closeness
            .map(|closeness| closeness + SHARED_BESIDE_MEANING * shared)
            .filter(|sum| *sum >= CLOSE);
        let sure = by_words
            .into_iter()
            .chain(by_meaning)
            .max_by(f64::total_cmp);
        let likely = || best(&|window| window.shares_many(many)).map(Relevance::Likely);
        sure.map(Relevance::Sure).or_else(likely)
    }
}

impl Vocabulary {
    /// Returns 0 for a word that every memory has, up to 1 for one that none has.
    pub(crate) fn rarity(&self, term: &str) -> f64 {
        let memories = self.memories as f64 + UNSEEN_MEMORIES;
        let with_it = self.frequencies.get(term).copied().unwrap_or(0) as f64;
        let rarity = ((memories + 1.0) / (with_it + 0.5)).ln() / ((memories + 1.0) / 0.5).ln();
        rarity.clamp(0.0, 1.0)
    }

    fn weight(&self, unit: &TermUnit) -> f64 {
        let rarity = self.rarity(&unit.term);
        match (unit.is_everyday, unit.parts.is_empty()) {
            (true, _) => EVERYDAY * rarity,
            (false, true) => rarity,
            (false, false) => NAME * rarity,
        }
    }
}

impl MemoryTerms {
    pub(crate) fn new(title: &str, body: &str) -> Self {
        let all = |text: &str| terms_of(text).into_iter().map(|term| term.term).collect();
        Self {
            title: units(title),
            title_terms: all(title),
            body_terms: all(body),
        }
    }

    /// Returns every term of the title.
    pub(crate) fn terms(&self) -> impl Iterator<Item = &str> {
        self.title_terms.iter().map(String::as_str)
    }

    /// Returns how much of a unit the memory has: 1 in its title, less in its body, and for a name the share of its
    /// parts.
    fn share_of(&self, unit: &TermUnit) -> f64 {
        let of = |term: &String| match () {
            () if self.title_terms.contains(term) => 1.0,
            () if self.body_terms.contains(term) => IN_BODY,
            () => 0.0,
        };
        let whole = of(&unit.term);
        if whole > 0.0 || unit.parts.is_empty() {
            return whole;
        }
        // The parts of a name are ordinary words, and each weighs less than the name.
        let parts: f64 = unit.parts.iter().map(of).sum();
        parts / unit.parts.len() as f64 / NAME
    }
}

/// Words that a sentence, or two consecutive ones, share with a memory.
struct SharedTerms {
    shared: f64,
    of_sentence: f64,
    of_title: f64,
    /// Shared words that name a subject; a name counts twice.
    telling: f64,
    is_in_title: bool,
    /// Shared words that few memories have, everyday ones, too; a name counts twice.
    rare: f64,
    /// Number of different words.
    words: usize,
}

impl SharedTerms {
    fn new(units: &[TermUnit], subject: &MemoryTerms, vocabulary: &Vocabulary) -> Self {
        let (mut shared, mut all, mut telling, mut is_in_title) = (0.0, 0.0, 0.0, false);
        let mut rare = 0.0;
        let mut seen = BTreeSet::new();
        for unit in units.iter().filter(|unit| seen.insert(&unit.term)) {
            let weight = vocabulary.weight(unit);
            let share = subject.share_of(unit);
            all += weight;
            shared += weight * share;
            if share > 0.0 && vocabulary.rarity(&unit.term) >= TELLING {
                let is_whole_name = !unit.parts.is_empty() && share >= IN_BODY;
                let count = if is_whole_name { 2.0 } else { 1.0 };
                rare += count;
                if !unit.is_everyday {
                    telling += count;
                    is_in_title |= share == 1.0 || is_whole_name;
                }
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
            rare,
            words: seen.len(),
        }
    }

    /// Reports whether the memory is about what the words say.
    fn passes(&self, least: f64, pasted: f64) -> bool {
        self.telling >= 2.0
            && self.is_in_title
            && self.shared + pasted >= least
            && self.of_sentence >= LEAST_OF_SENTENCE
            && self.of_title >= LEAST_OF_TITLE
    }

    /// Reports whether so many words are shared that the best such memory is probably relevant.
    fn shares_many(&self, many: f64) -> bool {
        self.rare >= many && self.words <= PASSAGE_WORDS
    }
}

/// Returns the meaningful words of a sentence, each name as one.
fn units(text: &str) -> Vec<TermUnit> {
    let mut units: Vec<TermUnit> = Vec::new();
    let mut name_end = 0;
    for term in terms_of(text) {
        let is_within = term.range.end <= name_end;
        if term.is_name {
            if !is_within {
                name_end = term.range.end;
                units.push(TermUnit {
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
            None => units.push(TermUnit {
                is_everyday: is_everyday(&term.term),
                term: term.term,
                parts: Vec::new(),
            }),
        }
    }
    units
}

/// Returns whether a term is a stop word, a single letter or a bare number.
fn is_empty_word(term: &TextTerm) -> bool {
    !term.is_name
        && (acreta_text::is_stop_word(&term.word)
            || term.word.chars().nth(1).is_none()
            || term
                .word
                .chars()
                .all(|character| character.is_ascii_digit()))
}
