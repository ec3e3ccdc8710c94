//! Words into mentions: what each names, whether it is denied, and whether it is the choice of its
//! sentence or what the choice is about. Follows cue words, not grammar; it never fails.

use crate::lexicon::{self, Role};
use crate::scan::{Gap, Look, Word, scan};
use crate::statement::hash;

/// What kind of thing is mentioned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Name,
    Number,
    Word,
    /// A word that says little: a common verb or noun of the trade.
    Generic,
}

/// Where in its sentence something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    /// What is chosen: the object of `use`, the place something is stored in.
    Choice,
    /// What the choice is about, or where it holds.
    Subject,
}

/// One occurrence of a word that means something.
#[derive(Debug, Clone)]
pub(crate) struct Mention {
    pub(crate) text: String,
    /// Concepts of the pieces, when there is more than one.
    pub(crate) parts: Vec<String>,
    pub(crate) class: Class,
    pub(crate) slot: Slot,
    pub(crate) denied: bool,
    pub(crate) sentence: usize,
}

/// A text as it was read.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) mentions: Vec<Mention>,
    pub(crate) sentences: usize,
    /// Words that say that something goes on: `still`, `also`.
    pub(crate) continuities: usize,
    /// Each two neighbouring words, as a number.
    pub(crate) phrases: Vec<u64>,
}

pub(crate) fn read(text: &str) -> Reading {
    let words = scan(text);
    let mut reader = Reader::default();
    for at in 0..words.len() {
        reader.word(&words, at);
    }
    Reading {
        sentences: if words.is_empty() {
            0
        } else {
            reader.sentence + 1
        },
        continuities: words
            .iter()
            .filter(|word| word.look == Look::Word && lexicon::is_continuity(&word.text))
            .count(),
        phrases: words
            .windows(2)
            .map(|pair| hash(&format!("{} {}", pair[0].text, pair[1].text)))
            .collect(),
        mentions: reader.mentions,
    }
}

/// How far a denial reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Denial {
    #[default]
    None,
    /// `not X`, `without X`: up to the next preposition.
    Near,
    /// `never do X`: up to the end of the clause.
    Clause,
}

/// What the verb of a clause makes of its object.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Frame {
    /// No verb yet.
    #[default]
    Head,
    Choose,
    Act,
    Is,
}

#[derive(Debug, Default)]
struct Reader {
    mentions: Vec<Mention>,
    clause_start: usize,
    sentence: usize,
    denial: Denial,
    frame: Frame,
    is_choice: bool,
    /// A verb of moving was read, so that `from` and `off` say what was left.
    is_moving: bool,
}

impl Reader {
    fn word(&mut self, words: &[Word], at: usize) {
        let word = &words[at];
        self.cross(word, at);
        let text = word.text.as_str();
        let around = Around {
            before: at.checked_sub(1).map_or("", |at| words[at].text.as_str()),
            next: words.get(at + 1),
            names_next: words[at + 1..].iter().take(2).any(is_name),
        };
        match word.look {
            _ if matches!(text, "pr" | "prs") => {
                self.mention("pull".to_owned(), Class::Word);
                self.mention("request".to_owned(), Class::Word);
            }
            Look::Name => self.name(word),
            Look::Number => self.mention(text.to_owned(), Class::Number),
            Look::Word => self.plain(text, around),
        }
    }

    /// What the punctuation before a word ends.
    fn cross(&mut self, word: &Word, at: usize) {
        match word.gap {
            Gap::Space => {}
            Gap::Comma => {
                if !(self.denial == Denial::Clause && continues_a_list(word)) {
                    self.denial = Denial::None;
                }
                self.clause_start = self.mentions.len();
            }
            Gap::Clause | Gap::Sentence => {
                if word.gap == Gap::Sentence && at > 0 {
                    self.sentence += 1;
                }
                self.denial = Denial::None;
                self.clause_start = self.mentions.len();
                self.frame = Frame::Head;
                self.is_choice = false;
                self.is_moving = false;
            }
        }
    }

    fn plain(&mut self, text: &str, around: Around<'_>) {
        self.deny(text, &around);
        self.join(text);
        self.place(text, around.before);
        if let Some(digits) = lexicon::number_word(text) {
            self.mention(digits.to_owned(), Class::Number);
        } else if let Some(direction) = direction(text, &around) {
            self.mention(direction.to_owned(), Class::Word);
        } else if !lexicon::is_stop_word(text) && !text.contains('\'') {
            self.ordinary(text, around.before);
        }
    }

