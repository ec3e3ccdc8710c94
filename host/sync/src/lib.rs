//! Sync: finds every agent's sessions, archives them, and processes the new ones.
//!
//! Each step starts from the catalog, never from data that the previous step held in memory: the next sync finishes one
//! that was killed at any point; nothing is lost and nothing is done twice. Any number of processes may sync at once.

mod assign;
mod checkouts;
mod cures;
mod drain;
mod error;
mod exclude;
mod find;
mod look;
mod named;
mod options;
mod parallel;
mod report;
mod rescue;
mod rescued;
mod retention;
mod source;
mod sync;
mod waiting;
mod work;
mod workshop;

pub use checkouts::{CheckoutError, Checkouts, MemoryCheckout, PublishOutcome};
pub use cures::collect as collect_cures;
pub use error::SyncError;
pub use exclude::Excluded;
pub use find::{AgentRoot, RecentFile, agent_roots, recent_files};
pub use named::record_named_run;
pub use options::{Selection, SyncOptions, WithoutProject};
pub use report::{
    AgentReport, DeadLetter, Fallback, LearntLine, ProjectReport, RunLine, SyncProblem, SyncReport,
    WaitingProject,
};
pub use rescued::read_rescued;
pub use sync::sync;
pub use waiting::retry_at_ms;
pub use work::{WorkReport, WorkRequest, work};
pub use workshop::{
    AdapterEntry, Scope, Stage, SyncEnvironment, Watcher, agent_of_plugin, is_of_plugin,
    own_agent_name,
};
