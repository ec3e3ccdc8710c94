//! The memory types: one table, the single source. Host, prompts, writers and help texts read it; nothing else spells
//! a type's folder, kinds or definition.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::UnknownName;

// No doc comment: it would be part of the published schemas.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum MemoryType {
    Decision,
    Learning,
    Summary,
}

/// Definition of one memory type.
#[derive(Debug)]
pub struct TypeEntry {
    pub memory_type: MemoryType,
    pub name: &'static str,
    /// Empty if the type has no kinds.
    pub kinds: &'static [&'static str],
    /// Folder under the memory root.
    pub folder: &'static str,
    pub definition: &'static str,
    pub example: &'static str,
    /// True if an extractor may propose memories of this type.
    pub extractable: bool,
}

/// Every type, in display order.
pub const MEMORY_TYPES: &[TypeEntry] = &[
    TypeEntry {
        memory_type: MemoryType::Decision,
        name: "decision",
        kinds: &[],
        folder: "decisions",
        definition: "A choice that stood at the end of the session, with its reason: what was chosen, \
                     against what, and why.",
        example: "Store the queue in SQLite, not Redis: the CLI and the daemon are two processes on one \
                  machine, and a service to install would be one too many.",
        extractable: true,
    },
    TypeEntry {
        memory_type: MemoryType::Learning,
        name: "learning",
        kinds: &[
            "insight",
            "procedure",
            "friction",
            "pitfall",
            "preference",
            "convention",
            "context",
        ],
        folder: "learnings",
        definition: "Something stable that a different session would want to know: how things work here, \
                     what to do, what to avoid, what the people on this project want.",
        example: "Run the integration tests with `--test-threads=1`: they share one port and fail at random \
                  in parallel.",
        extractable: true,
    },
    TypeEntry {
        memory_type: MemoryType::Summary,
        name: "summary",
        kinds: &[],
        folder: "summaries",
        definition: "What one session was about: asked, done, decided, left open. One per session.",
        example: "Asked to speed up the exit of the CLI; found telemetry waiting for a timeout; moved it to \
                  a detached process; left open whether Windows needs the same.",
        extractable: false,
    },
];

impl MemoryType {
    pub fn entry(self) -> &'static TypeEntry {
        MEMORY_TYPES
            .iter()
            .find(|entry| entry.memory_type == self)
            .expect("every memory type has a row in the table")
    }

    pub fn from_name(name: &str) -> Option<Self> {
        MEMORY_TYPES
            .iter()
            .find(|entry| entry.name == name)
            .map(|entry| entry.memory_type)
    }

    pub fn from_folder(folder: &str) -> Option<Self> {
        MEMORY_TYPES
            .iter()
            .find(|entry| entry.folder == folder)
            .map(|entry| entry.memory_type)
    }

    pub fn name(self) -> &'static str {
        self.entry().name
    }

    pub fn folder(self) -> &'static str {
        self.entry().folder
    }

    /// Reports whether a memory of this type may have this `kind`.
    pub fn allows_kind(self, kind: &str) -> bool {
        let kinds = self.entry().kinds;
        if kinds.is_empty() {
            kind.is_empty()
        } else {
            kinds.contains(&kind)
        }
    }
}

impl std::str::FromStr for MemoryType {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::from_name(name).ok_or_else(|| UnknownName {
            what: "type of memory",
            name: name.to_owned(),
            known: MEMORY_TYPES.iter().map(|entry| entry.name).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_folders_lead_back_to_their_type() {
        for entry in MEMORY_TYPES {
            assert_eq!(MemoryType::from_name(entry.name), Some(entry.memory_type));
            assert_eq!(
                MemoryType::from_folder(entry.folder),
                Some(entry.memory_type)
            );
        }
        assert_eq!(MemoryType::from_name("poem"), None);
    }

    #[test]
    fn only_learnings_have_kinds() {
        assert!(MemoryType::Learning.allows_kind("pitfall"));
        assert!(!MemoryType::Learning.allows_kind(""));
        assert!(MemoryType::Decision.allows_kind(""));
        assert!(!MemoryType::Decision.allows_kind("pitfall"));
    }
}
