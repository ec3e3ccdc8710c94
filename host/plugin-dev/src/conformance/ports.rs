//! Host ports that serve only the inputs of a check or a case. Deterministic: equal input gives equal answers on every
//! machine.

mod models;
mod pages;
mod search;
mod told;

pub(crate) use models::Refusing;
pub(crate) use pages::{BrokenTrace, Pages};
pub(crate) use search::{BrokenSearch, WordSearch};
pub(crate) use told::listening;

use std::sync::{Mutex, MutexGuard, PoisonError};

use acreta_types::Failure;

/// Failure of a port that cannot do its work.
pub(crate) fn unavailable(message: &str) -> Failure {
    Failure {
        code: "io".to_owned(),
        message: message.to_owned(),
        retryable: true,
    }
}

/// Failure that the host returns without a grant.
pub(crate) fn not_granted() -> Failure {
    Failure {
        code: "not-granted".to_owned(),
        message: "this plugin has no grant for a language model".to_owned(),
        retryable: false,
    }
}

/// Locks a port, ignoring the poison of an earlier panic.
pub(crate) fn lock<T: ?Sized>(port: &Mutex<T>) -> MutexGuard<'_, T> {
    port.lock().unwrap_or_else(PoisonError::into_inner)
}
