//! One module per command.

pub(crate) mod ask;
pub(crate) mod brief;
pub(crate) mod config;
pub(crate) mod connect;
pub(crate) mod context;
pub(crate) mod doctor;
mod embed;
pub(crate) mod hook;
pub(crate) mod init;
mod live;
pub(crate) mod maintain;
pub(crate) mod manual;
pub(crate) mod mcp;
pub(crate) mod memory;
pub(crate) mod model;
pub(crate) mod plugin;
pub(crate) mod project;
pub(crate) mod queue;
pub(crate) mod review;
pub(crate) mod run;
pub(crate) mod runs;
pub(crate) mod serve;
pub(crate) mod sessions;
pub(crate) mod status;
pub(crate) mod sync;
mod verdicts;
pub(crate) mod worker;
