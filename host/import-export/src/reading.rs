//! Settings for reading a markdown document, which apply to all notes in it.

use crate::Source;
use crate::trivial::trivial;
use crate::wording::NoteClass;

/// Settings for reading a document.
pub(crate) struct ReadingOptions {
    /// The file's own names: headings that only repeat them are ignored.
    names: Vec<String>,
    /// The subject of the whole document.
    pub(crate) subject: Vec<String>,
    /// The class of a note whose wording does not determine it.
    pub(crate) otherwise: NoteClass,
    /// Returns the reason why a passage, in one line, is not a note.
    pub(crate) refuses: fn(&str) -> Option<&'static str>,
    pub(crate) tags: Vec<String>,
    pub(crate) created_ms: Option<u64>,
    /// The document's own id.
    pub(crate) key: Option<String>,
}

impl ReadingOptions {
    pub(crate) fn new(source: &Source<'_>) -> Self {
        Self {
            names: vec![
                source.file_name().to_lowercase(),
                source.subject().to_lowercase(),
            ],
            subject: Vec::new(),
            otherwise: NoteClass::CONTEXT,
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
