//! What acreta does, put together from its libraries for whoever asks: the command line, the daemon,
//! an agent over MCP. Results are values; nothing here prints.
//!
//! This is where the clock is read and chance is asked for; the environment is handed in.

mod agent;
pub mod answer;
pub mod clock;
pub mod codebase;
pub mod connect;
mod context;
mod deferred;
pub mod desk;
pub mod events;
mod failure;
pub mod find;
mod hints;
mod kept;
mod learn;
pub mod model;
pub mod models;
pub mod origin;
pub mod pending;
pub mod plugins;
pub mod projects;
pub mod readings;
pub mod reports;
pub mod repository;
pub mod scopes;
pub mod settings;
mod snapshots;
mod upgrade;
pub mod usage;
mod workshop;

pub use agent::ForAgents;
pub use context::{Context, Process, project_config};
pub use failure::{Failure, Kind};
pub use kept::{Kept, LentCatalog};
pub use learn::learn;
pub use workshop::LazyWorkshop;
