//! The log file and its rotation. Several processes may write to it: lines are appended whole, and one process at a
//! time rotates a full file.

use std::time::Duration;

use acreta_fs::{Directory, FsError, LockError, NoFaults};
use camino::Utf8Path;

use crate::LogFile;

pub(crate) struct RotatingFile {
    options: LogFile,
    /// Opened at the first write, and again after an error.
    folder: Option<Directory>,
}

impl RotatingFile {
    pub(crate) fn new(options: LogFile) -> Self {
        Self {
            options,
            folder: None,
        }
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        &self.options.path
    }

    /// Appends lines. A file that would become too large is rotated first.
    pub(crate) fn append(&mut self, lines: &[String]) -> Result<(), FsError> {
        let folder = match self.folder.take() {
            Some(folder) => folder,
            None => open(&self.options.path)?,
        };
        let most = PIECE.min(usize::try_from(self.options.max_bytes).unwrap_or(PIECE));
        let mut piece = String::new();
        for line in lines {
            if !piece.is_empty() && piece.len() + line.len() > most {
                self.append_piece(&folder, piece.as_bytes())?;
                piece.clear();
            }
            piece.push_str(line);
        }
        self.append_piece(&folder, piece.as_bytes())?;
        self.folder = Some(folder);
        Ok(())
    }

    fn append_piece(&self, folder: &Directory, lines: &[u8]) -> Result<(), FsError> {
        let name = self.options.path.file_name().unwrap_or("log");
        if self.is_full(folder, name, lines.len() as u64) {
            // Another process that holds the lock rotates the file itself.
            match folder.lock(rotation_lock(name), Duration::ZERO) {
                Ok(_alone) if self.is_full(folder, name, lines.len() as u64) => {
                    self.rotate(folder, name)?;
                }
                Ok(_) | Err(LockError::Busy { .. }) => {}
                Err(LockError::Fs(error)) => return Err(error),
            }
        }
        folder.append(name, lines)
    }

    fn is_full(&self, folder: &Directory, name: &str, more: u64) -> bool {
        folder.metadata(name).is_ok_and(|found| {
            found.bytes > 0 && found.bytes.saturating_add(more) > self.options.max_bytes
        })
    }

    fn rotate(&self, folder: &Directory, name: &str) -> Result<(), FsError> {
        let called = |number: u32| match number {
            0 => name.to_owned(),
            number => format!("{name}.{number}"),
        };
        let last = self.options.files.saturating_sub(1);
        if last == 0 {
            return folder.remove_file(name);
        }
        for number in (0..last).rev() {
            match folder.rename(called(number), called(number + 1)) {
                Err(error) if !error.is_not_found() => return Err(error),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Lines are collected up to this size for one write; a longer line is one write of its own.
const PIECE: usize = 64 * 1024;

/// Returns the name of the lock for rotating or rewriting a log. It lies beside the log.
pub fn rotation_lock(log: &str) -> String {
    format!("{log}.lock")
}

/// Opens the folder of a file; creates it with private permissions if it is missing.
fn open(path: &Utf8Path) -> Result<Directory, FsError> {
    let folder = path.parent().unwrap_or(Utf8Path::new("."));
    let (Some(above), Some(name)) = (folder.parent(), folder.file_name()) else {
        return Directory::open_or_create_private(folder, NoFaults::shared());
    };
    let above = Directory::open_or_create_private(above, NoFaults::shared())?;
    above.create_dir_all(name)?;
    above.subdirectory(name)
}
