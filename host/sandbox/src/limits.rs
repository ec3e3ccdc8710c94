//! Limits of memory, tables and time of one call. Every refusal is recorded with the requested amount.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use acreta_types::{Limits, PluginFault};
use wasmtime::ResourceLimiter;

/// Set once this process is about to end.
static STOPPED: AtomicBool = AtomicBool::new(false);

/// Ends every running call of a guest at its next tick, and starts no more: for a process that was interrupted.
pub fn stop_guests() {
    STOPPED.store(true, Ordering::SeqCst);
}

pub(crate) fn is_stopped() -> bool {
    STOPPED.load(Ordering::SeqCst)
}

/// Counts the resources of a store's instances and refuses excess.
pub(crate) struct Meter {
    memory_allowed: u64,
    memory_used: u64,
    pub(crate) memory_peak: u64,
    tables_allowed: u64,
    tables_used: u64,
    wall_allowed: Duration,
    started: Instant,
    /// Time the host spent serving the guest's imports.
    host_time: Duration,
    /// The part of it that waited for models, which have budgets and timeouts of their own. Everything else counts: the
    /// guest chose to ask.
    model_time: Duration,
    pub(crate) over: Option<OverLimit>,
}

impl Meter {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            memory_allowed: limits.memory_bytes,
            memory_used: 0,
            memory_peak: 0,
            tables_allowed: limits.table_elements,
            tables_used: 0,
            wall_allowed: Duration::from_millis(limits.wall_ms),
            started: Instant::now(),
            host_time: Duration::ZERO,
            model_time: Duration::ZERO,
            over: None,
        }
    }

    pub(crate) fn guest_time(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.host_time)
    }

    pub(crate) fn host_time(&self) -> Duration {
        self.host_time
    }

    /// Adds time of the host, and checks the limit.
    pub(crate) fn served(&mut self, since: Instant) -> Result<(), OverLimit> {
        self.host_time += since.elapsed();
        self.check_time()
    }

    /// Adds time in which the host waited for a model.
    pub(crate) fn waited_for_model(&mut self, since: Instant) {
        self.host_time += since.elapsed();
        self.model_time += since.elapsed();
    }

    /// Returns the time until the limit.
    pub(crate) fn time_left(&self) -> Duration {
        self.wall_allowed.saturating_sub(self.counted_time())
    }

    fn counted_time(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.model_time)
    }

    /// Called at every tick of the clock while the guest runs, and after every call of the host.
    pub(crate) fn check_time(&mut self) -> Result<(), OverLimit> {
        let used = self.counted_time();
        if used <= self.wall_allowed {
            return Ok(());
        }
        Err(self.refuse(
            "wall_ms",
            self.wall_allowed.as_millis() as u64,
            used.as_millis() as u64,
        ))
    }

    pub(crate) fn refuse(&mut self, limit: &'static str, allowed: u64, used: u64) -> OverLimit {
        let over = OverLimit {
            limit,
            allowed,
            used,
        };
        self.over.get_or_insert(over);
        over
    }
}

impl ResourceLimiter for Meter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let used = self.memory_used + (desired - current) as u64;
        if used > self.memory_allowed {
            return Err(self
                .refuse("memory_bytes", self.memory_allowed, used)
                .into());
        }
        self.memory_used = used;
        self.memory_peak = self.memory_peak.max(used);
        Ok(true)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let used = self.tables_used + (desired - current) as u64;
        if used > self.tables_allowed {
            return Err(self
                .refuse("table_elements", self.tables_allowed, used)
                .into());
        }
        self.tables_used = used;
        Ok(true)
    }
}

/// Ends a call in which the guest exceeded a limit.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("limit `{limit}`: {allowed} allowed, {used} asked for")]
pub(crate) struct OverLimit {
    pub(crate) limit: &'static str,
    pub(crate) allowed: u64,
    pub(crate) used: u64,
}

impl From<OverLimit> for PluginFault {
    fn from(over: OverLimit) -> Self {
        PluginFault::Limit {
            limit: over.limit,
            allowed: over.allowed,
            used: over.used,
        }
    }
}

/// Stack of a guest. Threads that call plugins need more than this.
pub(crate) const STACK_BYTES: usize = 1024 * 1024;
