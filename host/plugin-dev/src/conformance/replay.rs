//! Runs a case again and compares it with its recording, byte for byte. No outside service is called: models and
//! searches answer from the recording.

use std::fmt;

use serde::Serialize;

use crate::conformance::bench::shown;
use crate::conformance::case::Case;
use crate::conformance::error::CaseError;
use crate::conformance::plugin::Plugin;
use crate::conformance::record::{Run, play};
use crate::conformance::recording::ReplaySource;

/// Outcome of a replay.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "replay", rename_all = "lowercase")]
pub enum Replayed {
    /// Byte for byte.
    Same {
        lines: usize,
    },
    Different(Difference),
}

/// The first line that differs, cut around the position of the difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Counted from 1.
    pub line: usize,
    /// The first byte in the line that differs, counted from 1.
    pub column: usize,
    /// The recorded line; `None` after the end of the recording.
    pub expected: Option<String>,
    /// The current line; `None` if the plugin made fewer calls.
    pub found: Option<String>,
}

/// Runs a case and compares it with its recording. Does not use `run.outside`.
pub fn replay(case: &Case, plugin: &Plugin, run: &Run<'_>) -> Result<Replayed, CaseError> {
    let recorded = case.recorded()?;
    let (lines, _) = play(case, plugin, run, ReplaySource::recorded(&recorded))?;
    let found: String = lines
        .iter()
        .flat_map(|line| [line.as_str(), "\n"])
        .collect();
    Ok(if found == recorded {
        Replayed::Same { lines: lines.len() }
    } else {
        Replayed::Different(difference(&recorded, &found))
    })
}

fn difference(expected: &str, found: &str) -> Difference {
    let mut expected_lines = expected.split_inclusive('\n');
    let mut found_lines = found.split_inclusive('\n');
    let mut line = 1;
    loop {
        match (expected_lines.next(), found_lines.next()) {
            (Some(expected), Some(found)) if expected == found => line += 1,
            (expected, found) => {
                let column = match (expected, found) {
                    (Some(expected), Some(found)) => {
                        let pairs = expected.bytes().zip(found.bytes());
                        pairs.take_while(|(left, right)| left == right).count()
                    }
                    _ => 0,
                };
                return Difference {
                    line,
                    column: column + 1,
                    expected: expected.map(|text| around(text, column)),
                    found: found.map(|text| around(text, column)),
                };
            }
        }
    }
}

/// Returns the text at a column and shortly before it.
fn around(line: &str, column: usize) -> String {
    let start = line.floor_char_boundary(column.saturating_sub(BEFORE));
    let text = shown(&line[start..]);
    if start == 0 {
        text
    } else {
        format!("…{text}")
    }
}

/// Number of equal bytes that are shown before the difference.
const BEFORE: usize = 80;

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, column, .. } = self;
        let text = |text: &Option<String>| text.clone().unwrap_or_else(|| "nothing".to_owned());
        writeln!(formatter, "line {line}, from byte {column} on")?;
        writeln!(formatter, "  recorded: {}", text(&self.expected))?;
        write!(formatter, "  found:    {}", text(&self.found))
    }
}

impl fmt::Display for Replayed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Replayed::Same { lines } => write!(formatter, "the same, {lines} lines"),
            Replayed::Different(difference) => difference.fmt(formatter),
        }
    }
}
