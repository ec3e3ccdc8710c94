//! Connecting agents, and their permissions.

pub(crate) mod for_agents;
pub mod init;
pub mod permissions;
