//! Sessions that are one document, rewritten as a whole on every change.
//!
//! Such a file cannot be read on from an offset: it is read whole, and a cursor only identifies the state that was
//! read.

use std::fs::File;
use std::io::Read;

use crate::adapter::{Cursor, Failure};

use crate::adapter::calls::hash;
use crate::adapter::failure;
use crate::adapter::json::{Fault, Scanner, Value};

/// Maximum size of a document. It has to fit into the adapter's memory together with its events.
pub const DOCUMENT_LIMIT: u64 = 48 * 1024 * 1024;

/// Reads a whole file; fails if it is larger than [`DOCUMENT_LIMIT`].
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

/// An element of a list in a document, with its span in the file.
#[derive(Debug, Clone, Copy)]
pub struct Item<'a> {
    pub value: Value<'a>,
    pub start: u64,
    pub end: u64,
}

/// Reads the elements of the list that starts here until its end or the first fault. `base` is the offset of the
/// scanner's text in the file.
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

/// Describes a fault for a diagnostic.
pub fn cause(fault: Fault) -> &'static str {
    match fault {
        Fault::Ended | Fault::EndedInString => "the document ends before it is complete",
        Fault::Unexpected(_) => "not valid JSON, and what follows cannot be read",
    }
}

/// Reports whether `from` was made from these bytes, so that there is nothing new to read. Fails with `invalid-cursor`
/// if it was made from other bytes; a cursor at the start matches no bytes.
pub fn is_told(bytes: &[u8], from: &Cursor) -> Result<bool, Failure> {
    if from.offset == 0 && from.state.is_empty() {
        return Ok(false);
    }
    if *from == after(bytes) {
        return Ok(true);
    }
    Err(failure::invalid_cursor("the session was rewritten"))
}

/// Builds the cursor after these bytes.
pub fn after(bytes: &[u8]) -> Cursor {
    Cursor {
        offset: bytes.len() as u64,
        state: hash(bytes).to_le_bytes().to_vec(),
    }
}

/// Computes the revision of a session that consists of exactly these bytes.
pub fn revision(bytes: &[u8]) -> String {
    format!("{}:{:016x}", bytes.len(), hash(bytes))
}
