//! The beginning of a forked thread, which is in the files of the threads it was forked from.

use std::io::Read;
use std::path::PathBuf;

use acreta_sdk::adapter::objects::{ScannedKind, Stop, each_object};
use acreta_sdk::adapter::{Failure, file_probe};
use acreta_sdk::lines::LineReader;

use crate::compressed::{Decoded, is_compressed};
use crate::home;
use crate::meta::{Base, Meta};
use crate::record::Lines;

/// Maximum depth of forks of forks.
const MOST_STEPS: usize = 16;

/// Number of bytes that are searched for a file's first record.
const FIRST: u64 = file_probe::HEAD;

/// A part of a thread that is in the file of another one.
pub(crate) struct Part {
    pub(crate) base: Base,
    file: PathBuf,
}

/// Returns the parts before a thread's own file, oldest first, and the rollout that was not found.
pub(crate) fn parts(path: &str) -> Result<(Vec<Part>, Option<String>), Failure> {
    let mut parts = Vec::new();
    let mut missing = None;
    let mut base = base_of(open(path)?)?;
    while let Some(next) = base {
        let file = home::rollout(path, &next.rollout).filter(|_| parts.len() < MOST_STEPS);
        let Some(file) = file else {
            missing = Some(next.rollout);
            break;
        };
        base = base_of(open(&file.to_string_lossy())?)?;
        parts.push(Part { base: next, file });
    }
    parts.reverse();
    Ok((parts, missing))
}

impl Part {
    /// Opens the bytes of the part.
    pub(crate) fn open(&self) -> Result<impl Read, Failure> {
        Ok(open(&self.file.to_string_lossy())?.take(self.base.end_offset))
    }
}

/// Opens a session file, and decodes it if it is compressed.
fn open(path: &str) -> Result<Box<dyn Read>, Failure> {
    let mut file = file_probe::open(path)?;
    Ok(if is_compressed(&mut file)? {
        Box::new(Decoded::new(file))
    } else {
        Box::new(file)
    })
}

/// Finds the beginning of a thread in its first description.
fn base_of(file: impl Read) -> Result<Option<Base>, Failure> {
    let mut base = None;
    let mut lines = LineReader::new(file.take(FIRST), 0);
    let looked = each_object::<Lines>(&mut lines, 0, |found| {
        if let ScannedKind::Record(record) = found.what
            && let Some(meta) = Meta::of(&record)
        {
            base = meta.base();
            return Err(Stop::Enough);
        }
        Ok(())
    });
    match looked {
        Err(Stop::Failed(failure)) => Err(failure),
        Ok(_) | Err(Stop::Enough) => Ok(base),
    }
}
