//! Input for building a slice.

use std::collections::BTreeMap;

use acreta_symbols::EntryPointKind;

use crate::artifact::churn::Churn;
use crate::artifact::graph::Graph;
use crate::scan::tree::ArtifactFile;

/// Input for building a slice.
pub(crate) struct SliceInput<'a> {
    pub(crate) files: &'a [ArtifactFile],
    pub(crate) graph: &'a Graph,
    /// Churn of each file.
    pub(crate) churn: &'a [Churn],
    /// Path and redacted text.
    pub(crate) manifests: &'a [(String, String)],
    pub(crate) entries: &'a BTreeMap<u32, EntryPointKind>,
}
