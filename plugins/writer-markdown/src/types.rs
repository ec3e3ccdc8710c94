//! A memory type as the writer needs to know it.

/// What the writer needs to know of a memory type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeEntry {
    pub name: String,
    /// Folder under the memory root.
    pub folder: String,
    pub has_kinds: bool,
}
