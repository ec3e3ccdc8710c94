//! Which reading of a session counts. A complete reading that is at least as strong replaces the earlier
//! one; a weaker, an incomplete or a failed one never takes back what a stronger one contributed.

use acreta_model::{MemoryType, Reading, ReadingStrength, Session};
use acreta_sessions::TraceStats;
use acreta_store::{Contribution, Memory};
use std::sync::Arc;

use crate::memory::planned::contributions_of;

/// The strongest reading of a session that memory holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Earlier {
    pub(crate) reading: Reading,
    /// How many events the session had then.
    pub(crate) events: u64,
    pub(crate) last_ms: Option<u64>,
}

/// What a reading may do to the earlier contributions of its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Precedence {
    /// It takes their place: what it does not say is withdrawn.
    Replaces,
    /// It adds to them and withdraws nothing.
    Extends,
    /// It adds what only the events since then say, and withdraws nothing.
    ExtendsWithNew,
    /// It changes nothing.
    Yields,
}

impl Precedence {
    /// Reports whether the earlier contributions stay as they are.
    pub(crate) fn keeps_earlier(self) -> bool {
        self != Precedence::Replaces
    }
}

/// Compares a reading with the strongest one before it.
pub(crate) fn precedence(
    earlier: Option<&Earlier>,
    reading: &Reading,
    stats: &TraceStats,
) -> Precedence {
    let Some(earlier) = earlier else {
        return Precedence::Replaces;
    };
    let (was, is) = (&earlier.reading, reading);
    if is.complete && is.strength >= was.strength {
        return Precedence::Replaces;
    }
    let is_stronger = is.strength > was.strength || (is.strength == was.strength && !was.complete);
    if is_stronger {
        return Precedence::Extends;
    }
    if (stats.last_ms, stats.events) > (earlier.last_ms, earlier.events) {
        Precedence::ExtendsWithNew
    } else {
        Precedence::Yields
    }
}

/// The strongest reading of a session behind the memories in use; of equally strong ones the newest.
pub(crate) fn earlier(memories: &[Arc<Memory>], session: &Session) -> Option<Earlier> {
    memories
        .iter()
        .filter(|memory| memory.memory_type == MemoryType::Summary || !memory.is_archived())
        .flat_map(|memory| contributions_of(memory))
        .filter(|one| one.agent == session.agent && one.session_id == session.id)
        .max_by_key(|one| (rank(one), one.last_ms, one.events))
        .map(|one| Earlier {
            reading: one.reading.clone().unwrap_or_default(),
            events: one.events,
            last_ms: one.last_ms,
        })
}

fn rank(contribution: &Contribution) -> (ReadingStrength, bool) {
    match &contribution.reading {
        Some(reading) => (reading.strength, reading.complete),
        None => (ReadingStrength::Rules, true),
    }
}

/// Says what became of a reading that changes nothing.
pub(crate) fn yielded(earlier: &Earlier, reading: &Reading) -> String {
    let quality = if reading.complete { "" } else { "incomplete " };
    format!(
        "memory stays as it is: {} read this session already, and this {quality}reading by {} is weaker",
        earlier.reading.reader, reading.reader
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(strength: ReadingStrength, complete: bool) -> Reading {
        Reading {
            strength,
            reader: strength.name().to_owned(),
            complete,
        }
    }

    #[test]
    fn the_stronger_reading_counts() {
        use Precedence::{Extends, ExtendsWithNew, Replaces, Yields};
        use ReadingStrength::{Model, Rules};
        // Earlier, now: what happens at the same state, and at a grown one.
        let table = [
            ((Rules, true), (Rules, true), Replaces, Replaces),
            ((Rules, true), (Rules, false), Yields, ExtendsWithNew),
            ((Rules, true), (Model, false), Extends, Extends),
            ((Rules, true), (Model, true), Replaces, Replaces),
            ((Rules, false), (Rules, true), Replaces, Replaces),
            ((Rules, false), (Rules, false), Extends, Extends),
            ((Rules, false), (Model, false), Extends, Extends),
            ((Rules, false), (Model, true), Replaces, Replaces),
            ((Model, false), (Rules, true), Yields, ExtendsWithNew),
            ((Model, false), (Rules, false), Yields, ExtendsWithNew),
            ((Model, false), (Model, false), Extends, Extends),
            ((Model, false), (Model, true), Replaces, Replaces),
            ((Model, true), (Rules, true), Yields, ExtendsWithNew),
            ((Model, true), (Rules, false), Yields, ExtendsWithNew),
            ((Model, true), (Model, false), Yields, ExtendsWithNew),
            ((Model, true), (Model, true), Replaces, Replaces),
        ];
        for (was, is, same, grown) in table {
            let earlier = Earlier {
                reading: reading(was.0, was.1),
                events: 10,
                last_ms: Some(100),
            };
            let now = reading(is.0, is.1);
            for (events, last_ms, expected) in [(10, 100, same), (12, 140, grown)] {
                let stats = TraceStats {
                    events,
                    last_ms: Some(last_ms),
                    ..TraceStats::default()
                };
                let found = precedence(Some(&earlier), &now, &stats);
                assert_eq!(found, expected, "{was:?} then {is:?} at {events} events");
            }
            let first = precedence(None, &now, &TraceStats::default());
            assert_eq!(first, Replaces, "{is:?} alone");
        }
    }
}
