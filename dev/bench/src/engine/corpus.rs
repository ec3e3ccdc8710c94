//! Session files for measuring: real lines if `../shared/traces` exists next to the repository, else the repository's
//! own fixtures.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{BuildHasher, RandomState};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::Outcome;

/// Lines and their source, for the report.
pub(crate) struct Corpus {
    pub(crate) lines: Vec<Vec<u8>>,
    pub(crate) source: &'static str,
}

impl Corpus {
    /// Distinct Claude lines.
    pub(crate) fn claude() -> Outcome<Self> {
        let root = acreta_plugin_build::workspace_root();
        let shared = root.join("../shared/traces/claude");
        let (folder, source) = if shared.is_dir() {
            (shared, "real sessions")
        } else {
            println!("skipped: no ../shared; measuring on the repository's fixtures");
            (root.join("tests/fixtures/claude"), "fixtures")
        };
        let hasher = RandomState::new();
        let mut seen = HashSet::new();
        let mut lines = Vec::new();
        for file in files(&folder)? {
            for line in fs::read(file)?.split(|byte| *byte == b'\n') {
                if line.starts_with(b"{") && seen.insert(hasher.hash_one(line)) {
                    lines.push(line.to_vec());
                }
            }
        }
        Ok(Self { lines, source })
    }

    /// Repeats the lines until `bytes` are reached. Each round has its own ids: repeated ones would be skipped as
    /// copies.
    pub(crate) fn write(&self, path: &Path, bytes: u64) -> Outcome<u64> {
        let mut file = BufWriter::new(File::create(path)?);
        let mut written = 0u64;
        for round in 0u32.. {
            let mark = format!("{round:08x}");
            for line in &self.lines {
                let line = with_ids(line, mark.as_bytes());
                file.write_all(&line)?;
                file.write_all(b"\n")?;
                written += line.len() as u64 + 1;
                if written >= bytes {
                    file.flush()?;
                    return Ok(written);
                }
            }
        }
        Ok(written)
    }
}

/// Overwrites the first eight digits of every `uuid` with a mark.
fn with_ids(line: &[u8], mark: &[u8]) -> Vec<u8> {
    const KEY: &[u8] = b"\"uuid\":\"";
    let mut line = line.to_vec();
    let mut at = 0;
    while let Some(found) = line[at..]
        .windows(KEY.len())
        .position(|window| window == KEY)
    {
        let start = at + found + KEY.len();
        if let Some(digits) = line.get_mut(start..start + mark.len())
            && digits.iter().all(u8::is_ascii_hexdigit)
        {
            for (digit, mark) in digits.iter_mut().zip(mark) {
                if *mark != b'0' {
                    *digit = *mark;
                }
            }
        }
        at = start;
    }
    line
}

/// Lists files of lines under a folder.
pub(crate) fn files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files = all_files(folder)?;
    files.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "jsonl")
    });
    Ok(files)
}

/// Lists every file under a folder.
pub(crate) fn all_files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(all_files(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns the folder of real sessions if available, else of the repository's fixtures.
pub(crate) fn corpus_folder() -> PathBuf {
    let root = acreta_plugin_build::workspace_root();
    let shared = root.join("../shared/traces");
    if shared.is_dir() {
        shared
    } else {
        println!("skipped: no ../shared; measuring on the repository's fixtures");
        root.join("tests/fixtures")
    }
}
