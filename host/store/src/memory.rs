//! One memory as it lies on disk: its text, what its head says, and its sidecars.

use std::sync::Arc;

use acreta_model::MemoryType;
use camino::Utf8PathBuf;

use crate::layout::ARCHIVED;
use crate::{
    Document, EvidenceFile, FrontMatter, FrontMatterError, StateFile, Status, Trust, Words, digest,
};

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
    /// A person's word for the text as it is.
    word: Option<Trust>,
    /// A sidecar is as a merge in git left it.
    pub(crate) untidy: bool,
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
            word: None,
            untidy: false,
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

    /// Its state as its sidecar says, and the archive if it lies there.
    pub fn status(&self) -> Status {
        match self.state.as_ref().map(|state| state.status) {
            Some(status @ (Status::Superseded | Status::Archived)) => status,
            _ if self.is_archived() => Status::Archived,
            _ => Status::Active,
        }
    }

    /// Whether a person changed the text since acreta wrote it.
    pub fn edited(&self) -> bool {
        self.state
            .as_ref()
            .is_some_and(|state| !state.wrote(&self.digest))
    }

    /// How far its word goes: as far as a person stands behind this very text, and without one as far
    /// as its evidence does. What a repository says of itself does not count.
    pub fn trust(&self) -> Trust {
        let evidence = self.evidence.as_ref().map(EvidenceFile::trust);
        evidence.max(self.word).unwrap_or(Trust::Untrusted)
    }

    /// Digest of what a person reads and stands behind: type, kind, title and body. The rest of the
    /// head, the place of the file and the ends of its lines do not matter.
    pub fn content_digest(&self) -> String {
        let body = self.body().trim().replace("\r\n", "\n");
        let (name, kind, title) = (self.memory_type.name(), self.kind(), self.title());
        digest(format!("{name}\n{kind}\n{title}\n{body}"))
    }

    /// Takes in the user's words. Without it nobody's count.
    pub fn hear(&mut self, words: &Words) {
        self.word = self.word_among(words);
    }

    /// The same memory with the word that counts now, for many that share it.
    pub(crate) fn heard(mut self: Arc<Self>, words: &Words) -> Arc<Self> {
        let word = self.word_among(words);
        if word != self.word {
            Arc::make_mut(&mut self).word = word;
        }
        self
    }

    /// The highest word for the text that it has now.
    fn word_among(&self, words: &Words) -> Option<Trust> {
        let mut about = words.about(&self.id).peekable();
        about.peek()?;
        let digest = self.content_digest();
        let counting = about.filter(|word| word.digest == digest);
        counting.map(|word| Trust::from(word.word)).max()
    }

    /// Reports whether a sidecar is to be written in order: it says what it should, as a merge in git left it.
    pub fn is_untidy(&self) -> bool {
        self.untidy
    }

    /// Reports whether a run must leave it alone and propose instead: a person wrote, edited, confirmed or
    /// reviewed it.
    pub fn is_protected(&self) -> bool {
        match &self.state {
            None => true,
            Some(state) => self.word.is_some() || !state.wrote(&self.digest),
        }
    }
}
