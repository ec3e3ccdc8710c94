//! Working directories of a thread: its description names the first, each turn its own.

use std::io::Read;

use acreta_sdk::adapter::Failure;
use acreta_sdk::adapter::json::{Scanner, Text};
use acreta_sdk::adapter::objects::Records;
use acreta_sdk::adapter::parts::{self, Part};
use serde::{Deserialize, Serialize};

use crate::meta::Meta;
use crate::record::{Lines, Record};

/// Beginning of records; the time and the type follow.
const TIMED: &[u8] = b"{\"timestamp\":\"";
const TYPE: &[u8] = b"\",\"type\":\"";

/// Types of records that name a directory.
const NAMING: [&[u8]; 2] = [b"turn_context\"", b"session_meta\""];

/// The places of a thread. A thread that came out of another, or repeats one, is not split: the directories of copied
/// records are not its own.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Places {
    places: parts::Places,
    is_described: bool,
    is_copy: bool,
}

impl Places {
    /// Switches to the directory that a record names.
    pub(crate) fn see(&mut self, record: &Record<'_>) {
        let directory = match Meta::of(record) {
            Some(meta) => {
                self.is_copy |= self.is_described || meta.relation().is_some();
                self.is_described = true;
                meta.directory()
            }
            None if record.is("turn_context") => {
                let directory = record.content().text_of("cwd");
                directory.map(Text::lossy).map(Into::into)
            }
            None => None,
        };
        if let Some(directory) = directory.filter(|_| !self.is_copy) {
            self.places.enter(&directory);
        }
    }

    /// Returns the number of the current part.
    pub(crate) fn current(&self) -> usize {
        self.places.current()
    }
}

/// Finds the parts of a file. Parses only records that may name a directory.
pub(crate) fn parts(file: impl Read) -> Result<Vec<Part>, Failure> {
    let mut seen = Places::default();
    parts::find(file, |places, line| {
        if may_name(line.bytes)
            && let Ok(record) = Lines::scan(&mut Scanner::new(line.bytes))
        {
            seen.see(&record);
            places.clone_from(&seen.places);
        }
    })
}

/// Reports whether a record may name a directory. Records with an unknown beginning may.
fn may_name(line: &[u8]) -> bool {
    let Some(time) = line.strip_prefix(TIMED) else {
        return true;
    };
    let end = time.iter().take(64).position(|byte| *byte == b'"');
    let kind = end.and_then(|end| time[end..].strip_prefix(TYPE));
    kind.is_none_or(|kind| NAMING.iter().any(|name| kind.starts_with(name)))
}
