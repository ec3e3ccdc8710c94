//! Threads of a sync: their number is an option, and everything logged in them belongs to the caller's span.

use acreta_types::Threads;

/// Stack size of a worker: a guest's own megabyte and the host's calls beneath it.
pub(crate) const STACK: usize = 8 * 1024 * 1024;

/// Calls `work` for each of `things`, with at most `workers` threads. Results are in the order of the things.
pub(crate) fn map<T: Sync, R: Send>(
    workers: usize,
    things: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let around = tracing::Span::current();
    let threads = Threads::at_most(workers).stack_bytes(STACK);
    threads.map(things, |thing| {
        let _inside = around.enter();
        work(thing)
    })
}
