//! Bringing an index up to date is one's work at a time in a process. Others wait for it, but not for ever.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use acreta_model::locked;

#[derive(Default)]
pub(crate) struct Updating {
    is_taken: Mutex<bool>,
    freed: Condvar,
}

/// The turn of whoever brings it up to date.
pub(crate) struct Turn<'a> {
    updating: &'a Updating,
}

impl Updating {
    /// None when another was at it all the time.
    pub(crate) fn enter(&self, wait: Duration) -> Option<Turn<'_>> {
        let waited = self
            .freed
            .wait_timeout_while(self.is_taken(), wait, |is_taken| *is_taken);
        let (mut is_taken, _) = waited.unwrap_or_else(PoisonError::into_inner);
        if *is_taken {
            return None;
        }
        *is_taken = true;
        Some(Turn { updating: self })
    }

    fn is_taken(&self) -> MutexGuard<'_, bool> {
        locked(&self.is_taken)
    }
}

impl Drop for Turn<'_> {
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
        let updating = Updating::default();
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
