//! Secrets of the user's own: random, made at first use, in a file that only its owner can read.

use std::fmt::Write;
use std::io;
use std::time::Duration;

use camino::Utf8Path;

use crate::{Directory, FsError, OperationKind};

/// Random bytes of a secret, before they are written in hex.
const SECRET_BYTES: usize = 32;

const MAX_FILE_BYTES: u64 = 64 * 1024;

/// Another process that creates the file needs a moment to fill it.
const ATTEMPTS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(2);

impl Directory {
    /// Returns the secret of a file, in hex. A file that is missing, damaged or open to others is created anew. Processes
    /// that start at the same time get the same secret.
    pub fn secret(&self, relative: impl AsRef<Utf8Path>) -> Result<String, FsError> {
        let relative = relative.as_ref();
        let directory = self.private();
        let mut attempt = 0;
        loop {
            attempt += 1;
            match directory.written_secret(relative) {
                Ok(Some(secret)) => return Ok(secret),
                Ok(None) if attempt < ATTEMPTS => {
                    std::thread::sleep(PAUSE);
                    continue;
                }
                Ok(None) => directory.remove_file(relative)?,
                Err(error) if error.is_not_found() => {}
                Err(error) => return Err(error),
            }
            let secret = random_secret().map_err(|cause| {
                FsError::new(OperationKind::Write, self.absolute(relative), cause)
            })?;
            match directory.write_synced_new(relative, format!("{secret}\n").as_bytes()) {
                Err(FsError::AlreadyExists { .. }) if attempt < 2 * ATTEMPTS => {}
                written => return written.map(|()| secret),
            }
        }
    }

    /// Returns `None` if the file is being written, damaged or open to others.
    fn written_secret(&self, relative: &Utf8Path) -> Result<Option<String>, FsError> {
        let is_open = |mode: u32| mode & 0o077 != 0;
        if self.metadata(relative)?.mode.is_some_and(is_open) {
            self.remove_file(relative)?;
        }
        let bytes = self.read(relative, MAX_FILE_BYTES)?;
        let secret = String::from_utf8_lossy(&bytes).trim().to_owned();
        Ok((secret.len() >= 2 * SECRET_BYTES).then_some(secret))
    }
}

/// Returns random bytes in hex.
pub fn random_secret() -> io::Result<String> {
    let mut bytes = [0; SECRET_BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    }))
}
