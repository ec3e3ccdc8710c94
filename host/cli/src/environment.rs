//! The environment of this process, read here only.

use acreta_service::Environment;

/// The variables of this process, those that are text.
pub(crate) fn environment() -> Environment {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}
