//! What a process reads and keeps between requests: clock, context, caches, events, logs, and where state and archive are.

pub(crate) mod archive;
pub(crate) mod background;
pub(crate) mod caches;
pub mod clock;
pub(crate) mod context;
pub mod events;
pub(crate) mod failure;
pub(crate) mod files;
pub(crate) mod indexes;
pub mod logs;
pub(crate) mod preparing;
pub(crate) mod settings;
pub(crate) mod snapshots;
pub(crate) mod stamps;
pub mod state;
pub mod upgrade;
