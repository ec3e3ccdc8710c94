//! The guest's wall clock: the run's time, which does not advance.

use std::time::Duration;

use wasmtime_wasi::HostWallClock;

/// The wall clock of one run.
pub(crate) struct FixedWallClock(pub(crate) u64);

impl HostWallClock for FixedWallClock {
    fn resolution(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn now(&self) -> Duration {
        Duration::from_millis(self.0)
    }
}
