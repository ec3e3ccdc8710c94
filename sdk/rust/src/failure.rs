//! Failures that plugins of all roles return.

use crate::bindings::acreta::types::types::Failure;

impl Failure {
    /// Builds a failure that a retry would not fix.
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self {
            code: code.to_owned(),
            message: message.into(),
            retryable: false,
        }
    }
}
