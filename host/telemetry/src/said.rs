//! Something to be written down, not cleaned yet, and what it inherits from the spans around it.

use std::time::{Duration, SystemTime};

use crate::fields::Fields;

/// Something to be written down, not cleaned yet.
pub(crate) struct Said {
    pub(crate) at: SystemTime,
    pub(crate) level: &'static str,
    pub(crate) kind: &'static str,
    pub(crate) name: &'static str,
    pub(crate) ids: Ids,
    pub(crate) span: Option<u64>,
    pub(crate) parent: Option<u64>,
    pub(crate) duration: Option<Duration>,
    pub(crate) fields: Fields,
}

/// What is inherited from the spans around.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Ids {
    pub(crate) run_id: Option<String>,
    pub(crate) request_id: Option<String>,
    pub(crate) job_id: Option<String>,
    pub(crate) project: Option<String>,
}
