//! Finds contradictions between two statements: clause against clause, word against word, and one alternative in place
//! of another.

use crate::measures::{ratio_or, title, weight};
use crate::read::MentionClass;
use crate::statement::{Clause, Statement, StatementUnit, WIDTH};

/// Denials between two statements, clause by clause.
#[derive(Debug)]
pub(crate) struct Claims {
    /// The strongest denial, those in titles first.
    pub(crate) denied: f64,
    pub(crate) older: Disputed,
    pub(crate) newer: Disputed,
}

/// For each unit of a statement in order, how strongly the other disputes it, 0 to 1.
#[derive(Debug, Clone, Default)]
pub(crate) struct Disputed(Vec<Dispute>);

#[derive(Debug, Clone, Copy, Default)]
struct Dispute {
    /// A clause of the other has the opposite polarity.
    either: f64,
    /// Affirmed here and denied there.
    taken_back: f64,
}

impl Disputed {
    fn of(statement: &Statement) -> Self {
        Self(vec![Dispute::default(); statement.units.len()])
    }

    fn add(&mut self, flipped: &Flipped, strength: f64) {
        for at in bits(flipped.either) {
            let dispute = &mut self.0[at];
            dispute.either = dispute.either.max(strength);
            if flipped.taken_back & (1 << at) != 0 {
                dispute.taken_back = dispute.taken_back.max(strength);
            }
        }
    }
}

/// Bits of the units of one clause that have the opposite polarity in the other.
#[derive(Debug, Default)]
struct Flipped {
    either: u128,
    /// Affirmed here and denied there.
    taken_back: u128,
}

impl Claims {
    pub(crate) fn between(older: &Statement, newer: &Statement) -> Self {
        let mut claims = Self {
            denied: 0.0,
            older: Disputed::of(older),
            newer: Disputed::of(newer),
        };
        let places: Vec<Option<usize>> = older
            .units
            .iter()
            .take(WIDTH)
            .map(|unit| newer.position(unit.key).filter(|at| *at < WIDTH))
            .collect();
        for one in &older.clauses {
            for other in &newer.clauses {
                if one.denied | other.denied != 0 {
                    let pair = ClausePair::of((older, one), (newer, other), &places);
                    claims.add(&pair, one.in_title, other.in_title);
                }
            }
        }
        claims
    }

    fn add(&mut self, pair: &ClausePair, in_title: bool, other_in_title: bool) {
        let denied = pair.denied();
        let trust = match (in_title, other_in_title) {
            (true, true) => 1.0,
            (false, false) => 0.6,
            _ => 0.8,
        };
        self.denied = self.denied.max(denied * trust);
        let strength = pair.cover() * pair.cover();
        self.older.add(&pair.older, strength);
        self.newer.add(&pair.newer, strength);
    }
}

/// Comparison of two clauses.
#[derive(Debug, Default)]
struct ClausePair {
    /// Weight of each clause, and of the units in both.
    one: f64,
    other: f64,
    shared: f64,
    /// Weight of the units that one affirms and the other denies.
    flipped: f64,
    /// Weight of what either denies, without regard to titles, and of the part that the other affirms.
    denials: f64,
    met: f64,
    older: Flipped,
    newer: Flipped,
}

impl ClausePair {
    fn of(
        (older, one): (&Statement, &Clause),
        (newer, other): (&Statement, &Clause),
        places: &[Option<usize>],
    ) -> Self {
        let mut pair = Self::default();
        for at in bits(other.units) {
            let unit = &newer.units[at];
            pair.other += weight(unit);
            if other.denied & (1 << at) != 0 {
                pair.denials += bulk(unit);
            }
        }
        for at in bits(one.units) {
            let unit = &older.units[at];
            pair.one += weight(unit);
            let denied = one.denied & (1 << at) != 0;
            if denied {
                pair.denials += bulk(unit);
            }
            let Some(place) = places[at].filter(|place| other.units & (1 << place) != 0) else {
                continue;
            };
            // A word counts with the smaller of its two weights, so that the result is symmetric.
            let weight = weight(unit).min(weight(&newer.units[place]));
            pair.shared += weight;
            if denied == (other.denied & (1 << place) != 0) {
                continue;
            }
            pair.flipped += weight;
            pair.older.either |= 1 << at;
            pair.newer.either |= 1 << place;
            if denied {
                pair.met += bulk(unit);
                pair.newer.taken_back |= 1 << place;
            } else {
                pair.met += bulk(&newer.units[place]);
                pair.older.taken_back |= 1 << at;
            }
        }
        pair
    }

