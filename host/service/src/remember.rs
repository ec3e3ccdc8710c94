//! Changes of memory by people and agents: add, edit, note, import, export, maintain, purge, trust.

pub mod add;
pub mod agent_memories;
pub mod amend;
pub(crate) mod diff;
pub mod editor;
pub mod export;
pub mod import;
pub mod locked;
pub mod maintain;
pub mod note;
pub mod pending;
pub(crate) mod pending_quotes;
pub mod purge;
pub mod trust;
