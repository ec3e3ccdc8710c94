//! Titles side by side: what both name, what stands in the place of what, and what the newer adds. Short
//! statements are mostly decided here, where a replaced value is in plain sight; nothing is weighed.

use crate::read::{Class, PAUSE};
use crate::relation::Relation;
use crate::statement::{Statement, Unit};
use crate::topic::{Topic, common_head};

/// The relation of two statements whose titles leave no doubt.
pub(crate) fn plain(older: &Statement, newer: &Statement) -> Option<(Relation, &'static str)> {
    let titles = Titles::of(older, newer);
    let is_norm = older.is_norm && newer.is_norm;
    if titles.is_given_up() || Titles::of(newer, older).is_given_up() {
        return Some((
            Relation::Contradiction,
            "the newer gives up what the older chose",
        ));
    }
    if titles.is_extended() {
        return Some((
            Relation::Update,
            "the newer title goes on where the older ends",
        ));
    }
    if titles.is_another_number() {
        return Some((
            Relation::Contradiction,
            "another number stands in the same place",
        ));
    }
    if is_norm && titles.is_another_name() {
        return Some((
            Relation::Contradiction,
            "another name stands in the same place",
        ));
    }
    if is_norm && titles.kept_values() == 0 && Topic::is_another_answer(older, newer) {
        return Some((Relation::Contradiction, "the same subject, another answer"));
    }
    if is_norm && !titles.is_other_subject() && is_tail_replaced(older, newer) {
        return Some((Relation::Contradiction, "the same subject, another value"));
    }
    None
}

/// Two titles, and what each has that the other statement lacks.
pub(crate) struct Titles<'a> {
    older: &'a Statement,
    newer: &'a Statement,
    lost: Lacking,
    gained: Lacking,
    /// Words that both titles have, without verbs that say what to do.
    shared: usize,
}

/// Units of a title that the other statement does not have, by class.
#[derive(Debug, Default)]
struct Lacking {
    names: usize,
    numbers: usize,
    words: usize,
    /// Of the subject, whatever they are.
    subjects: usize,
}

impl Lacking {
    fn of(statement: &Statement, other: &Statement) -> Self {
        let mut lacking = Self::default();
        for unit in statement.units.iter().filter(|unit| unit.in_title) {
            let is_there = match other.unit(unit.key) {
                Some(found) => found.anywhere.affirmed || !unit.anywhere.affirmed,
                None => crate::evidence::aligned(unit, other) == 1.0,
            };
            if is_there {
                continue;
            }
            lacking.subjects += usize::from(unit.is_subject && unit.class != Class::Number);
            match unit.class {
                Class::Name => lacking.names += 1,
                Class::Number => lacking.numbers += 1,
                Class::Word => lacking.words += 1,
                Class::Generic => {}
            }
        }
        lacking
    }
}

impl<'a> Titles<'a> {
    pub(crate) fn of(older: &'a Statement, newer: &'a Statement) -> Self {
        let is_shared = |unit: &&Unit| {
            let is_thing = match unit.class {
                Class::Word => !unit.is_act,
                Class::Name => unit.is_subject,
                Class::Number | Class::Generic => false,
            };
            unit.in_title && is_thing && newer.unit(unit.key).is_some_and(|other| other.in_title)
        };
        Self {
            older,
            newer,
            lost: Lacking::of(older, newer),
            gained: Lacking::of(newer, older),
            shared: older.units.iter().filter(is_shared).count(),
        }
    }

    /// Whether each title has a word in its subject that the other statement lacks.
    pub(crate) fn is_other_subject(&self) -> bool {
        self.lost.subjects > 0 && self.gained.subjects > 0
    }

    /// Names and numbers outside the subject that both titles have.
    fn kept_values(&self) -> usize {
        let is_kept = |unit: &&Unit| {
            unit.in_title
                && !unit.is_subject
                && matches!(unit.class, Class::Name | Class::Number)
                && self
                    .newer
                    .unit(unit.key)
                    .is_some_and(|other| other.in_title)
        };
        self.older.units.iter().filter(is_kept).count()
    }

