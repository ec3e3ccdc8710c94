//! Sessions that are append-only files of records, read from a cursor to the end of the file.
//!
//! Damage costs only the damaged record and a diagnostic, an unfinished record is left for the next read, and memory
//! use does not grow with the file.

use crate::adapter::{Cursor, Failure, Sink};
use crate::lines::LineReader;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::adapter::calls::Calls;
use crate::adapter::objects::{Records, ScannedKind, Stop, each_object};
use crate::adapter::{EventWriter, RecordSpan, cursor, file_probe};

/// State that one read passes to the next in the cursor.
#[derive(Default, Serialize, Deserialize)]
struct JournalState<State> {
    calls: Calls,
    state: State,
}

/// Passes every record after `from` to `tell`, with its span, and returns the cursor at the end of the file. `State` is
/// what later records need from earlier ones; it has to be small.
pub fn read<R, State, S>(
    path: &str,
    from: &Cursor,
    sink: &mut S,
    mut emit: impl FnMut(
        &mut EventWriter<'_, S>,
        &mut State,
        &R::Record<'_>,
        (u64, u64),
    ) -> Result<(), Failure>,
) -> Result<Cursor, Failure>
where
    R: Records,
    State: Default + Serialize + DeserializeOwned,
    S: Sink,
{
    let mut file = file_probe::open(path)?;
    let carried: JournalState<State> = cursor::resume(&mut file, from)?;
    let mut state = carried.state;
    let mut event_writer = EventWriter::new(sink, carried.calls);
    let mut lines = LineReader::new(&mut file, from.offset);
    let read = each_object::<R>(&mut lines, from.offset, |found| {
        let (start, end) = (found.start, found.end);
        match found.what {
            ScannedKind::Record(record) => {
                emit(&mut event_writer, &mut state, &record, (start, end))?
            }
            ScannedKind::Damage(cause, _) => {
                event_writer.diagnose(&RecordSpan::new("", start, end, None), cause);
            }
            ScannedKind::Unfinished => {
                let message = "unfinished at the end of the file, left for the next read";
                event_writer.diagnose(&RecordSpan::new("", start, end, None), message);
            }
        }
        Ok(())
    });
    let offset = match read {
        Ok(offset) => offset,
        Err(Stop::Failed(failure)) => return Err(failure),
        Err(Stop::Enough) => from.offset,
    };
    let calls = event_writer.finish()?;
    cursor::stop(&mut file, offset, &JournalState { calls, state })
}
