//! Learning from sessions: one file, or all that changed; runs, their queue and their reports.

pub mod candidates;
pub(crate) mod deferred;
pub(crate) mod environment;
pub(crate) mod foreign;
pub mod frozen;
pub mod one_file;
pub mod queue;
pub mod readings;
pub mod reports;
pub(crate) mod run_options;
pub mod runs;
pub mod sync;
pub mod sync_options;
pub(crate) mod typed;
