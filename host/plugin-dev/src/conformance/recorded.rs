//! The recording of one run of a case.

/// Recorded calls of a plugin on a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// One JSON object each, without line breaks.
    pub lines: Vec<String>,
}

impl Recorded {
    /// Returns the recording as it is stored on disk.
    pub fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line, "\n"]).collect()
    }
}
