//! An observer that records successful operations and injects failures. [`Crash`](super::Crash) reconstructs disks from
//! its log.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use camino::Utf8PathBuf;

use crate::{Faults, Operation, OperationKind};

/// An operation that succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    pub kind: OperationKind,
    pub path: Utf8PathBuf,
    pub to: Option<Utf8PathBuf>,
    pub bytes: Vec<u8>,
}

/// An error to inject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Failure {
    /// Counts only operations of this kind; `None` counts every operation that changes the disk.
    pub kind: Option<OperationKind>,
    /// Index of the operation that fails, from 0.
    pub nth: usize,
    pub errno: Errno,
    pub times: Times,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    Once,
    /// It and every later one of the kind.
    Always,
}

/// Errors of a disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Errno {
    /// ENOSPC
    NoSpace,
    /// EIO
    InputOutput,
    /// EROFS
    ReadOnly,
    /// EMFILE
    TooManyOpen,
}

impl Errno {
    pub const ALL: [Errno; 4] = [
        Errno::NoSpace,
        Errno::InputOutput,
        Errno::ReadOnly,
        Errno::TooManyOpen,
    ];

    #[cfg(unix)]
    pub fn error(self) -> io::Error {
        use rustix::io::Errno as System;
        match self {
            Errno::NoSpace => System::NOSPC,
            Errno::InputOutput => System::IO,
            Errno::ReadOnly => System::ROFS,
            Errno::TooManyOpen => System::MFILE,
        }
        .into()
    }

    /// Returns the corresponding Windows error.
    #[cfg(windows)]
    pub fn error(self) -> io::Error {
        io::Error::from_raw_os_error(match self {
            // ERROR_DISK_FULL, ERROR_IO_DEVICE, ERROR_WRITE_PROTECT, ERROR_TOO_MANY_OPEN_FILES
            Errno::NoSpace => 112,
            Errno::InputOutput => 1117,
            Errno::ReadOnly => 19,
            Errno::TooManyOpen => 4,
        })
    }
}

/// Records operations, and fails as planned.
#[derive(Debug, Default)]
pub struct Recorder {
    failure: Option<Failure>,
    state: Mutex<RecorderState>,
}

#[derive(Debug, Default)]
struct RecorderState {
    log: Vec<Recorded>,
    counted: usize,
    failed: usize,
}

impl Recorder {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn failing(failure: Failure) -> Self {
        Self {
            failure: Some(failure),
            state: Mutex::default(),
        }
    }

    /// Returns the operations that changed the disk so far, in order.
    pub fn log(&self) -> Vec<Recorded> {
        self.state().log.clone()
    }

    /// Returns the number of injected failures.
    pub fn failed(&self) -> usize {
        self.state().failed
    }

    fn state(&self) -> MutexGuard<'_, RecorderState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Faults for Recorder {
    fn before(&self, operation: &Operation<'_>) -> io::Result<()> {
        let Some(failure) = self.failure else {
            return Ok(());
        };
        let counts = match failure.kind {
            Some(kind) => kind == operation.kind,
            None => operation.kind.is_change(),
        };
        if !counts {
            return Ok(());
        }
        let mut state = self.state();
        let number = state.counted;
        state.counted += 1;
        let fails = match failure.times {
            Times::Once => number == failure.nth,
            Times::Always => number >= failure.nth,
        };
        if fails {
            state.failed += 1;
            return Err(failure.errno.error());
        }
        Ok(())
    }

    fn after(&self, operation: &Operation<'_>) {
        if operation.kind.is_change() {
            self.state().log.push(Recorded {
                kind: operation.kind,
                path: operation.path.to_owned(),
                to: operation.to.map(ToOwned::to_owned),
                bytes: operation.bytes.to_vec(),
            });
        }
    }

    fn passes_syncs(&self) -> bool {
        false
    }
}
