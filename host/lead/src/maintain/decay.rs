//! Fades memories that are not accessed: pure arithmetic. Stored confidence never changes.

use acreta_model::effective_confidence;
use acreta_store::Memory;

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

/// Returns the reason for archiving a memory, if it has faded. A memory that was never seen before stays.
pub(crate) fn faded(memory: &Memory, seen: Option<&Seen>, now_ms: u64) -> Option<String> {
    let seen = seen?;
    let rested_ms = seen.last_access_ms.unwrap_or(0).max(seen.first_seen_ms);
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
    use acreta_model::MemoryType;

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
        for (name, seen, now, expected) in cases {
            let found = faded(&old, seen.as_ref(), day(now));
            assert_eq!(found.is_some(), expected, "{name}: {found:?}");
        }
    }
}
