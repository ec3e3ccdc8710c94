//! The folders of one call. Programs start in a folder that is always empty and always the same, so
//! that they remember one project at most; files of a call lie in a folder of its own, which is
//! removed with everything in it. One call of a program runs at a time, whatever process makes it.

use std::time::{Duration, Instant};

use acreta_fs::{Directory, FsError, Lock, LockError, NoFaults, Scratch, scratch};
use camino::{Utf8Path, Utf8PathBuf};

use super::Call;
use crate::{Code, LlmError};

pub(super) struct Workplace {
    empty: Directory,
    call: Scratch,
    /// The user's login files that the call sees through links, with the links.
    links: Vec<Link>,
    _lock: Lock,
}

struct Link {
    link: Utf8PathBuf,
    target: Utf8PathBuf,
}

impl Workplace {
    /// Waits for its turn and prepares the folders.
    pub(super) fn open(call: &Call<'_>) -> Result<Self, LlmError> {
        let folder = call.folder.join(call.settings.program.name());
        let disk = |cause: FsError| {
            LlmError::disk(
                Code::Provider,
                "the folder of a model is not usable",
                &cause,
            )
        };
        // Its ancestors exist or are acreta's own.
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

    /// Where the program starts.
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
                    "the request could not be handed over",
                    &cause,
                )
            })?;
        Ok(self.call.path().join(name))
    }

    /// A path in the folder of this call.
    pub(super) fn path(&self, name: &str) -> Utf8PathBuf {
        self.call.path().join(name)
    }

    /// Shows the call a login file of the user's by a link; the file itself is never opened. Returns
    /// whether there is one.
    pub(super) fn link(&mut self, target: &Utf8Path, name: &str) -> bool {
        let link = self.call.path().join(name);
        if !target.is_file() || symlink(target, &link).is_err() {
            return false;
        }
        self.links.push(Link {
            link,
            target: target.to_owned(),
        });
        true
    }

    /// Removes what the call left behind.
    pub(super) fn close(self) -> Result<(), FsError> {
        for Link { link, target } in &self.links {
            let replaced = link.symlink_metadata().is_ok_and(|found| found.is_file());
            if replaced {
                // The program renewed its login by replacing the file: the new one goes where the
                // user's is, unread.
                #[expect(
                    clippy::disallowed_methods,
                    reason = "both ends are outside our folders"
                )]
                let moved = std::fs::rename(link, target);
                if let Err(cause) = moved {
                    tracing::warn!(%target, %cause, "a renewed login could not be put back");
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

/// Waits until no other call of the program is under way, for as long as a call may take.
fn turn(folder: &Directory, call: &Call<'_>) -> Result<Lock, LlmError> {
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
                .because(acreta_model::with_causes(&cause))
                .retryable());
            }
        }
    }
}

/// Removes folders of calls whose process died. Nobody else has one while the lock is held.
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
