//! One memory as it lies on disk: its text, what its head says, and its sidecars.

use acreta_model::MemoryType;
use camino::Utf8PathBuf;

use crate::layout::ARCHIVED;
use crate::{Document, EvidenceFile, FrontMatter, FrontMatterError, StateFile, Trust, digest};

/// A memory. What a person sees is `text`; everything else is read from it or lies beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Memory {
    pub id: String,
    pub memory_type: MemoryType,
    /// Relative to the memory root.
    pub path: Utf8PathBuf,
    pub front_matter: FrontMatter,
    /// The whole file.
    pub text: String,
    /// Digest of `text`.
    pub digest: String,
    pub evidence: Option<EvidenceFile>,
    pub state: Option<StateFile>,
    body_start: usize,
}

impl Memory {
    /// Reads a memory's text; the sidecars are the caller's to add.
    pub fn parse(
        memory_type: MemoryType,
        path: Utf8PathBuf,
        text: String,
    ) -> Result<Self, FrontMatterError> {
        let document = Document::parse(&text)?;
        let body_start = text.len() - document.body.len();
        let front_matter = document.front_matter;
        Ok(Self {
            id: front_matter.id.clone(),
            memory_type,
            path,
            front_matter,
            digest: digest(&text),
            text,
            evidence: None,
            state: None,
            body_start,
        })
    }

    /// The text after the front matter.
    pub fn body(&self) -> &str {
        &self.text[self.body_start..]
    }

    pub fn title(&self) -> &str {
        &self.front_matter.title
    }

    /// The kind of a learning; empty for other types.
    pub fn kind(&self) -> &str {
        self.front_matter.kind.as_deref().unwrap_or("")
    }

    /// Whether it lies in the archive.
    pub fn is_archived(&self) -> bool {
        self.path.starts_with(ARCHIVED)
    }

    /// Whether a person changed the text since acreta wrote it.
    pub fn edited(&self) -> bool {
        self.state
            .as_ref()
            .is_some_and(|state| state.written != self.digest)
    }

    /// What its state says; untrusted without one.
    pub fn trust(&self) -> Trust {
        self.state
            .as_ref()
            .map_or(Trust::Untrusted, |state| state.trust)
    }

    /// Whether a run must leave it alone and propose instead: a person wrote, edited or confirmed it.
    pub fn is_protected(&self) -> bool {
        match &self.state {
            None => true,
            Some(state) => state.trust == Trust::Confirmed || state.written != self.digest,
        }
    }
}
