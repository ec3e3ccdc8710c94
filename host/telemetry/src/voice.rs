//! Lets the log's own threads report problems through that log, once each.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use tracing::Dispatch;
use tracing::dispatcher::{WeakDispatch, with_default};

#[derive(Debug, Default)]
pub(crate) struct Voice {
    /// Weak, so that the log's threads do not keep it alive.
    log: OnceLock<WeakDispatch>,
}

/// Reports something the first time only.
#[derive(Debug, Default)]
pub(crate) struct Once(AtomicBool);

impl Voice {
    pub(crate) fn give(&self, log: &Dispatch) {
        let _first = self.log.set(log.downgrade());
    }

    pub(crate) fn say(&self, once: &Once, words: impl FnOnce()) {
        if once.0.swap(true, Ordering::Relaxed) {
            return;
        }
        if let Some(log) = self.log.get().and_then(WeakDispatch::upgrade) {
            with_default(&log, words);
        }
    }
}
