//! Reads a session from a cursor to the current end of the file.
//!
//! Memory does not grow with the file. A later read of a plain file continues where this one stopped, and together they
//! emit the same events as a single read; a compressed file is read whole.

use std::io::{Read, Seek, SeekFrom};

use acreta_sdk::adapter::objects::{Stop, each_object};
use acreta_sdk::adapter::{
    Cursor, Failure, Place, Session, Sink, cursor, document, failure, glance, parts,
};
use acreta_sdk::lines::LineReader;

use crate::base;
use crate::compressed::{Decoded, is_compressed};
use crate::record::Lines;
use crate::state::State;
use crate::tell::{Source, Teller};

/// Emits the events of `session` from `from` on and returns the cursor at which it stopped.
pub(crate) fn read(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let mut file = glance::open(&session.path)?;
    if is_compressed(&mut file)? {
        return read_compressed(session, from, sink);
    }
    let part = parts::number(session);
    let state: State = cursor::resume(&mut file, from)?;
    let mut teller = Teller::new(state, part, sink);
    if from.offset == 0 {
        read_beginning(&session.path, &mut teller)?;
        teller.begin(Source::File);
    }
    file.seek(SeekFrom::Start(from.offset))
        .map_err(|error| failure::io(&error))?;
    let offset = each_record(&mut file, from.offset, &mut teller)?;
    let state = teller.finish()?;
    cursor::stop(&mut file, offset, &state)
}

fn read_compressed(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let bytes = document::load(&session.path)?;
    if document::is_told(&bytes, from)? {
        return Ok(from.clone());
    }
    let mut teller = Teller::new(State::default(), parts::number(session), sink);
    read_beginning(&session.path, &mut teller)?;
    teller.begin(Source::Apart {
        of: String::new(),
        end_ordinal: u64::MAX,
    });
    let mut decoded = Decoded::new(&*bytes);
    let offset = each_record(&mut decoded, 0, &mut teller)?;
    if let Some(fault) = decoded.fault {
        let place = Place::new(format!("@{offset}"), 0, 0, None);
        teller.told.diagnose(&place, fault);
    }
    teller.finish()?;
    Ok(document::after(&bytes))
}

/// Reads the beginning of a fork, which is in other files.
fn read_beginning<S: Sink>(path: &str, teller: &mut Teller<'_, S>) -> Result<(), Failure> {
    let (parts, missing) = base::parts(path)?;
    if let Some(rollout) = missing {
        let message = format!("the beginning of this fork lies in `{rollout}`, which is not here");
        teller.told.diagnose(&Place::default(), &message);
    }
    for part in parts {
        teller.begin(Source::Apart {
            of: part.base.rollout.clone(),
            end_ordinal: part.base.end_ordinal,
        });
        each_record(part.open()?, 0, teller)?;
    }
    Ok(())
}

fn each_record<S: Sink>(
    file: impl Read,
    from: u64,
    teller: &mut Teller<'_, S>,
) -> Result<u64, Failure> {
    let mut lines = LineReader::new(file, from);
    match each_object::<Lines>(&mut lines, from, |found| Ok(teller.take(found)?)) {
        Ok(offset) => Ok(offset),
        Err(Stop::Failed(failure)) => Err(failure),
        Err(Stop::Enough) => Ok(from),
    }
}
