//! Rate limit of one provider: concurrent calls, calls per minute, and pauses that the provider asks for. Shared by all
//! sessions of the process.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::{Clock, ProviderSettings};

pub(crate) struct Pace {
    most: usize,
    /// Minimum time between the starts of two calls.
    interval: Duration,
    state: Mutex<PaceState>,
    left: Condvar,
}

/// Permission for one call; released on drop.
pub(crate) struct Permit<'a>(&'a Pace);

#[derive(Default)]
struct PaceState {
    running: usize,
    /// By [`Clock::elapsed`]: no call starts earlier.
    next_start: Duration,
}

impl Pace {
    pub(crate) fn new(settings: &ProviderSettings) -> Self {
        let per_minute = settings.requests_per_minute.filter(|count| *count > 0);
        Self {
            most: settings.max_parallel.max(1),
            interval: per_minute.map_or(Duration::ZERO, |count| Duration::from_secs(60) / count),
            state: Mutex::new(PaceState::default()),
            left: Condvar::new(),
        }
    }

    /// Waits for a free slot, then for the next start time.
    pub(crate) fn enter(&self, clock: &dyn Clock) -> Permit<'_> {
        let mut state = self.state();
        while state.running >= self.most {
            state = self
                .left
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        state.running += 1;
        let now = clock.elapsed();
        let start = state.next_start.max(now);
        state.next_start = start + self.interval;
        drop(state);
        let permit = Permit(self);
        if start > now {
            clock.sleep(start - now);
        }
        permit
    }

    /// Delays all calls for `pause` from now.
    pub(crate) fn hold(&self, pause: Duration, clock: &dyn Clock) {
        let ready = clock.elapsed().saturating_add(pause);
        let mut state = self.state();
        state.next_start = state.next_start.max(ready);
    }

    fn state(&self) -> MutexGuard<'_, PaceState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.state().running -= 1;
        self.0.left.notify_one();
    }
}
