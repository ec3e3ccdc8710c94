//! The guest's monotonic clock, which advances only when it is read. Every run sees the same times, and a sleeping
//! guest does not block a host thread.

use wasmtime::component::{HasData, Resource};
use wasmtime_wasi::async_trait;
use wasmtime_wasi::p2::bindings::clocks::monotonic_clock;
use wasmtime_wasi::p2::{DynPollable, Pollable, subscribe};

use crate::state::HostState;

/// Links the monotonic clock below.
pub(crate) struct SteppingClock;

impl HasData for SteppingClock {
    type Data<'a> = &'a mut HostState;
}

/// Nanoseconds between two reads of the clock.
const STEP: u64 = 1_000;

impl monotonic_clock::Host for HostState {
    fn now(&mut self) -> wasmtime::Result<monotonic_clock::Instant> {
        self.monotonic += STEP;
        Ok(self.monotonic)
    }

    fn resolution(&mut self) -> wasmtime::Result<monotonic_clock::Duration> {
        Ok(STEP)
    }

    fn subscribe_instant(
        &mut self,
        when: monotonic_clock::Instant,
    ) -> wasmtime::Result<Resource<DynPollable>> {
        self.monotonic = self.monotonic.max(when);
        let ready = self.table.push(Ready)?;
        subscribe(&mut self.table, ready)
    }

    fn subscribe_duration(
        &mut self,
        duration: monotonic_clock::Duration,
    ) -> wasmtime::Result<Resource<DynPollable>> {
        self.subscribe_instant(self.monotonic.saturating_add(duration))
    }
}

/// A pollable that is always ready.
struct Ready;

#[async_trait]
impl Pollable for Ready {
    async fn ready(&mut self) {}
}
