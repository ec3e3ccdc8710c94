//! Turns words into mentions with their polarity. Follows cue words, not grammar, and never fails.
//!
//! A clause is denied if it has an odd number of denials: `fails without X` is `works with X`, and `never merge without
//! review` is `merge with review`. A failure counts once, however often it is named.

mod cues;
mod frame;
mod mention;

pub(crate) use frame::{PAUSE, TitleFrame};
pub(crate) use mention::{Mention, MentionClass, TextReading};

use crate::hash::{hash, join};
use crate::lexicon::{self, Concept, Trait, Traits, WordRole};
use crate::scan::{Gap, ScannedWord, WordLook, scan};
use cues::{
    Around, continues_a_list, direction, ends_something, is_auxiliary, is_habit, is_measure,
    is_passive, is_preposition, narrows, opens_a_condition, set_phrase, starts_a_clause,
    takes_away,
};

/// Reads a title: its mentions and its structure.
pub(crate) fn read_title(text: &str) -> (TextReading, TitleFrame) {
    let words = scan(text);
    (read_words(&words), TitleFrame::of(&words))
}

pub(crate) fn read(text: &str) -> TextReading {
    read_words(&scan(text))
}

fn read_words(words: &[ScannedWord]) -> TextReading {
    let mut reader = MentionReader::default();
    for at in 0..words.len() {
        reader.word(words, at);
    }
    let hashes: Vec<u64> = words.iter().map(|word| hash(&word.text)).collect();
    let mut reading = reader.reading;
    if !words.is_empty() {
        reading.sentences += 1;
        reading.clauses += 1;
    }
    reading.phrases = hashes
        .windows(2)
        .map(|pair| join(pair[0], pair[1]))
        .collect();
    reading
}

/// The verb of a clause.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Verb {
    #[default]
    None,
    /// `use`, `prefer`: the following word is the choice.
    Choose,
    Other,
}

#[derive(Debug, Default)]
struct MentionReader {
    /// Its sentence and clause counters count the finished ones.
    reading: TextReading,
    /// Position of the current word.
    at: usize,
    clause_start: usize,
    /// Start of the last condition or place.
    phrase_start: usize,
    /// The clause has an odd number of denials so far.
    denied: bool,
    /// Mentions are over, up to the end of the clause.
    is_over: bool,
    /// The following words are denied up to the next preposition: `not X`, `instead of X`.
    denied_nearby: bool,
    /// A failure was named.
    has_failed: bool,
    /// The denial was inherited from the words before an `and`.
    is_inherited: bool,
    is_condition: bool,
    /// `without` was read.
    is_lacking: bool,
    verb: Verb,
    /// A verb of moving was read, so that `from` and `off` name what was left.
    is_moving: bool,
    /// `had` was read: a following participle may apply to the words in between.
    has_had: bool,
    /// `prefer` was read, so that `to` and `over` name what was not chosen.
    is_preferring: bool,
}

impl MentionReader {
    fn word(&mut self, words: &[ScannedWord], at: usize) {
        let word = &words[at];
        self.at = at;
        self.cross(word, at);
        let text = word.text.as_str();
        match word.look {
            _ if matches!(text, "pr" | "prs") => {
                self.mention(lexicon::concept("pull"), MentionClass::Word);
                self.mention(lexicon::concept("request"), MentionClass::Word);
            }
            WordLook::Name
                if at > 0 && words[at - 1].look == WordLook::Number && is_measure(text) =>
            {
                self.mention(lexicon::concept(text), MentionClass::Generic);
            }
            WordLook::Name => self.name(word),
            WordLook::Number => self.number(text),
            WordLook::Word => {
                let around = Around {
                    before: at.checked_sub(1).map_or("", |at| words[at].text.as_str()),
                    next: words.get(at + 1),
                    is_first: word.gap == Gap::Sentence,
                };
                self.plain(text, &around);
            }
        }
    }

    /// Ends what the punctuation before a word ends.
    fn cross(&mut self, word: &ScannedWord, at: usize) {
        match word.gap {
            Gap::Space => {}
            Gap::Comma => {
                self.denied_nearby = false;
                if self.is_condition {
                    self.is_condition = false;
                } else if !(self.denied && continues_a_list(word)) {
                    self.end_clause();
                }
            }
            // A topic before a colon belongs to the clause after it.
            Gap::Clause if self.verb == Verb::None && !self.denied => {}
            Gap::Clause | Gap::Sentence => {
                if word.gap == Gap::Sentence && at > 0 {
                    self.reading.sentences += 1;
                }
                self.end_clause();
                self.verb = Verb::None;
            }
        }
        if self.reading.mentions.len() == self.clause_start && word.look == WordLook::Word {
            self.is_condition |= opens_a_condition(&word.text);
        }
    }

