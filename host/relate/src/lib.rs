//! How two statements of memory stand to each other: the same, an update, a contradiction, similar or
//! unrelated. Pure and deterministic: no disk, no clock, no chance, the same answer on every machine.
//!
//! A statement is read into what it speaks of ([`Statement`]), two statements are compared into figures
//! (`evidence`, `claims`), and a table says how much each figure speaks for each relation (`weights`). Rules
//! stand before the table where there is nothing to weigh, and behind it so that two statements are joined
//! only when it is likely that they belong together: a wrong join loses a memory, a missed one does not.

mod claims;
mod evidence;
mod hash;
mod lexicon;
mod measures;
mod read;
mod relation;
mod scan;
mod sentences;
mod statement;
mod surroundings;
#[cfg(test)]
mod tests;
mod topic;
mod weights;
mod words;

pub use relation::{Judgement, Relation};
pub use statement::{Statement, comparable_words};
pub use words::{TextWord, text_words};

use crate::relation::{CERTAIN_DOUBT, RELATIONS};
use evidence::{Evidence, Meeting};
use weights::likelihoods;

/// Judges how `newer` stands to `older`.
///
/// Statements of different types are never the same nor an update, but one that a person lays down can contradict
/// another: what was a decision may be taken back as a convention. From `update_overlap` on, a newer statement that
/// has everything the older has, and more in its title, is an update.
pub fn relate(older: &Statement, newer: &Statement, update_overlap: f64) -> Judgement {
    let overlap = older.overlap(newer);
    let judged = |relation, reason| Judgement {
        relation,
        overlap,
        doubt: 0.0,
        reason,
    };
    let same_type = older.memory_type == newer.memory_type;
    if older.wording == newer.wording {
        return if same_type {
            judged(Relation::Same, "the words are the same")
        } else {
            judged(Relation::Similar, OTHER_TYPE)
        };
    }
    let meeting = Meeting::of(older, newer);
    let cover = meeting.cover();
    if older.units.is_empty() || newer.units.is_empty() || cover < NOTHING_SHARED {
        return judged(Relation::Unrelated, "they share next to nothing");
    }
    if let Some((older, newer)) = surroundings::left_out(older, newer) {
        return Judgement {
            overlap,
            ..relate(&older, &newer, update_overlap)
        };
    }
    if !same_type {
        let is_norm = older.is_norm && newer.is_norm;
        return match is_norm.then(|| compared(&meeting, overlap, update_overlap)) {
            Some((Relation::Contradiction, doubt, reason)) => Judgement {
                doubt,
                ..judged(Relation::Contradiction, reason)
            },
            _ if cover < SAME_AREA => judged(Relation::Unrelated, "they share little"),
            _ => judged(Relation::Similar, OTHER_TYPE),
        };
    }
    let (relation, doubt, reason) = compared(&meeting, overlap, update_overlap);
    Judgement {
        doubt,
        ..judged(relation, reason)
    }
}

/// Judges two statements by what they say, whatever their types are.
fn compared(
    meeting: &Meeting<'_>,
    overlap: f64,
    update_overlap: f64,
) -> (Relation, f64, &'static str) {
    let (evidence, back) = meeting.evidence();
    if let Some((relation, reason)) = plain_case(&evidence, &back) {
        return (relation, 0.0, reason);
    }
    if adds_to_all(&evidence, &back) && overlap >= update_overlap {
        let reason = "the newer has all of the older, and more in its title";
        return (Relation::Update, 0.0, reason);
    }
    let (relation, doubt) = weigh(&evidence, &back);
    // Words that name what they replace, and titles that are the same, leave little to weigh.
    let names_it = relation == Relation::Contradiction
        && doubt <= CERTAIN_DOUBT
        && (evidence.alternated >= 2.0 || evidence.undone >= 1.0);
    let same_title = evidence.lost_title == 0.0 && evidence.gained_title == 0.0;
    let doubt = if names_it || same_title { 0.0 } else { doubt };
    (relation, doubt, reason(relation, &evidence))
}

/// Below this share of either statement there is nothing to compare.
const NOTHING_SHARED: f64 = 0.12;

/// From this share on, statements of different types are about the same area.
const SAME_AREA: f64 = 0.18;

/// Below this share of either statement two are never the same nor an update.
const JOINABLE: f64 = 0.45;

/// Below this share two never contradict each other. Less is asked for: whoever takes something back
/// has new words for all but the subject.
const CONTRADICTORY: f64 = 0.3;

