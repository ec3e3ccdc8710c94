//! One step at the disk, and who is told of it. In production [`NoFaults`] is, and does nothing.

use std::fmt;
use std::io;
use std::sync::Arc;

use camino::Utf8Path;

/// Told of every operation. An error from `before` makes it fail, undone, with that error.
pub trait Faults: fmt::Debug + Send + Sync {
    fn before(&self, operation: &Operation<'_>) -> io::Result<()> {
        let _ = operation;
        Ok(())
    }

    /// After it succeeded.
    fn after(&self, operation: &Operation<'_>) {
        let _ = operation;
    }

    /// Reports whether syncs are passed on to the disk. Where a crash is only simulated they need not be.
    fn passes_syncs(&self) -> bool {
        true
    }
}

/// Nothing happens that the disk does not do itself.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoFaults;

impl Faults for NoFaults {}

impl NoFaults {
    /// As every `open` takes it.
    pub fn shared() -> Arc<dyn Faults> {
        Arc::new(NoFaults)
    }
}

/// One step at the disk. Paths are absolute.
#[derive(Debug, Clone, Copy)]
pub struct Operation<'a> {
    pub kind: OperationKind,
    pub path: &'a Utf8Path,
    /// Where a rename or link goes to.
    pub to: Option<&'a Utf8Path>,
    /// What a write adds to the end of the file.
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

/// As in "could not …".
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
