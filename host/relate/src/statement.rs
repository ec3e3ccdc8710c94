//! A statement prepared for comparison. Parsing is expensive and comparing is cheap: to compare many statements, parse
//! each once.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use acreta_model::MemoryType;
use acreta_text::{content_words, is_unspaced, tokens, words};

use crate::hash::{hash, join};
use crate::read::{Mention, MentionClass, TitleFrame, read, read_title};
use crate::sentences::sentences;

/// A parsed memory or candidate.
#[derive(Debug, Clone)]
pub struct Statement {
    pub(crate) memory_type: MemoryType,
    /// The things it mentions, each once, in order of appearance.
    pub(crate) units: Vec<StatementUnit>,
    /// Its claims in order; clauses without a meaningful word are left out.
    pub(crate) clauses: Vec<Clause>,
    /// Describes what happens, not what to do: an insight, a friction or a pitfall.
    pub(crate) is_fact: bool,
    /// Laid down by a person: a decision, a convention or a preference.
    pub(crate) is_norm: bool,
    /// Structure of the title.
    pub(crate) frame: TitleFrame,
    pub(crate) continuities: usize,
    /// Number of words that refer to the past.
    pub(crate) pasts: usize,
    /// Sorted hashes of neighbouring words: its phrasing.
    pub(crate) phrases: Vec<u64>,
    pub(crate) sentences: usize,
    /// Hash of all words in order: equal for equal texts, whatever they mean.
    pub(crate) wording: u64,
    pub(crate) title: String,
    pub(crate) body: String,
    kind: String,
    /// Sorted hashes of the tokens.
    tokens: Vec<u64>,
    /// Sorted hashes of the title's tokens.
    title_tokens: Vec<u64>,
    /// Sorted keys of units and of the pieces of names, each with the unit's position if it is one.
    index: Vec<(u64, Option<u32>)>,
}

/// One thing that a statement mentions, however often.
#[derive(Debug, Clone)]
pub(crate) struct StatementUnit {
    pub(crate) key: u64,
    /// Keys of the pieces of a compound name.
    pub(crate) parts: Vec<u64>,
    pub(crate) opposites: &'static [u64],
    /// Key of the word without its `un`, `non`, `in` or `dis`.
    pub(crate) without_prefix: Option<u64>,
    /// Bits of the groups of alternatives it belongs to.
    pub(crate) alternatives: u128,
    pub(crate) class: MentionClass,
    pub(crate) in_title: bool,
    pub(crate) anywhere: Polarity,
    pub(crate) title: Polarity,
    /// Part of the title's subject.
    pub(crate) is_subject: bool,
    /// The verb of an imperative title.
    pub(crate) is_act: bool,
    /// It is over: removed, dropped, no longer so.
    pub(crate) undone: bool,
    /// Bits of the sentences that mention it.
    pub(crate) sentences: u64,
}

/// Says if something is affirmed, denied or both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Polarity {
    pub(crate) affirmed: bool,
    pub(crate) denied: bool,
}

impl Polarity {
    /// Returns true if one only affirms what the other only denies.
    pub(crate) fn is_against(self, other: Self) -> bool {
        self.affirmed != self.denied
            && other.affirmed != other.denied
            && self.affirmed != other.affirmed
    }

    fn mention(&mut self, denied: bool) {
        self.affirmed |= !denied;
        self.denied |= denied;
    }
}

/// Number of units that a clause has bits for.
pub(crate) const WIDTH: usize = 128;

/// One claim: bits of the units it mentions, and of those it denies. Units beyond the width are left out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Clause {
    pub(crate) in_title: bool,
    pub(crate) units: u128,
    pub(crate) denied: u128,
}

