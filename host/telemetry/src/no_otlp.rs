//! What stands in for OTLP in a binary without the feature `otlp`: a receiver in the settings is an error that says where
//! to get a binary with it.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crate::clean::Cleaner;
use crate::fields::Fields;
use crate::unclean::InheritedIds;
use crate::voice::Voice;
use crate::{Otlp, StartError};

pub(crate) type SpanPosition = ();

#[expect(dead_code, reason = "nothing is sent")]
pub(crate) struct Finished<'a> {
    pub(crate) name: &'static str,
    pub(crate) place: SpanPosition,
    pub(crate) started: SystemTime,
    pub(crate) ended: SystemTime,
    pub(crate) ids: &'a InheritedIds,
    pub(crate) fields: &'a Fields,
    pub(crate) texts: &'a Fields,
}

/// There is none.
#[derive(Debug)]
pub(crate) enum Sender {}

impl Sender {
    pub(crate) fn new(
        _options: &Otlp,
        _cleaner: Cleaner,
        _voice: Arc<Voice>,
    ) -> Result<Self, StartError> {
        Err(StartError::Otlp {
            cause: "this binary was built without OTLP; `cargo xtask install` builds one with it"
                .into(),
        })
    }

    pub(crate) fn place(&self, _above: Option<()>, _traceparent: Option<&str>) -> SpanPosition {
        match *self {}
    }

    pub(crate) fn send(&self, _span: Finished<'_>) {
        match *self {}
    }

    pub(crate) fn end(&self, _within: Duration) {
        match *self {}
    }
}
