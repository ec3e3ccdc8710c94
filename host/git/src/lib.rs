//! Reads git repositories without git. A repository is untrusted data: this crate starts no process, runs no filter,
//! follows no include and no path out of the work tree, and every read is bounded.
//!
//! [`GitRepository`] is the entry point. Only this crate uses gix, and only its plumbing crates: those that run
//! filters, hooks or commands are not linked (`tests/git/linked.rs` asserts it).

mod attributes;
mod base;
mod changes;
mod config;
mod error;
mod folders;
mod history;
mod ignored;
mod index;
pub mod limits;
mod objects;
mod read;
mod refs;
mod renames;
mod repository;
mod revision;
mod similarity;
mod tree;
mod untracked;
mod worktree;

pub use base::DefaultBranch;
pub use changes::{ChangedPath, PathChange};
pub use config::{hooks_path, user_email};
pub use error::GitError;
pub use folders::{bare_repository, main_checkout};
pub use history::{HistoryCommit, HistoryEnd, HistoryOptions, TreeChange};
pub use ignored::IgnoreChain;
pub use index::TrackedPath;
pub use repository::GitRepository;
pub use tree::TreeFile;