impl Statement {
    pub fn new(memory_type: MemoryType, kind: &str, title: &str, body: &str) -> Self {
        let (title_reading, frame) = read_title(title);
        let body_reading = read(body);
        let mut content = StatementContent::with_capacity(
            title_reading.mentions.len() + body_reading.mentions.len(),
        );
        for mention in title_reading.mentions {
            let is_subject = frame.is_subject(mention.word);
            let is_act = frame.is_act(mention.word);
            let at = content.add(mention, StatementPart::Title);
            content.units[at].is_act |= is_act;
            content.units[at].is_subject |= is_subject;
        }
        let part = StatementPart::Body {
            sentences: title_reading.sentences,
            clauses: title_reading.clauses,
        };
        for mention in body_reading.mentions {
            content.add(mention, part);
        }
        let StatementContent { units, clauses, .. } = content;
        let mut index: Vec<(u64, Option<u32>)> = Vec::with_capacity(units.len() + 8);
        for (unit, at) in units.iter().zip(0..) {
            index.push((unit.key, Some(at)));
            index.extend(unit.parts.iter().map(|part| (*part, None)));
        }
        index.sort_unstable_by_key(|(key, unit)| (*key, unit.is_none()));
        index.dedup_by_key(|(key, _)| *key);
        let all_tokens = hashed(&tokens(&format!("{title}\n{body}")));
        let title_tokens = hashed(&tokens(title));
        let mut phrases = title_reading.phrases;
        phrases.extend(body_reading.phrases);
        phrases.sort_unstable();
        phrases.dedup();
        Self {
            memory_type,
            units,
            clauses,
            is_fact: matches!(kind, "insight" | "friction" | "pitfall"),
            is_norm: memory_type == MemoryType::Decision
                || matches!(kind, "convention" | "preference"),
            frame,
            pasts: title_reading.pasts + body_reading.pasts,
            continuities: title_reading.continuities + body_reading.continuities,
            phrases,
            sentences: title_reading.sentences + body_reading.sentences,
            wording: wording(title, body),
            title: title.to_owned(),
            body: body.to_owned(),
            kind: kind.to_owned(),
            tokens: all_tokens,
            title_tokens,
            index,
        }
    }

    pub fn memory_type(&self) -> MemoryType {
        self.memory_type
    }

    /// Returns the statement without these sentences of its body.
    pub(crate) fn without(&self, gone: &[String]) -> Self {
        let kept: Vec<&str> = sentences(&self.body)
            .filter(|sentence| !gone.iter().any(|one| one == sentence))
            .collect();
        Self::new(self.memory_type, &self.kind, &self.title, &kept.join(" "))
    }

    /// Returns the token overlap of title and body, 0 to 1.
    pub fn overlap(&self, other: &Self) -> f64 {
        overlap(&self.tokens, &other.tokens)
    }

    /// Returns the token overlap of the titles, 0 to 1.
    pub fn title_overlap(&self, other: &Self) -> f64 {
        overlap(&self.title_tokens, &other.title_tokens)
    }

    /// Returns true if it mentions this, or a name of which this is a piece.
    pub(crate) fn has(&self, key: u64) -> bool {
        self.find(key).is_some()
    }

    pub(crate) fn unit(&self, key: u64) -> Option<&StatementUnit> {
        self.position(key).and_then(|at| self.units.get(at))
    }

    /// Returns the position of the unit with a key.
    pub(crate) fn position(&self, key: u64) -> Option<usize> {
        self.find(key).flatten().map(|at| at as usize)
    }

    fn find(&self, key: u64) -> Option<Option<u32>> {
        self.index
            .binary_search_by_key(&key, |(key, _)| *key)
            .ok()
            .map(|at| self.index[at].1)
    }
}

/// The part of a statement that is being read.
#[derive(Debug, Clone, Copy)]
enum StatementPart {
    Title,
    /// After this many sentences and clauses.
    Body {
        sentences: usize,
        clauses: usize,
    },
}

#[derive(Debug, Default)]
struct StatementContent {
    units: Vec<StatementUnit>,
    clauses: Vec<Clause>,
    /// The clause that is being filled.
    clause: Option<usize>,
}

