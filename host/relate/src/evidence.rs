//! What can be counted between two statements: how much of each the other has, what stands in the
//! place of what, and what one denies of the other. Every figure is bounded and none is a verdict.

use crate::read::{Class, Slot};
use crate::statement::{Statement, Unit, shared};

/// What there is to see between an older and a newer statement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Evidence {
    /// Share of the older statement, by weight, that the newer has.
    pub(crate) cover_older: f64,
    /// Share of the newer statement, by weight, that the older has.
    pub(crate) cover_newer: f64,
    /// Share of the newer title that the older statement has.
    pub(crate) title_newer: f64,
    /// Share that the titles have in common.
    pub(crate) titles: f64,
    /// Heaviest addition in one sentence of the newer statement.
    pub(crate) new_sentence: f64,
    /// Sentences of the newer statement of which the older has hardly a word.
    pub(crate) strange: f64,
    /// Weight of the newer over weight of the older.
    pub(crate) length: f64,
    /// Words such as `still`, `also`, `stays` that the newer has and the older has not.
    pub(crate) continuities: f64,
    /// How alike they are phrased, word by word.
    pub(crate) parallel: f64,
    /// What each has and the other has not, the lesser of the two.
    pub(crate) swap: f64,
    /// The same for the titles, numbers left out.
    pub(crate) title_swap: f64,
    /// The same for names, counted.
    pub(crate) name_swap: f64,
    /// Title swap in statements phrased alike.
    pub(crate) parallel_swap: f64,
    /// Ordinary words of the older that the newer has not.
    pub(crate) lost_words: f64,
    /// The choice in the title differs, what it is about does not; rules only, not facts.
    pub(crate) choice_only: f64,
    /// One denies what the other affirms; rules only, not facts.
    pub(crate) flipped_rule: f64,
    /// Words of opposite meaning in the same place.
    pub(crate) opposed: f64,
    /// A known alternative in the place of another, about the same thing.
    pub(crate) alternated: f64,
    /// What the older title chose is only in the newer body, and the newer title has something else.
    pub(crate) demoted: f64,
    /// Any sign at all that they disagree.
    pub(crate) against: f64,
    /// Share of what both titles have that one affirms and the other denies.
    pub(crate) flipped_title: f64,
    /// Units of the older that the newer has not.
    pub(crate) lost: f64,
    /// Units of the newer that the older has not.
    pub(crate) gained: f64,
    /// Units of the older title that the newer has not.
    pub(crate) lost_title: f64,
    /// Units of the newer title that the older has not.
    pub(crate) gained_title: f64,
}

/// Two statements side by side.
pub(crate) struct Meeting<'a> {
    older: &'a Statement,
    newer: &'a Statement,
    left: Side,
    right: Side,
}

impl<'a> Meeting<'a> {
    pub(crate) fn of(older: &'a Statement, newer: &'a Statement) -> Self {
        Self {
            older,
            newer,
            left: Side::of(older, newer),
            right: Side::of(newer, older),
        }
    }

    /// Share that one has of the other, the greater of the two. Cheap, and enough to tell strangers.
    pub(crate) fn cover(&self) -> f64 {
        self.left.cover().max(self.right.cover())
    }

    /// The evidence, and what it would be if the older were the newer.
    pub(crate) fn evidence(&self) -> (Evidence, Evidence) {
        let parallel = parallel(self.older, self.newer);
        let forth = Evidence::between(self.older, self.newer, (&self.left, &self.right), parallel);
        let back = Evidence::between(self.newer, self.older, (&self.right, &self.left), parallel);
        (forth, back)
    }
}

