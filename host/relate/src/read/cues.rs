//! Cue words that control how a sentence is read. Tables and predicates on single words; no state.

use crate::lexicon::{self, Trait, WordRole};
use crate::scan::{Gap, ScannedWord, WordLook};

/// The neighbours of the current word.
pub(super) struct Around<'a> {
    pub(super) before: &'a str,
    pub(super) next: Option<&'a ScannedWord>,
    /// The word starts a sentence.
    pub(super) is_first: bool,
}

impl Around<'_> {
    pub(super) fn next_text(&self) -> &str {
        self.next.map_or("", |word| word.text.as_str())
    }

    /// Returns true if the clause ends after the word.
    pub(super) fn is_last(&self) -> bool {
        self.next.is_none_or(|next| next.gap != Gap::Space)
    }
}

/// Returns true if the word after a comma continues a denied list: `never commit .env, dist or logs`.
pub(super) fn continues_a_list(word: &ScannedWord) -> bool {
    match word.look {
        WordLook::Name => true,
        WordLook::Number => false,
        WordLook::Word => {
            let role = lexicon::concept(&word.text).role;
            matches!(word.text.as_str(), "or" | "nor")
                || !(matches!(role, WordRole::Choose | WordRole::Act)
                    || lexicon::traits(&word.text).has(Trait::Stop))
        }
    }
}

/// Recognises small words that decide by context: `below 10`, `is off`.
pub(super) fn direction(text: &str, around: &Around<'_>) -> Option<&'static str> {
    let number_next = || {
        around.next.is_some_and(|next| {
            next.look == WordLook::Number || lexicon::traits(&next.text).has(Trait::Number)
        })
    };
    match text {
        "below" | "under" if number_next() => Some("below"),
        "above" | "over" if number_next() => Some("above"),
        "on" if is_switched(around) => Some("on"),
        "off" if is_switched(around) => Some("off"),
        _ => None,
    }
}

/// Returns the meaning of a set phrase: `one by one`, `at once`, `its own`.
pub(super) fn set_phrase(text: &str, around: &Around<'_>) -> Option<&'static str> {
    match (around.before, text, around.next_text()) {
        (_, "one", "by" | "after" | "at") => Some("sequential"),
        ("at", "once", _) => Some("together"),
        ("its" | "their", "own", _) | (_, "per", _) => Some("separate"),
        _ => None,
    }
}

fn is_switched(around: &Around<'_>) -> bool {
    matches!(
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
    ) || around.is_last()
        || (!around.before.ends_with("ed")
            && matches!(
                around.next_text(),
                "in" | "for" | "at" | "by" | "during" | "on" | "when"
            ))
}

/// Recognises `given up`, `ruled out`, `rolled back`; not `turned out`.
pub(super) fn ends_something(particle: &str, around: &Around<'_>) -> bool {
    let is_place = around.next_text() == "of";
    !is_place
        && matches!(
            (around.before, particle),
            ("given" | "gave", "up")
                | ("ruled" | "phased", "out")
                | ("rolled" | "backed", "back" | "out")
                | ("shut" | "turned", "down")
                | ("switched" | "turned", "off")
                | (
                    "is" | "are"
                        | "ripped"
                        | "thrown"
                        | "taken"
                        | "took"
                        | "were"
                        | "was"
                        | "moved",
                    "out"
                )
        )
}

/// Recognises the start of a condition, which a comma does not end.
pub(super) fn opens_a_condition(text: &str) -> bool {
    matches!(
        text,
        "without" | "when" | "if" | "unless" | "until" | "once" | "whenever" | "with"
    )
}

/// Recognises the start of a clause with its own polarity.
pub(super) fn starts_a_clause(text: &str) -> bool {
    matches!(
        text,
        "but"
            | "because"
            | "since"
            | "so"
            | "although"
            | "though"
            | "whereas"
            | "which"
            | "who"
            | "while"
            | "except"
            | "that"
    )
}

pub(super) fn is_auxiliary(word: &str) -> bool {
    is_past(word)
        || is_passive(word)
        || matches!(
            word,
            "do" | "does"
                | "did"
                | "must"
                | "should"
                | "can"
                | "could"
                | "may"
                | "might"
                | "will"
                | "would"
                | "shall"
                | "has"
                | "have"
                | "need"
        )
}

/// Recognises a passive, in which the preceding word is the object: `is replaced`.
pub(super) fn is_passive(word: &str) -> bool {
    is_past(word) || matches!(word, "is" | "are" | "be" | "get" | "gets")
}

/// Recognises a repeated action, which is not over: `are deleted after a week`.
pub(super) fn is_habit(before: &str, next: &str) -> bool {
    matches!(before, "is" | "are" | "be" | "get" | "gets")
        && matches!(
            next,
            "after"
                | "once"
                | "when"
                | "on"
                | "at"
                | "every"
                | "each"
                | "before"
                | "if"
                | "by"
                | "automatically"
        )
}

/// Recognises a sentence start that removes what follows.
pub(super) fn takes_away(text: &str) -> bool {
    matches!(text, "remove" | "drop" | "undo")
}

fn is_past(word: &str) -> bool {
    matches!(word, "was" | "were" | "been" | "being" | "got" | "had")
}

/// Recognises a time or place: what is over there is not over in the rest of the clause.
pub(super) fn narrows(text: &str) -> bool {
    matches!(
        text,
        "when" | "if" | "after" | "before" | "once" | "until" | "unless" | "where" | "whenever"
    )
}

/// Recognises a unit of measure after a number.
pub(super) fn is_measure(text: &str) -> bool {
    matches!(
        text,
        "kb" | "mb"
            | "gb"
            | "tb"
            | "kib"
            | "mib"
            | "gib"
            | "tib"
            | "hz"
            | "khz"
            | "mhz"
            | "ghz"
            | "kbit"
            | "mbit"
            | "gbit"
            | "v"
            | "a"
            | "ma"
            | "mah"
            | "w"
            | "kw"
            | "utc"
    )
}

pub(super) fn is_preposition(text: &str) -> bool {
    matches!(
        text,
        "for"
            | "when"
            | "during"
            | "of"
            | "before"
            | "after"
            | "while"
            | "if"
            | "whenever"
            | "where"
            | "between"
            | "across"
            | "per"
            | "about"
            | "unless"
            | "until"
            | "with"
            | "via"
            | "through"
            | "by"
            | "using"
            | "as"
            | "to"
            | "into"
            | "in"
            | "on"
            | "at"
            | "under"
            | "inside"
            | "from"
            | "within"
            | "onto"
    )
}
