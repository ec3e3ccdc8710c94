//! How the threads behind the log speak up: through the log they belong to, and once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use tracing::Dispatch;
use tracing::dispatcher::{WeakDispatch, with_default};

#[derive(Debug, Default)]
pub(crate) struct Voice {
    /// Not kept alive by those who serve it.
    log: OnceLock<WeakDispatch>,
}

/// Something that is said the first time only.
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
