//! A temporary folder with an archive, and texts with secrets.

use std::io::Read;

use acreta_fs::{Directory, NoFaults};
use acreta_redact::Redactor;
use acreta_session_archive::{RawArchive, RescueAs, RescueError, RescueLimits, StoredContent};
use camino::{Utf8Path, Utf8PathBuf};

pub(crate) struct TestTree {
    _folder: tempfile::TempDir,
    /// Without links.
    pub(crate) root: Utf8PathBuf,
}

impl TestTree {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        let root = root.canonicalize_utf8().unwrap();
        Self {
            _folder: folder,
            root,
        }
    }

    pub(crate) fn path(&self, relative: &str) -> Utf8PathBuf {
        self.root.join(relative)
    }

    pub(crate) fn folder(&self, relative: &str) -> Utf8PathBuf {
        let path = self.path(relative);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "plays an agent that writes its files"
    )]
    pub(crate) fn write(&self, relative: &str, bytes: impl AsRef<[u8]>) -> Utf8PathBuf {
        let path = self.path(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn directory(&self, relative: &str) -> Directory {
        Directory::open(&self.folder(relative), NoFaults::shared()).unwrap()
    }

    pub(crate) fn archive(&self) -> RawArchive {
        RawArchive::new(&self.directory("archive"))
    }

    /// Returns the names in a folder of the archive, sorted.
    pub(crate) fn names(&self, relative: &str) -> Vec<String> {
        let Ok(entries) = self.path(relative).read_dir_utf8() else {
            return Vec::new();
        };
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_owned())
            .collect();
        names.sort();
        names
    }

    /// Archives `bytes` as a session of Claude's.
    pub(crate) fn store(&self, bytes: impl AsRef<[u8]>) -> Result<StoredContent, RescueError> {
        let source = self.write("source.jsonl", bytes);
        let redactor = redactor();
        let limits = RescueLimits::default();
        self.archive()
            .store("claude", &source, RescueAs::Raw(&redactor), &limits)
    }

    /// Returns the archived content of a digest.
    pub(crate) fn read(&self, digest: &str) -> Vec<u8> {
        read(&self.archive(), "claude", digest).unwrap()
    }
}

pub(crate) fn read(
    archive: &RawArchive,
    agent: &str,
    digest: &str,
) -> Result<Vec<u8>, std::io::Error> {
    let mut bytes = Vec::new();
    let mut reader = archive.open(agent, digest, &RescueLimits::default())?;
    reader.read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(crate) fn redactor() -> Redactor {
    Redactor::new(&[]).unwrap()
}

/// Returns a GitHub token.
pub(crate) fn token() -> String {
    format!("ghp_{}", "aB3dE6gH9".repeat(4))
}

/// Returns pseudo-random letters and digits, the same each time.
pub(crate) fn noise(length: usize, mut seed: u64) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut noise = String::with_capacity(length);
    for _ in 0..length {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        noise.push(char::from(LETTERS[(seed >> 33) as usize % LETTERS.len()]));
    }
    noise
}
