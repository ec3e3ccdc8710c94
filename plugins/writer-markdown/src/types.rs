//! The writer's view of a memory type.

/// The properties of a memory type that the writer needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeEntry {
    pub name: String,
    /// Folder under the memory root.
    pub folder: String,
    pub has_kinds: bool,
}
