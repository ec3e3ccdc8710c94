//! Cursors of append-only files: the offset at which a read stopped.
//!
//! A cursor carries a hash of the bytes before it. If the file was rewritten, the hash rarely matches, and the cursor
//! is refused.

use std::io::{self, Read, Seek, SeekFrom};

use crate::adapter::{Cursor, Failure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::adapter::calls::hash;
use crate::adapter::failure;

/// Number of bytes before the cursor that are hashed.
const FINGERPRINT_BYTES: u64 = 256;

#[derive(Serialize, Deserialize)]
struct CursorState<State> {
    /// Hash of the bytes before the cursor.
    fingerprint: u64,
    state: State,
}

/// Restores the cursor's state if it still fits the file, or the default at the start. Leaves the file positioned at
/// the cursor's offset.
pub fn resume<State: Default + DeserializeOwned>(
    file: &mut (impl Read + Seek),
    from: &Cursor,
) -> Result<State, Failure> {
    let state = if from.offset == 0 {
        State::default()
    } else {
        kept(file, from)?
    };
    file.seek(SeekFrom::Start(from.offset))
        .map_err(|error| failure::io(&error))?;
    Ok(state)
}

fn kept<State: DeserializeOwned>(
    file: &mut (impl Read + Seek),
    from: &Cursor,
) -> Result<State, Failure> {
    let size = file
        .seek(SeekFrom::End(0))
        .map_err(|error| failure::io(&error))?;
    if from.offset > size {
        return Err(failure::invalid_cursor(
            "the session file is shorter than it was",
        ));
    }
    let Ok(kept) = serde_json::from_slice::<CursorState<State>>(&from.state) else {
        return Err(failure::invalid_cursor(
            "the cursor was not made by this adapter",
        ));
    };
    let found = fingerprint(file, from.offset).map_err(|error| failure::io(&error))?;
    if found != kept.fingerprint {
        return Err(failure::invalid_cursor("the session file was rewritten"));
    }
    Ok(kept.state)
}

/// Builds the cursor at `offset` of the file, with the state that the next read needs.
pub fn stop(
    file: &mut (impl Read + Seek),
    offset: u64,
    state: &impl Serialize,
) -> Result<Cursor, Failure> {
    let fingerprint = fingerprint(file, offset).map_err(|error| failure::io(&error))?;
    let kept = CursorState { fingerprint, state };
    Ok(Cursor {
        offset,
        // A state is numbers, strings and lists of them, which always have a JSON form.
        state: serde_json::to_vec(&kept).unwrap_or_default(),
    })
}

/// Hash of the last bytes before `offset`.
fn fingerprint(file: &mut (impl Read + Seek), offset: u64) -> io::Result<u64> {
    let length = offset.min(FINGERPRINT_BYTES);
    file.seek(SeekFrom::Start(offset - length))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(hash(&bytes))
}
