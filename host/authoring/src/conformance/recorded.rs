//! The recording of one run of a case.

/// What a plugin did with a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// One JSON object each, without line breaks.
    pub lines: Vec<String>,
}

impl Recorded {
    /// As it lies on disk.
    pub fn text(&self) -> String {
        self.lines.iter().flat_map(|line| [line, "\n"]).collect()
    }
}
