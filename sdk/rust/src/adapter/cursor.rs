//! Where a read of an append-only file stopped, and whether the file is still the one it was.
//!
//! A cursor carries a hash of the bytes before it: a file that was rewritten rarely keeps them,
//! and then the cursor is refused rather than used.

use std::io::{self, Read, Seek, SeekFrom};

use crate::adapter::{Cursor, Failure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::adapter::calls::hash;
use crate::adapter::failure;

/// How much of the file before the cursor is compared.
const FINGERPRINT_BYTES: u64 = 256;

#[derive(Serialize, Deserialize)]
struct Kept<State> {
    /// Hash of the bytes before the cursor.
    fingerprint: u64,
    state: State,
}

/// What the cursor remembers, if it still fits the file; the default at the start. The file then
/// stands at the cursor's offset.
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
    let Ok(kept) = serde_json::from_slice::<Kept<State>>(&from.state) else {
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

/// The cursor at `offset` of the file, with what the next read has to know.
pub fn stop(
    file: &mut (impl Read + Seek),
    offset: u64,
    state: &impl Serialize,
) -> Result<Cursor, Failure> {
    let fingerprint = fingerprint(file, offset).map_err(|error| failure::io(&error))?;
    let kept = Kept { fingerprint, state };
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
