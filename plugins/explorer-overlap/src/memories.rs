//! Reads memories, each once. An unreadable file costs a warning, never the call.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::memory::Memory;

/// Maximum size of a memory file; neither people nor acreta write larger ones.
pub const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// A file that was left out.
#[derive(Debug, PartialEq, Eq)]
pub struct Warning {
    /// Relative to the memory root.
    pub path: String,
    pub reason: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "left out `{}`: {}", self.path, self.reason)
    }
}

/// The memories read so far, by path.
pub struct Memories<'root> {
    root: &'root Path,
    known: BTreeMap<String, Option<Memory>>,
    pub(crate) warnings: Vec<Warning>,
}

impl<'root> Memories<'root> {
    pub fn new(root: &'root Path) -> Self {
        Self {
            root,
            known: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }

    /// Returns the files that were left out so far.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns the memory at a path; `None` if it cannot be read.
    pub fn get(&mut self, path: &str) -> Option<&Memory> {
        if !self.known.contains_key(path) {
            let memory = match read(&self.root.join(path)) {
                Ok(text) => Some(Memory::parse(&text)),
                Err(cause) => {
                    self.warnings.push(Warning {
                        path: path.to_owned(),
                        reason: cause.to_string(),
                    });
                    None
                }
            };
            self.known.insert(path.to_owned(), memory);
        }
        self.known.get(path)?.as_ref()
    }
}

fn read(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MAX_FILE_BYTES + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        let reason = format!("larger than {MAX_FILE_BYTES} bytes");
        return Err(io::Error::other(reason));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
