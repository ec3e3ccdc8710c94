//! Shares and weights of the things that statements mention.

use crate::read::MentionClass;
use crate::statement::{Statement, StatementUnit};

/// Returns the weight of a unit: names count far more than words, the title more than the body.
pub(crate) fn weight(unit: &StatementUnit) -> f64 {
    let class = match unit.class {
        MentionClass::Name => 3.0,
        MentionClass::Number => 2.0,
        MentionClass::Word => 1.0,
        MentionClass::Generic => 0.35,
    };
    if unit.in_title { class * 1.5 } else { class }
}

/// Returns the share of a unit that the other statement contains: a name counts half if half of its pieces occur.
pub(crate) fn aligned(unit: &StatementUnit, other: &Statement) -> f64 {
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

pub(crate) fn title(statement: &Statement) -> impl Iterator<Item = &StatementUnit> {
    statement.units.iter().filter(|unit| unit.in_title)
}

pub(crate) fn ratio_or(part: f64, whole: f64, otherwise: f64) -> f64 {
    if whole > 0.0 { part / whole } else { otherwise }
}
