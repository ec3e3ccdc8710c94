//! Memory in git, for workers: a branch of a remote is checked out, changed and pushed, in clones that acreta made
//! itself. Publishing never overwrites a commit that somebody else pushed, and nothing that a remote holds makes a
//! program run.
//!
//! Git is used for its objects and its transports only. It never writes or reads a working tree: the files of
//! `.acreta` are written from blobs by this crate and read back as they are, so that neither hooks, filters,
//! attributes, links nor submodules of a repository take effect.

mod checkout;
mod clone;
mod commit;
mod error;
mod files;
mod git;
mod id;
mod process;
mod publish;
mod remote;
mod tree;

pub use checkout::{Checkout, Clones, Settings};
pub use commit::{Author, Change};
pub use error::{ClonesError, GitFailure};
pub use id::CommitId;
pub use publish::Published;

/// The branch that workers write unless another one is configured.
pub const MEMORY_BRANCH: &str = "acreta/memory";
