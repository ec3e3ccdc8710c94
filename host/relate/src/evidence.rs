//! What can be counted between two statements: how much of each the other has, what stands in the
//! place of what, and what one denies of the other. Every figure is bounded and none is a verdict.

use crate::claims::{Claims, Contrast};
use crate::measures::{aligned, ratio_or, weight};
use crate::read::Class;
use crate::statement::{Statement, Unit, shared};
use crate::topic::Topic;

/// What there is to see between an older and a newer statement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Evidence {
    /// Share of the older statement, by weight, that the newer has.
    pub(crate) cover_older: f64,
    /// Share of the newer statement, by weight, that the older has.
    pub(crate) cover_newer: f64,
    /// Share that the titles have in common.
    pub(crate) titles: f64,
    /// Heaviest addition in one sentence of the newer statement.
    pub(crate) new_sentence: f64,
    /// Sentences of the newer statement of which the older has hardly a word.
    pub(crate) strange: f64,
    /// Names and numbers that only the newer has.
    pub(crate) new_specifics: f64,
    /// Weight of the newer over weight of the older.
    pub(crate) length: f64,
    /// Words such as `still`, `also`, `stays` that the newer has and the older has not.
    pub(crate) continuities: f64,
    /// How alike they are phrased, word by word.
    pub(crate) parallel: f64,
    /// What each has and the other has not, the lesser of the two.
    pub(crate) swap: f64,
    /// The same for titles without numbers, in statements phrased alike; not for a choice.
    pub(crate) parallel_swap: f64,
    /// Ordinary words of the older that the newer has not.
    pub(crate) lost_words: f64,
    /// Numbers differ and nothing else does.
    pub(crate) only_numbers: f64,
    /// One denies everywhere what the other affirms everywhere; rules only, not facts.
    pub(crate) flipped_rule: f64,
    /// A clause of one denies a clause of the other.
    pub(crate) denied: f64,
    /// Share of one title that the other statement denies.
    pub(crate) taken_back: f64,
    /// Words of opposite meaning in the same place.
    pub(crate) opposed: f64,
    /// A known alternative in the place of another, about the same thing.
    pub(crate) alternated: f64,
    /// Another answer to the same question: in the place of one choice stands another.
    pub(crate) chosen: f64,
    /// What one speaks of as it is, and the other as gone; the heaviest.
    pub(crate) undone: f64,
    /// One tells more than the other of what was.
    pub(crate) past: f64,
    /// Titles alike but for the choice, in statements phrased alike; or all alike but for what comes first.
    pub(crate) is_replaced: bool,
    /// Share of what both titles have that one affirms and the other denies.
    pub(crate) flipped_title: f64,
    /// There is no sign that they disagree.
    pub(crate) is_calm: bool,
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
        let both = Both {
            parallel: parallel(self.older, self.newer),
            claims: Claims::between(self.older, self.newer),
            topic: Topic::between(self.older, self.newer),
        };
        let forth = Contrast::between(self.older, self.newer, &both.claims.older);
        let back = Contrast::between(self.newer, self.older, &both.claims.newer);
        let taken_back = forth.taken_back.max(back.taken_back).min(1.0);
        let evidence = |contrast: &Contrast, older: View<'_>, newer: View<'_>| Evidence {
            taken_back,
            ..Evidence::between(older, newer, contrast, &both)
        };
        let left = (self.older, &self.left);
        let right = (self.newer, &self.right);
        (evidence(&forth, left, right), evidence(&back, right, left))
    }
}

/// From this share of common neighbours on, two statements are phrased alike.
const PHRASED_ALIKE: f64 = 0.7;

/// A statement as the other sees it.
type View<'a> = (&'a Statement, &'a Side);

/// What is the same both ways round.
struct Both {
    parallel: f64,
    claims: Claims,
    topic: Topic,
}

impl Evidence {
    /// The clearest sign that the two disagree.
    pub(crate) fn sign(&self) -> f64 {
        [
            self.denied,
            self.flipped_rule,
            self.taken_back,
            self.opposed,
            self.alternated,
            self.chosen,
            self.undone,
        ]
        .into_iter()
        .fold(0.0, f64::max)
    }

