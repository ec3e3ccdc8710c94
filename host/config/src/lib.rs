//! Settings in layers: built-in < user file < project file < file named by `ACRETA_CONFIG` < `ACRETA_*` variables <
//! flags. One table defines all keys, and every value knows where it came from. An invalid setting is a warning, and
//! the value of the layer below applies.
//!
//! Nothing is read from the process itself: callers pass environment and paths.

mod authority;
mod config;
mod edit;
mod environment;
mod error;
mod file;
mod home;
mod keys;
mod nearest;
mod origin;
mod trust;
mod value;
mod warning;

#[cfg(test)]
mod tests;

pub use authority::SetBy;
pub use config::{Config, SettingEntry, Sources};
pub use edit::{set, set_in_project, unset, unset_in_project};
pub use environment::{Environment, variable_of};
pub use error::ConfigError;
pub use home::Home;
pub use keys::{Allowed, Builtin, KEYS, KeyEntry, Kind};
pub use origin::Origin;
pub use trust::TrustStore;
pub use value::Value;
pub use warning::{Problem, Warning};
