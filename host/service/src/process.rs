//! What a process reads and keeps between requests: clock, context, caches, events, logs, and where state and archive are.

pub(crate) mod archive;
pub(crate) mod caches;
pub mod clock;
pub(crate) mod context;
pub mod events;
pub(crate) mod failure;
pub(crate) mod files;
pub(crate) mod indexes;
pub mod logs;
pub(crate) mod memory_stamps;
pub(crate) mod opening;
pub(crate) mod preparing;
pub(crate) mod snapshots;
pub mod state;
pub(crate) mod upgrade;
