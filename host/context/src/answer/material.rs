//! The material that a slice is made from.

use std::collections::BTreeMap;

use acreta_symbols::EntryKind;

use crate::artifact::churn::Churn;
use crate::artifact::graph::Graph;
use crate::scan::tree::DraftFile;

/// What a slice is made from.
pub(crate) struct Material<'a> {
    pub(crate) files: &'a [DraftFile],
    pub(crate) graph: &'a Graph,
    /// How often each file changed.
    pub(crate) churn: &'a [Churn],
    /// Path and text, redacted.
    pub(crate) manifests: &'a [(String, String)],
    pub(crate) entries: &'a BTreeMap<u32, EntryKind>,
}
