//! The person's own sentences as a replacement for a candidate's wording. A sentence that the person typed keeps every
//! condition, doubt and exception, whatever the candidate made of it.

use super::carrier::Carrier;
use super::echo::distinct;
use super::lexicon::{
    ACCEPTING, JOKING, ONCE, RULING, RULING_UNSPACED, has_phrase, starts_with_phrase,
};
use super::record::SessionIndex;
use super::selection::OPTION_WORDS;
use super::spread::parts;
use super::stance::Stance;
use super::terms::{is_unlisted, language, terms};
use super::translated::{DEFERRING, letters};
use crate::decide::accepted::ResolvedCitation;
use crate::grounds::ground::NAMED_BY_TOOL;
use crate::grounds::terms::slips;
use crate::grounds::unit::TypedSentence;

/// The candidate that the sentences replace.
pub(super) struct ReplacedWording<'a> {
    /// Title and body.
    pub(super) text: &'a str,
    /// It is in another language than its quotes, so that they need not share words.
    pub(super) is_translation: bool,
}

/// Returns the whole sentences of which a candidate cites a part, if the person typed and meant them and if they are
/// about what the candidate says.
pub(super) fn own_words(
    record: &SessionIndex,
    replaced: &ReplacedWording<'_>,
    citations: &[&ResolvedCitation],
) -> Option<String> {
    let mut found: Vec<String> = Vec::new();
    for cited in citations {
        let Some(index) = record.message(&cited.event.id) else {
            continue;
        };
        let quote = letters(&cited.quote);
        let cited = overlapped(&record.messages[index].units, cited);
        // A change of mind states the new decision as well; a joke that is taken back states nothing.
        let is_meant = |unit: &&TypedSentence| match unit.stance {
            Stance::Asserted => true,
            Stance::Retracts => !has_phrase(&unit.whole.to_lowercase(), JOKING),
            Stance::NotAsserted | Stance::Once => false,
        };
        if !cited.iter().any(is_meant) {
            continue;
        }
        let whole: Vec<&str> = cited.iter().map(|unit| unit.whole.trim()).collect();
        let text = whole.join(" ");
        // A translation of a part says nothing about the rest.
        let is_quoted = !replaced.is_translation || quote.len() * 2 >= letters(&text).len();
        if is_quoted && is_statement(&text, replaced) && !found.contains(&text) {
            found.push(text);
        }
    }
    (!found.is_empty()).then(|| found.join("\n"))
}

/// Maximum length of an option in characters. A longer one is a plan, of which the person may have meant a part.
const LONGEST_OPTION: usize = 200;

/// Returns the agent's option that a cited answer names, with the answer, if it is about what the candidate says and no
/// tool output before it says it.
pub(super) fn chosen_option(
    record: &SessionIndex,
    replaced: &ReplacedWording<'_>,
    citations: &[&ResolvedCitation],
) -> Option<String> {
    citations.iter().find_map(|cited| {
        let message = &record.messages[record.message(&cited.event.id)?];
        let chosen = message.chosen.as_ref()?;
        let is_told = record
            .echo
            .hits(&chosen.option)
            .iter()
            .any(|hit| hit.place < message.place && hit.share >= NAMED_BY_TOOL);
        let is_about = common(&chosen.option, replaced.text) > 0;
        let is_short = chosen.option.chars().count() <= LONGEST_OPTION;
        (is_short && is_about && !is_told)
            .then(|| format!("{} (“{}”)", chosen.option.trim(), chosen.answer.trim()))
    })
}

/// Returns the typed sentences that have letters of a quote, in order.
fn overlapped<'a>(units: &'a [TypedSentence], cited: &ResolvedCitation) -> Vec<&'a TypedSentence> {
    let (quote, message) = (letters(&cited.quote), letters(&cited.event.text));
    let Some(start) = message.find(&quote).filter(|_| !quote.is_empty()) else {
        return Vec::new();
    };
    let end = start + quote.len();
    let mut from = 0;
    let mut found = Vec::new();
    for unit in units {
        let sentence = letters(&unit.whole);
        // Sentences stand in the order in which they were typed.
        let Some(place) = message[from..].find(&sentence).map(|place| from + place) else {
            continue;
        };
        from = place + sentence.len();
        let shared = from.min(end).saturating_sub(place.max(start));
        if !sentence.is_empty() && shared * LEAST_OVERLAP >= quote.len().min(sentence.len()) {
            found.push(unit);
        }
    }
    found
}

/// A sentence belongs to a quote that has at least this part of it, or is at least this part of the quote.
const LEAST_OVERLAP: usize = 4;

/// Minimum number of content words that a candidate has in common with words that have no mark of a rule.
const LEAST_COMMON: usize = 3;

/// Maximum number of content words of a short answer, which has the subject's name and hardly more.
const SHORT_ANSWER: usize = 4;