impl Evidence {
    fn between(
        older: &Statement,
        newer: &Statement,
        (left, right): (&Side, &Side),
        parallel: f64,
    ) -> Self {
        let contrast = Contrast::between(older, newer);
        let sentences = Sentences::of(newer, older);
        let least = left.weight.min(right.weight).max(0.1);
        let (lost, gained) = (left.lost_weight(), right.lost_weight());
        let close = left.cover().min(right.cover());
        // A denial says little between statements that share little.
        let trust = (close * 2.0).min(1.0);
        let flipped = contrast.flipped / least * trust;
        let flipped_title = (contrast.flipped_title / least * 4.0).min(1.0) * trust;
        let is_fact = older.is_fact || newer.is_fact;
        let subject = left.title_subject.min(right.title_subject);
        let choice = left.title_choice.min(right.title_choice);
        let title_swap = left.title_lost.min(right.title_lost);
        let continuities = newer.continuities as f64 - older.continuities as f64;
        let differs = flipped > 0.05 || contrast.opposites > 0.0 || contrast.alternatives > 0.0;
        Self {
            cover_older: left.cover(),
            cover_newer: right.cover(),
            title_newer: ratio(right.title_found, right.title_weight),
            titles: contrast.titles,
            new_sentence: sentences.heaviest.min(25.0),
            strange: sentences.strange.min(4.0),
            length: (right.weight / left.weight.max(0.1)).min(4.0),
            continuities: continuities.clamp(-1.0, 3.0),
            parallel,
            swap: lost.min(gained) / least,
            title_swap: title_swap.min(12.0),
            name_swap: left.names_lost.min(right.names_lost).min(2.0),
            parallel_swap: parallel * title_swap.min(12.0),
            lost_words: left.words_lost.min(8.0),
            choice_only: when(!is_fact && subject < 0.6, choice.min(3.0)),
            flipped_rule: when(!is_fact, flipped_title.max((flipped * 2.0).min(1.0))),
            opposed: contrast.opposites.min(2.0) * close,
            alternated: when(subject < 1.0, contrast.alternatives),
            demoted: when(contrast.demoted, 1.0),
            against: when(differs, 1.0),
            flipped_title: ratio_or(contrast.flipped_title, contrast.shared_title, 0.0),
            lost: left.lost,
            gained: right.lost,
            lost_title: left.lost_in_title,
            gained_title: right.lost_in_title,
        }
    }
}

/// Weight of a unit: names far more than words, the title more than the body.
fn weight(unit: &Unit) -> f64 {
    let class = match unit.class {
        Class::Name => 3.0,
        Class::Number => 2.0,
        Class::Word => 1.0,
        Class::Generic => 0.35,
    };
    if unit.in_title { class * 1.5 } else { class }
}