    fn between(
        (older, left): View<'_>,
        (newer, right): View<'_>,
        contrast: &Contrast,
        both: &Both,
    ) -> Self {
        let least = left.weight.min(right.weight).max(0.1);
        let close = left.cover().min(right.cover());
        // A denial says little between statements that share little.
        let trust = (close * 2.0).min(1.0);
        let flipped = contrast.flipped / least * trust;
        let flipped_title = ratio_or(contrast.flipped_title, contrast.shared_title, 0.0);
        let is_rule = !older.is_fact && !newer.is_fact;
        let title_swap = left.title_lost.min(right.title_lost).min(12.0);
        let continuities = newer.continuities as f64 - older.continuities as f64;
        let lost_specifics = left.names_lost + left.words_lost;
        let new_specifics = right.names_lost + right.numbers_lost;
        let only_numbers = lost_specifics + right.names_lost + right.words_lost == 0.0
            && left.numbers_lost + right.numbers_lost > 0.0;
        let subject = left.subject_lost.min(right.subject_lost);
        let differs = flipped > 0.05 || contrast.opposites > 0.0 || contrast.alternatives > 0.0;
        let sentences = Sentences::of(newer, right);
        // A fact seldom excludes another of the same thing, a rule often does.
        let chosen = match (is_rule, both.topic.is_replaced) {
            (true, true) => 1.0,
            (true, false) => both.topic.displaced,
            (false, true) => 0.7,
            (false, false) => 0.0,
        };
        let is_quiet = chosen == 0.0 && both.topic.undone == 0.0 && !both.topic.is_reordered;
        let is_replaced = is_rule && both.topic.is_replaced && both.parallel >= PHRASED_ALIKE;
        Self {
            cover_older: left.cover(),
            cover_newer: right.cover(),
            titles: contrast.titles,
            new_sentence: sentences.heaviest.min(25.0),
            strange: sentences.strange.min(4.0),
            new_specifics: new_specifics.min(4.0),
            length: (right.weight / left.weight.max(0.1)).min(4.0),
            continuities: continuities.clamp(-1.0, 3.0),
            parallel: both.parallel,
            swap: left.lost_weight().min(right.lost_weight()) / least,
            parallel_swap: both.parallel * title_swap * (1.0 - chosen),
            lost_words: left.words_lost.min(8.0),
            only_numbers: when(only_numbers, 1.0),
            flipped_rule: when(
                is_rule,
                (flipped_title * trust).max((flipped * 2.0).min(1.0)),
            ),
            denied: both.claims.denied,
            taken_back: contrast.taken_back,
            opposed: (contrast.opposites + when(both.topic.is_reordered, 2.0)).min(2.0) * close,
            alternated: when(subject < 1.0, contrast.alternatives),
            chosen,
            undone: both.topic.undone,
            past: newer.pasts.abs_diff(older.pasts).min(2) as f64,
            is_replaced: is_replaced || (both.topic.is_reordered && close == 1.0),
            flipped_title,
            is_calm: !differs && is_quiet && contrast.flipped_title == 0.0,
            lost: left.lost,
            gained: right.lost,
            lost_title: left.lost_in_title,
            gained_title: right.lost_in_title,
        }
    }
}

/// One statement as the other sees it.
#[derive(Debug, Default)]
struct Side {
    /// For each unit, how much of it the other has.
    shares: Vec<f64>,
    weight: f64,
    found: f64,
    title_lost: f64,
    /// Of the title, but for numbers and alternatives.
    subject_lost: f64,
    names_lost: f64,
    numbers_lost: f64,
    words_lost: f64,
    lost: f64,
    lost_in_title: f64,
}

impl Side {
    fn of(statement: &Statement, other: &Statement) -> Self {
        let mut side = Self {
            shares: Vec::with_capacity(statement.units.len()),
            ..Self::default()
        };
        for unit in &statement.units {
            side.add(unit, aligned(unit, other));
        }
        side
    }

    fn add(&mut self, unit: &Unit, share: f64) {
        let weight = weight(unit);
        let missing = 1.0 - share;
        self.shares.push(share);
        self.weight += weight;
        self.found += share * weight;
        self.lost += missing;
        match unit.class {
            Class::Name => self.names_lost += missing,
            Class::Number => self.numbers_lost += missing,
            Class::Word => self.words_lost += missing,
            Class::Generic => {}
        }
        if !unit.in_title {
            return;
        }
        self.lost_in_title += missing;
        if unit.class == Class::Number {
            return;
        }
        self.title_lost += weight * missing;
        if unit.alternatives == 0 {
            self.subject_lost += weight.min(3.0) * missing;
        }
    }

    fn cover(&self) -> f64 {
        // A part of nothing is all of it.
        ratio_or(self.found, self.weight, 1.0)
    }

    fn lost_weight(&self) -> f64 {
        self.weight - self.found
    }
}

/// What the sentences of a statement add.
#[derive(Debug, Default)]
struct Sentences {
    heaviest: f64,
    strange: f64,
}

impl Sentences {
    fn of(statement: &Statement, side: &Side) -> Self {
        let mut totals = [(0.0, 0.0); 64];
        for (unit, share) in statement.units.iter().zip(&side.shares) {
            let weight = weight(unit);
            let mut bits = unit.sentences;
            while bits != 0 {
                let total = &mut totals[bits.trailing_zeros() as usize];
                total.0 += weight;
                total.1 += weight * (1.0 - share);
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

/// Shared neighbours over all neighbours, as a Dice coefficient.
fn parallel(older: &Statement, newer: &Statement) -> f64 {
    let shared = shared(&older.phrases, &newer.phrases) * 2;
    let all = older.phrases.len() + newer.phrases.len();
    ratio_or(shared as f64, all as f64, 0.0)
}

fn when(condition: bool, value: f64) -> f64 {
    if condition { value } else { 0.0 }
}
