//! Acreta's use cases over its libraries, for the command line, the daemon, and agents over MCP. Results are values;
//! nothing here prints.
//!
//! Clock and randomness are read here; callers pass the environment.

pub mod codebase;
pub mod connect;
pub mod find;
pub mod installation;
pub mod learn;
pub mod models;
pub mod overview;
pub mod plugins;
pub mod process;
pub mod projects;
pub mod recall;
pub mod remember;
pub mod review;
pub mod sessions;
pub mod worker;

pub use acreta_config::Environment;
pub use acreta_sandbox::{COMPILE, LINES, compile_as_child, stop_guests};
pub use acreta_text::{is_hidden, visible};
pub use connect::for_agents::ForAgents;
pub use learn::environment::LazySyncEnvironment;
pub use process::caches::{LentCatalog, ProcessCaches};
pub use process::context::{Context, Process};
pub use process::failure::{Failure, Kind};
pub use process::files::{read_text, write_text};
pub use process::preparing::{OnPreparing, Preparing};

/// Formats a number with its noun.
pub fn counted(number: u64, singular: &str, plural: &str) -> String {
    format!("{number} {}", if number == 1 { singular } else { plural })
}
