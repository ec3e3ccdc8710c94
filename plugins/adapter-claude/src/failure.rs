//! The ways a call of this adapter fails. Bad input is none of them: it is a diagnostic.

use std::io::ErrorKind;

use acreta_sdk::adapter::Failure;

/// The file cannot be read at all, or not now.
pub(crate) fn io(error: &std::io::Error) -> Failure {
    Failure {
        code: "io".to_owned(),
        message: format!("could not read the session file: {error}"),
        retryable: !matches!(
            error.kind(),
            ErrorKind::NotFound | ErrorKind::PermissionDenied
        ),
    }
}

/// The cursor does not fit the file: it has to be read from the start.
pub(crate) fn invalid_cursor(why: &str) -> Failure {
    Failure {
        code: "invalid-cursor".to_owned(),
        message: why.to_owned(),
        retryable: false,
    }
}
