//! A row that is not redacted yet, and the ids that it inherits from the spans around it.

use std::time::{Duration, SystemTime};

use crate::fields::Fields;

/// A row that is not redacted yet.
pub(crate) struct UncleanRow {
    pub(crate) at: SystemTime,
    pub(crate) level: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) name: &'static str,
    pub(crate) ids: InheritedIds,
    pub(crate) span: Option<u64>,
    pub(crate) parent: Option<u64>,
    pub(crate) duration: Option<Duration>,
    pub(crate) fields: Fields,
}

/// Ids inherited from the surrounding spans.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct InheritedIds {
    pub(crate) run_id: Option<String>,
    pub(crate) request_id: Option<String>,
    pub(crate) job_id: Option<String>,
    pub(crate) project: Option<String>,
}
