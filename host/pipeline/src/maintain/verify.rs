//! Compares memories with their repository. A memory is stale if something it names existed once and no longer does;
//! names that never existed do not count.

use std::collections::BTreeSet;

use acreta_store::{Memory, StateFile};

use super::references::References;
use crate::memory::planned::body_of;
use crate::people::amend::day;

/// A repository in which memories name files and symbols.
pub trait Repository {
    /// Looks up names; `None` if the repository cannot be read.
    fn look(&self, wanted: &References) -> Option<Sighting>;
}

/// Result of looking up names in a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sighting {
    /// The names that were found.
    pub present: BTreeSet<String>,
    /// Paths that do not exist but did once.
    pub deleted: BTreeSet<String>,
}

/// An unchanged result is written again only after this many days, because sidecars are committed.
const WRITTEN_AGAIN_AFTER_DAYS: i64 = 30;

pub(crate) fn references(memory: &Memory) -> References {
    References::of(memory.title(), body_of(memory))
}

/// Returns the new state of a memory after the comparison, and the result to report; `None` if there is nothing to
/// write.
pub(crate) fn verified(
    state: &StateFile,
    references: &References,
    sighting: &Sighting,
    now_ms: u64,
) -> Option<(StateFile, VerificationResult)> {
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
    // A name that was never found is not a reference.
    if found.is_empty() && missing.is_empty() && state.missing.is_empty() {
        return None;
    }
    let mut after = state.clone();
    after.stale = !missing.is_empty();
    after.missing = missing;
    // A missing name existed before: it is recorded as missing, not as verified.
    after.verified = found;
    let change = if after.missing != state.missing {
        if after.stale {
            VerificationResult::Stale(format!("gone: {}", after.missing.join(", ")))
        } else {
            VerificationResult::Fresh
        }
    } else if after.verified != state.verified || is_long_ago(state, now_ms) {
        VerificationResult::Verified
    } else {
        return None;
    };
    after.last_verified = Some(day(now_ms));
    Some((after, change))
}

/// Result of comparing a memory with the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum VerificationResult {
    Stale(String),
    /// Missing names exist again.
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
        assert_eq!(change, VerificationResult::Verified);
        assert_eq!(state.verified, ["read_page", "src/reader.rs"]);
        assert!(!state.stale && state.missing.is_empty());

        assert_eq!(see(&state, &all, NOW + 29 * DAY), None);
        let again = see(&state, &all, NOW + 31 * DAY).unwrap();
        assert_eq!(again.1, VerificationResult::Verified);

        let (stale, change) = see(&state, &sighting(&["src/reader.rs"], &[]), NOW).unwrap();
        assert_eq!(
            change,
            VerificationResult::Stale("gone: read_page".to_owned())
        );
        assert!(stale.stale);
        assert_eq!(see(&stale, &sighting(&["src/reader.rs"], &[]), NOW), None);
        let (back, change) = see(&stale, &all, NOW).unwrap();
        assert_eq!((change, back.stale), (VerificationResult::Fresh, false));
    }

    #[test]
    fn what_never_was_there_says_nothing_but_history_does() {
        let names = References::of("old/module.rs was the entry", "");
        let fresh = StateFile::new("01A", "x");
        assert_eq!(verified(&fresh, &names, &sighting(&[], &[]), NOW), None);
        let (state, change) =
            verified(&fresh, &names, &sighting(&[], &["old/module.rs"]), NOW).unwrap();
        assert_eq!(
            change,
            VerificationResult::Stale("gone: old/module.rs".to_owned())
        );
        assert!(state.stale);
    }
}
