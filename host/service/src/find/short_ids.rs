//! Short ids for people: the shortest part that is unique, and at least eight characters. It is taken from the random
//! part of an id, because memories of one day have the same start.

use acreta_store::{SHORT_ID, telling_part};

/// All ids among which a short one is unique.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShortIds {
    /// In upper case, sorted.
    parts: Vec<String>,
}

impl ShortIds {
    pub fn new<'a>(ids: impl IntoIterator<Item = &'a str>) -> Self {
        let parts = ids.into_iter().map(|id| telling_part(id).to_uppercase());
        let mut parts: Vec<String> = parts.collect();
        parts.sort_unstable();
        parts.dedup();
        Self { parts }
    }

    /// Returns the short form of an id, in the id's spelling.
    pub fn of(&self, id: &str) -> String {
        let part = telling_part(id);
        let wanted = part.to_uppercase();
        let place = self.parts.partition_point(|other| *other < wanted);
        let others = &self.parts[place..];
        let after = others.iter().find(|other| **other != wanted);
        let before = self.parts[..place].last();
        let shared = [before, after]
            .into_iter()
            .flatten()
            .map(|other| common_start(other, &wanted))
            .max()
            .unwrap_or(0);
        // An id that is a prefix of another has no shorter form.
        let length = SHORT_ID.max(shared + 1);
        part.get(..length).unwrap_or(part).to_owned()
    }
}

/// Returns how well an id matches what a person typed.
pub(crate) fn fit(id: &str, typed: &str) -> Option<IdMatch> {
    let (id, typed) = (id.to_uppercase(), typed.to_uppercase());
    if id == typed {
        return Some(IdMatch::Whole);
    }
    if telling_part(&id).starts_with(&typed) {
        return Some(IdMatch::Short);
    }
    id.starts_with(&typed).then_some(IdMatch::Start)
}

/// Better matches come last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IdMatch {
    /// A prefix of the whole id, which starts with a time.
    Start,
    /// A prefix of the random part.
    Short,
    Whole,
}

fn common_start(left: &str, right: &str) -> usize {
    let pairs = left.bytes().zip(right.bytes());
    pairs.take_while(|(left, right)| left == right).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "01JAAAAAAAKKKKKKKKMMMMMMMM";
    const TWIN: &str = "01JAAAAAAAKKKKKKKKMNNNNNNN";
    const OTHER: &str = "01JAAAAAAAKKKKKKKZ00000000";

    #[test]
    fn short_ids_are_unique_and_as_short_as_can_be() {
        let table: [(&str, &[&str], &str); 7] = [
            (ONE, &[ONE], "KKKKKKKK"),
            (ONE, &[ONE, OTHER], "KKKKKKKK"),
            (OTHER, &[ONE, OTHER], "KKKKKKKZ"),
            (ONE, &[ONE, TWIN, OTHER], "KKKKKKKKMM"),
            (TWIN, &[ONE, TWIN, OTHER], "KKKKKKKKMN"),
            ("plain", &["plain", ONE], "plain"),
            (
                "plain-and-long",
                &["plain-and-long", "plain-and-other"],
                "plain-and-l",
            ),
        ];
        for (id, all, expected) in table {
            let short = ShortIds::new(all.iter().copied()).of(id);
            assert_eq!(short, expected, "{id} among {all:?}");
            let fitting = all.iter().filter(|other| fit(other, &short).is_some());
            assert_eq!(fitting.count(), 1, "{short}");
        }
    }

    #[test]
    fn a_short_id_means_the_random_part_first() {
        let table = [
            (ONE, ONE, Some(IdMatch::Whole)),
            (ONE, "kkkkkkkkm", Some(IdMatch::Short)),
            (ONE, "01jaaaa", Some(IdMatch::Start)),
            (ONE, "KKKKKKKKN", None),
            (ONE, "MMMMMMMM", None),
            ("plain", "pla", Some(IdMatch::Short)),
        ];
        for (id, typed, expected) in table {
            assert_eq!(fit(id, typed), expected, "{id} {typed}");
        }
    }
}
