//! Measures of how two statements compare: how much of each the other covers, what replaces what, and what one denies
//! of the other. Every figure is bounded, and none alone decides.

use crate::claims::{Claims, Contrast};
use crate::measures::{aligned, ratio_or, weight};
use crate::read::MentionClass;
use crate::statement::{Statement, StatementUnit, shared};
use crate::topic::TitleComparison;

/// Measures between an older and a newer statement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RelationEvidence {
    /// Share of the older statement, by weight, that the newer contains.
    pub(crate) cover_older: f64,
    /// Share of the newer statement, by weight, that the older contains.
    pub(crate) cover_newer: f64,
    /// Share that the titles have in common.
    pub(crate) titles: f64,
    /// Heaviest addition in one sentence of the newer statement.
    pub(crate) new_sentence: f64,
    /// Sentences of the newer statement that share hardly a word with the older.
    pub(crate) strange: f64,
    /// Names and numbers that only the newer contains.
    pub(crate) new_specifics: f64,
    /// Weight of the newer divided by the weight of the older.
    pub(crate) length: f64,
    /// Words such as `still`, `also`, `stays` that only the newer contains.
    pub(crate) continuities: f64,
    /// Similarity of phrasing, word by word.
    pub(crate) parallel: f64,
    /// Weight of what only one of them contains, the smaller of the two.
    pub(crate) swap: f64,
    /// Like `swap`, for titles without numbers in statements phrased alike; not for a choice.
    pub(crate) parallel_swap: f64,
    /// Ordinary words of the older that the newer does not contain.
    pub(crate) lost_words: f64,
    /// Only numbers differ.
    pub(crate) only_numbers: f64,
    /// One denies everywhere what the other affirms everywhere; for rules only, not facts.
    pub(crate) flipped_rule: f64,
    /// A clause of one denies a clause of the other.
    pub(crate) denied: f64,
    /// Share of one title that the other statement denies.
    pub(crate) taken_back: f64,
    /// Words of opposite meaning in the same position.
    pub(crate) opposed: f64,
    /// A known alternative in place of another, about the same subject.
    pub(crate) alternated: f64,
    /// Another answer to the same question: one choice replaces another.
    pub(crate) chosen: f64,
    /// Heaviest thing that one describes as present and the other as gone.
    pub(crate) undone: f64,
    /// Difference in the number of words about the past.
    pub(crate) past: f64,
    /// The titles differ only in the choice, in statements phrased alike; or everything is alike but the first part.
    pub(crate) is_replaced: bool,
    /// Share of the units in both titles that one affirms and the other denies.
    pub(crate) flipped_title: f64,
    /// There is no sign of disagreement.
    pub(crate) is_calm: bool,
    /// Units that only the older contains.
    pub(crate) lost: f64,
    /// Units that only the newer contains.
    pub(crate) gained: f64,
    /// Units of the older title that the newer does not contain.
    pub(crate) lost_title: f64,
    /// Units of the newer title that the older does not contain.
    pub(crate) gained_title: f64,
}

/// Comparison of two statements.
pub(crate) struct Meeting<'a> {
    older: &'a Statement,
    newer: &'a Statement,
    left: SideMeasures,
    right: SideMeasures,
}

impl<'a> Meeting<'a> {
    pub(crate) fn of(older: &'a Statement, newer: &'a Statement) -> Self {
        Self {
            older,
            newer,
            left: SideMeasures::of(older, newer),
            right: SideMeasures::of(newer, older),
        }
    }

    /// Returns the greater of both coverages. Cheap, and enough to recognise unrelated statements.
    pub(crate) fn cover(&self) -> f64 {
        self.left.cover().max(self.right.cover())
    }

    /// Returns the evidence, and the evidence with the statements exchanged.
    pub(crate) fn evidence(&self) -> (RelationEvidence, RelationEvidence) {
        let both = Both {
            parallel: parallel(self.older, self.newer),
            claims: Claims::between(self.older, self.newer),
            topic: TitleComparison::between(self.older, self.newer),
        };
        let forth = Contrast::between(self.older, self.newer, &both.claims.older);
        let back = Contrast::between(self.newer, self.older, &both.claims.newer);
        let taken_back = forth.taken_back.max(back.taken_back).min(1.0);
        let evidence = |contrast: &Contrast, older: StatementView<'_>, newer: StatementView<'_>| {
            RelationEvidence {
                taken_back,
                ..RelationEvidence::between(older, newer, contrast, &both)
            }
        };
        let left = (self.older, &self.left);
        let right = (self.newer, &self.right);
        (evidence(&forth, left, right), evidence(&back, right, left))
    }
}

/// Share of common neighbouring words from which two statements are phrased alike.
const PHRASED_ALIKE: f64 = 0.7;

/// A statement and its comparison with the other.
type StatementView<'a> = (&'a Statement, &'a SideMeasures);

/// Symmetric measures.
struct Both {
    parallel: f64,
    claims: Claims,
    topic: TitleComparison,
}

impl RelationEvidence {
    /// Returns the strongest sign of disagreement.
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
        (older, left): StatementView<'_>,
        (newer, right): StatementView<'_>,
        contrast: &Contrast,
        both: &Both,
    ) -> Self {
        let least = left.weight.min(right.weight).max(0.1);
        let close = left.cover().min(right.cover());
        // A denial means little between statements that share little.
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
        let sentences = SentenceMeasures::of(newer, right);
        // A fact seldom excludes another about the same thing; a rule often does.
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

/// One statement compared with the other.
#[derive(Debug, Default)]
struct SideMeasures {
    /// For each unit, the share of it that the other contains.
    shares: Vec<f64>,
    weight: f64,
    found: f64,
    title_lost: f64,
    /// Lost weight of the title, without numbers and alternatives.
    subject_lost: f64,
    names_lost: f64,
    numbers_lost: f64,
    words_lost: f64,
    lost: f64,
    lost_in_title: f64,
}

impl SideMeasures {
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

    fn add(&mut self, unit: &StatementUnit, share: f64) {
        let weight = weight(unit);
        let missing = 1.0 - share;
        self.shares.push(share);
        self.weight += weight;
        self.found += share * weight;
        self.lost += missing;
        match unit.class {
            MentionClass::Name => self.names_lost += missing,
            MentionClass::Number => self.numbers_lost += missing,
            MentionClass::Word => self.words_lost += missing,
            MentionClass::Generic => {}
        }
        if !unit.in_title {
            return;
        }
        self.lost_in_title += missing;
        if unit.class == MentionClass::Number {
            return;
        }
        self.title_lost += weight * missing;
        if unit.alternatives == 0 {
            self.subject_lost += weight.min(3.0) * missing;
        }
    }

    fn cover(&self) -> f64 {
        // An empty statement is covered completely.
        ratio_or(self.found, self.weight, 1.0)
    }

    fn lost_weight(&self) -> f64 {
        self.weight - self.found
    }
}

/// Additions of a statement's sentences.
#[derive(Debug, Default)]
struct SentenceMeasures {
    heaviest: f64,
    strange: f64,
}

impl SentenceMeasures {
    fn of(statement: &Statement, side: &SideMeasures) -> Self {
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

/// Returns the Dice coefficient of the neighbouring words.
fn parallel(older: &Statement, newer: &Statement) -> f64 {
    let shared = shared(&older.phrases, &newer.phrases) * 2;
    let all = older.phrases.len() + newer.phrases.len();
    ratio_or(shared as f64, all as f64, 0.0)
}

fn when(condition: bool, value: f64) -> f64 {
    if condition { value } else { 0.0 }
}