/// How much of a unit the other statement has: a name counts half when half of its pieces are there.
fn aligned(unit: &Unit, other: &Statement) -> f64 {
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

/// One statement as the other sees it.
#[derive(Debug, Default)]
struct Side {
    weight: f64,
    found: f64,
    title_weight: f64,
    title_found: f64,
    title_lost: f64,
    title_subject: f64,
    title_choice: f64,
    names_lost: f64,
    words_lost: f64,
    lost: f64,
    lost_in_title: f64,
}

impl Side {
    fn of(statement: &Statement, other: &Statement) -> Self {
        let mut side = Self::default();
        for unit in &statement.units {
            side.add(unit, aligned(unit, other), other);
        }
        side
    }

    fn add(&mut self, unit: &Unit, share: f64, other: &Statement) {
        let weight = weight(unit);
        let missing = 1.0 - share;
        self.weight += weight;
        self.found += share * weight;
        self.lost += missing;
        match unit.class {
            Class::Name => self.names_lost += missing,
            Class::Word => self.words_lost += missing,
            Class::Number | Class::Generic => {}
        }
        if !unit.in_title {
            return;
        }
        self.title_weight += weight;
        self.title_found += share * weight;
        self.lost_in_title += missing;
        if unit.class == Class::Number {
            return;
        }
        self.title_lost += weight * missing;
        let bounded = weight.min(3.0);
        match unit.slot {
            // Alternatives are choices wherever they stand.
            Slot::Subject if unit.alternatives == 0 => self.title_subject += bounded * missing,
            Slot::Subject => {}
            // What was chosen in one title has to be chosen in the other, not only mentioned below it.
            Slot::Choice if !other.unit(unit.key).is_some_and(|other| other.in_title) => {
                self.title_choice += bounded;
            }
            Slot::Choice => {}
        }
    }

    fn cover(&self) -> f64 {
        ratio(self.found, self.weight)
    }

    fn lost_weight(&self) -> f64 {
        self.weight - self.found
    }
}

/// Where two statements say different things of the same.
#[derive(Debug, Default)]
struct Contrast {
    titles: f64,
    shared_title: f64,
    flipped: f64,
    flipped_title: f64,
    opposites: f64,
    alternatives: f64,
    demoted: bool,
}

impl Contrast {
    fn between(older: &Statement, newer: &Statement) -> Self {
        let mut contrast = Self::default();
        let mut title_weight: f64 = title(newer).map(weight).sum();
        for unit in &older.units {
            let weight = weight(unit);
            let other = newer.unit(unit.key);
            if let Some(other) = other {
                contrast.polarity(unit, other, weight);
            }
            if unit.in_title {
                title_weight += weight;
            }
            let moved = other
                .is_some_and(|other| other.anywhere.denied || (unit.in_title && !other.in_title));
            if moved || !newer.has(unit.key) {
                contrast.replaced(unit, older, newer);
            }
        }
        contrast.titles = ratio_or(contrast.shared_title * 2.0, title_weight, 0.0);
        contrast.demoted = title(newer).any(|unit| is_choice(unit) && !older.has(unit.key))
            && title(older).any(|unit| {
                is_choice(unit) && newer.unit(unit.key).is_some_and(|other| !other.in_title)
            });
        contrast
    }

    /// What both speak of: does one deny it?
    fn polarity(&mut self, unit: &Unit, other: &Unit, weight: f64) {
        if unit.in_title && other.in_title {
            self.shared_title += weight;
            if unit.title.is_against(other.title) {
                self.flipped_title += weight;
            }
        }
        if unit.class != Class::Number && unit.anywhere.is_against(other.anywhere) {
            self.flipped += weight;
        }
    }

    /// What only the older speaks of, or the newer takes back: what stands in its place?
    fn replaced(&mut self, unit: &Unit, older: &Statement, newer: &Statement) {
        for opposite in &unit.opposites {
            let Some(other) = newer.unit(*opposite) else {
                continue;
            };
            if !older.has(*opposite) {
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
                let strength = if unit.in_title && other.in_title {
                    2.0
                } else {
                    1.0
                };
                self.alternatives = self.alternatives.max(strength);
            }
        }
    }
}

/// What the sentences of a statement add.
#[derive(Debug, Default)]
struct Sentences {
    heaviest: f64,
    strange: f64,
}

impl Sentences {
    fn of(statement: &Statement, other: &Statement) -> Self {
        let mut totals = [(0.0, 0.0); 64];
        for unit in &statement.units {
            let weight = weight(unit);
            let missing = weight * (1.0 - aligned(unit, other));
            let mut bits = unit.sentences;
            while bits != 0 {
                let total = &mut totals[bits.trailing_zeros() as usize];
                total.0 += weight;
                total.1 += missing;
                bits &= bits - 1;
            }
        }
        let mut sentences = Self::default();
        for (weight, missing) in totals.into_iter().take(statement.sentences) {
            sentences.heaviest = sentences.heaviest.max(missing);
            if missing > weight * 0.75 {
                sentences.strange += 1.0;
            }
        }
        sentences
    }
}

fn title(statement: &Statement) -> impl Iterator<Item = &Unit> {
    statement.units.iter().filter(|unit| unit.in_title)
}

fn is_choice(unit: &Unit) -> bool {
    unit.slot == Slot::Choice && matches!(unit.class, Class::Name | Class::Word)
}

/// Shared neighbours over all neighbours, as a Dice coefficient.
fn parallel(older: &Statement, newer: &Statement) -> f64 {
    let shared = shared(&older.phrases, &newer.phrases) * 2;
    let all = older.phrases.len() + newer.phrases.len();
    ratio_or(shared as f64, all as f64, 0.0)
}

/// A part of nothing is all of it.
fn ratio(part: f64, whole: f64) -> f64 {
    ratio_or(part, whole, 1.0)
}

fn ratio_or(part: f64, whole: f64, otherwise: f64) -> f64 {
    if whole > 0.0 { part / whole } else { otherwise }
}

fn when(condition: bool, value: f64) -> f64 {
    if condition { value } else { 0.0 }
}
