//! Connecting agents, and their permissions.

mod commit_hook;
pub(crate) mod for_agents;
pub mod init;
pub mod permissions;
