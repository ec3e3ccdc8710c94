//! How an update finds out what changed.

use std::collections::BTreeSet;

use crate::answer::request::Request;

/// How an update finds out what changed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum How<'a> {
    /// From a watcher, or by looking at every path.
    Asking,
    /// By looking at every path.
    Walking,
    /// Only these paths can have changed.
    At(&'a BTreeSet<String>),
    /// Everything is read again.
    Reading,
}

impl How<'_> {
    pub(crate) fn of(request: &Request) -> Self {
        if request.refresh {
            How::Reading
        } else {
            How::Asking
        }
    }
}
