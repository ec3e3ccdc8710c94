//! The person's own sentences in place of a candidate's wording. A sentence that the person typed says
//! what they said, with every condition, doubt and exception, whatever the candidate made of it.

use super::carried::{DEFERRING, letters};
use super::echo::distinct;
use super::lexicon::{ACCEPTING, STANDING, STANDING_UNSPACED, has_phrase, starts_with_phrase};
use super::record::Record;
use super::stance::Stance;
use super::terms::{is_unlisted, terms};
use super::typed::Unit;
use crate::gates::Cited;

/// Content words from which a sentence says something by itself.
const LEAST_TERMS: usize = 2;

/// The same for an answer to the agent, which often needs what it answers.
const LEAST_TERMS_OF_ANSWER: usize = 3;

/// Whole sentences that the person typed, that a candidate cites and that state a rule by themselves.
pub(super) fn own_words(
    record: &Record,
    citations: &[&Cited],
    cites_agent: bool,
) -> Option<String> {
    let mut found: Vec<String> = Vec::new();
    for cited in citations {
        let Some(index) = record.message(&cited.event.id) else {
            continue;
        };
        let quote = letters(&cited.quote);
        let whole = letters(&cited.event.text);
        for unit in &record.messages[index].units {
            let sentence = letters(&unit.text);
            let is_cited = sentence.contains(&quote) || quote.contains(&sentence);
            if is_cited && whole.contains(&sentence) && is_complete(unit, cites_agent) {
                let text = format!("{}{}", unit.text, unit.example);
                if !found.contains(&text) {
                    found.push(text);
                }
            }
        }
    }
    (!found.is_empty()).then(|| found.join("\n"))
}

/// Reports whether a sentence states something that outlives its session, and needs no other to be understood.
fn is_complete(unit: &Unit, cites_agent: bool) -> bool {
    let lower = unit.text.to_lowercase();
    let least = match cites_agent {
        true => LEAST_TERMS_OF_ANSWER,
        false => LEAST_TERMS,
    };
    let is_standing = is_unlisted(&unit.text)
        || has_phrase(&lower, STANDING)
        || has_phrase(&lower, STANDING_UNSPACED);
    unit.stance == Stance::Asserted
        && is_standing
        && distinct(&terms(&unit.text)).len() >= least
        && !has_phrase(&lower, DEFERRING)
        && !(cites_agent && starts_with_phrase(&lower, ACCEPTING))
}
