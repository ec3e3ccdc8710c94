//! Shares and weights of the things that statements mention.

use crate::read::Class;
use crate::statement::{Statement, Unit};

/// Weight of a unit: names far more than words, the title more than the body.
pub(crate) fn weight(unit: &Unit) -> f64 {
    let class = match unit.class {
        Class::Name => 3.0,
        Class::Number => 2.0,
        Class::Word => 1.0,
        Class::Generic => 0.35,
    };
    if unit.in_title { class * 1.5 } else { class }
}

/// How much of a unit the other statement has: a name counts half when half of its pieces are there.
pub(crate) fn aligned(unit: &Unit, other: &Statement) -> f64 {
    if other.has(unit.key) {
        return 1.0;
    }
    let found = unit.parts.iter().filter(|part| other.has(**part)).count();
    match (found, unit.parts.len()) {
        (0, _) => 0.0,
        (found, all) if found == all => 1.0,
        (found, all) if found * 2 >= all => 0.5,
        _ => 0.0,
    }
}

pub(crate) fn title(statement: &Statement) -> impl Iterator<Item = &Unit> {
    statement.units.iter().filter(|unit| unit.in_title)
}

pub(crate) fn ratio_or(part: f64, whole: f64, otherwise: f64) -> f64 {
    if whole > 0.0 { part / whole } else { otherwise }
}
