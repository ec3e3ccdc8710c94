//! The indexed form of a memory: every field that can be searched or filtered.

use acreta_store::{Memory, Status, Trust};
use acreta_types::MemoryType;
use camino::Utf8PathBuf;

use crate::passages::{self, IndexedPassage};

/// An indexed memory.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexEntry {
    pub id: String,
    /// Relative to the memory root.
    pub path: Utf8PathBuf,
    pub memory_type: MemoryType,
    /// Empty if the type has no kinds.
    pub kind: String,
    pub title: String,
    pub tags: Vec<String>,
    /// The coding agents it comes from.
    pub agents: Vec<String>,
    /// Milliseconds since 1970; `None` if the file has no such field.
    pub created_ms: Option<i64>,
    pub updated_ms: Option<i64>,
    pub confidence: Option<f32>,
    pub trust: Trust,
    pub status: Status,
    /// Names something that no longer exists in the repository.
    pub is_stale: bool,
    /// The text in order, a few sentences each.
    pub passages: Vec<IndexedPassage>,
}

impl IndexEntry {
    /// Creates an entry without a file from parts of a text, such as the turns of a conversation or the sections of a
    /// document. Long parts become several passages.
    pub fn of_parts(id: impl Into<String>, parts: &[String]) -> Self {
        let id = id.into();
        Self {
            path: Utf8PathBuf::from(&id),
            id,
            memory_type: MemoryType::Summary,
            kind: String::new(),
            title: String::new(),
            tags: Vec::new(),
            agents: Vec::new(),
            created_ms: None,
            updated_ms: None,
            confidence: None,
            trust: Trust::Grounded,
            status: Status::Active,
            is_stale: false,
            passages: passages::pieces(parts),
        }
    }
}

impl From<&Memory> for IndexEntry {
    fn from(memory: &Memory) -> Self {
        let head = &memory.front_matter;
        let mut text = head.description.clone().unwrap_or_default();
        if !text.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(memory.body());
        let mut passages = passages::split(&text);
        if passages.is_empty() {
            passages.push(IndexedPassage::default());
        }
        Self {
            id: memory.id.clone(),
            path: memory.path.clone(),
            memory_type: memory.memory_type,
            kind: memory.kind().to_owned(),
            title: head.title.clone(),
            tags: head.tags.clone(),
            agents: agents(memory),
            created_ms: milliseconds(head.created.as_deref()),
            updated_ms: milliseconds(head.updated.as_deref()),
            confidence: head.confidence.filter(|value| value.is_finite()),
            trust: memory.trust(),
            status: status(memory),
            is_stale: memory.state.as_ref().is_some_and(|state| state.stale),
            passages,
        }
    }
}

fn agents(memory: &Memory) -> Vec<String> {
    let mut agents: Vec<String> = memory
        .evidence
        .iter()
        .flat_map(|evidence| &evidence.contributions)
        .map(|contribution| contribution.agent.clone())
        .chain(memory.front_matter.coding_agent.clone())
        .collect();
    agents.sort();
    agents.dedup();
    agents
}

fn status(memory: &Memory) -> Status {
    let state = memory.state.as_ref();
    if memory.is_archived()
        || memory.is_rejected()
        || state.is_some_and(|state| state.status == Status::Archived || state.rejected)
    {
        Status::Archived
    } else if state
        .is_some_and(|state| state.status == Status::Superseded || state.superseded_by.is_some())
    {
        Status::Superseded
    } else {
        Status::Active
    }
}

fn milliseconds(time: Option<&str>) -> Option<i64> {
    let time: jiff::Timestamp = time?.parse().ok()?;
    Some(time.as_millisecond())
}