    /// What a word denies: what follows, what came before it in the clause, or both.
    fn deny(&mut self, text: &str, around: &Around<'_>) {
        let before = around.before;
        let next = around.next.map_or("", |word| word.text.as_str());
        match text {
            // What cannot be done is not advised against.
            "not" if matches!(before, "can" | "could" | "would") => {}
            "can't" | "couldn't" | "wouldn't" | "won't" => {}
            "not" if is_auxiliary(before) => self.deny_clause(),
            "never" | "anymore" => self.deny_clause(),
            "longer" if matches!(before, "no" | "any") => self.deny_clause(),
            _ if text.ends_with("n't") || matches!(text, "dont" | "doesnt") => self.deny_clause(),
            "avoid" | "avoids" | "avoiding" | "avoided" | "stop" | "stopped" | "refuse"
            | "against" => self.denial = Denial::Clause,
            "not" | "without" | "no" => self.denial = Denial::Near,
            "instead" | "rather" if matches!(next, "of" | "than") => self.denial = Denial::Near,
            "place" if before == "in" && next == "of" => self.denial = Denial::Near,
            "over" if self.frame == Frame::Choose => self.denial = Denial::Near,
            _ if lexicon::is_rejection(text) => {
                let dropped = text.starts_with("drop");
                if is_past(before) || next == "by" || (is_auxiliary(before) && !dropped) {
                    self.deny_back();
                    self.denial = Denial::None;
                } else if around.names_next {
                    self.denial = Denial::Near;
                }
            }
            _ if lexicon::is_removal(text) && is_past(before) => self.deny_back(),
            "off" | "down" | "up" | "out" | "back" if ends_something(before, text) => {
                self.deny_back();
            }
            "but" | "because" | "since" | "so" | "unless" | "except" | "until" | "instead" => {
                self.denial = Denial::None;
            }
            "and" if self.denial == Denial::Near => self.denial = Denial::None,
            _ => {}
        }
    }

    /// Where a conjunction starts a clause of its own.
    fn join(&mut self, text: &str) {
        match text {
            "and" | "that" => self.clause_start = self.mentions.len(),
            "when" | "unless" | "until" | "because" | "since" | "if" | "which" | "who"
            | "while" | "although" | "so" | "but" | "whenever" => {
                self.clause_start = self.mentions.len();
                self.denial = Denial::None;
            }
            _ if lexicon::is_move(text) => self.is_moving = true,
            _ => {}
        }
    }

    /// Which slot a preposition opens, and the near denials it ends.
    fn place(&mut self, text: &str, before: &str) {
        if matches!(text, "from" | "off") && self.is_moving {
            self.denial = Denial::Near;
            self.is_choice = true;
            return;
        }
        let in_place_of = text == "of" && matches!(before, "instead" | "place");
        let is_choice = match text {
            "for" if self.frame == Frame::Head => {
                for mention in &mut self.mentions[self.clause_start..] {
                    mention.slot = Slot::Choice;
                }
                false
            }
            _ if in_place_of => true,
            "for" | "when" | "during" | "of" | "before" | "after" | "while" | "if" | "whenever"
            | "where" | "because" | "since" | "so" | "between" | "across" | "per" | "about"
            | "against" | "unless" | "until" => false,
            "with" | "via" | "through" | "by" | "using" | "as" | "to" | "into" => true,
            "in" | "on" | "at" | "under" | "inside" | "from" | "within" | "onto" => {
                matches!(self.frame, Frame::Act | Frame::Is)
            }
            _ => return,
        };
        if self.denial == Denial::Near && !in_place_of {
            self.denial = Denial::None;
        }
        self.is_choice = is_choice;
    }

