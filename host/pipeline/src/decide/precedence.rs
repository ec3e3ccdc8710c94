//! Decides what a reading of a session may do to the earlier ones. None takes anything back: a session that grew, was
//! rewritten or compacted, or was read by something else, does not unsay what it proved. A reading that is at least as
//! strong words its session's contributions anew where it finds them again; a weaker one only adds what is new.

use acreta_session_archive::TraceStats;
use acreta_store::{Contribution, Memory};
use acreta_types::{MemoryType, Reading, ReadingStrength, Session};
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

/// Effect on the earlier contributions of the same contributor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Precedence {
    /// Replaces them: those that it does not repeat are withdrawn. Only for notes of people and imported files, whose
    /// present text is all that they say.
    Replaces,
    /// Replaces the ones whose words it cites again, and keeps the others.
    Revises,
    /// Adds only candidates from the events since then.
    Extends,
    /// Changes nothing.
    Yields,
}

/// Compares a reading with the strongest one before it.
pub(crate) fn precedence(
    earlier: Option<&EarlierReading>,
    reading: &Reading,
    stats: &TraceStats,
) -> Precedence {
    let rank = |reading: &Reading| (reading.strength, reading.complete);
    match earlier {
        Some(earlier) if rank(reading) < rank(&earlier.reading) => {
            match (stats.last_ms, stats.events) > (earlier.last_ms, earlier.events) {
                true => Precedence::Extends,
                false => Precedence::Yields,
            }
        }
        _ => Precedence::Revises,
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

pub(crate) fn rank(contribution: &Contribution) -> (ReadingStrength, bool) {
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
        use Precedence::{Extends, Revises, Yields};
        use ReadingStrength::{Model, Rules};
        // Columns: earlier reading, reading now; result for the same state, and for a grown session.
        let table = [
            ((Rules, true), (Rules, true), Revises, Revises),
            ((Rules, true), (Rules, false), Yields, Extends),
            ((Rules, true), (Model, false), Revises, Revises),
            ((Rules, true), (Model, true), Revises, Revises),
            ((Rules, false), (Rules, true), Revises, Revises),
            ((Rules, false), (Rules, false), Revises, Revises),
            ((Rules, false), (Model, false), Revises, Revises),
            ((Rules, false), (Model, true), Revises, Revises),
            ((Model, false), (Rules, true), Yields, Extends),
            ((Model, false), (Rules, false), Yields, Extends),
            ((Model, false), (Model, false), Revises, Revises),
            ((Model, false), (Model, true), Revises, Revises),
            ((Model, true), (Rules, true), Yields, Extends),
            ((Model, true), (Rules, false), Yields, Extends),
            ((Model, true), (Model, false), Yields, Extends),
            ((Model, true), (Model, true), Revises, Revises),
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
            assert_eq!(first, Revises, "{is:?} alone");
        }
    }
}
