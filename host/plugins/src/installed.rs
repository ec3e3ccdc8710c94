//! A plugin as it lies on disk.

use crate::identity::Digest;
use crate::inspect::Inspection;
use crate::manifest::Manifest;

/// A plugin as it lies on disk.
#[derive(Debug, Clone, PartialEq)]
pub struct Installed {
    pub manifest: Manifest,
    pub inspection: Inspection,
    /// Of the component.
    pub digest: Digest,
    pub component: Vec<u8>,
    pub signature: Option<String>,
}
