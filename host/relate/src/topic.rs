//! Compares two titles about the same subject for another answer: another choice, something that is gone, or a reversed
//! order.

use crate::measures::{aligned, ratio_or, title, weight};
use crate::read::{MentionClass, PAUSE};
use crate::statement::{Statement, StatementUnit};

#[derive(Debug, Default)]
pub(crate) struct TitleComparison {
    /// Share of what one title says about the common subject and the other does not, the smaller of the two.
    pub(crate) displaced: f64,
    /// The titles differ only in the choice, or only in the name of the actor.
    pub(crate) is_replaced: bool,
    /// Both titles list the same steps in reverse order.
    pub(crate) is_reordered: bool,
    /// Heaviest thing that one contains and that is gone in the other, 0 to 1.
    pub(crate) undone: f64,
}

impl TitleComparison {
    pub(crate) fn between(older: &Statement, newer: &Statement) -> Self {
        let [left, right] = [Half::of(older, newer), Half::of(newer, older)];
        // A queue can use SQLite and a backoff: only names are alternatives to names.
        let is_comparable =
            left.lost_name == right.lost_name || !(older.frame.is_choice && newer.frame.is_choice);
        let is_exclusive = older.frame.is_exclusive && newer.frame.is_exclusive && is_comparable;
        // A subject that one title names more fully is the same; one that both name differently is not.
        let same_subject = left.subject.min(right.subject) > LEAST_SUBJECT
            && left.subject_lost.min(right.subject_lost) == 0.0;
        let same_numbers = left.numbers_lost + right.numbers_lost == 0;
        let is_choice = is_exclusive
            && same_subject
            && left.said_lost_in_title
            && right.said_lost_in_title
            && is_one_span(&older.frame.words, &newer.frame.words);
        let is_agent = left.is_agent(&right) && right.is_agent(&left);
        let displaced = if is_exclusive && same_subject {
            left.displaced().min(right.displaced())
        } else {
            0.0
        };
        Self {
            displaced,
            is_replaced: same_numbers && (is_choice || is_agent),
            is_reordered: is_reordered(older, newer),
            undone: (left.undone.max(right.undone) / HEAVY).min(1.0),
        }
    }
}

/// Less than one generic word in a title is not a subject.
const LEAST_SUBJECT: f64 = 0.3;

/// Weight of a name in a title.
const HEAVY: f64 = 4.5;

/// Maximum number of words that name a choice.
const LONGEST_CHOICE: usize = 5;

/// A title compared with the other statement: weights of its subject and of the rest.
#[derive(Debug, Default)]
struct Half {
    subject: f64,
    subject_lost: f64,
    /// Every word of the subject is a name that the other does not contain.
    is_strange_name: bool,
    said: f64,
    said_lost: f64,
    said_units: usize,
    said_lost_in_title: bool,
    /// The words that the other title lacks include a name.
    lost_name: bool,
    numbers_lost: usize,
    /// Heaviest unit that is gone in the other.
    undone: f64,
}

impl Half {
    fn of(one: &Statement, other: &Statement) -> Self {
        let mut half = Self {
            is_strange_name: true,
            ..Self::default()
        };
        for unit in &one.units {
            let found = other.unit(unit.key);
            if found.is_some_and(|found| found.undone) && is_sure(unit) {
                half.undone = half.undone.max(weight(unit));
            }
            if unit.in_title {
                half.add(unit, found, other);
            }
        }
        half
    }

    fn add(&mut self, unit: &StatementUnit, found: Option<&StatementUnit>, other: &Statement) {
        let weight = weight(unit);
        let in_title = |share: f64| match found {
            Some(found) => found.in_title,
            None => aligned(unit, other) >= share,
        };
        if unit.class == MentionClass::Number {
            self.numbers_lost += usize::from(!other.has(unit.key));
        } else if unit.is_subject {
            self.subject += weight;
            if !in_title(1.0) {
                self.subject_lost += weight;
            }
            self.is_strange_name &= unit.class == MentionClass::Name && !other.has(unit.key);
        } else if !unit.is_act {
            let is_lost = !in_title(0.5);
            self.said_lost_in_title |= is_lost;
            self.lost_name |= is_lost && unit.class == MentionClass::Name;
            if unit.class == MentionClass::Generic {
                return;
            }
            self.said_units += 1;
            self.said += weight;
            let is_said = found.map_or(aligned(unit, other) >= 0.5, |found| {
                found.anywhere.affirmed == unit.anywhere.affirmed
            });
            if !is_said {
                self.said_lost += weight;
            }
        }
    }

    fn displaced(&self) -> f64 {
        ratio_or(self.said_lost, self.said, 0.0)
    }

    /// Returns true if a name here has the role of another name there.
    fn is_agent(&self, other: &Self) -> bool {
        self.subject > 0.0
            && self.is_strange_name
            && self.said_units >= 2
            && self.said_lost + other.said_lost == 0.0
    }
}

/// Returns true if a unit is affirmed and not gone itself.
fn is_sure(unit: &StatementUnit) -> bool {
    !unit.undone && unit.anywhere.affirmed && unit.class != MentionClass::Generic
}

/// Returns true if two titles differ only in one short run of words.
fn is_one_span(older: &[u64], newer: &[u64]) -> bool {
    let alike = |(one, other): &(&u64, &u64)| one == other;
    let head = older.iter().zip(newer).take_while(alike).count();
    let (older, newer) = (&older[head..], &newer[head..]);
    let tail = older
        .iter()
        .rev()
        .zip(newer.iter().rev())
        .take_while(alike)
        .count();
    let is_choice =
        |span: &[u64]| (1..=LONGEST_CHOICE).contains(&span.len()) && !span.contains(&PAUSE);
    head + tail >= 2
        && is_choice(&older[..older.len() - tail])
        && is_choice(&newer[..newer.len() - tail])
}

/// Returns true if both titles list the same steps in reverse order.
fn is_reordered(older: &Statement, newer: &Statement) -> bool {
    if !(older.frame.is_sequence && newer.frame.is_sequence) {
        return false;
    }
    let places: Vec<usize> = title(older)
        .filter(|unit| unit.class != MentionClass::Generic)
        .filter_map(|unit| newer.position(unit.key))
        .filter(|at| newer.units[*at].in_title)
        .collect();
    let mut turned = 0;
    for (at, place) in places.iter().enumerate() {
        turned += places[at + 1..].iter().filter(|next| *next < place).count();
    }
    // More than half of all pairs; symmetric.
    turned > 0 && turned * 4 >= places.len() * (places.len() - 1)
}
