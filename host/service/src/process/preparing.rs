//! Reports that plugins are being compiled. Each is compiled once and then cached, so only the first start is slow.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use acreta_sandbox::Sandbox;
use acreta_types::locked;

/// Progress of compiling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preparing {
    /// Plural noun: `adapters` or `plugins`.
    pub what: &'static str,
    pub done: usize,
    /// `None` if the number is unknown.
    pub total: Option<usize>,
}

/// Called for plugins that are being compiled, never for cached ones.
pub type OnPreparing = Arc<dyn Fn(Preparing) + Send + Sync>;

/// The plugins of one command that are not compiled yet.
pub(crate) struct Preparation {
    what: &'static str,
    listener: OnPreparing,
    total: usize,
    /// Digests.
    left: Mutex<BTreeSet<String>>,
}

impl Preparation {
    /// Finds those of `digests` that have to be compiled first.
    pub(crate) fn of<'a>(
        what: &'static str,
        listener: &OnPreparing,
        sandbox: &Sandbox,
        digests: impl Iterator<Item = &'a str>,
    ) -> Self {
        let left: BTreeSet<String> = digests
            .filter(|digest| !sandbox.is_compiled(digest))
            .map(str::to_owned)
            .collect();
        Self {
            what,
            listener: Arc::clone(listener),
            total: left.len(),
            left: Mutex::new(left),
        }
    }

    /// Loads a plugin; reports progress before and after if it has to be compiled.
    pub(crate) fn during<T>(&self, digest: &str, load: impl FnOnce() -> T) -> T {
        if !locked(&self.left).contains(digest) {
            return load();
        }
        self.tell();
        let loaded = load();
        locked(&self.left).remove(digest);
        self.tell();
        loaded
    }

    fn tell(&self) {
        let left = locked(&self.left).len();
        (self.listener)(Preparing {
            what: self.what,
            done: self.total - left,
            total: Some(self.total),
        });
    }
}
