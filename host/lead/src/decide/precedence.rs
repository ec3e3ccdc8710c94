//! Decides which reading of a session counts. A complete reading that is at least as strong replaces the earlier one;
//! a weaker, incomplete or failed one never withdraws what a stronger one contributed.

use acreta_model::{MemoryType, Reading, ReadingStrength, Session};
use acreta_sessions::TraceStats;
use acreta_store::{Contribution, Memory};
use std::sync::Arc;

use crate::memory::planned::contributions_of;

/// The strongest reading of a session in memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EarlierReading {
    pub(crate) reading: Reading,
    /// Number of events that the session had then.
    pub(crate) events: u64,
    pub(crate) last_ms: Option<u64>,
}

/// Effect of a reading on the earlier contributions of its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Precedence {
    /// Replaces them: contributions that it does not repeat are withdrawn.
    Replaces,
    /// Adds to them and withdraws nothing.
    Extends,
    /// Adds only candidates from the events since then, and withdraws nothing.
    ExtendsWithNew,
    /// Changes nothing.
    Yields,
}

impl Precedence {
    /// Reports whether the earlier contributions stay.
    pub(crate) fn keeps_earlier(self) -> bool {
        self != Precedence::Replaces
    }
}

/// Compares a reading with the strongest one before it.
pub(crate) fn precedence(
    earlier: Option<&EarlierReading>,
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

/// Returns the strongest reading of a session behind the active memories; of equally strong ones the newest.
pub(crate) fn earlier(memories: &[Arc<Memory>], session: &Session) -> Option<EarlierReading> {
    memories
        .iter()
        .filter(|memory| memory.memory_type == MemoryType::Summary || !memory.is_archived())
        .flat_map(|memory| contributions_of(memory))
        .filter(|one| one.agent == session.agent && one.session_id == session.id)
        .max_by_key(|one| (rank(one), one.last_ms, one.events))
        .map(|one| EarlierReading {
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

/// Returns the message for a reading that changes nothing.
pub(crate) fn yielded(earlier: &EarlierReading, reading: &Reading) -> String {
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
        // Columns: earlier reading, reading now; result for the same state, and for a grown session.
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
            let earlier = EarlierReading {
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