/// Two statements are joined only when it is less likely than this that both should stay.
const DOUBT: f64 = 0.25;

/// A contradiction needs a sign of this strength, however likely it is.
const SIGN: f64 = 0.18;

const OTHER_TYPE: &str = "they are of different types";

/// What needs no weighing: the same units, affirmed or denied, or one alternative for another.
fn plain_case(evidence: &Evidence, back: &Evidence) -> Option<(Relation, &'static str)> {
    let both = |holds: fn(&Evidence) -> bool| holds(evidence) && holds(back);
    let same_units = evidence.lost == 0.0 && evidence.gained == 0.0;
    if same_units && both(|side| side.flipped_title > 0.3 && side.flipped_rule > 0.0) {
        return Some((Relation::Contradiction, DENIES));
    }
    // Short statements: the name chosen is most of their weight.
    if both(|side| side.alternated >= 2.0 && side.lost_title == 1.0 && side.titles > 0.0) {
        return Some((Relation::Contradiction, ALTERNATIVE));
    }
    if evidence.is_replaced {
        return Some((Relation::Contradiction, ALTERNATIVE));
    }
    if evidence.gained == 0.0 && both(|side| side.is_calm) {
        return Some((Relation::Same, NOTHING_NEW));
    }
    None
}

/// Whether the newer statement has everything the older has, and more in its title.
fn adds_to_all(evidence: &Evidence, back: &Evidence) -> bool {
    evidence.lost == 0.0 && evidence.gained_title > 0.0 && evidence.is_calm && back.is_calm
}

/// The likeliest relation. Contradiction is judged from both sides, so that it holds both ways.
fn weigh(evidence: &Evidence, back: &Evidence) -> (Relation, f64) {
    let cover = evidence.cover_older.max(evidence.cover_newer);
    let sign = evidence.sign().max(back.sign());
    let [forth, back] = [likelihoods(evidence), likelihoods(back)];
    let [same, update, _, similar, unrelated] = forth;
    let doubt = (similar + unrelated + back[3] + back[4]) / 2.0;
    if cover >= CONTRADICTORY && margin(&forth) + margin(&back) > 0.0 && doubt <= DOUBT {
        return if sign >= SIGN {
            (Relation::Contradiction, doubt)
        } else {
            (Relation::Similar, doubt)
        };
    }
    let doubt = similar + unrelated;
    let relation = if cover < JOINABLE || doubt > DOUBT {
        if similar >= unrelated {
            Relation::Similar
        } else {
            Relation::Unrelated
        }
    } else if same >= update {
        Relation::Same
    } else {
        Relation::Update
    };
    (relation, doubt)
}

/// By how much contradiction is likelier than the likeliest other relation.
fn margin(likelihoods: &[f64; 5]) -> f64 {
    let mut contradiction = 0.0;
    let mut other: f64 = 0.0;
    for (relation, likelihood) in RELATIONS.into_iter().zip(likelihoods) {
        if relation == Relation::Contradiction {
            contradiction = *likelihood;
        } else {
            other = other.max(*likelihood);
        }
    }
    contradiction - other
}

const ALTERNATIVE: &str = "an alternative is chosen for the same thing";
const DENIES: &str = "one denies what the other affirms";
const NOTHING_NEW: &str = "the newer says nothing that the older does not";

/// The evidence that speaks loudest for a relation.
fn reason(relation: Relation, evidence: &Evidence) -> &'static str {
    match relation {
        Relation::Same if evidence.gained <= 1.0 => NOTHING_NEW,
        Relation::Same => "the names are the same, the wording differs",
        Relation::Update if evidence.strange > 0.0 => {
            "the newer adds a sentence on the same subject"
        }
        Relation::Update => "the newer adds to the same subject",
        Relation::Contradiction if evidence.alternated + evidence.chosen > 0.0 => ALTERNATIVE,
        Relation::Contradiction if evidence.flipped_rule > 0.0 => DENIES,
        Relation::Contradiction if evidence.denied > 0.3 => DENIES,
        Relation::Contradiction if evidence.opposed > 0.0 => "they use words of opposite meaning",
        Relation::Contradiction => "the newer takes back what the older says",
        Relation::Similar if evidence.parallel_swap > 0.0 => {
            "the same area, but not the same subject"
        }
        Relation::Similar => "the same area, but not the same statement",
        Relation::Unrelated => "they share little",
    }
}
