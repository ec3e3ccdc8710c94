//! Polarity of clauses: each content word with its sign, asserted or denied.

use acreta_text::{aligned_lowercase, is_unspaced};

use super::lexicon::{
    EXCEPTION_WORDS, INSTEAD_OF, NEGATOR_WORDS, NEGATORS_UNSPACED, find_phrase, has_phrase,
};
use super::stance::{clauses, sentences};
use super::terms::{ContentTerm, terms};

/// Possible signs of a term: asserted, denied, or both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct TermSigns {
    pub(super) asserted: bool,
    pub(super) denied: bool,
}

impl TermSigns {
    pub(super) fn join(self, other: Self) -> Self {
        Self {
            asserted: self.asserted || other.asserted,
            denied: self.denied || other.denied,
        }
    }

    /// Reports whether no reading of one agrees with a reading of the other.
    pub(super) fn opposes(self, other: Self) -> bool {
        !(self.asserted && other.asserted || self.denied && other.denied)
    }
}

const ASSERTED: TermSigns = TermSigns {
    asserted: true,
    denied: false,
};
const DENIED: TermSigns = TermSigns {
    asserted: false,
    denied: true,
};
const EITHER: TermSigns = TermSigns {
    asserted: true,
    denied: true,
};

/// Returns the terms of a clause with their signs.
pub(super) fn signed(clause: &str) -> Vec<(ContentTerm, TermSigns)> {
    let clause = &plainly_denied(clause);
    let lower = clause.to_lowercase();
    let unspaced = lower.chars().any(is_unspaced);
    if unspaced {
        // A proposal in the form of a denial.
        let lower = lower.replace("ませんか", "").replace("ないか", "");
        let sign = match has_phrase(&lower, NEGATORS_UNSPACED) || is_forbidding(&lower) {
            true => DENIED,
            false => ASSERTED,
        };
        return terms(clause).into_iter().map(|term| (term, sign)).collect();
    }
    if is_forbidding(&lower) {
        return terms(clause)
            .into_iter()
            .map(|term| (term, DENIED))
            .collect();
    }
    if let Some((old, new)) = cut_replacing(&lower, clause) {
        let old = terms(old).into_iter().enumerate();
        let mut found: Vec<(ContentTerm, TermSigns)> = old
            .map(|(index, term)| (term, if index == 0 { DENIED } else { EITHER }))
            .collect();
        found.extend(signed(new));
        return found;
    }
    if let Some((before, after)) = cut_instead_of(&lower, clause) {
        let mut found = signed(before);
        for (index, term) in terms(after).into_iter().enumerate() {
            found.push((term, if index == 0 { DENIED } else { EITHER }));
        }
        return found;
    }
    let words: Vec<&str> = clause.split_whitespace().collect();
    let bare = |word: &str| {
        let word = word
            .trim_matches(|edge: char| !edge.is_alphanumeric())
            .to_lowercase();
        NEGATOR_WORDS.contains(word.as_str())
            || word
                .split('\'')
                .next()
                .is_some_and(|stem| NEGATOR_WORDS.contains(stem) && word.contains('\''))
    };
    let Some(place) = words.iter().position(|word| bare(word)) else {
        return terms(clause)
            .into_iter()
            .map(|term| (term, ASSERTED))
            .collect();
    };
    let (before, after) = (words[..place].join(" "), words[place..].join(" "));
    let after = terms(&after);
    let has_exception = words
        .iter()
        .any(|word| EXCEPTION_WORDS.contains(word.to_lowercase().as_str()))
        && words[place + 1..]
            .iter()
            .any(|word| bare(word) || EXCEPTION_WORDS.contains(word.to_lowercase().as_str()));
    let whole = after.is_empty()
        || words
            .iter()
            .any(|word| has_phrase(&word.to_lowercase(), WHOLE_CLAUSE));
    let bounds = words[place].to_lowercase();
    let earlier = match whole {
        true => DENIED,
        false if WITHOUT.split('|').any(|word| word == bounds) => ASSERTED,
        false => EITHER,
    };
    let mut found: Vec<(ContentTerm, TermSigns)> = terms(&before)
        .into_iter()
        .map(|term| (term, earlier))
        .collect();
    let count = after.len();
    for (index, term) in after.into_iter().enumerate() {
        let is_excepted = has_exception && index + 1 == count;
        found.push((term, if is_excepted { EITHER } else { DENIED }));
    }
    found
}

/// Words that deny what follows, but not what precedes.
const WITHOUT: &str = "without|ohne|sans|sin|sem|senza|zonder|без|bez";

/// Words that deny the whole clause, in any position.
const WHOLE_CLAUSE: &str = "forbidden|banned|prohibited|verboten|tabu|interdit|interdite|interdits|prohibido|prohibida|proibido|proibida|vietato|verboden|нельзя|запрещено|запрещены|zabronione|yasak";