    fn end_clause(&mut self) {
        self.clause_start = self.reading.mentions.len();
        self.reading.clauses += 1;
        self.denied = false;
        self.denied_nearby = false;
        self.has_failed = false;
        self.is_inherited = false;
        self.is_condition = false;
        self.is_lacking = false;
        self.is_moving = false;
        self.is_preferring = false;
        self.is_over = false;
        self.has_had = false;
    }

    fn plain(&mut self, text: &str, around: &Around<'_>) {
        let traits = lexicon::traits(text);
        self.reading.continuities += usize::from(traits.has(Trait::Continuity));
        self.reading.pasts += usize::from(traits.has(Trait::Past));
        self.join(text, traits);
        let takes_back = self.deny(text, traits, around);
        self.place(text, around.before);
        if let Some(meaning) = set_phrase(text, around) {
            self.mention(lexicon::concept(meaning), MentionClass::Generic);
        } else if traits.has(Trait::Number) {
            self.number(lexicon::number_word(text).unwrap_or(text));
        } else if let Some(direction) = direction(text, around) {
            self.signed(lexicon::concept(direction), MentionClass::Word);
        } else if traits.has(Trait::Tool) {
            self.mention(lexicon::concept(text), MentionClass::Name);
        } else if takes_back {
            self.mention(lexicon::concept(text), MentionClass::Generic);
        } else if !traits.has(Trait::Stop) && !text.contains('\'') {
            self.ordinary(text, around.before);
        }
    }

    /// Starts a new clause at a conjunction if needed.
    fn join(&mut self, text: &str, traits: Traits) {
        if starts_a_clause(text) {
            self.end_clause();
        } else if text == "and" {
            self.denied_nearby = false;
            if self.verb != Verb::None {
                self.clause_start = self.reading.mentions.len();
                self.reading.clauses += 1;
                self.is_inherited = self.denied;
                self.is_moving = false;
            }
        } else if traits.has(Trait::Move) {
            self.is_moving = true;
        }
        if narrows(text) {
            self.phrase_start = self.reading.mentions.len();
        }
        self.is_preferring |= text.starts_with("prefer") || text.starts_with("favour");
    }

    /// Applies the denial of a word: to its clause, to the following words, or to the preceding ones. Returns true if
    /// it takes back.
    fn deny(&mut self, text: &str, traits: Traits, around: &Around<'_>) -> bool {
        let (before, next) = (around.before, around.next_text());
        self.has_had |= matches!(text, "had" | "got" | "getting");
        if around.is_first && takes_away(text) {
            self.is_over = true;
        }
        match text {
            "not" if is_auxiliary(before) => self.flip(),
            "not" => self.denied_nearby = true,
            "without" if self.denied => self.flip(),
            "without" => {
                self.denied_nearby = true;
                self.is_lacking = true;
            }
            "no" | "never" | "cannot" | "nothing" | "nobody" | "none" | "neither" | "hardly"
            | "rarely" | "avoid" | "avoids" | "avoiding" | "avoided" => self.flip(),
            "longer" | "anymore" | "more"
                if text == "anymore" || matches!(before, "any" | "no") =>
            {
                self.end_it();
            }
            "unless" | "until" if self.denied && !self.has_failed => self.flip(),
            "against" => self.denied_nearby = true,
            _ if text.ends_with("n't") || matches!(text, "dont" | "doesnt") => self.flip(),
            "instead" | "rather" if matches!(next, "of" | "than") => self.denied_nearby = true,
            "instead" => self.denied_nearby = false,
            "place" if before == "in" && next == "of" => self.denied_nearby = true,
            "over" | "to" if self.is_preferring => self.denied_nearby = true,
            "over" if self.verb == Verb::Choose => self.denied_nearby = true,
            "off" | "down" | "up" | "out" | "back" if ends_something(text, around) => {
                self.deny_back();
            }
            _ if traits.has(Trait::Rejection) || traits.has(Trait::Removal) => {
                let of_the_past = (is_passive(before) && !is_habit(before, next))
                    || self.has_had
                    || next == "by"
                    || around.is_last();
                if of_the_past {
                    self.deny_back();
                } else if traits.has(Trait::Rejection) {
                    self.denied_nearby = true;
                    self.is_over = next != "due";
                }
                return of_the_past || traits.has(Trait::Rejection);
            }
            _ => {}
        }
        false
    }

