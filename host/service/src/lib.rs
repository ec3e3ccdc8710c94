//! Acreta's use cases over its libraries, for the command line, the daemon, and agents over MCP. Results are values;
//! nothing here prints.
//!
//! Clock and randomness are read here; callers pass the environment.

mod agent;
pub mod agent_memories;
pub mod amend;
pub mod answer;
mod archive;
pub mod ask;
pub mod brief;
pub mod briefs;
pub mod builtin;
pub mod candidates;
pub mod clock;
pub mod codebase;
pub mod configure;
pub mod conflicts;
pub mod connect;
mod context;
mod contradictions;
pub mod cures;
mod deferred;
pub mod desk;
mod diff;
pub mod doctor;
pub mod editor;
pub mod events;
pub mod export;
mod failure;
mod files;
pub mod find;
mod foreign;
pub mod frozen;
mod hints;
pub mod home;
pub mod hook_log;
pub mod import;
mod indexes;
pub mod init;
pub mod inspect;
pub mod install;
mod kept;
pub mod learn;
pub mod listing;
mod listings;
pub mod logs;
pub mod maintain;
pub mod memories;
mod memory_stamps;
pub mod model;
pub mod models;
pub mod offers;
mod opening;
pub mod origin;
pub mod pending;
mod pending_quotes;
pub mod pilot;
pub mod plugins;
mod preparing;
pub mod projects;
pub mod provenance;
pub mod purge;
pub mod queue;
pub mod readings;
pub mod recall;
pub mod remember;
pub mod reports;
pub mod repository;
pub mod review;
mod run_options;
pub mod runs;
pub mod scaffold;
pub mod scopes;
pub mod search;
pub mod sentence_model;
pub mod session;
pub mod sessions;
pub mod settings;
mod shared_budget;
pub mod short_ids;
mod snapshots;
pub mod state;
pub mod status;
pub mod sync;
pub mod timeline;
pub mod trust;
pub mod try_out;
mod unsettled;
mod upgrade;
pub mod usage;
pub mod worker;
mod workshop;

pub use acreta_config::Environment;
pub use acreta_text::{is_hidden, visible};
pub use agent::ForAgents;
pub use context::{Context, Process, project_config};
pub use failure::{Failure, Kind};
pub use files::{read_text, write_text};
pub use kept::{Kept, LentCatalog};
pub use preparing::{OnPreparing, Preparing};
pub use workshop::LazyWorkshop;

/// Formats a number with its noun.
pub fn counted(number: u64, singular: &str, plural: &str) -> String {
    format!("{number} {}", if number == 1 { singular } else { plural })
}
