//! Projects and the settings of a person: which memory a command uses, and what it may read.

pub(crate) mod checkouts;
pub mod configure;
pub mod registry;
pub mod repository;
pub mod scopes;
