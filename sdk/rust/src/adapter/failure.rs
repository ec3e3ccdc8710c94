//! The ways a call of an adapter fails. Bad input is none of them: it is a diagnostic.

use std::io::ErrorKind;

use crate::adapter::Failure;

/// The file cannot be read at all, or not now.
pub fn io(error: &std::io::Error) -> Failure {
    Failure {
        code: "io".to_owned(),
        message: format!("could not read the session file: {error}"),
        retryable: !matches!(
            error.kind(),
            ErrorKind::NotFound | ErrorKind::PermissionDenied
        ),
    }
}

/// The cursor does not fit the session: it has to be read from the start.
pub fn invalid_cursor(why: &str) -> Failure {
    failure("invalid-cursor", why)
}

/// The session cannot be read, and another try would not help.
pub fn unreadable(why: &str) -> Failure {
    failure("unreadable", why)
}

fn failure(code: &str, why: &str) -> Failure {
    Failure {
        code: code.to_owned(),
        message: why.to_owned(),
        retryable: false,
    }
}
