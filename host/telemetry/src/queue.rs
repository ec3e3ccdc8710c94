//! A bounded queue between those who log and the one thread that writes. Putting something in never
//! waits: what does not fit is dropped and counted.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
    capacity: usize,
}

struct State<T> {
    items: Vec<T>,
    /// Since the last batch, and in all.
    dropped: u64,
    dropped_in_all: u64,
    /// What is there is to be dealt with at once.
    is_ending: bool,
    /// Nobody takes anything out any more.
    is_done: bool,
}

/// What was put in since the last time.
pub(crate) struct Batch<T> {
    pub(crate) items: Vec<T>,
    pub(crate) dropped: u64,
}

impl<T> Queue<T> {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            state: Mutex::new(State {
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

    /// Waits for something, then a little longer for more of it. `None` when nothing will come any more.
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

    /// Nothing more is waited for: once it is empty it has ended. Until then, what is said about what is
    /// in it still fits in.
    pub(crate) fn end(&self) {
        self.state().is_ending = true;
        self.changed.notify_all();
    }

    /// Says that everything was dealt with, or that nobody is there to do it.
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

    /// So many are not kept waiting.
    fn enough(&self) -> usize {
        self.capacity / 2
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
