//! Reading a session: from a cursor to the end of the file, as it is now.
//!
//! Memory does not grow with the file but for eight bytes per record. A later read goes on where
//! this one stopped and together they tell what one read would have told.

use std::collections::HashSet;
use std::io::{Read, Seek, SeekFrom};

use acreta_sdk::adapter::objects::{Stop, What, each_object};
use acreta_sdk::adapter::{Cursor, Failure, Session, Sink, cursor, failure};
use acreta_sdk::lines::LineReader;

use crate::record::Lines;
use crate::state::State;
use crate::tell::Teller;

/// Emits the events of `session` from `from` on and returns where it stopped. Fails with
/// `invalid-cursor` when the file is not the one the cursor was made for, or was rewritten.
pub fn read(
    session: &Session,
    mut file: impl Read + Seek,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let state: State = cursor::resume(&mut file, from)?;
    let seen = seen_before(&mut file, from.offset)?;
    file.seek(SeekFrom::Start(from.offset))
        .map_err(|error| failure::io(&error))?;

    let mut teller = Teller::new(session, state, seen, sink);
    let mut lines = LineReader::new(&mut file, from.offset);
    let read = each_object::<Lines>(&mut lines, from.offset, |found| Ok(teller.take(found)?));
    let offset = match read {
        Ok(offset) => offset,
        Err(Stop::Failed(failure)) => return Err(failure),
        Err(Stop::Enough) => from.offset,
    };
    let state = teller.finish()?;
    cursor::stop(&mut file, offset, &state)
}

/// The records before `offset`, by the hash of their ids. Looked up in the file itself, since
/// they would not fit into a cursor.
fn seen_before(file: &mut (impl Read + Seek), offset: u64) -> Result<HashSet<u64>, Failure> {
    let mut seen = HashSet::new();
    if offset == 0 {
        return Ok(seen);
    }
    file.seek(SeekFrom::Start(0))
        .map_err(|error| failure::io(&error))?;
    let mut lines = LineReader::new(file.take(offset), 0);
    let read = each_object::<Lines>(&mut lines, 0, |found| {
        if let What::Record(record) = found.what {
            seen.extend(record.key());
        }
        Ok(())
    });
    match read {
        Err(Stop::Failed(failure)) => Err(failure),
        Ok(_) | Err(Stop::Enough) => Ok(seen),
    }
}