    /// `Use X instead of Y`: the newer title denies a name that the older title chose, and speaks of nothing else.
    fn is_given_up(&self) -> bool {
        let is_chosen = |unit: &&Unit| {
            unit.in_title
                && unit.class == Class::Name
                && unit.anywhere.affirmed
                && !unit.anywhere.denied
                && !unit.undone
                && (!unit.is_subject || self.older.frame.is_choice)
        };
        let is_denied = |unit: &Unit| {
            self.newer.unit(unit.key).is_some_and(|other| {
                other.in_title && ((other.title.denied && !other.title.affirmed) || other.undone)
            })
        };
        let mut chosen = self.older.units.iter().filter(is_chosen);
        self.gained.words == 0 && chosen.any(is_denied)
    }

    /// The newer title is the older one and more.
    fn is_extended(&self) -> bool {
        let (older, newer) = (&self.older.frame.words, &self.newer.frame.words);
        let denies = |unit: &Unit| {
            self.newer
                .unit(unit.key)
                .is_some_and(|other| unit.anywhere.is_against(other.anywhere) || other.undone)
        };
        let adds = self.gained.names + self.gained.numbers + self.gained.words > 0
            || newer.len() > older.len() + 1;
        !older.is_empty()
            && newer.len() > older.len()
            && newer.starts_with(older)
            && adds
            && !self.older.units.iter().any(denies)
            && !(self.older.numbers_beyond(self.newer) && self.newer.numbers_beyond(self.older))
    }

    fn is_another_number(&self) -> bool {
        let (lost, gained) = (&self.lost, &self.gained);
        lost.numbers > 0
            && gained.numbers > 0
            && lost.names + gained.names == 0
            && self.has_one_word_more()
            && lost.subjects + gained.subjects == 0
            && self.is_one_deed()
            && self.shared > 0
    }

    fn is_another_name(&self) -> bool {
        let (lost, gained) = (&self.lost, &self.gained);
        lost.names > 0
            && gained.names > 0
            && self.has_one_word_more()
            && lost.subjects + gained.subjects == 0
            && self.is_one_deed()
            && self.shared > 0
            && self.older.frame.is_exclusive
            && self.newer.frame.is_exclusive
            && self.older.frame.is_frequency == self.newer.frame.is_frequency
    }

    /// Whether the titles have the same words, but for one in one of them.
    fn has_one_word_more(&self) -> bool {
        self.lost.words + self.gained.words <= 1
    }

    fn is_one_deed(&self) -> bool {
        self.older.frame.deed.may_be(self.newer.frame.deed)
    }
}

/// The most words that a value is told by.
const LONGEST_VALUE: usize = 6;

/// Whether two titles open alike, up to their verb and with a thing that is named, and give another value for it.
fn is_tail_replaced(older: &Statement, newer: &Statement) -> bool {
    let (one, other) = (&older.frame, &newer.frame);
    if one.is_bound || other.is_bound || !one.is_exclusive || !other.is_exclusive {
        return false;
    }
    if one.is_frequency != other.is_frequency {
        return false;
    }
    let head = common_head(&one.words, &other.words);
    let named = one.words[..head]
        .iter()
        .filter_map(|word| older.unit(*word))
        .filter(|unit| unit.in_title && !unit.is_act && unit.class != Class::Generic)
        .count();
    let is_past_verb = match (one.up_to_verb, other.up_to_verb) {
        (Some(one), Some(other)) => head >= one && head >= other,
        _ => named >= 2,
    };
    let value = |words: &[u64]| -> Vec<u64> {
        let rest = words[head..].iter().copied();
        rest.take_while(|word| *word != PAUSE).collect()
    };
    let (mut value, mut other_value) = (value(&one.words), value(&other.words));
    // The verb may come last.
    while value.len() > 1 && other_value.len() > 1 && value.last() == other_value.last() {
        value.pop();
        other_value.pop();
    }
    let is_value = |words: &[u64], statement: &Statement| {
        let mut units = words.iter().filter_map(|word| statement.unit(*word));
        words.len() <= LONGEST_VALUE && units.any(|unit| unit.class != Class::Generic)
    };
    let shared = value
        .iter()
        .filter(|word| other_value.contains(word))
        .filter_map(|word| older.unit(*word))
        .filter(|unit| unit.class != Class::Generic)
        .count();
    named > 0
        && is_past_verb
        && shared == 0
        && is_value(&value, older)
        && is_value(&other_value, newer)
}
