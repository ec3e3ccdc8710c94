//! What targets make of their bytes: texts, parts, and files in a folder that is used again.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use camino::Utf8PathBuf;

/// Longest input. Longer ones are cut: they find nothing that shorter ones do not, and take longer.
const MOST_BYTES: usize = 64 * 1024;

pub(crate) fn text_of(data: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(&data[..data.len().min(MOST_BYTES)])
}

/// Splits off the first byte; 0 if there is none.
pub(crate) fn first(data: &[u8]) -> (usize, &[u8]) {
    match data.split_first() {
        Some((first, rest)) => (usize::from(*first), rest),
        None => (0, data),
    }
}

/// A folder of its own for each call, in memory where the system has that, deleted at the end.
pub(crate) struct Scratch(tempfile::TempDir);

impl Scratch {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Self(folder.expect("a folder for temporary files"))
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns the path without links, as product code names it.
    pub(crate) fn utf8(&self) -> Utf8PathBuf {
        let path = self.path().canonicalize().expect("a folder that exists");
        Utf8PathBuf::from_path_buf(path).expect("a name of ASCII")
    }

    /// Writes a file and returns its path.
    pub(crate) fn write(&self, file: &str, bytes: &[u8]) -> PathBuf {
        let path = self.path().join(file);
        let folder = path.parent().expect("a file below the folder");
        let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, bytes));
        written.expect("space for a small file");
        path
    }
}
