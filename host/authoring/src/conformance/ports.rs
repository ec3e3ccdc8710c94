//! The ports of a host that has nothing but what a check or a case gives it. The same input gives
//! the same answers, wherever it runs.

mod models;
mod pages;
mod search;
mod told;

pub(crate) use models::Refusing;
pub(crate) use pages::{Broken, Pages};
pub(crate) use search::{BrokenSearch, WordSearch};
pub(crate) use told::listening;

use std::sync::{Mutex, MutexGuard, PoisonError};

use acreta_model::Failure;

/// What a port says that cannot do its work.
pub(crate) fn unavailable(message: &str) -> Failure {
    Failure {
        code: "io".to_owned(),
        message: message.to_owned(),
        retryable: true,
    }
}

/// As the host answers without a grant.
pub(crate) fn not_granted() -> Failure {
    Failure {
        code: "not-granted".to_owned(),
        message: "this plugin has no grant for a language model".to_owned(),
        retryable: false,
    }
}

/// A port that panicked in an earlier call is still the same port.
pub(crate) fn lock<T: ?Sized>(port: &Mutex<T>) -> MutexGuard<'_, T> {
    port.lock().unwrap_or_else(PoisonError::into_inner)
}
