//! Classifies the relation of two memory statements: same, update, contradiction, similar or unrelated. Pure and
//! deterministic: no disk, no clock, no randomness, the same answer on every machine.
//!
//! A text is parsed into units and clauses ([`Statement`]), two statements are compared into figures (`evidence`,
//! `claims`), and a linear model turns the figures into likelihoods (`weights`). Rules before the model handle clear
//! cases; rules after it join two statements only if they very likely belong together: a wrong join loses a memory, a
//! missed one does not.

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
use evidence::{Meeting, RelationEvidence};
use weights::likelihoods;

/// Judges the relation of `newer` to `older`.
///
/// Statements of different types are never the same nor an update, but one that a person lays down can contradict
/// another: a decision may be revoked by a convention. From `update_overlap` on, a newer statement that contains
/// everything the older does, and more in its title, is an update.
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

/// Judges two statements by their text, whatever their types.
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
    // Explicit replacements and equal titles leave little doubt.
    let names_it = relation == Relation::Contradiction
        && doubt <= CERTAIN_DOUBT
        && (evidence.alternated >= 2.0 || evidence.undone >= 1.0);
    let same_title = evidence.lost_title == 0.0 && evidence.gained_title == 0.0;
    let doubt = if names_it || same_title { 0.0 } else { doubt };
    (relation, doubt, reason(relation, &evidence))
}

/// Below this share of either statement they are unrelated.
const NOTHING_SHARED: f64 = 0.12;

/// From this share on, statements of different types are in the same area.
const SAME_AREA: f64 = 0.18;

/// Below this share of either statement two are never the same nor an update.
const JOINABLE: f64 = 0.45;

/// Below this share two never contradict each other. The limit is lower, because a revocation has new words for
/// everything but the subject.
const CONTRADICTORY: f64 = 0.3;

/// Two statements are joined only if the likelihood that both should stay is below this.
const DOUBT: f64 = 0.25;

/// A contradiction needs a sign of this strength, however likely it is.
const SIGN: f64 = 0.18;

const OTHER_TYPE: &str = "they are of different types";

/// Handles clear cases: the same units, affirmed or denied, or one alternative for another.
fn plain_case(
    evidence: &RelationEvidence,
    back: &RelationEvidence,
) -> Option<(Relation, &'static str)> {
    let both = |holds: fn(&RelationEvidence) -> bool| holds(evidence) && holds(back);
    let same_units = evidence.lost == 0.0 && evidence.gained == 0.0;
    if same_units && both(|side| side.flipped_title > 0.3 && side.flipped_rule > 0.0) {
        return Some((Relation::Contradiction, DENIES));
    }
    // Short statements: the chosen name is most of their weight.
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

/// Returns true if the newer statement contains everything the older does, and more in its title.
fn adds_to_all(evidence: &RelationEvidence, back: &RelationEvidence) -> bool {
    evidence.lost == 0.0 && evidence.gained_title > 0.0 && evidence.is_calm && back.is_calm
}

/// Returns the likeliest relation. Contradiction is judged from both sides, so that it is symmetric.
fn weigh(evidence: &RelationEvidence, back: &RelationEvidence) -> (Relation, f64) {
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

/// Returns by how much contradiction is likelier than the likeliest other relation.
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

/// Returns the strongest evidence for a relation.
fn reason(relation: Relation, evidence: &RelationEvidence) -> &'static str {
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
