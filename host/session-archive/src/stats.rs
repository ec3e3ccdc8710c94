//! Statistics of a trace and of its processing.

use std::collections::BTreeMap;

use acreta_redact::Counts;
use acreta_types::Diagnostic;
use serde::Serialize;

/// Figures counted while a trace is written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct TraceStats {
    pub events: u64,
    /// Size of the archived file.
    pub bytes: u64,
    /// Size of the event texts, after redaction.
    pub text_bytes: u64,
    /// Earliest and latest time of an event.
    pub first_ms: Option<u64>,
    pub last_ms: Option<u64>,
    pub by_role: BTreeMap<&'static str, u64>,
    /// Only the first ones; the next two figures count all.
    pub diagnostics: Vec<Diagnostic>,
    /// Records that could not be read.
    pub diagnostics_total: u64,
    /// Record types that the adapter does not know.
    pub unknown_types: u64,
    /// A tool call may be a note for acreta, by its tool or its text.
    #[serde(skip)]
    pub may_have_notes: bool,
    /// Number of redacted secrets, per rule.
    pub redactions: Counts,
}

/// A trace when a cursor was stored: data after it belongs to no cursor. The digest tells it from a file that came with a
/// branch: git overwrites ignored files without a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TraceMark {
    pub bytes: u64,
    pub events: u64,
    /// SHA-256 of its bytes.
    pub digest: [u8; 32],
}
