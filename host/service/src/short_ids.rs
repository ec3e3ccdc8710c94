//! Ids as people read and type them: the shortest part that fits one memory only, and at least eight characters. It
//! comes from the random part of an id, since memories of one day begin alike.

use acreta_store::{SHORT_ID, telling_part};

/// All ids that a short one is told from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShortIds {
    /// In capitals, sorted.
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

    /// The short form of an id, as the id spells it.
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
        // An id that is the start of another has no shorter form.
        let length = SHORT_ID.max(shared + 1);
        part.get(..length).unwrap_or(part).to_owned()
    }
}

/// Reports how well an id fits what somebody typed.
pub(crate) fn fit(id: &str, typed: &str) -> Option<Fit> {
    let (id, typed) = (id.to_uppercase(), typed.to_uppercase());
    if id == typed {
        return Some(Fit::Whole);
    }
    if telling_part(&id).starts_with(&typed) {
        return Some(Fit::Short);
    }
    id.starts_with(&typed).then_some(Fit::Start)
}

/// The better fit comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// The start of the whole id, which is a time.
    Start,
    /// The start of the random part.
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
            (ONE, ONE, Some(Fit::Whole)),
            (ONE, "kkkkkkkkm", Some(Fit::Short)),
            (ONE, "01jaaaa", Some(Fit::Start)),
            (ONE, "KKKKKKKKN", None),
            (ONE, "MMMMMMMM", None),
            ("plain", "pla", Some(Fit::Short)),
        ];
        for (id, typed, expected) in table {
            assert_eq!(fit(id, typed), expected, "{id} {typed}");
        }
    }
}
