//! The run that a session belongs to.

use camino::{Utf8Path, Utf8PathBuf};

/// The run a session belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub id: String,
    /// Working directory of commands.
    pub folder: Utf8PathBuf,
}

impl Run {
    pub fn new(id: &str, folder: &Utf8Path) -> Self {
        Self {
            id: id.to_owned(),
            folder: folder.to_owned(),
        }
    }
}
