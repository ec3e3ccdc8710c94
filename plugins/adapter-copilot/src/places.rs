//! Directories in which a session was worked, in order. A session that is resumed in another directory
//! has one part for each: what was said belongs to where it was said.

use acreta_sdk::adapter::json::{Scanner, Text};
use acreta_sdk::adapter::objects::Records;
use acreta_sdk::adapter::{Failure, failure};
use acreta_sdk::lines::LineReader;
use serde::{Deserialize, Serialize};
use std::io::{Read, Seek, SeekFrom};

use crate::record::{Lines, Record};

/// Directories beyond these belong to the part before them.
const MOST: usize = 32;

/// Beginnings of the records that name a directory.
const NAMING: [&[u8]; 2] = [
    b"{\"type\":\"session.start\"",
    b"{\"type\":\"session.resume\"",
];

/// The parts that were seen so far, and the one that goes on.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Places {
    directories: Vec<String>,
    current: usize,
}

/// One part of a log.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) directory: String,
    /// Where it ended last; none for the part that goes on.
    pub(crate) end: Option<u64>,
}

impl Places {
    /// Goes to the part of the directory that a record names.
    pub(crate) fn see(&mut self, record: &Record<'_>) {
        if matches!(&*record.kind, "session.start" | "session.resume")
            && let Some(directory) = directory(record)
        {
            self.enter(&directory);
        }
    }

    /// Number of the part that goes on.
    pub(crate) fn current(&self) -> usize {
        self.current
    }

    /// A directory and its subdirectories are one place.
    fn enter(&mut self, directory: &str) {
        let known = self.directories.iter();
        let known = known
            .clone()
            .position(|known| contains(known, directory) || contains(directory, known));
        match known {
            Some(known) => self.current = known,
            None if self.directories.len() < MOST => {
                self.current = self.directories.len();
                self.directories.push(directory.to_owned());
            }
            None => {}
        }
    }
}

/// The parts of a log. Only the records that name a directory are parsed.
pub(crate) fn parts(file: &mut (impl Read + Seek)) -> Result<Vec<Part>, Failure> {
    let io = |error: std::io::Error| failure::io(&error);
    file.seek(SeekFrom::Start(0)).map_err(io)?;
    let mut lines = LineReader::new(file, 0);
    let mut places = Places::default();
    let mut parts: Vec<Part> = Vec::new();
    while let Some(line) = lines.next_line().map_err(io)? {
        if !NAMING.iter().any(|start| line.bytes.starts_with(start)) {
            continue;
        }
        let Ok(record) = Lines::scan(&mut Scanner::new(line.bytes)) else {
            continue;
        };
        let before = places.current;
        places.see(&record);
        if places.current != before {
            parts[before].end = Some(line.start);
        }
        match parts.get_mut(places.current) {
            Some(part) => part.end = None,
            None => parts.extend(
                places
                    .directories
                    .get(places.current)
                    .map(|directory| Part {
                        directory: directory.clone(),
                        end: None,
                    }),
            ),
        }
    }
    Ok(parts)
}

fn directory(record: &Record<'_>) -> Option<String> {
    let directory = record.data.field("context")?.text_of("cwd");
    let directory = directory.map(Text::lossy)?;
    // Anything else is no place: a file that was cut to be shown to others says so here.
    let is_absolute = directory.starts_with(['/', '\\']) || directory.get(1..2) == Some(":");
    is_absolute.then(|| directory.into_owned())
}

fn contains(outer: &str, inner: &str) -> bool {
    inner
        .strip_prefix(outer)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '\\']))
}
