//! Sync: find every agent's sessions, keep them safe, and work through what is new.
//!
//! Each step starts from what the catalog says, never from what the step before held in memory: a
//! sync that is killed anywhere is finished by the next one, nothing is lost and nothing is done
//! twice. Any number of processes may sync at once.

mod assign;
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
mod workshop;

pub use cures::collect as collect_cures;
pub use error::SyncError;
pub use exclude::Excluded;
pub use find::{AgentRoot, RecentFile, agent_roots, recent_files};
pub use named::record_named_run;
pub use options::{Selection, SyncOptions, WithoutProject};
pub use report::{
    AgentReport, DeadLetter, Fallback, LearntLine, Problem, ProjectReport, RunLine, SyncReport,
    WaitingProject,
};
pub use rescued::read_rescued;
pub use sync::sync;
pub use waiting::retry_at_ms;
pub use workshop::{AdapterEntry, Scope, Stage, Watcher, Workshop};
