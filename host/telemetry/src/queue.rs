//! A bounded queue between logging threads and the one writing thread. Pushing never blocks: an item that does not fit
//! is dropped and counted.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub(crate) struct Queue<T> {
    state: Mutex<QueueState<T>>,
    changed: Condvar,
    capacity: usize,
}

struct QueueState<T> {
    items: Vec<T>,
    /// Dropped since the last batch, and in total.
    dropped: u64,
    dropped_in_all: u64,
    /// Remaining items are to be handled at once.
    is_ending: bool,
    /// The consumer has stopped.
    is_done: bool,
}

/// The items pushed since the last batch.
pub(crate) struct Batch<T> {
    pub(crate) items: Vec<T>,
    pub(crate) dropped: u64,
}

impl<T> Queue<T> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            state: Mutex::new(QueueState {
                items: Vec::new(),
                dropped: 0,
                dropped_in_all: 0,
                is_ending: false,
                is_done: false,
            }),
            changed: Condvar::new(),
            capacity,
        }
    }

    pub(crate) fn push(&self, item: T) {
        let mut state = self.state();
        if state.is_done {
            state.dropped_in_all += 1;
            return;
        }
        if state.items.len() >= self.capacity {
            state.dropped += 1;
            state.dropped_in_all += 1;
            return;
        }
        state.items.push(item);
        let is_news = state.items.len() == 1 || state.items.len() == self.enough();
        drop(state);
        if is_news {
            self.changed.notify_all();
        }
    }

    /// Waits for an item, then `linger` for more. Returns `None` when the queue has ended.
    pub(crate) fn take(&self, linger: Duration) -> Option<Batch<T>> {
        let state = self
            .changed
            .wait_while(self.state(), |state| {
                state.items.is_empty() && !state.is_ending
            })
            .unwrap_or_else(PoisonError::into_inner);
        let (mut state, _) = self
            .changed
            .wait_timeout_while(state, linger, |state| {
                !state.is_ending && state.items.len() < self.enough()
            })
            .unwrap_or_else(PoisonError::into_inner);
        if state.items.is_empty() && state.dropped == 0 {
            return None;
        }
        Some(Batch {
            items: std::mem::take(&mut state.items),
            dropped: std::mem::take(&mut state.dropped),
        })
    }

    /// Ends the queue: the consumer drains it and stops. Until then, messages about its items can still be pushed.
    pub(crate) fn end(&self) {
        self.state().is_ending = true;
        self.changed.notify_all();
    }

    /// Marks the queue as drained, or as having no consumer.
    pub(crate) fn done(&self) {
        self.state().is_done = true;
        self.changed.notify_all();
    }

    pub(crate) fn wait_until_done(&self, until: Instant) {
        let left = until.saturating_duration_since(Instant::now());
        let state = self.state();
        let _done = self
            .changed
            .wait_timeout_while(state, left, |state| !state.is_done);
    }

    pub(crate) fn dropped_in_all(&self) -> u64 {
        self.state().dropped_in_all
    }

    /// Number of items that are handled without waiting for more.
    fn enough(&self) -> usize {
        self.capacity / 2
    }

    fn state(&self) -> MutexGuard<'_, QueueState<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
