//! How a document of markdown is read: what its dialect says of all notes in it.

use crate::Source;
use crate::trivial::trivial;
use crate::wording::Class;

/// How a document is read.
pub(crate) struct Reading {
    /// The file's own name: headings that only repeat it say nothing.
    names: Vec<String>,
    /// What the whole document is about.
    pub(crate) subject: Vec<String>,
    /// The class of a note whose words do not tell.
    pub(crate) otherwise: Class,
    /// Why a passage, in one line, is no note.
    pub(crate) refuses: fn(&str) -> Option<&'static str>,
    pub(crate) tags: Vec<String>,
    pub(crate) created_ms: Option<u64>,
    /// The document's own id.
    pub(crate) key: Option<String>,
}

impl Reading {
    pub(crate) fn new(source: &Source<'_>) -> Self {
        Self {
            names: vec![
                source.file_name().to_lowercase(),
                source.subject().to_lowercase(),
            ],
            subject: Vec::new(),
            otherwise: Class::CONTEXT,
            refuses: trivial,
            tags: Vec::new(),
            created_ms: None,
            key: None,
        }
    }

    pub(crate) fn is_own_name(&self, heading: &str) -> bool {
        heading.is_empty() || self.names.contains(&heading.to_lowercase())
    }
}
