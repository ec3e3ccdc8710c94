//! The walk over the memory root: one folder per type, top level, sorted by name, one file in
//! memory at a time. A file that cannot be read costs a warning, never the call.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use acreta_sdk::explorer::Failure;

use crate::memory::Memory;

/// No memory is larger; what is, was not written by a person or by acreta.
pub const MAX_FILE_BYTES: u64 = 1024 * 1024;

/// Where the memories of one type lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// The type's name in the registry.
    pub category: String,
    /// Its folder under the memory root.
    pub folder: String,
}

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

/// Hands every memory of a folder to `visit`, with its path relative to `root`, sorted by path.
pub(crate) fn visit(
    root: &Path,
    folder: &str,
    warnings: &mut Vec<Warning>,
    mut visit: impl FnMut(&str, &Memory),
) -> Result<(), Failure> {
    for name in names(&root.join(folder)).map_err(|cause| failure(folder, &cause))? {
        let path = format!("{folder}/{name}");
        match read(&root.join(folder).join(&name)) {
            Ok(text) => visit(&path, &Memory::parse(&text)),
            Err(cause) => warnings.push(Warning {
                path,
                reason: cause.to_string(),
            }),
        }
    }
    Ok(())
}

/// Regular `*.md` files only: links are not followed and a pipe is never opened.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(cause),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry?;
        if let Ok(name) = entry.file_name().into_string()
            && name.ends_with(".md")
            && entry.file_type()?.is_file()
        {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
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

fn failure(folder: &str, cause: &io::Error) -> Failure {
    Failure {
        code: "io".to_owned(),
        message: format!("could not read the folder `{folder}`: {cause}"),
        retryable: true,
    }
}
