//! Traps with backtraces, for the author of a plugin. A sandbox with a [`TrapLog`] compiles components with their debug
//! information, which costs time and space, and records where each trap happened. Any other reports a trap in one line.
//!
//! Names and files come from the guest: data to show, never paths to open without a check.

use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use wasmtime::WasmBacktrace;

/// A guest that crashed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trap {
    pub plugin: String,
    pub message: String,
    /// Its standard error: the message of a panic, or an exception with its own backtrace.
    pub stderr: String,
    /// From the place of the trap outwards; functions without debug information are left out.
    pub frames: Vec<Frame>,
}

/// A line of a function that was running.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Frame {
    pub function: String,
    /// As the compiler of the guest was given it.
    pub file: String,
    pub line: u32,
}

/// Traps of every plugin of a sandbox, shared by whoever holds a clone.
#[derive(Debug, Clone, Default)]
pub struct TrapLog(Arc<Mutex<Vec<Trap>>>);

impl TrapLog {
    /// Removes and returns the traps since the last call.
    pub fn take(&self) -> Vec<Trap> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Records an error of a call if it is a trap.
    pub(crate) fn record(&self, plugin: &str, error: &wasmtime::Error, stderr: String) {
        let Some(backtrace) = error.downcast_ref::<WasmBacktrace>() else {
            return;
        };
        let symbols = backtrace.frames().iter().flat_map(|frame| frame.symbols());
        let frames = symbols.filter_map(|symbol| {
            Some(Frame {
                function: symbol.name().unwrap_or("?").to_owned(),
                file: symbol.file()?.to_owned(),
                line: symbol.line()?,
            })
        });
        let trap = Trap {
            plugin: plugin.to_owned(),
            message: error.root_cause().to_string(),
            stderr,
            frames: frames.collect(),
        };
        let mut traps = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Many calls fail in one place.
        if !traps.contains(&trap) {
            traps.push(trap);
        }
    }
}

/// Two are equal if they are the same log.
impl PartialEq for TrapLog {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for TrapLog {}
