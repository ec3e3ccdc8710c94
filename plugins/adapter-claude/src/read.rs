//! Reads a session from a cursor to the current end of the file.
//!
//! Memory grows only by eight bytes per record. A later read continues where this one stopped, and together they emit
//! the same events as a single read.

use std::collections::HashSet;
use std::io::{Read, Seek, SeekFrom};

use acreta_sdk::adapter::json::Value;
use acreta_sdk::adapter::objects::{ScannedKind, Stop, each_object};
use acreta_sdk::adapter::{Cursor, Failure, Session, Sink, cursor, failure};
use acreta_sdk::lines::LineReader;

use crate::emit::EventWriter;
use crate::record::Lines;
use crate::state::State;

/// Emits the events of `session` from `from` on and returns the cursor at which it stopped. Fails with `invalid-cursor`
/// if the file is not the one the cursor was made for, or was rewritten.
pub fn read(
    session: &Session,
    mut file: impl Read + Seek,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let mut state: State = cursor::resume(&mut file, from)?;
    let seen = seen_before(&mut file, from.offset, &mut state)?;
    file.seek(SeekFrom::Start(from.offset))
        .map_err(|error| failure::io(&error))?;

    let mut event_writer = EventWriter::new(session, state, seen, sink);
    let mut lines = LineReader::new(&mut file, from.offset);
    let read = each_object::<Lines>(&mut lines, from.offset, |found| {
        Ok(event_writer.take(found)?)
    });
    let offset = match read {
        Ok(offset) => offset,
        Err(Stop::Failed(failure)) => return Err(failure),
        Err(Stop::Enough) => from.offset,
    };
    let state = event_writer.finish()?;
    cursor::stop(&mut file, offset, &state)
}

/// Collects the records before `offset`, by the hash of their ids, and the texts of the prompts that were queued there.
/// Reads the file itself, since they would not fit into a cursor.
fn seen_before(
    file: &mut (impl Read + Seek),
    offset: u64,
    state: &mut State,
) -> Result<HashSet<u64>, Failure> {
    let mut seen = HashSet::new();
    if offset == 0 {
        return Ok(seen);
    }
    file.seek(SeekFrom::Start(0))
        .map_err(|error| failure::io(&error))?;
    let mut lines = LineReader::new(file.take(offset), 0);
    let read = each_object::<Lines>(&mut lines, 0, |found| {
        if let ScannedKind::Record(record) = found.what {
            seen.extend(record.key());
            if let Some(text) = record.content.and_then(Value::text) {
                state.recall_prompt(found.start, || text.lossy().into_owned());
            }
        }
        Ok(())
    });
    match read {
        Err(Stop::Failed(failure)) => Err(failure),
        Ok(_) | Err(Stop::Enough) => Ok(seen),
    }
}