    /// Ends a local denial at a preposition, unless that belongs to the denial.
    fn place(&mut self, text: &str, before: &str) {
        if matches!(text, "from" | "off") && self.is_moving {
            self.denied_nearby = true;
            self.is_over = true;
            return;
        }
        let belongs = before == "not"
            || (text == "of" && matches!(before, "instead" | "place"))
            || (text == "to" && self.is_preferring);
        if is_preposition(text) && !belongs {
            self.denied_nearby = false;
            self.is_over = false;
        }
    }

    fn ordinary(&mut self, text: &str, before: &str) {
        let concept = lexicon::concept(text);
        match concept.role {
            WordRole::Choose => {
                self.verb = Verb::Choose;
                self.denied_nearby = false;
            }
            _ if self.verb != Verb::None => {}
            WordRole::Act => self.verb = Verb::Other,
            _ if is_auxiliary(before) => self.verb = Verb::Other,
            _ => {}
        }
        let class = match concept.role {
            WordRole::Plain => MentionClass::Word,
            WordRole::Generic | WordRole::Choose | WordRole::Act => MentionClass::Generic,
        };
        self.signed(concept, class);
        if let Some(mention) = self.reading.mentions.last_mut() {
            mention.without_prefix = ["un", "non", "in", "dis"]
                .iter()
                .find_map(|prefix| text.strip_prefix(prefix))
                .filter(|rest| rest.len() > 2)
                .map(|rest| lexicon::concept(rest).key);
        }
    }

    /// Adds a mention; denies its clause if the word means the opposite of its key.
    fn signed(&mut self, concept: Concept, class: MentionClass) {
        self.mention(concept, class);
        if concept.is_negative && !self.has_failed {
            self.flip();
            self.has_failed = true;
        }
    }

    fn name(&mut self, word: &ScannedWord) {
        let (concept, parts) = match word.parts.as_slice() {
            [] => (lexicon::concept(&word.text), Vec::new()),
            [only] => (lexicon::concept(only), Vec::new()),
            parts => (
                lexicon::concept(&parts.concat()),
                parts
                    .iter()
                    .map(|part| lexicon::concept(part).key)
                    .collect(),
            ),
        };
        // A function word in capitals, unless it is also a name: `Go`, `US`.
        let is_stop_word = lexicon::traits(&word.text).has(Trait::Stop) && word.text.len() > 1;
        let is_also_a_name = concept.alternatives != 0 || matches!(word.text.as_str(), "us" | "it");
        if is_stop_word && parts.is_empty() && !is_also_a_name {
            return;
        }
        self.mention(concept, MentionClass::Name);
        if let Some(mention) = self.reading.mentions.last_mut() {
            mention.parts = parts;
        }
    }

    fn number(&mut self, digits: &str) {
        self.mention(Concept::named(digits), MentionClass::Number);
    }

    fn mention(&mut self, concept: Concept, class: MentionClass) {
        self.reading.mentions.push(Mention {
            concept,
            parts: Vec::new(),
            without_prefix: None,
            class,
            denied: self.denied != self.denied_nearby,
            undone: self.is_over,
            word: self.at,
            sentence: self.reading.sentences,
            clause: self.reading.clauses,
        });
    }

    /// Adds a denial of the whole clause.
    fn flip(&mut self) {
        if self.is_inherited {
            self.is_inherited = false;
            self.denied = false;
            self.has_failed = false;
            for mention in &mut self.reading.mentions[self.clause_start..] {
                mention.denied = false;
            }
        }
        if self.is_lacking {
            // Something that fails without X works with X.
            self.is_lacking = false;
            self.denied_nearby = false;
            for mention in &mut self.reading.mentions[self.clause_start..] {
                mention.denied = false;
            }
            return;
        }
        self.denied = !self.denied;
        for mention in &mut self.reading.mentions[self.clause_start..] {
            mention.denied = !mention.denied;
        }
    }

    /// Marks everything in the clause as over.
    fn end_it(&mut self) {
        self.is_over = true;
        for mention in &mut self.reading.mentions[self.clause_start..] {
            mention.undone = true;
        }
    }

    /// Marks the preceding mentions as over, whatever follows; `was not removed` does not.
    fn deny_back(&mut self) {
        let is_over = !self.denied;
        self.denied = false;
        self.denied_nearby = false;
        let start = self.clause_start.max(self.phrase_start);
        for mention in &mut self.reading.mentions[start..] {
            mention.denied = is_over;
            mention.undone = is_over && !self.is_condition;
        }
    }
}