    fn ordinary(&mut self, text: &str, before: &str) {
        let concept = lexicon::concept(text);
        match concept.role {
            Role::Choose => {
                self.frame = Frame::Choose;
                self.is_choice = true;
                if self.denial == Denial::Near {
                    self.denial = Denial::None;
                }
            }
            Role::Act if self.frame == Frame::Head => {
                self.frame = Frame::Act;
                self.is_choice = matches!(before, "is" | "are" | "be");
            }
            _ if self.frame == Frame::Head && is_auxiliary(before) => {
                self.frame = Frame::Is;
                self.is_choice = true;
            }
            _ => {}
        }
        let class = match concept.role {
            Role::Tool => Class::Name,
            Role::Plain => Class::Word,
            Role::Generic | Role::Choose | Role::Act => Class::Generic,
        };
        self.mention(concept.text, class);
    }

    fn name(&mut self, word: &Word) {
        let whole = lexicon::concept(&word.parts.concat()).text;
        let parts: Vec<String> = match word.parts.as_slice() {
            [] => return,
            // A stop word in capitals, unless it is also a name: `Go`.
            [only]
                if lexicon::is_stop_word(only)
                    && only.len() > 1
                    && lexicon::alternatives(&whole) == 0 =>
            {
                return;
            }
            [_] => Vec::new(),
            parts => parts
                .iter()
                .map(|part| lexicon::concept(part).text)
                .collect(),
        };
        self.mention(whole, Class::Name);
        if let Some(mention) = self.mentions.last_mut() {
            mention.parts = parts;
        }
    }

    fn mention(&mut self, text: String, class: Class) {
        self.mentions.push(Mention {
            text,
            parts: Vec::new(),
            class,
            slot: if self.is_choice {
                Slot::Choice
            } else {
                Slot::Subject
            },
            denied: self.denial != Denial::None,
            sentence: self.sentence,
        });
    }

    fn deny_clause(&mut self) {
        self.deny_back();
        self.denial = Denial::Clause;
    }

    fn deny_back(&mut self) {
        for mention in &mut self.mentions[self.clause_start..] {
            mention.denied = true;
        }
    }
}

/// The words beside the one that is read.
struct Around<'a> {
    before: &'a str,
    next: Option<&'a Word>,
    /// One of the next two is a name.
    names_next: bool,
}

fn is_name(word: &Word) -> bool {
    word.look == Look::Name || lexicon::is_tool(&word.text)
}

/// Whether the word after a comma goes on with what is denied: `never commit .env, dist or logs`.
fn continues_a_list(word: &Word) -> bool {
    match word.look {
        Look::Name => true,
        Look::Number => false,
        Look::Word => {
            let role = lexicon::concept(&word.text).role;
            matches!(word.text.as_str(), "or" | "nor")
                || !(matches!(role, Role::Choose | Role::Act) || lexicon::is_stop_word(&word.text))
        }
    }
}

/// `below 10`, `is off`: small words that decide, where they do.
fn direction(text: &str, around: &Around<'_>) -> Option<&'static str> {
    let number_next = around.next.is_some_and(|next| {
        next.look == Look::Number || lexicon::number_word(&next.text).is_some()
    });
    let switched = matches!(
        around.before,
        "be" | "is"
            | "are"
            | "stay"
            | "stays"
            | "turn"
            | "turned"
            | "switch"
            | "switched"
            | "kept"
            | "keep"
            | "leave"
    ) || around.next.is_none_or(|next| {
        next.gap != Gap::Space
            || matches!(
                next.text.as_str(),
                "in" | "for" | "at" | "by" | "during" | "on" | "when"
            )
    });
    match text {
        "below" | "under" if number_next => Some("below"),
        "above" | "over" if number_next => Some("above"),
        "on" if switched => Some("on"),
        "off" if switched => Some("off"),
        _ => None,
    }
}

/// `switched off`, `given up`, `ruled out`; not `turned out`.
fn ends_something(before: &str, particle: &str) -> bool {
    match before {
        "turned" => particle != "out",
        "switched" | "given" | "ruled" | "rolled" | "shut" | "backed" => true,
        _ => false,
    }
}

fn is_auxiliary(word: &str) -> bool {
    is_past(word)
        || matches!(
            word,
            "do" | "does"
                | "did"
                | "is"
                | "are"
                | "be"
                | "must"
                | "should"
                | "can"
                | "could"
                | "may"
                | "might"
                | "will"
                | "would"
                | "has"
                | "have"
                | "get"
        )
}

fn is_past(word: &str) -> bool {
    matches!(word, "was" | "were" | "been" | "being" | "got" | "had")
}
