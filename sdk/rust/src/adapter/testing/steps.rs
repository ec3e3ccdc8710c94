//! A file that grows while it is read: whatever the steps, they tell what one read of the whole
//! tells.

use std::collections::BTreeMap;
use std::path::Path;

use crate::adapter::{Cursor, Event};

use super::{START, Told, assert_same, read, sessions};
use crate::adapter::Adapter;

/// Reads a copy of the file in `scratch` every time it has grown by `step` bytes, each session on
/// from its own cursor, and from its start where the cursor is refused.
///
/// # Panics
/// Where the steps tell something else than the whole.
pub fn steps<A: Adapter>(path: &Path, scratch: &Path, step: usize) {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let copy = scratch.join(path.file_name().unwrap_or_default());
    let mut known: BTreeMap<String, (Vec<Event>, Cursor)> = BTreeMap::new();
    for size in (step..bytes.len()).step_by(step).chain([bytes.len()]) {
        if let Err(error) = std::fs::write(&copy, &bytes[..size]) {
            panic!("{copy:?}: {error}");
        }
        for session in sessions::<A>(&copy) {
            let (events, cursor) = known
                .entry(session.id.clone())
                .or_insert((Vec::new(), START));
            let mut told = Told::default();
            let mut end = A::read(&session, cursor, &mut told);
            let is_refused = matches!(&end, Err(failure) if failure.code == "invalid-cursor");
            if is_refused {
                told = Told::default();
                end = A::read(&session, &START, &mut told);
            }
            if is_refused || *cursor == START {
                events.clear();
            }
            events.extend(told.events);
            *cursor = end.unwrap_or_else(|failure| panic!("{path:?}: {failure:?}"));
        }
    }
    for session in sessions::<A>(&copy) {
        let whole = read::<A>(&session, &START).0.events;
        let context = format!("{path:?} {} by {step}", session.id);
        assert_same(&known[&session.id].0, &whole, &context);
    }
    // Gone again, so that the next file finds an empty folder.
    let _gone = std::fs::remove_file(&copy);
}