    /// Returns the share of the denied units that the other affirms: `never X` does not contradict Y.
    fn cover(&self) -> f64 {
        ratio_or(self.met, self.denials, 0.0)
    }

    /// Returns how strongly one denies the other, 0 to 1.
    fn denied(&self) -> f64 {
        let alike = (3.0 * ratio_or(self.shared, self.one + self.other, 0.0)).min(1.0);
        let heavy = (self.shared / 3.0).min(1.0);
        let cover = self.cover();
        ratio_or(self.flipped, self.shared, 0.0) * cover * cover * alike * heavy
    }
}

/// Returns the weight of a unit in a denial: ordinary words and numbers count most, because they carry the claim.
fn bulk(unit: &StatementUnit) -> f64 {
    match unit.class {
        MentionClass::Number | MentionClass::Word => 1.0,
        MentionClass::Name => 0.5,
        MentionClass::Generic => 0.35,
    }
}

/// Word-by-word differences between two statements about the same subject.
#[derive(Debug, Default)]
pub(crate) struct Contrast {
    /// Share that the titles have in common.
    pub(crate) titles: f64,
    /// Weight of the units in both titles.
    pub(crate) shared_title: f64,
    /// Weight of the units that one affirms everywhere and the other denies everywhere.
    pub(crate) flipped: f64,
    pub(crate) flipped_title: f64,
    pub(crate) opposites: f64,
    /// A known alternative in place of another: 2 in both titles, 1 elsewhere.
    pub(crate) alternatives: f64,
    /// Share of the older title that the newer denies.
    pub(crate) taken_back: f64,
}

impl Contrast {
    pub(crate) fn between(older: &Statement, newer: &Statement, disputed: &Disputed) -> Self {
        let mut contrast = Self::default();
        let older_title: f64 = title(older).map(weight).sum();
        let newer_title: f64 = title(newer).map(weight).sum();
        for (unit, dispute) in older.units.iter().zip(&disputed.0) {
            let other = newer.unit(unit.key);
            if let Some(other) = other {
                contrast.polarity(unit, other, *dispute);
            }
            let moved = other
                .is_some_and(|other| other.anywhere.denied || (unit.in_title && !other.in_title));
            if moved || !newer.has(unit.key) {
                contrast.replaced(unit, older, newer);
            }
        }
        contrast.taken_back = ratio_or(contrast.taken_back, older_title, 0.0);
        contrast.titles = ratio_or(contrast.shared_title * 2.0, older_title + newer_title, 0.0);
        contrast
    }

    /// Compares the polarity of a unit that both statements mention.
    fn polarity(&mut self, unit: &StatementUnit, other: &StatementUnit, dispute: Dispute) {
        let weight = weight(unit);
        if unit.in_title && other.in_title {
            self.shared_title += weight;
            if unit.title.is_against(other.title) {
                self.flipped_title += weight * dispute.either;
            }
        }
        let is_against = unit.anywhere.is_against(other.anywhere);
        if is_against && unit.class != MentionClass::Number {
            self.flipped += weight * dispute.either;
        }
        let is_sure = !unit.anywhere.denied && unit.class != MentionClass::Generic;
        if is_sure && unit.in_title {
            self.taken_back += weight * dispute.taken_back;
        }
    }

    /// Finds the replacement of a unit that only the older mentions, or that the newer takes back.
    fn replaced(&mut self, unit: &StatementUnit, older: &Statement, newer: &Statement) {
        let negated = newer
            .units
            .iter()
            .find(|other| other.without_prefix == Some(unit.key))
            .map(|other| other.key);
        let opposites = unit.opposites.iter().copied();
        for opposite in opposites.chain(unit.without_prefix).chain(negated) {
            let Some(other) = newer.unit(opposite) else {
                continue;
            };
            if !older.has(opposite) {
                self.opposites += match (unit.in_title, other.in_title) {
                    (true, true) => 2.0,
                    (false, false) => 0.5,
                    _ => 0.0,
                };
            }
        }
        if unit.alternatives == 0 || !unit.anywhere.affirmed {
            return;
        }
        for other in &newer.units {
            let alternative = other.alternatives & unit.alternatives != 0
                && other.key != unit.key
                && other.anywhere.affirmed;
            let known = older.unit(other.key).is_some_and(|before| {
                before.anywhere.affirmed && (before.in_title || !other.in_title)
            });
            if alternative && !known {
                let in_titles = unit.in_title && other.in_title;
                self.alternatives = self.alternatives.max(if in_titles { 2.0 } else { 1.0 });
            }
        }
    }
}

fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let at = set.trailing_zeros() as usize;
            set &= set - 1;
            at
        })
    })
}
