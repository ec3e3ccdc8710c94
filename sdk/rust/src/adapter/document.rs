//! Sessions that are one document, rewritten as a whole whenever they change.
//!
//! Such a file has no place to read on from: it is read whole, and a cursor says only which state
//! of it was read.

use std::fs::File;
use std::io::Read;

use crate::adapter::{Cursor, Failure};

use crate::adapter::calls::hash;
use crate::adapter::failure;
use crate::adapter::json::{Fault, Scanner, Value};

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

/// An element of a list in a document, with its place in the file.
#[derive(Debug, Clone, Copy)]
pub struct Item<'a> {
    pub value: Value<'a>,
    pub start: u64,
    pub end: u64,
}

/// The elements of the list that starts here, as far as they can be read, and whether that was to
/// the end of the list. `base` is where the scanner's text stands in the file.
pub fn items<'a>(scanner: &mut Scanner<'a>, base: u64) -> (Vec<Item<'a>>, Result<(), Fault>) {
    let mut items = Vec::new();
    let read = scanner.each_element(|scanner| {
        scanner.peek();
        let start = base + scanner.position() as u64;
        let value = scanner.value()?;
        let end = base + scanner.position() as u64;
        items.push(Item { value, start, end });
        Ok(())
    });
    (items, read)
}

/// Why a document could not be read to its end, as a diagnostic says it.
pub fn cause(fault: Fault) -> &'static str {
    match fault {
        Fault::Ended | Fault::EndedInString => "the document ends before it is complete",
        Fault::Unexpected(_) => "not valid JSON, and what follows cannot be read",
    }
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

/// A session's revision where it is the whole of these bytes.
pub fn revision(bytes: &[u8]) -> String {
    format!("{}:{:016x}", bytes.len(), hash(bytes))
}
