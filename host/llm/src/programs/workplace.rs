//! The folders of one call. Programs start in a folder that is always empty and always the same, so that they remember
//! at most one project; files of a call are in a separate folder that is removed afterwards. Only one call of a program
//! runs at a time, across all processes.

use std::time::{Duration, Instant};

use acreta_fs::{Directory, FsError, Lock, LockError, NoFaults, Scratch, scratch};
use camino::{Utf8Path, Utf8PathBuf};

use super::ProgramCall;
use crate::{Code, LlmError};

pub(super) struct Workplace {
    empty: Directory,
    call: Scratch,
    /// Links through which the call sees the user's login files, with their targets.
    links: Vec<LoginLink>,
    _lock: Lock,
}

struct LoginLink {
    link: Utf8PathBuf,
    target: Utf8PathBuf,
}

impl Workplace {
    /// Waits for the lock and prepares the folders.
    pub(super) fn open(call: &ProgramCall<'_>) -> Result<Self, LlmError> {
        let folder = call.folder.join(call.settings.program.name());
        let disk = |cause: FsError| {
            LlmError::disk(
                Code::Provider,
                "the folder of a model is not usable",
                &cause,
            )
        };
        // Its ancestors exist or belong to acreta.
        let folder =
            Directory::open_or_create_private(&folder, NoFaults::shared()).map_err(disk)?;
        let lock = turn(&folder, call)?;
        folder.create_dir_all(EMPTY).map_err(disk)?;
        clear_old_calls(&folder);
        Ok(Self {
            empty: folder.subdirectory(EMPTY).map_err(disk)?,
            call: scratch(&folder, CALL).map_err(disk)?,
            links: Vec::new(),
            _lock: lock,
        })
    }

    /// Returns the program's working directory.
    pub(super) fn empty_folder(&self) -> &Utf8Path {
        self.empty.path()
    }

    /// Writes a file for this call.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<Utf8PathBuf, LlmError> {
        let directory = self.call.directory().private();
        let folder = Utf8Path::new(name)
            .parent()
            .filter(|it| !it.as_str().is_empty());
        folder
            .map_or(Ok(()), |folder| directory.create_dir_all(folder))
            .and_then(|()| directory.replace_unsynced(name, text.as_bytes()))
            .map_err(|cause| {
                LlmError::disk(
                    Code::Provider,
                    "the request could not be written to disk",
                    &cause,
                )
            })?;
        Ok(self.call.path().join(name))
    }

    /// Returns a path in the folder of this call.
    pub(super) fn path(&self, name: &str) -> Utf8PathBuf {
        self.call.path().join(name)
    }

    /// Links a login file of the user's into the call; the file itself is never opened. Returns true if the file
    /// exists.
    pub(super) fn link(&mut self, target: &Utf8Path, name: &str) -> bool {
        let link = self.call.path().join(name);
        if !target.is_file() || symlink(target, &link).is_err() {
            return false;
        }
        self.links.push(LoginLink {
            link,
            target: target.to_owned(),
        });
        true
    }

    /// Removes the files of the call.
    pub(super) fn close(self) -> Result<(), FsError> {
        for LoginLink { link, target } in &self.links {
            let replaced = link.symlink_metadata().is_ok_and(|found| found.is_file());
            if replaced {
                // The program renewed its login by replacing the file: move the new one over the user's, unread.
                #[expect(
                    clippy::disallowed_methods,
                    reason = "both ends are outside our folders"
                )]
                let moved = std::fs::rename(link, target);
                if let Err(cause) = moved {
                    tracing::warn!(%target, %cause, "a renewed login could not be moved back");
                }
            }
        }
        self.call.close()
    }
}

const EMPTY: &str = "empty";
const CALL: &str = "call";
const LOCK: &str = "lock";
const POLL: Duration = Duration::from_millis(50);

/// Waits until no other call of the program runs, for at most the timeout of a call.
fn turn(folder: &Directory, call: &ProgramCall<'_>) -> Result<Lock, LlmError> {
    let deadline = Instant::now() + call.timeout;
    loop {
        match folder.lock(LOCK, Duration::ZERO) {
            Ok(lock) => return Ok(lock),
            Err(LockError::Busy { .. }) if (call.is_cancelled)() => {
                return Err(LlmError::new(Code::Cancelled, "the run was cancelled"));
            }
            Err(LockError::Busy { .. }) if Instant::now() < deadline => std::thread::sleep(POLL),
            Err(cause) => {
                return Err(LlmError::new(
                    Code::Provider,
                    format!("`{}` is in use by another call", call.settings.command()),
                )
                .because(acreta_types::with_causes(&cause))
                .retryable());
            }
        }
    }
}

/// Removes folders of calls whose process died. No other call has one while the lock is held.
fn clear_old_calls(folder: &Directory) {
    let entries = folder.list(".", u64::MAX).unwrap_or_default();
    for entry in entries {
        let is_old = entry.path.as_str().starts_with(&format!("{CALL}-"));
        if is_old {
            // Best effort: a folder that cannot be removed is tried again next time.
            let _ = folder.remove_dir_all(&entry.path);
        }
    }
}

#[cfg(unix)]
fn symlink(target: &Utf8Path, link: &Utf8Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(target, link)
}

#[cfg(not(unix))]
fn symlink(_target: &Utf8Path, _link: &Utf8Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
