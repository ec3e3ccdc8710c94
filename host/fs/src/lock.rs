//! A lock between processes, held as long as the value lives. The system releases it when the process dies, so a crash
//! never leaves it behind.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use crate::operation::{Operation, OperationKind};
use crate::{Directory, FsError, LockError, platform};

/// An exclusive lock, released on drop.
#[derive(Debug)]
pub struct Lock {
    path: Utf8PathBuf,
    _file: File,
}

impl Lock {
    pub fn path(&self) -> &Utf8Path {
        &self.path
    }
}

impl Directory {
    /// Takes the lock, waiting at most `wait` for the current holder.
    pub fn lock(&self, relative: impl AsRef<Utf8Path>, wait: Duration) -> Result<Lock, LockError> {
        self.lock_with(relative, wait, std::thread::sleep)
    }

    /// Like [`Self::lock`] with another sleep function. Counts the time slept; no clock is read.
    pub fn lock_with(
        &self,
        relative: impl AsRef<Utf8Path>,
        wait: Duration,
        mut sleep: impl FnMut(Duration),
    ) -> Result<Lock, LockError> {
        let relative = self.check(relative.as_ref())?;
        self.check_poison()?;
        let mut slept = Duration::ZERO;
        loop {
            let file = self.open_lock(relative)?;
            match file.try_lock() {
                // A lock on a file that has since been unlinked protects nothing.
                Ok(()) if self.still_named(relative, &file) => {
                    self.sign(relative, &file);
                    return Ok(Lock {
                        path: self.absolute(relative),
                        _file: file,
                    });
                }
                Ok(()) => {}
                Err(TryLockError::WouldBlock) if slept >= wait => {
                    return Err(LockError::Busy {
                        path: self.absolute(relative),
                        holder: holder(file),
                    });
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(cause)) => {
                    return Err(
                        FsError::new(OperationKind::Lock, self.absolute(relative), cause).into(),
                    );
                }
            }
            let pause = POLL
                .min(wait.saturating_sub(slept))
                .max(Duration::from_millis(1));
            sleep(pause);
            slept += pause;
        }
    }

    fn open_lock(&self, relative: &Utf8Path) -> Result<File, FsError> {
        let absolute = self.absolute(relative);
        self.ensure_file(relative)?;
        self.change(Operation::new(OperationKind::Lock, &absolute), || {
            let mut options = platform::writing(self.file_mode());
            options.read(true);
            self.handle
                .open_with(relative, &options)
                .map(cap_std::fs::File::into_std)
        })
    }

    fn still_named(&self, relative: &Utf8Path, file: &File) -> bool {
        let (Ok(named), Ok(open)) = (
            self.lstat(relative),
            file.try_clone()
                .and_then(|file| cap_std::fs::File::from_std(file).metadata()),
        ) else {
            return false;
        };
        platform::identity(&named) == platform::identity(&open)
    }

    /// Writes the process id of the holder. Only informative: the lock holds without it.
    fn sign(&self, relative: &Utf8Path, mut file: &File) {
        let absolute = self.absolute(relative);
        let note = format!("{}\n", std::process::id());
        let truncated = self.change(Operation::new(OperationKind::Truncate, &absolute), || {
            file.set_len(0)
        });
        if truncated.is_ok() {
            let _ = self.change(Operation::write(&absolute, note.as_bytes()), || {
                file.write_all(note.as_bytes())
            });
        }
    }
}

const POLL: Duration = Duration::from_millis(10);

fn holder(mut file: File) -> Option<u32> {
    let mut note = String::new();
    file.seek(SeekFrom::Start(0)).ok()?;
    file.take(32).read_to_string(&mut note).ok()?;
    note.trim().parse().ok()
}
