//! Detection of changes by an update.

use std::collections::BTreeSet;

use crate::answer::request::Request;

/// Method by which an update detects changes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ChangeDetection<'a> {
    /// Ask a watcher, or stat every path if there is none.
    Auto,
    /// Stat every path.
    FullScan,
    /// Check only these paths; no others can have changed.
    Paths(&'a BTreeSet<String>),
    /// Reread everything.
    Reread,
}

impl ChangeDetection<'_> {
    pub(crate) fn of(request: &Request) -> Self {
        if request.refresh {
            ChangeDetection::Reread
        } else {
            ChangeDetection::Auto
        }
    }
}
