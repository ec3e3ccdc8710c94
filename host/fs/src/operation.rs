//! A single file system operation, and its observer. The production observer [`NoFaults`] does nothing.

use std::fmt;
use std::io;
use std::sync::Arc;
#[cfg(debug_assertions)]
use std::sync::atomic::{AtomicU64, Ordering};

use camino::Utf8Path;

/// Observes every operation. An error from `before` makes the operation fail with that error, without effect.
pub trait Faults: fmt::Debug + Send + Sync {
    fn before(&self, operation: &Operation<'_>) -> io::Result<()> {
        let _ = operation;
        Ok(())
    }

    /// Called after the operation succeeded.
    fn after(&self, operation: &Operation<'_>) {
        let _ = operation;
    }

    /// Reports whether syncs are performed. Not necessary if a crash is only simulated.
    fn passes_syncs(&self) -> bool {
        true
    }
}

/// An observer that does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFaults;

impl Faults for NoFaults {
    #[cfg(debug_assertions)]
    fn before(&self, operation: &Operation<'_>) -> io::Result<()> {
        let is_counted = operation.kind.is_change() && !operation.kind.is_sync();
        if is_counted
            && LEFT.load(Ordering::Relaxed) > 0
            && LEFT.fetch_sub(1, Ordering::SeqCst) == 1
        {
            std::process::abort();
        }
        Ok(())
    }
}

/// Number of changes after which the process ends; zero if it does not.
#[cfg(debug_assertions)]
static LEFT: AtomicU64 = AtomicU64::new(0);

impl NoFaults {
    /// Ends the process right before the given change of the disk from now on, counted from one, as if it was killed.
    /// For tests: does nothing in release builds.
    pub fn abort_before(number: u64) {
        #[cfg(debug_assertions)]
        LEFT.store(number, Ordering::SeqCst);
        #[cfg(not(debug_assertions))]
        let _ = number;
    }

    /// Returns it in the form that `open` functions take.
    pub fn shared() -> Arc<dyn Faults> {
        Arc::new(NoFaults)
    }
}

/// A single file system operation. Paths are absolute.
#[derive(Debug, Clone, Copy)]
pub struct Operation<'a> {
    pub kind: OperationKind,
    pub path: &'a Utf8Path,
    /// Target of a rename or link.
    pub to: Option<&'a Utf8Path>,
    /// Bytes that a write appends.
    pub bytes: &'a [u8],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OperationKind {
    Read,
    CreateDirectory,
    CreateFile,
    Write,
    Truncate,
    SyncFile,
    SyncDirectory,
    Rename,
    Link,
    RemoveFile,
    RemoveDirectory,
    Lock,
}

impl OperationKind {
    pub fn is_sync(self) -> bool {
        matches!(self, OperationKind::SyncFile | OperationKind::SyncDirectory)
    }

    /// Reports whether it changes what is on disk.
    pub fn is_change(self) -> bool {
        !matches!(self, OperationKind::Read | OperationKind::Lock)
    }
}

/// Completes the phrase "could not …".
impl fmt::Display for OperationKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            OperationKind::Read => "read",
            OperationKind::CreateDirectory => "create directory",
            OperationKind::CreateFile => "create",
            OperationKind::Write => "write",
            OperationKind::Truncate => "truncate",
            OperationKind::SyncFile => "sync",
            OperationKind::SyncDirectory => "sync directory",
            OperationKind::Rename => "rename",
            OperationKind::Link => "link",
            OperationKind::RemoveFile => "remove",
            OperationKind::RemoveDirectory => "remove directory",
            OperationKind::Lock => "lock",
        })
    }
}

impl<'a> Operation<'a> {
    pub(crate) fn new(kind: OperationKind, path: &'a Utf8Path) -> Self {
        Self {
            kind,
            path,
            to: None,
            bytes: &[],
        }
    }

    pub(crate) fn write(path: &'a Utf8Path, bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            ..Self::new(OperationKind::Write, path)
        }
    }

    pub(crate) fn rename(path: &'a Utf8Path, to: &'a Utf8Path) -> Self {
        Self {
            to: Some(to),
            ..Self::new(OperationKind::Rename, path)
        }
    }

    pub(crate) fn link(path: &'a Utf8Path, to: &'a Utf8Path) -> Self {
        Self {
            to: Some(to),
            ..Self::new(OperationKind::Link, path)
        }
    }
}
