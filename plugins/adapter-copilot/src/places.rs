//! Working directories of a session: the log names one at its start and at each resume.

use acreta_sdk::adapter::Failure;
use acreta_sdk::adapter::json::{Scanner, Text};
use acreta_sdk::adapter::objects::Records;
use acreta_sdk::adapter::parts::{self, Part, Places};
use std::io::Read;

use crate::record::{Lines, Record};

/// Beginnings of the records that name a directory.
const NAMING: [&[u8]; 2] = [
    b"{\"type\":\"session.start\"",
    b"{\"type\":\"session.resume\"",
];

/// Switches to the directory that a record names.
pub(crate) fn see(places: &mut Places, record: &Record<'_>) {
    if !matches!(&*record.kind, "session.start" | "session.resume") {
        return;
    }
    let context = record.data.field("context");
    if let Some(directory) = context.and_then(|context| context.text_of("cwd")) {
        places.enter(&Text::lossy(directory));
    }
}

/// Finds the parts of a log. Parses only records that name a directory.
pub(crate) fn parts(file: impl Read) -> Result<Vec<Part>, Failure> {
    parts::find(file, |places, line| {
        if NAMING.iter().any(|start| line.bytes.starts_with(start))
            && let Ok(record) = Lines::scan(&mut Scanner::new(line.bytes))
        {
            see(places, &record);
        }
    })
}
