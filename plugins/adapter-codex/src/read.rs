//! Reads a session from a cursor to the current end of the file.
//!
//! Memory does not grow with the file. A later read of a plain file continues where this one stopped, and together they
//! emit the same events as a single read; a compressed file is read whole.

use std::io::{Read, Seek, SeekFrom};

use acreta_sdk::adapter::objects::{Stop, each_object};
use acreta_sdk::adapter::{
    Cursor, Failure, RecordSpan, Session, Sink, cursor, document, failure, file_probe, parts,
};
use acreta_sdk::lines::LineReader;

use crate::base;
use crate::compressed::{Decoded, is_compressed};
use crate::emit::{EventWriter, Source};
use crate::record::Lines;
use crate::state::State;

/// Emits the events of `session` from `from` on and returns the cursor at which it stopped.
pub(crate) fn read(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let mut file = file_probe::open(&session.path)?;
    if is_compressed(&mut file)? {
        return read_compressed(session, from, sink);
    }
    let part = parts::number(session);
    let state: State = cursor::resume(&mut file, from)?;
    let mut event_writer = EventWriter::new(state, part, sink);
    if from.offset == 0 {
        read_beginning(&session.path, &mut event_writer)?;
        event_writer.begin(Source::File);
    }
    file.seek(SeekFrom::Start(from.offset))
        .map_err(|error| failure::io(&error))?;
    let offset = each_record(&mut file, from.offset, &mut event_writer)?;
    let state = event_writer.finish()?;
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
    let mut event_writer = EventWriter::new(State::default(), parts::number(session), sink);
    read_beginning(&session.path, &mut event_writer)?;
    event_writer.begin(Source::Apart {
        of: String::new(),
        end_ordinal: u64::MAX,
    });
    let mut decoded = Decoded::new(&*bytes);
    let offset = each_record(&mut decoded, 0, &mut event_writer)?;
    if let Some(fault) = decoded.fault {
        let place = RecordSpan::new(format!("@{offset}"), 0, 0, None);
        event_writer.told.diagnose(&place, fault);
    }
    event_writer.finish()?;
    Ok(document::after(&bytes))
}

/// Reads the beginning of a fork, which is in other files.
fn read_beginning<S: Sink>(
    path: &str,
    event_writer: &mut EventWriter<'_, S>,
) -> Result<(), Failure> {
    let (parts, missing) = base::parts(path)?;
    if let Some(rollout) = missing {
        let message = format!("the beginning of this fork lies in `{rollout}`, which is not here");
        event_writer.told.diagnose(&RecordSpan::default(), &message);
    }
    for part in parts {
        event_writer.begin(Source::Apart {
            of: part.base.rollout.clone(),
            end_ordinal: part.base.end_ordinal,
        });
        each_record(part.open()?, 0, event_writer)?;
    }
    Ok(())
}

fn each_record<S: Sink>(
    file: impl Read,
    from: u64,
    event_writer: &mut EventWriter<'_, S>,
) -> Result<u64, Failure> {
    let mut lines = LineReader::new(file, from);
    match each_object::<Lines>(&mut lines, from, |found| Ok(event_writer.take(found)?)) {
        Ok(offset) => Ok(offset),
        Err(Stop::Failed(failure)) => Err(failure),
        Err(Stop::Enough) => Ok(from),
    }
}
