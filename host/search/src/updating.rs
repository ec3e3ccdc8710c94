//! Lets one thread of a process update an index at a time. Others wait with a timeout.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use acreta_types::locked;

#[derive(Default)]
pub(crate) struct UpdateLock {
    is_taken: Mutex<bool>,
    freed: Condvar,
}

/// Guard of the thread that updates.
pub(crate) struct UpdateTurn<'a> {
    updating: &'a UpdateLock,
}

impl UpdateLock {
    /// Returns `None` on timeout.
    pub(crate) fn enter(&self, wait: Duration) -> Option<UpdateTurn<'_>> {
        let waited = self
            .freed
            .wait_timeout_while(self.is_taken(), wait, |is_taken| *is_taken);
        let (mut is_taken, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if *is_taken {
            return None;
        }
        *is_taken = true;
        Some(UpdateTurn { updating: self })
    }

    fn is_taken(&self) -> MutexGuard<'_, bool> {
        locked(&self.is_taken)
    }
}

impl Drop for UpdateTurn<'_> {
    fn drop(&mut self) {
        *self.updating.is_taken() = false;
        self.updating.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_at_a_time() {
        let updating = UpdateLock::default();
        let first = updating.enter(Duration::ZERO);
        assert!(first.is_some());
        assert!(updating.enter(Duration::from_millis(1)).is_none());
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| updating.enter(Duration::from_secs(60)).is_some());
            drop(first);
            assert!(waiter.join().unwrap());
        });
        assert!(updating.enter(Duration::ZERO).is_some());
    }
}
