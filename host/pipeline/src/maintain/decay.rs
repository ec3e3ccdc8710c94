//! Fades memories that are not accessed: pure arithmetic. Stored confidence never changes.
//!
//! The clock alone archives nothing: it may be wrong, and a person may come back after a year. Time counts between days
//! on which this machine saw work, and a pause counts for at most [`PAUSE_DAYS`]. If the clock jumps 400 days ahead, every
//! memory is 30 days older.

use std::collections::BTreeSet;

use acreta_store::Memory;
use acreta_types::effective_confidence;

use crate::memory::planned::milliseconds;

/// Accesses of a memory on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// `None` if it was never accessed.
    pub last_access_ms: Option<u64>,
    /// When it was first seen on this machine.
    pub first_seen_ms: u64,
}

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

const ARCHIVED_UNDER: f64 = 0.2;

/// A memory does not fade for this long after it was accessed or first seen.
const GRACE_DAYS: u64 = 30;

/// Time without any session or run counts for at most this long.
const PAUSE_DAYS: u64 = 30;

/// Returns the current confidence of a memory, faded by the days since it was accessed, updated or first seen.
pub fn effective_confidence_of(memory: &Memory, seen: Option<&Seen>, now_ms: u64) -> f64 {
    // A memory that was not seen before is seen now.
    let counted_from = seen.map_or(now_ms, |seen| counted_from(memory, seen));
    faded_confidence(memory, counted_from, now_ms)
}

/// Returns the start of the time without accesses. It is not the time of the evidence: a memory from an old session is
/// new to this machine.
fn counted_from(memory: &Memory, seen: &Seen) -> u64 {
    let updated = memory.front_matter.updated.as_deref();
    let updated = updated.and_then(milliseconds).unwrap_or(0);
    seen.last_access_ms
        .unwrap_or(updated.max(seen.first_seen_ms))
}

fn faded_confidence(memory: &Memory, counted_from_ms: u64, now_ms: u64) -> f64 {
    let base = f64::from(memory.front_matter.confidence.unwrap_or(0.5));
    effective_confidence(base, days(counted_from_ms, now_ms))
}

fn days(from_ms: u64, now_ms: u64) -> f64 {
    now_ms.saturating_sub(from_ms) as f64 / DAY_MS as f64
}

/// Returns the time at `now_ms` for what has rested since `rested_ms`, with long pauses cut.
fn worked_until(rested_ms: u64, active_days: &BTreeSet<u64>, now_ms: u64) -> u64 {
    let active = active_days.range(rested_ms / DAY_MS + 1..);
    let active = active.map(|day| day.saturating_mul(DAY_MS));
    let times = active.take_while(|at| *at < now_ms).chain([now_ms]);
    let (mut counted, mut before) = (rested_ms, rested_ms);
    for at in times {
        counted += at.saturating_sub(before).min(PAUSE_DAYS * DAY_MS);
        before = at;
    }
    counted
}

/// Returns the reason for archiving a memory, if it has faded. A memory that was never seen before stays.
pub(crate) fn faded(
    memory: &Memory,
    seen: Option<&Seen>,
    active_days: &BTreeSet<u64>,
    now_ms: u64,
) -> Option<String> {
    let seen = seen?;
    let rested_ms = seen.last_access_ms.unwrap_or(0).max(seen.first_seen_ms);
    let now_ms = worked_until(rested_ms, active_days, now_ms);
    if now_ms.saturating_sub(rested_ms) < GRACE_DAYS * DAY_MS {
        return None;
    }
    let counted_from = counted_from(memory, seen);
    let days = days(counted_from, now_ms);
    let base = memory.front_matter.confidence.unwrap_or(0.5);
    let effective = faded_confidence(memory, counted_from, now_ms);
    (effective < ARCHIVED_UNDER).then(|| {
        format!("not accessed for {days:.0} days: confidence {base:.2} faded to {effective:.2}")
    })
}

#[cfg(test)]
mod tests {
    use acreta_types::MemoryType;

    use super::*;

    fn memory(confidence: f64, updated: &str) -> Memory {
        let text = format!(
            "---\nid: 01A\ntitle: T\nupdated: {updated}\nconfidence: {confidence}\n---\n\nbody\n"
        );
        Memory::parse(MemoryType::Decision, "decisions/20260101-t.md".into(), text).unwrap()
    }

    #[test]
    fn only_what_was_met_and_left_alone_for_long_fades() {
        let day = |days: u64| days * DAY_MS;
        let old = memory(0.8, "1970-01-01T00:00:00Z");
        let seen = |access: Option<u64>, first: u64| {
            Some(Seen {
                last_access_ms: access.map(day),
                first_seen_ms: day(first),
            })
        };
        let cases = [
            ("never met", None, 500, false),
            ("met lately", seen(None, 480), 500, false),
            ("met long ago, nobody asked", seen(None, 100), 500, true),
            ("asked for lately", seen(Some(480), 0), 500, false),
            ("asked for within the grace", seen(Some(471), 0), 500, false),
            ("asked for 134 days ago", seen(Some(366), 0), 500, false),
            ("asked for 136 days ago", seen(Some(364), 0), 500, true),
        ];
        let every_day = (0..500).collect();
        for (name, seen, now, expected) in cases {
            let found = faded(&old, seen.as_ref(), &every_day, day(now));
            assert_eq!(found.is_some(), expected, "{name}: {found:?}");
        }
    }

    #[test]
    fn a_clock_that_jumps_archives_nothing() {
        let old = memory(0.8, "1970-01-01T00:00:00Z");
        let seen = Seen {
            last_access_ms: None,
            first_seen_ms: 100 * DAY_MS,
        };
        // Days of work after the memory was first seen, and the day at which the clock is.
        let cases: [(&str, Vec<u64>, u64, bool); 5] = [
            ("no work at all", vec![], 500, false),
            ("one jump", (100..120).collect(), 520, false),
            (
                "work after the jump",
                (100..120).chain(520..525).collect(),
                525,
                false,
            ),
            (
                "work now and then",
                (100..300).step_by(25).collect(),
                300,
                true,
            ),
            ("work every day", (100..240).collect(), 240, true),
        ];
        for (name, active, now, expected) in cases {
            let active = active.into_iter().collect();
            let found = faded(&old, Some(&seen), &active, now * DAY_MS);
            assert_eq!(found.is_some(), expected, "{name}: {found:?}");
        }
    }
}