impl StatementContent {
    fn with_capacity(mentions: usize) -> Self {
        Self {
            units: Vec::with_capacity(mentions),
            ..Self::default()
        }
    }

    fn add(&mut self, mention: Mention, part: StatementPart) -> usize {
        let (in_title, sentence, clause) = match part {
            StatementPart::Title => (true, mention.sentence, mention.clause),
            StatementPart::Body { sentences, clauses } => (
                false,
                sentences + mention.sentence,
                clauses + mention.clause,
            ),
        };
        let denied = mention.denied;
        let undone = mention.undone;
        let is_name = mention.class == MentionClass::Name;
        let at = self.unit(mention, in_title);
        let unit = &mut self.units[at];
        if is_name {
            unit.class = MentionClass::Name;
        }
        unit.sentences |= 1 << sentence.min(63);
        unit.anywhere.mention(denied);
        unit.undone |= undone;
        if in_title {
            unit.title.mention(denied);
        }
        if self.clause != Some(clause) {
            self.clause = Some(clause);
            self.clauses.push(Clause {
                in_title,
                ..Clause::default()
            });
        }
        if at < WIDTH
            && let Some(clause) = self.clauses.last_mut()
        {
            clause.units |= 1 << at;
            clause.denied |= u128::from(denied) << at;
        }
        at
    }

    /// Returns the position of a mention's unit; adds it if it is new.
    fn unit(&mut self, mention: Mention, in_title: bool) -> usize {
        let concept = mention.concept;
        if let Some(at) = self.units.iter().position(|unit| unit.key == concept.key) {
            return at;
        }
        self.units.push(StatementUnit {
            key: concept.key,
            parts: mention.parts,
            opposites: concept.opposites,
            without_prefix: mention.without_prefix,
            alternatives: concept.alternatives,
            class: mention.class,
            in_title,
            anywhere: Polarity::default(),
            title: Polarity::default(),
            is_subject: false,
            is_act: false,
            undone: false,
            sentences: 0,
        });
        self.units.len() - 1
    }
}

fn hashed(words: &BTreeSet<String>) -> Vec<u64> {
    let mut hashes: Vec<u64> = words.iter().map(|word| hash(word)).collect();
    hashes.sort_unstable();
    hashes
}

fn overlap(left: &[u64], right: &[u64]) -> f64 {
    let shared = shared(left, right);
    let all = left.len() + right.len() - shared;
    if all == 0 {
        0.0
    } else {
        shared as f64 / all as f64
    }
}

/// Returns the words by which texts are looked up: the tokens and, in scripts without spaces, the letters.
pub fn comparable_words(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for token in content_words(text) {
        if !token.is_ascii() && token.chars().any(is_unspaced) {
            let letters = token.chars().filter(|letter| is_unspaced(*letter));
            found.extend(letters.map(String::from));
            let others = token.split(is_unspaced).filter(|rest| !rest.is_empty());
            found.extend(others.map(ToOwned::to_owned));
        } else {
            found.insert(token);
        }
    }
    found
}

fn wording(title: &str, body: &str) -> u64 {
    words(title)
        .chain(words(body))
        .map(|word| hash(&word))
        .reduce(join)
        // Texts without a word are distinguished by their characters.
        .unwrap_or_else(|| join(hash(title), hash(body)))
}

/// Counts the common numbers of two sorted lists without duplicates.
pub(crate) fn shared(left: &[u64], right: &[u64]) -> usize {
    let (mut at_left, mut at_right, mut count) = (0, 0, 0);
    while let (Some(one), Some(other)) = (left.get(at_left), right.get(at_right)) {
        match one.cmp(other) {
            Ordering::Less => at_left += 1,
            Ordering::Greater => at_right += 1,
            Ordering::Equal => {
                count += 1;
                at_left += 1;
                at_right += 1;
            }
        }
    }
    count
}
