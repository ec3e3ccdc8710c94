//! Reads a session: one pass to find the branch, one to emit it.
//!
//! A later read continues where this one stopped, unless the person went back to an earlier entry in between: then the
//! emitted events are no longer the conversation, and the cursor is refused.

use std::io::{Read, Seek, SeekFrom};

use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::json::Value;
use acreta_sdk::adapter::objects::{ScannedKind, Stop, Typed, each_object};
use acreta_sdk::adapter::{
    Cursor, EventWriter, Failure, RecordSpan, Session, Sink, cursor, failure, file_probe,
};
use acreta_sdk::lines::LineReader;
use serde::{Deserialize, Serialize};

use crate::emit::{Fork, entry};
use crate::tree::Tree;

/// State that one read passes to the next.
#[derive(Default, Serialize, Deserialize)]
struct State {
    calls: Calls,
    /// Hash of the id of the last emitted entry.
    leaf: Option<u64>,
}

/// Emits the events of `session` from `from` on and returns the cursor at which it stopped.
pub fn read(session: &Session, from: &Cursor, sink: &mut impl Sink) -> Result<Cursor, Failure> {
    let mut file = file_probe::open(&session.path)?;
    let state: State = cursor::resume(&mut file, from)?;
    // Both passes see the same bytes, even if the file grows meanwhile.
    let size = file_probe::size(&mut file)?;

    let mut tree = Tree::default();
    each_record(&mut file, from.offset, size, |what, _| {
        if let ScannedKind::Record(record) = what {
            tree.add(**record);
        }
        Ok(())
    })?;
    let branch = tree.branch(from.offset > 0, state.leaf)?;

    let fork = Fork::of(session);
    let mut event_writer = EventWriter::new(sink, state.calls);
    let mut number = 0;
    let offset = each_record(&mut file, from.offset, size, |what, (start, end)| {
        match what {
            ScannedKind::Record(record) => {
                if branch.holds(number) {
                    entry(&mut event_writer, **record, (start, end), &fork)?;
                }
                number += 1;
            }
            ScannedKind::Damage(cause, _) => {
                event_writer.diagnose(&RecordSpan::new("", start, end, None), cause)
            }
            ScannedKind::Unfinished => {
                let message = "unfinished at the end of the file, left for the next read";
                event_writer.diagnose(&RecordSpan::new("", start, end, None), message);
            }
        }
        Ok(())
    })?;
    if branch.left > 0 {
        let message = format!("{} entries stand on branches that were left", branch.left);
        event_writer.diagnose(&RecordSpan::new("", from.offset, size, None), &message);
    }
    let state = State {
        calls: event_writer.finish()?,
        leaf: branch.leaf,
    };
    cursor::stop(&mut file, offset, &state)
}

/// Emits the branch of entries that are stored elsewhere than in a file of their own. `each` visits them in order, and is
/// called twice; an entry that cannot be read is a message about it.
pub fn read_entries<S: Sink>(
    session: &Session,
    sink: &mut S,
    each: impl Fn(&mut dyn FnMut(Entry<'_>) -> Result<(), Failure>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut tree = Tree::default();
    each(&mut |found| {
        if let Ok(record) = found {
            tree.add(record);
        }
        Ok(())
    })?;
    let branch = tree.branch(false, None)?;
    let fork = Fork::of(session);
    let mut event_writer = EventWriter::new(sink, Calls::default());
    let mut number = 0;
    each(&mut |found| {
        match found {
            Ok(record) => {
                if branch.holds(number) {
                    entry(&mut event_writer, record, (0, 0), &fork)?;
                }
                number += 1;
            }
            Err(message) => event_writer.diagnose(&RecordSpan::default(), message),
        }
        Ok(())
    })?;
    if branch.left > 0 {
        let message = format!("{} entries stand on branches that were left", branch.left);
        event_writer.diagnose(&RecordSpan::default(), &message);
    }
    event_writer.finish()?;
    Ok(())
}

/// One entry, or the reason why it cannot be read.
pub type Entry<'a> = Result<Value<'a>, &'static str>;

/// Visits the records between `from` and `size`, and returns the offset at which a later read continues.
fn each_record(
    file: &mut (impl Read + Seek),
    from: u64,
    size: u64,
    mut visit: impl FnMut(&ScannedKind<'_, Typed>, (u64, u64)) -> Result<(), Failure>,
) -> Result<u64, Failure> {
    file.seek(SeekFrom::Start(from))
        .map_err(|error| failure::io(&error))?;
    let mut lines = LineReader::new(file.take(size.saturating_sub(from)), from);
    let read = each_object::<Typed>(&mut lines, from, |found| {
        Ok(visit(&found.what, (found.start, found.end))?)
    });
    match read {
        Ok(offset) => Ok(offset),
        Err(Stop::Failed(failure)) => Err(failure),
        Err(Stop::Enough) => Ok(from),
    }
}
