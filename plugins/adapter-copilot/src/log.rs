//! Reads the log of one session of the command line from a cursor on.

use acreta_sdk::adapter::{Cursor, Failure, Session, Sink, journal, parts};

use crate::record::Lines;
use crate::state::State;
use crate::{events, places};

pub(crate) fn read(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let part = parts::number(session);
    journal::read::<Lines, State, _>(&session.path, from, sink, |told, state, record, span| {
        places::see(&mut state.places, record);
        if state.places.current() != part {
            return Ok(());
        }
        let mut place = record.place(span);
        if !record.has_data && record.is_own() {
            told.diagnose(&place, "a record of the conversation without its data");
            return Ok(());
        }
        events::emit(told, state, record, &mut place)?;
        told.close(&place);
        Ok(())
    })
}
