//! The person's own sentences as a replacement for a candidate's wording. A sentence that the person typed keeps every
//! condition, doubt and exception, whatever the candidate made of it.

use super::carrier::Carrier;
use super::echo::distinct;
use super::lexicon::{ACCEPTING, RULING, RULING_UNSPACED, has_phrase, starts_with_phrase};
use super::qualified::is_filler;
use super::record::SessionIndex;
use super::spread::parts;
use super::stance::{Stance, clauses};
use super::terms::{is_unlisted, terms};
use super::translated::{DEFERRING, letters};
use crate::decide::accepted::ResolvedCitation;
use crate::grounds::terms::slips;
use crate::grounds::unit::TypedSentence;

/// Minimum content words of a self-contained sentence.
const LEAST_TERMS: usize = 2;

/// Minimum content words of an answer to the agent, or of a sentence that refers to something.
const LEAST_TERMS_OF_ANSWER: usize = 3;

/// Returns whole sentences that the person typed, that a candidate cites and that state a rule by themselves.
pub(super) fn own_words(
    record: &SessionIndex,
    citations: &[&ResolvedCitation],
    cites_agent: bool,
) -> Option<String> {
    let mut found: Vec<String> = Vec::new();
    for cited in citations {
        let Some(index) = record.message(&cited.event.id) else {
            continue;
        };
        let units = &record.messages[index].units;
        let least = match (cites_agent, units.len()) {
            (true, _) => LEAST_TERMS_OF_ANSWER,
            (false, 1) => 1,
            (false, _) => LEAST_TERMS,
        };
        let quoted = quoted(units, cited).into_iter();
        for unit in quoted.filter(|unit| has_most(&cited.quote, &unit.whole, !units.contains(unit)))
        {
            let is_consent =
                cites_agent && starts_with_phrase(&unit.whole.to_lowercase(), ACCEPTING);
            let text = unit.whole.trim().to_owned();
            if is_complete(&unit, least) && !is_consent && !found.contains(&text) {
                found.push(text);
            }
        }
    }
    (!found.is_empty()).then(|| found.join("\n"))
}

/// Minimum fraction of a sentence's words in a quote.
const MOST: f64 = 0.5;

/// Minimum fraction of each clause that the quote has words of. A fragment may say anything.
const MOST_OF_CLAUSE: f64 = 0.7;

/// Minimum fraction of a clause of a long sentence, which is strung together with others as in speech.
const MOST_OF_PART: f64 = 0.6;

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

/// Reports whether a quote contains most of a sentence, and most of every clause that it has words of.
fn has_most(quote: &str, sentence: &str, is_part: bool) -> bool {
    let mut quoted = Carrier::default();
    quoted.add(quote);
    let share = |text: &str| {
        let mut all = terms(text);
        all.retain(|term| !is_filler(&term.word));
        let found = all.iter().filter(|term| quoted.has(term)).count();
        found as f64 / all.len().max(1) as f64
    };
    let least = match is_part {
        true => MOST_OF_PART,
        false => MOST_OF_CLAUSE,
    };
    letters(quote).contains(&letters(sentence))
        || share(sentence) >= MOST
            && clauses(sentence)
                .iter()
                .map(|clause| share(clause))
                .all(|share| share == 0.0 || share >= least)
}

/// Reports whether a sentence states a rule and needs no other to be understood.
fn is_complete(unit: &TypedSentence, least: usize) -> bool {
    let lower = unit.text.to_lowercase();
    let is_rule = is_unlisted(&unit.text)
        || has_phrase(&lower, RULING)
        || has_phrase(&lower, RULING_UNSPACED)
        || lower.split_whitespace().any(is_near_ruling);
    let least = match has_phrase(&lower, POINTING) {
        true => least.max(LEAST_TERMS_OF_ANSWER),
        false => least,
    };
    unit.stance == Stance::Asserted
        && is_rule
        && distinct(&terms(&unit.text)).len() >= least
        && !has_phrase(&lower, DEFERRING)
        && !has_phrase(&lower, ABOUT_SOMETHING)
}

/// Reports whether a longer word is one typo away from a word that makes a rule.
fn is_near_ruling(word: &str) -> bool {
    let mut known = RULING.split('|').filter(|known| known.chars().count() >= 5);
    word.chars().count() >= 4 && known.any(|known| slips(known, word) <= 1)
}

/// Words that refer to something said before.
const POINTING: &str = "it|that|this|those|these|them|das|dies|dieses|es|ça|cela|ceci|eso|esto|ello|isso|isto|questo|quello|ciò|dat|dit|это|этого|то|to|tego|bunu|şunu|这个|那个|它|これ|それ|あれ|이거|그거|이것|그것";

/// Phrases that refer to things the sentence does not name.
const ABOUT_SOMETHING: &str = "do it|do that|do this|do so|these things|those things|such things|mach das|mach es|solche sachen|diese sachen|fais-le|fais ça|ces choses|hazlo|haz eso|estas cosas|esas cosas|faz isso|essas coisas|fallo|queste cose|doe het|doe dat|сделай это|сделай так|эти вещи|такие вещи|zrób to|takie rzeczy|bunu yap|这样做|这些东西|照这个|こういうの|そうして|그렇게 해|이런 거";
