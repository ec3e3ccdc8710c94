//! Comparing memories with the repository they speak of. A memory is stale when something it names
//! was there once and is not any more; what never was there says nothing.

use std::collections::BTreeSet;

use acreta_store::{Memory, StateFile};

use super::references::References;
use crate::memory::planned::body_of;
use crate::people::amend::day;

/// A repository, as far as memories name parts of it.
pub trait Repository {
    /// What is there of these, and which of the paths were there once. `None` when it cannot be told.
    fn look(&self, wanted: &References) -> Option<Sighting>;
}

/// What a repository has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sighting {
    /// The names that were found.
    pub present: BTreeSet<String>,
    /// Paths that are not there and were there once.
    pub deleted: BTreeSet<String>,
}

/// What is the same is written down again only after this many days: sidecars are committed.
const WRITTEN_AGAIN_AFTER_DAYS: i64 = 30;

pub(crate) fn references(memory: &Memory) -> References {
    References::of(memory.title(), body_of(memory))
}

/// How a memory stands after it was compared, and what is to be said of it; `None` when nothing is
/// to be written down.
pub(crate) fn verified(
    state: &StateFile,
    references: &References,
    sighting: &Sighting,
    now_ms: u64,
) -> Option<(StateFile, Change)> {
    if references.is_empty() && state.missing.is_empty() {
        return None;
    }
    let found: Vec<String> = references
        .names()
        .filter(|name| sighting.present.contains(*name))
        .cloned()
        .collect();
    let missing: Vec<String> = references
        .names()
        .filter(|name| !sighting.present.contains(*name))
        .filter(|name| {
            state.verified.contains(name)
                || state.missing.contains(name)
                || sighting.deleted.contains(*name)
        })
        .cloned()
        .collect();
    // What cannot be found and never was is no reference.
    if found.is_empty() && missing.is_empty() && state.missing.is_empty() {
        return None;
    }
    let mut after = state.clone();
    after.stale = !missing.is_empty();
    after.missing = missing;
    // What is missing was there: it is remembered as missing, not as found.
    after.verified = found;
    let change = if after.missing != state.missing {
        if after.stale {
            Change::Stale(format!("gone: {}", after.missing.join(", ")))
        } else {
            Change::Fresh
        }
    } else if after.verified != state.verified || is_long_ago(state, now_ms) {
        Change::Verified
    } else {
        return None;
    };
    after.last_verified = Some(day(now_ms));
    Some((after, change))
}

/// What a comparison brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Change {
    Stale(String),
    /// What was missing is back.
    Fresh,
    Verified,
}

fn is_long_ago(state: &StateFile, now_ms: u64) -> bool {
    let date = |text: &str| text.get(..10)?.parse::<jiff::civil::Date>().ok();
    let (Some(last), Some(today)) = (
        state.last_verified.as_deref().and_then(date),
        date(&day(now_ms)),
    ) else {
        return true;
    };
    let days = today.since(last).map_or(i64::MAX, |span| {
        span.total((jiff::Unit::Day, last))
            .map_or(i64::MAX, |days| days as i64)
    });
    days >= WRITTEN_AGAIN_AFTER_DAYS
}

#[cfg(test)]
mod tests {

    use super::*;

    const NOW: u64 = 1_800_000_000_000;
    const DAY: u64 = 86_400_000;

    fn sighting(present: &[&str], deleted: &[&str]) -> Sighting {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Sighting {
            present: set(present),
            deleted: set(deleted),
        }
    }

    #[test]
    fn a_memory_goes_stale_and_fresh_with_what_it_names() {
        let names = References::of("`read_page` in src/reader.rs and other/thing.txt", "");
        let fresh = StateFile::new("01A", "x");
        let see = |state: &StateFile, sighting: &Sighting, now: u64| {
            verified(state, &names, sighting, now)
        };
        let all = sighting(&["read_page", "src/reader.rs"], &[]);
        let (state, change) = see(&fresh, &all, NOW).unwrap();
        assert_eq!(change, Change::Verified);
        assert_eq!(state.verified, ["read_page", "src/reader.rs"]);
        assert!(!state.stale && state.missing.is_empty());

        assert_eq!(see(&state, &all, NOW + 29 * DAY), None);
        let again = see(&state, &all, NOW + 31 * DAY).unwrap();
        assert_eq!(again.1, Change::Verified);

        let (stale, change) = see(&state, &sighting(&["src/reader.rs"], &[]), NOW).unwrap();
        assert_eq!(change, Change::Stale("gone: read_page".to_owned()));
        assert!(stale.stale);
        assert_eq!(see(&stale, &sighting(&["src/reader.rs"], &[]), NOW), None);
        let (back, change) = see(&stale, &all, NOW).unwrap();
        assert_eq!((change, back.stale), (Change::Fresh, false));
    }

    #[test]
    fn what_never_was_there_says_nothing_but_history_does() {
        let names = References::of("old/module.rs was the entry", "");
        let fresh = StateFile::new("01A", "x");
        assert_eq!(verified(&fresh, &names, &sighting(&[], &[]), NOW), None);
        let (state, change) =
            verified(&fresh, &names, &sighting(&[], &["old/module.rs"]), NOW).unwrap();
        assert_eq!(change, Change::Stale("gone: old/module.rs".to_owned()));
        assert!(state.stale);
    }
}