/// Reports whether a text can stand for the candidate: it has its subject, and refers to nothing else for its content.
fn is_statement(text: &str, replaced: &ReplacedWording<'_>) -> bool {
    let lower = text.to_lowercase();
    if [DEFERRING, ABOUT_SOMETHING, ONCE]
        .iter()
        .any(|marks| has_phrase(&lower, marks))
    {
        return false;
    }
    if names_label(&lower) {
        return false;
    }
    let common = common(text, replaced.text);
    let is_rule = is_unlisted(text)
        || language(text).is_none()
        || has_phrase(&lower, RULING)
        || has_phrase(&lower, RULING_UNSPACED)
        || lower.split_whitespace().any(is_near_ruling);
    let is_short = distinct(&terms(text)).len() <= SHORT_ANSWER;
    common >= LEAST_COMMON
        || common > 0 && (is_rule || is_short)
        || replaced.is_translation && is_rule && !starts_with_phrase(&lower, ACCEPTING)
}

/// Reports whether a text answers by the label of an option: `A. is fine`, `let's go with option 1`. Without the question
/// nobody knows what that is.
fn names_label(lower: &str) -> bool {
    let is_label = |word: &str| {
        let mut letters = word.chars();
        let first = letters.next().unwrap_or(' ');
        letters.next().is_none() && (first.is_ascii_digit() || ('a'..='h').contains(&first))
    };
    let opening = lower.split_whitespace().next().unwrap_or("");
    let bare = opening.trim_end_matches(['.', ')', ',', ':', ';']);
    let opens = is_label(bare) && bare.len() < opening.len();
    let named = OPTION_WORDS.split('|').any(|word| {
        lower.match_indices(word).any(|(place, _)| {
            let rest = &lower[place + word.len()..];
            let next = rest.split(|letter: char| !letter.is_alphanumeric()).next();
            is_label(next.unwrap_or("")) || rest.starts_with(['一', '二', '三', '1', '2', '3'])
        })
    });
    opens || named
}

/// Length from which the clauses of a sentence are quoted separately.
const LONG_SENTENCE: usize = 110;

/// Returns typed sentences, or clauses of long ones, that a quote has words of.
pub(super) fn quoted(units: &[TypedSentence], cited: &ResolvedCitation) -> Vec<TypedSentence> {
    let quote = letters(&cited.quote);
    let message = letters(&cited.event.text);
    let units = units.iter().flat_map(|unit| match unit.stance {
        Stance::Asserted => parts(&unit.text, LONG_SENTENCE).unwrap_or_else(|| vec![unit.clone()]),
        _ => vec![unit.clone()],
    });
    let is_quoted = |unit: &TypedSentence| {
        let sentence = letters(&unit.whole);
        let is_there = !sentence.is_empty() && message.contains(&sentence);
        is_there && (quote.contains(&sentence) || sentence.contains(&quote))
    };
    units.filter(is_quoted).collect()
}

/// Returns the number of content words of a candidate that a text has.
fn common(text: &str, candidate: &str) -> usize {
    let mut own = Carrier::default();
    own.add(text);
    let all = terms(candidate);
    let is_common = |key: &&String| {
        all.iter()
            .any(|term| term.key == **key && (own.has(term) || own.has_inflected(term)))
    };
    distinct(&all).iter().filter(is_common).count()
}

/// Reports whether a longer word is one typo away from a word that makes a rule.
fn is_near_ruling(word: &str) -> bool {
    let mut known = RULING.split('|').filter(|known| known.chars().count() >= 5);
    word.chars().count() >= 4 && known.any(|known| slips(known, word) <= 1)
}

/// Phrases that refer to things the sentence does not name.
const ABOUT_SOMETHING: &str = "do it|do that|do this|do so|these things|those things|such things|mach das|mach es|solche sachen|diese sachen|fais-le|fais ça|ces choses|hazlo|haz eso|estas cosas|esas cosas|faz isso|essas coisas|fallo|queste cose|doe het|doe dat|сделай это|сделай так|эти вещи|такие вещи|zrób to|takie rzeczy|bunu yap|这样做|这些东西|照这个|こういうの|そうして|그렇게 해|이런 거";

#[cfg(test)]
mod tests {
    use super::names_label;

    #[test]
    fn labels_of_options_are_no_statement() {
        for answer in [
            "a. is fine, ensure we log",
            "b) but keep the old name",
            "2, and never delete the file",
            "let's go with option 1. i also wonder about the name",
            "wir nehmen variante b, weil sie einfacher ist",
            "用方案二",
        ] {
            assert!(names_label(answer), "{answer}");
        }
        for statement in [
            "a migration is written by hand",
            "3 retries at most",
            "every option gets a help text",
            "die variante für mobil entfällt",
        ] {
            assert!(!names_label(statement), "{statement}");
        }
    }
}
