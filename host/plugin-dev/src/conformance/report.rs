//! The report of a suite: one row per check, as a value, as JSON and as plain text. A guest's text is escaped before it
//! gets here.

use std::fmt;

use acreta_sdk::conformance::{Check, Counts, write_rows};
use acreta_types::Role;
use serde::Serialize;

/// Results of one plugin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    pub plugin: String,
    pub role: Role,
    /// In the order of the role's table.
    pub checks: Vec<Check>,
}

impl Report {
    /// Reports whether every check passed.
    pub fn is_passed(&self) -> bool {
        self.counts().failed == 0
    }

    pub fn counts(&self) -> Counts {
        Counts::of(&self.checks)
    }
}

/// Writes a line per check, three more for each failed one, and a last line with the counts.
impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_rows(&self.checks, formatter)?;
        let Self { plugin, role, .. } = self;
        writeln!(formatter, "{plugin} ({role}): {}", self.counts())
    }
}
