//! A statement made ready for comparing. Reading costs, comparing is cheap: whoever compares many
//! statements reads each of them once.

use std::cmp::Ordering;
use std::collections::HashMap;

use acreta_model::MemoryType;
use acreta_text::{tokens, words};

use crate::lexicon;
use crate::read::{Class, Mention, Slot, read};

/// What a memory or a candidate says.
#[derive(Debug, Clone)]
pub struct Statement {
    pub(crate) memory_type: MemoryType,
    /// What it speaks of, each thing once, in order of appearance.
    pub(crate) units: Vec<Unit>,
    /// Tells what happens rather than what to do: an insight, a friction or a pitfall.
    pub(crate) is_fact: bool,
    pub(crate) continuities: usize,
    /// Neighbouring words, as sorted numbers: how it is phrased.
    pub(crate) phrases: Vec<u64>,
    pub(crate) sentences: usize,
    /// All words in order, as one number: equal texts are equal whatever they mean.
    pub(crate) wording: u64,
    /// The tokens, as sorted numbers.
    tokens: Vec<u64>,
    /// Sorted keys of units and of the pieces of names; the second is the unit, if it is one.
    index: Vec<(u64, Option<u32>)>,
}

/// One thing a statement speaks of, however often.
#[derive(Debug, Clone)]
pub(crate) struct Unit {
    pub(crate) key: u64,
    /// Keys of the pieces of a name of several.
    pub(crate) parts: Vec<u64>,
    pub(crate) opposites: Vec<u64>,
    /// Bits of the groups of alternatives it belongs to.
    pub(crate) alternatives: u128,
    pub(crate) class: Class,
    /// Where it stands when first mentioned.
    pub(crate) slot: Slot,
    pub(crate) in_title: bool,
    pub(crate) anywhere: Polarity,
    pub(crate) title: Polarity,
    /// Bits of the sentences that mention it.
    pub(crate) sentences: u64,
}

/// Whether something is affirmed, denied or both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Polarity {
    pub(crate) affirmed: bool,
    pub(crate) denied: bool,
}

impl Polarity {
    /// Whether one only affirms what the other only denies.
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

impl Statement {
    pub fn new(memory_type: MemoryType, kind: &str, title: &str, body: &str) -> Self {
        let title_reading = read(title);
        let body_reading = read(body);
        let mut units = Units::default();
        for mention in title_reading.mentions {
            units.add(mention, Part::Title);
        }
        for mention in body_reading.mentions {
            units.add(
                mention,
                Part::Body {
                    after: title_reading.sentences,
                },
            );
        }
        let units = units.list;
        let mut index: Vec<(u64, Option<u32>)> = Vec::new();
        for (unit, at) in units.iter().zip(0..) {
            index.push((unit.key, Some(at)));
            index.extend(unit.parts.iter().map(|part| (*part, None)));
        }
        index.sort_unstable_by_key(|(key, unit)| (*key, unit.is_none()));
        index.dedup_by_key(|(key, _)| *key);
        let mut tokens: Vec<u64> = tokens(&format!("{title}\n{body}"))
            .iter()
            .map(|token| hash(token))
            .collect();
        tokens.sort_unstable();
        let mut phrases = title_reading.phrases;
        phrases.extend(body_reading.phrases);
        phrases.sort_unstable();
        phrases.dedup();
        Self {
            memory_type,
            units,
            is_fact: matches!(kind, "insight" | "friction" | "pitfall"),
            continuities: title_reading.continuities + body_reading.continuities,
            phrases,
            sentences: title_reading.sentences + body_reading.sentences,
            wording: wording(title, body),
            tokens,
            index,
        }
    }

    /// Token overlap of title and body, 0 to 1.
    pub fn overlap(&self, other: &Self) -> f64 {
        let shared = shared(&self.tokens, &other.tokens);
        let all = self.tokens.len() + other.tokens.len() - shared;
        if all == 0 {
            0.0
        } else {
            shared as f64 / all as f64
        }
    }

    /// Whether it speaks of this, or of a name this is a piece of.
    pub(crate) fn has(&self, key: u64) -> bool {
        self.find(key).is_some()
    }

    pub(crate) fn unit(&self, key: u64) -> Option<&Unit> {
        self.find(key)
            .flatten()
            .and_then(|at| self.units.get(at as usize))
    }

    fn find(&self, key: u64) -> Option<Option<u32>> {
        self.index
            .binary_search_by_key(&key, |(key, _)| *key)
            .ok()
            .map(|at| self.index[at].1)
    }
}

/// Which part of a statement is being read.
#[derive(Debug, Clone, Copy)]
enum Part {
    Title,
    /// After this many sentences.
    Body {
        after: usize,
    },
}

#[derive(Debug, Default)]
struct Units {
    list: Vec<Unit>,
    by_key: HashMap<u64, usize>,
}

impl Units {
    fn add(&mut self, mention: Mention, part: Part) {
        let (in_title, sentence) = match part {
            Part::Title => (true, mention.sentence),
            Part::Body { after } => (false, after + mention.sentence),
        };
        let key = hash(&mention.text);
        let at = *self.by_key.entry(key).or_insert_with(|| {
            self.list.push(Unit {
                key,
                parts: mention.parts.iter().map(|part| hash(part)).collect(),
                opposites: opposites(&mention.text),
                alternatives: lexicon::alternatives(&mention.text),
                class: mention.class,
                slot: mention.slot,
                in_title,
                anywhere: Polarity::default(),
                title: Polarity::default(),
                sentences: 0,
            });
            self.list.len() - 1
        });
        let unit = &mut self.list[at];
        if mention.class == Class::Name {
            unit.class = Class::Name;
        }
        unit.sentences |= 1 << sentence.min(63);
        unit.anywhere.mention(mention.denied);
        if in_title {
            unit.title.mention(mention.denied);
        }
    }
}

/// The opposites in the table, and those that a prefix makes: `stable`, `unstable`.
fn opposites(text: &str) -> Vec<u64> {
    let mut found: Vec<u64> = lexicon::opposites(text)
        .iter()
        .map(|text| hash(text))
        .collect();
    for prefix in ["un", "non", "in", "dis"] {
        found.push(hash(&format!("{prefix}{text}")));
        if let Some(rest) = text.strip_prefix(prefix)
            && rest.len() > 2
        {
            found.push(hash(rest));
        }
    }
    found
}

fn wording(title: &str, body: &str) -> u64 {
    let mut joined = String::new();
    for word in words(title).chain(words(body)) {
        joined.push_str(&word);
        joined.push(' ');
    }
    if joined.is_empty() {
        // Texts without a word are told apart by their characters.
        joined = format!("{title}\n{body}");
    }
    hash(&joined)
}

/// How many numbers two sorted lists without repetitions have in common.
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

/// FNV-1a: the same number on every machine.
pub(crate) fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
