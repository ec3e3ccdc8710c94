//! The same work on many things by a few threads. Results come in the order of the things.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use acreta_model::locked;

/// Stack of a worker: a guest's own megabyte and the host's calls beneath it.
pub(crate) const STACK: usize = 8 * 1024 * 1024;

/// Calls `work` for each of `things`, with at most `workers` threads.
pub(crate) fn map<T: Sync, R: Send>(
    workers: usize,
    things: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(things.len()));
    let around = tracing::Span::current();
    let worker = || {
        let _inside = around.enter();
        while let Some((index, thing)) = take(&next, things) {
            let result = work(thing);
            let mut results = locked(&results);
            results.push((index, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..workers.min(things.len()) {
            // One thread less is slower, not wrong.
            let _started = std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, worker);
        }
        worker();
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn take<'a, T>(next: &AtomicUsize, things: &'a [T]) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    things.get(index).map(|thing| (index, thing))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_thing_is_done_once_and_in_order() {
        let things: Vec<u32> = (0..100).collect();
        for workers in [0, 1, 2, 200] {
            let doubled = map(workers, &things, |thing| thing * 2);
            let expected: Vec<u32> = things.iter().map(|thing| thing * 2).collect();
            assert_eq!(doubled, expected, "{workers} workers");
        }
    }
}
