//! Failures of an adapter's calls. Bad input is not a failure but a diagnostic.

use std::io::ErrorKind;

use crate::adapter::Failure;

/// Builds the failure of a file that cannot be read, permanently or now.
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

/// Builds the failure of a cursor that does not fit the session, which has to be read from the start.
pub fn invalid_cursor(why: &str) -> Failure {
    Failure::new("invalid-cursor", why)
}

/// Builds the failure of a session that cannot be read; a retry would not help.
pub fn unreadable(why: &str) -> Failure {
    Failure::new("unreadable", why)
}
