//! One module per command.

pub(crate) mod config;
pub(crate) mod memory;
pub(crate) mod plugin;
pub(crate) mod project;
pub(crate) mod run;
