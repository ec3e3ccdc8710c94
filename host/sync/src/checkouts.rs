//! Interfaces to the repositories that a worker writes memory to: a branch is checked out, changed and published, and
//! changed again if somebody else published in between.

use camino::Utf8Path;

/// Gives out checkouts of projects' remotes that nobody but the worker uses.
pub trait Checkouts: Sync {
    /// Checks out the branch of memory of a remote, given as `host/path` or as the absolute path of a folder.
    fn checkout(&self, remote: &str) -> Result<Box<dyn MemoryCheckout>, CheckoutError>;
}

/// A branch of memory, as the remote had it. It belongs to this value as long as it lives.
pub trait MemoryCheckout {
    /// Returns the folder that contains `.acreta`.
    fn path(&self) -> &Utf8Path;

    /// Commits `.acreta` and pushes it, only onto the state that was checked out.
    fn publish(&mut self, message: &str, now_ms: u64) -> Result<PublishOutcome, CheckoutError>;
}

/// The end of a publication that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PublishOutcome {
    /// The remote has these files.
    Published,
    /// Somebody else published since the checkout: check out again and make the change again.
    Moved,
}

/// A checkout or a publication failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckoutError {
    /// The error with its causes and a hint.
    pub message: String,
    /// The same call may succeed later without anybody's help.
    pub is_temporary: bool,
}