fn cut_instead_of<'a>(lower: &str, clause: &'a str) -> Option<(&'a str, &'a str)> {
    if lower.len() != clause.len() {
        return None;
    }
    let (place, length) = INSTEAD_OF
        .split('|')
        .filter_map(|phrase| {
            find_phrase(lower, phrase.trim()).map(|place| (place, phrase.trim().len()))
        })
        .min()?;
    Some((clause.get(..place)?, clause.get(place + length..)?))
}

/// Rewrites a two-word `stop doing` in a clause as a plain denial.
fn plainly_denied(clause: &str) -> String {
    let mut plain = clause.to_owned();
    for (phrase, denial) in CEASING {
        if let Some(place) = find_phrase(&aligned_lowercase(&plain), phrase) {
            plain.replace_range(place..place + phrase.len(), denial);
        }
    }
    plain
}

const CEASING: [(&str, &str); 10] = [
    ("hör auf", "nicht"),
    ("hört auf", "nicht"),
    ("lass das", "nicht"),
    ("deja de", "no"),
    ("dejen de", "no"),
    ("dejad de", "no"),
    ("para de", "não"),
    ("pare de", "não"),
    ("stop met", "niet"),
    ("fini de", "pas"),
];

/// Splits `replace axios with fetch` into the old and the new thing.
fn cut_replacing<'a>(lower: &str, clause: &'a str) -> Option<(&'a str, &'a str)> {
    if lower.len() != clause.len() {
        return None;
    }
    let mut rows = REPLACING.iter();
    rows.find_map(|(verbs, joint)| {
        let start = verbs
            .split('|')
            .find_map(|verb| find_phrase(lower, verb).map(|place| place + verb.len()))?;
        let middle = start + find_phrase(&lower[start..], joint)?;
        Some((
            clause.get(start..middle)?,
            clause.get(middle + joint.len()..)?,
        ))
    })
}

/// Verbs of a replacement, and the word before what is new.
const REPLACING: [(&str, &str); 12] = [
    ("replace|replaces|replaced|replacing", "with"),
    ("replace|replaces|replaced|replacing", "by"),
    (
        "switch from|migrate from|move from|moving from|switching from",
        "to",
    ),
    ("ersetze|ersetzen|ersetzt", "durch"),
    ("remplace|remplacer|remplacez|remplaçons", "par"),
    (
        "reemplaza|reemplazar|reemplazamos|sustituye|sustituir|sustituimos",
        "por",
    ),
    (
        "substitua|substituir|substituímos|troca|trocar|troque",
        "por",
    ),
    ("sostituisci|sostituire|sostituiamo", "con"),
    ("vervang|vervangen", "door"),
    ("замени|заменить|заменяем|заменяй", "на"),
    ("zamień|zamieniamy|zamieniaj", "na"),
    ("pasar de|passar de|passer de|passare da", "a"),
];

/// Reports whether the ending of a clause's verb denies the clause, in Japanese (`するな`) or Turkish (`silmeyin`).
fn is_forbidding(clause: &str) -> bool {
    let text = clause.trim_end_matches(|edge: char| !edge.is_alphanumeric());
    let text = text.trim_end_matches(['よ', 'ね', 'っ']);
    let japanese = text
        .strip_suffix('な')
        .is_some_and(|verb| verb.ends_with(['る', 'う', 'く', 'す', 'つ', 'む', 'ぬ', 'ぶ', 'ぐ']));
    let last = text.split_whitespace().next_back().unwrap_or_default();
    let ends = |endings: &str| endings.split('|').any(|ending| last.ends_with(ending));
    let is_long = last.chars().count() > 4;
    let is_turkish = text.contains(['ı', 'ğ', 'ş']);
    japanese || is_long && (ends(DENYING_ENDINGS) || is_turkish && ends("ma|me"))
}

/// Endings of Turkish verbs that deny.
const DENYING_ENDINGS: &str = "mayın|meyin|mayınız|meyiniz|maz|mez|mıyor|miyor|muyor|müyor|mıyoruz|miyoruz|muyoruz|müyoruz|mamalı|memeli|mamalıyız|memeliyiz|mayalım|meyelim|masın|mesin|mayacak|meyecek";

/// Reports whether a text denies anything at all.
pub(super) fn denies(text: &str) -> bool {
    sentences(text)
        .iter()
        .flat_map(|sentence| clauses(sentence))
        .any(|clause| {
            let clause = plainly_denied(&clause);
            let lower = clause.to_lowercase();
            lower.chars().any(is_unspaced) && has_phrase(&lower, NEGATORS_UNSPACED)
                || is_forbidding(&lower)
                || clause.split_whitespace().any(|word| {
                    let word = word
                        .trim_matches(|edge: char| !edge.is_alphanumeric())
                        .to_lowercase();
                    NEGATOR_WORDS.contains(word.as_str())
                })
                || has_phrase(&lower, INSTEAD_OF)
        })
}
