//! A first look at a file: enough to say whose it is and which session it holds, whatever its size.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use crate::adapter::Failure;
use crate::lines::LineReader;

use crate::adapter::calls::hash;
use crate::adapter::failure;
use crate::adapter::objects::{Found, Records, Stop, each_object};

/// How much of the beginning and the end is looked at.
pub const HEAD: u64 = 1024 * 1024;
pub const TAIL: u64 = 64 * 1024;

/// How much of the end tells two states of a file apart.
const ENDING: u64 = 4 * 1024;

/// Opens a session file.
pub fn open(path: &str) -> Result<File, Failure> {
    File::open(path).map_err(|error| failure::io(&error))
}

/// The first [`HEAD`] bytes of a file, or all there are.
pub fn beginning(path: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    open(path)?
        .take(HEAD)
        .read_to_end(&mut bytes)
        .map_err(|error| failure::io(&error))?;
    Ok(bytes)
}

/// The size of a file; it then stands at its end.
pub fn size(file: &mut impl Seek) -> Result<u64, Failure> {
    file.seek(SeekFrom::End(0))
        .map_err(|error| failure::io(&error))
}

/// Hash of the last bytes of a file: tells two states of it apart that have the same size.
pub fn ending(file: &mut (impl Read + Seek), size: u64) -> Result<u64, Failure> {
    let from = size.saturating_sub(ENDING);
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(from))
        .and_then(|_| file.take(ENDING).read_to_end(&mut bytes))
        .map_err(|error| failure::io(&error))?;
    Ok(hash(&bytes))
}

/// A session's revision where it is the whole of a file: its size, and a hash of what the first look
/// reads of it, which is all of a file up to [`HEAD`].
pub fn revision(file: &mut (impl Read + Seek), size: u64) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))
        .and_then(|_| file.take(HEAD).read_to_end(&mut bytes))
        .map_err(|error| failure::io(&error))?;
    let (head, tail) = (hash(&bytes), ending(file, size)?);
    Ok(format!("{size}:{head:016x}:{tail:016x}"))
}

/// Shows the records at the beginning of a file until `visit` has enough. True when they were all
/// there are.
pub fn head<R: Records>(
    file: &mut (impl Read + Seek),
    size: u64,
    visit: impl FnMut(Found<'_, R>) -> Result<(), Stop>,
) -> Result<bool, Failure> {
    file.seek(SeekFrom::Start(0))
        .map_err(|error| failure::io(&error))?;
    let mut lines = LineReader::new(file.take(HEAD), 0);
    match each_object(&mut lines, 0, visit) {
        Ok(_) => Ok(size <= HEAD),
        Err(Stop::Enough) => Ok(false),
        Err(Stop::Failed(failure)) => Err(failure),
    }
}

/// Shows the records at the end of a file.
pub fn tail<R: Records>(
    file: &mut (impl Read + Seek),
    size: u64,
    visit: impl FnMut(Found<'_, R>) -> Result<(), Stop>,
) -> Result<(), Failure> {
    let from = size.saturating_sub(TAIL);
    file.seek(SeekFrom::Start(from))
        .map_err(|error| failure::io(&error))?;
    let mut lines = LineReader::new(file, from);
    if from > 0 {
        // Most likely not the whole of a line.
        lines.next_line().map_err(|error| failure::io(&error))?;
    }
    match each_object(&mut lines, from, visit) {
        Err(Stop::Failed(failure)) => Err(failure),
        Ok(_) | Err(Stop::Enough) => Ok(()),
    }
}
