//! What a trace holds and what was done to it on the way in.

use std::collections::BTreeMap;

use acreta_model::Diagnostic;
use acreta_redact::Counts;
use serde::Serialize;

/// Counted while a trace is written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TraceStats {
    pub events: u64,
    /// Of the archived file.
    pub bytes: u64,
    /// Of event text, after redaction.
    pub text_bytes: u64,
    /// Earliest and latest time of an event.
    pub first_ms: Option<u64>,
    pub last_ms: Option<u64>,
    pub by_role: BTreeMap<&'static str, u64>,
    /// The first ones only; the two figures below count all.
    pub diagnostics: Vec<Diagnostic>,
    /// Records that could not be read.
    pub diagnostics_total: u64,
    /// Types of records that the adapter does not know.
    pub unknown_types: u64,
    /// Secrets taken out, per rule.
    pub redactions: Counts,
}

/// How far a trace was written when a cursor was kept: what lies behind it belongs to no cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceMark {
    pub bytes: u64,
    pub events: u64,
}
