//! A problem with a file of memory, with its location.

use camino::{Utf8Path, Utf8PathBuf};

/// A problem with a file that a person should look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Relative to the layout's base.
    pub path: Utf8PathBuf,
    /// From 1; 0 if it concerns the whole file.
    pub line: u64,
    /// From 1; 0 if it concerns the whole file or line.
    pub column: u64,
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.path)?;
        if self.line > 0 {
            write!(formatter, ":{}", self.line)?;
            if self.column > 0 {
                write!(formatter, ":{}", self.column)?;
            }
        }
        write!(formatter, ": {}", self.message)
    }
}

impl Problem {
    pub(crate) fn new(path: &Utf8Path, line: u64, column: u64, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line,
            column,
            message: message.into(),
        }
    }
}
