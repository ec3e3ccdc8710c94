//! An ordered parallel map: a few threads process a list, and results keep the order of its items.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Configuration of one parallel map. The calling thread is one of the threads.
#[derive(Debug, Clone, Copy)]
pub struct Threads {
    most: usize,
    batch: usize,
    stack_bytes: Option<usize>,
}

impl Threads {
    pub fn at_most(most: usize) -> Self {
        Self {
            most,
            batch: 1,
            stack_bytes: None,
        }
    }

    /// Sets how many items a thread takes at once. With cheap items, taking one at a time spends more on contention
    /// than on work.
    #[must_use]
    pub fn batch(self, items: usize) -> Self {
        let batch = items.max(1);
        Self { batch, ..self }
    }

    /// Sets the stack size of the other threads; the default is the platform's.
    #[must_use]
    pub fn stack_bytes(self, bytes: usize) -> Self {
        let stack_bytes = Some(bytes);
        Self {
            stack_bytes,
            ..self
        }
    }

    /// Calls `work` once for each item. If a thread cannot be started, the map is slower but still correct; a panic in
    /// a thread panics in the caller.
    pub fn map<T: Sync, R: Send>(self, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let most = self.most.min(items.len().div_ceil(self.batch));
        if most <= 1 {
            return items.iter().map(work).collect();
        }
        let next = AtomicUsize::new(0);
        let run = || {
            let mut done = Vec::new();
            loop {
                let start = next.fetch_add(self.batch, Ordering::Relaxed);
                let Some(rest) = items.get(start..).filter(|rest| !rest.is_empty()) else {
                    return done;
                };
                let batch = &rest[..rest.len().min(self.batch)];
                done.push((start, batch.iter().map(&work).collect::<Vec<R>>()));
            }
        };
        let mut batches = thread::scope(|scope| {
            let others: Vec<_> = (1..most)
                .filter_map(|_| self.builder().spawn_scoped(scope, run).ok())
                .collect();
            let mut batches = run();
            for other in others {
                batches.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            batches
        });
        batches.sort_unstable_by_key(|(start, _)| *start);
        batches.into_iter().flat_map(|(_, done)| done).collect()
    }

    fn builder(self) -> thread::Builder {
        let builder = thread::Builder::new();
        match self.stack_bytes {
            Some(bytes) => builder.stack_size(bytes),
            None => builder,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Mutex;

    use super::*;
    use crate::locked;

    #[test]
    fn every_item_is_worked_on_once_and_results_are_in_order() {
        for count in [0, 1, 15, 16, 17, 100] {
            let items: Vec<u32> = (0..count).collect();
            let expected: Vec<u32> = items.iter().map(|item| item * 2).collect();
            for most in [0, 1, 2, 200] {
                for batch in [0, 1, 16, 1000] {
                    let seen = Mutex::new(Vec::new());
                    let threads = Threads::at_most(most).batch(batch).stack_bytes(1 << 20);
                    let doubled = threads.map(&items, |item| {
                        locked(&seen).push(*item);
                        item * 2
                    });
                    let mut seen = seen.into_inner().unwrap();
                    seen.sort_unstable();
                    let case = format!("{count} items, {most} threads, {batch} at once");
                    assert_eq!(doubled, expected, "{case}");
                    assert_eq!(seen, items, "{case}");
                }
            }
        }
    }

    #[test]
    fn a_panic_of_one_thread_reaches_the_caller() {
        let items: Vec<u32> = (0..8).collect();
        let mapped = catch_unwind(AssertUnwindSafe(|| {
            Threads::at_most(4).map(&items, |item| assert_ne!(*item, 5))
        }));
        assert!(mapped.is_err());
    }
}
