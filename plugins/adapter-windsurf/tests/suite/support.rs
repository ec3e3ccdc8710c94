//! Where the fixtures are, and sessions that are written on the spot.

use std::path::{Path, PathBuf};

use acreta_adapter_kit::Session;
use acreta_adapter_kit::testing::{START, Told, read, sessions};
use adapter_windsurf::Windsurf;

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/windsurf")
}

/// The session in a file that holds one.
pub(crate) fn session(path: &Path) -> Session {
    let mut found = sessions::<Windsurf>(path);
    assert_eq!(found.len(), 1, "{path:?}");
    found.remove(0)
}

/// A file that a test writes and reads.
pub(crate) struct Scratch {
    folder: tempfile::TempDir,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("session.jsonl")
    }

    #[expect(clippy::disallowed_methods, reason = "a test writes a file of its own")]
    pub(crate) fn write(&self, text: &str) {
        std::fs::write(self.path(), text).unwrap();
    }

    /// What a whole read of this text tells.
    pub(crate) fn told(&self, text: &str) -> Told {
        self.write(text);
        read::<Windsurf>(&session(&self.path()), &START).0
    }
}
