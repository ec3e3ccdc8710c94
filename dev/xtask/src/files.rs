//! Reads and writes files that can be made again, and names the path in errors.

use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::process::TaskError;

pub(crate) fn make(folder: &Path) -> Result<(), TaskError> {
    fs::create_dir_all(folder).map_err(|error| TaskError::at(folder, &error))
}

/// Writes a file and creates its folder.
#[expect(clippy::disallowed_methods, reason = "files that can be made again")]
pub(crate) fn put(path: &Path, bytes: &[u8]) -> Result<(), TaskError> {
    if let Some(folder) = path.parent() {
        make(folder)?;
    }
    fs::write(path, bytes).map_err(|error| TaskError::at(path, &error))
}

pub(crate) fn bytes(path: &Path) -> Result<Vec<u8>, TaskError> {
    fs::read(path).map_err(|error| TaskError::at(path, &error))
}

pub(crate) fn hex_digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[expect(clippy::disallowed_methods, reason = "files that can be made again")]
pub(crate) fn remove(folder: &Path) -> Result<(), TaskError> {
    match folder.exists() {
        true => fs::remove_dir_all(folder).map_err(|error| TaskError::at(folder, &error)),
        false => Ok(()),
    }
}

/// Sets the mode of a program. Archives keep it.
pub(crate) fn make_executable(path: &Path) -> Result<(), TaskError> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(path, mode).map_err(|error| TaskError::at(path, &error))?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}
