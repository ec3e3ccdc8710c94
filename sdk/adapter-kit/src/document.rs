//! Sessions that are one document, rewritten as a whole whenever they change.
//!
//! Such a file has no place to read on from: it is read whole, and a cursor says only which state
//! of it was read.

use std::fs::File;
use std::io::Read;

use acreta_sdk::adapter::{Cursor, Failure};

use crate::calls::hash;
use crate::failure;

/// Largest document that is read. It has to fit into the adapter's memory beside its events.
pub const DOCUMENT_LIMIT: u64 = 48 * 1024 * 1024;

/// The whole of a file; fails when it is larger than [`DOCUMENT_LIMIT`].
pub fn load(path: &str) -> Result<Vec<u8>, Failure> {
    let file = File::open(path).map_err(|error| failure::io(&error))?;
    let mut bytes = Vec::new();
    file.take(DOCUMENT_LIMIT + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failure::io(&error))?;
    if bytes.len() as u64 > DOCUMENT_LIMIT {
        return Err(failure::unreadable(&format!(
            "the session is one document of more than {} MiB",
            DOCUMENT_LIMIT / 1024 / 1024
        )));
    }
    Ok(bytes)
}

/// Whether `from` belongs to these bytes: none has to be told again. Fails with `invalid-cursor`
/// when it belongs to others; a cursor at the start belongs to none.
pub fn is_told(bytes: &[u8], from: &Cursor) -> Result<bool, Failure> {
    if from.offset == 0 && from.state.is_empty() {
        return Ok(false);
    }
    if *from == after(bytes) {
        return Ok(true);
    }
    Err(failure::invalid_cursor("the session was written anew"))
}

/// The cursor behind these bytes.
pub fn after(bytes: &[u8]) -> Cursor {
    Cursor {
        offset: bytes.len() as u64,
        state: hash(bytes).to_le_bytes().to_vec(),
    }
}
