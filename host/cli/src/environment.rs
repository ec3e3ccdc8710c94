//! The environment of this process; it is read only here.

use acreta_service::Environment;

/// Returns the variables of this process that are valid Unicode.
pub(crate) fn environment() -> Environment {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}
