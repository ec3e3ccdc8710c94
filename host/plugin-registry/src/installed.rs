//! A plugin on disk.

use crate::identity::Digest;
use crate::inspect::Inspection;
use crate::manifest::Manifest;

/// A plugin on disk.
#[derive(Debug, Clone, PartialEq)]
pub struct Installed {
    pub manifest: Manifest,
    pub inspection: Inspection,
    /// Digest of the component.
    pub digest: Digest,
    pub component: Vec<u8>,
    pub signature: Option<String>,
}
