//! One memory as stored: its text, its front matter and its sidecars.

use std::sync::Arc;

use acreta_types::MemoryType;
use camino::Utf8PathBuf;

use crate::layout::ARCHIVED;
use crate::{
    Contribution, Document, EvidenceFile, FrontMatter, FrontMatterError, RepositoryPolicy,
    StateFile, Status, Trust, Words, digest,
};

/// A memory. People see `text`; everything else is parsed from it or stored beside it.
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
    /// A person's endorsement of the current text.
    word: Option<Trust>,
    /// The text or its evidence is not what this machine wrote or the person accepted: it came by git, or by hand.
    foreign: bool,
    /// A sidecar is as a git merge left it.
    pub(crate) untidy: bool,
    body_start: usize,
}

impl Memory {
    /// Parses a memory's text; the caller adds the sidecars.
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
            foreign: false,
            untidy: false,
            body_start,
        })
    }

    /// The front matter as it is written, with both its lines `---`.
    pub fn head(&self) -> &str {
        &self.text[..self.body_start]
    }

    /// The text after the front matter.
    pub fn body(&self) -> &str {
        &self.text[self.body_start..]
    }

    pub fn title(&self) -> &str {
        &self.front_matter.title
    }

    /// Returns the kind of a learning; empty for other types.
    pub fn kind(&self) -> &str {
        self.front_matter.kind.as_deref().unwrap_or("")
    }

    /// Reports whether the file is in the archive folder.
    pub fn is_archived(&self) -> bool {
        self.path.starts_with(ARCHIVED)
    }

    /// Reports whether the user rejected exactly this text. The word lies in the user's own folder, so that no commit of
    /// somebody else brings the text back.
    pub fn is_rejected(&self) -> bool {
        self.word == Some(Trust::Untrusted)
    }

    /// Returns the status from the state sidecar; `Archived` if the file is in the archive folder, or the user rejected
    /// its text.
    pub fn status(&self) -> Status {
        match self.state.as_ref().map(|state| state.status) {
            _ if self.is_rejected() => Status::Archived,
            Some(status @ (Status::Superseded | Status::Archived)) => status,
            _ if self.is_archived() => Status::Archived,
            _ => Status::Active,
        }
    }

    /// Reports whether a person changed the text since acreta wrote it.
    pub fn edited(&self) -> bool {
        self.state
            .as_ref()
            .is_some_and(|state| !state.wrote(&self.digest))
    }

    /// Returns the trust level: the higher of a person's endorsement of exactly this text and the trust of its
    /// evidence, if that is this machine's own or accepted. Claims in a repository about itself do not count.
    pub fn trust(&self) -> Trust {
        let evidence = self.evidence.as_ref();
        let evidence = evidence.filter(|_| !self.foreign && !self.is_rejected());
        let evidence = evidence.map(EvidenceFile::trust);
        evidence.max(self.word).unwrap_or(Trust::Untrusted)
    }

    /// Returns the digest of what a person endorses: type, kind, title and body. The rest of the front matter, the
    /// path of the file and its line endings do not matter.
    pub fn content_digest(&self) -> String {
        let body = self.body().trim().replace("\r\n", "\n");
        let (name, kind, title) = (self.memory_type.name(), self.kind(), self.title());
        digest(format!("{name}\n{kind}\n{title}\n{body}"))
    }

    /// Applies the user's endorsements. Without this call none count.
    pub fn hear(&mut self, words: &Words) {
        self.word = self.word_among(words);
        self.foreign = self.is_foreign_to(words);
    }

    /// Reports whether the memory came with the repository and the person accepted it neither as a whole nor by a word
    /// about this text.
    pub fn is_foreign(&self) -> bool {
        self.foreign && self.word.is_none()
    }

    fn is_foreign_to(&self, words: &Words) -> bool {
        words.repository() == Some(RepositoryPolicy::Ask)
            && !self.digests().all(|digest| words.has_learnt(&digest))
    }

    /// Returns the digests of the text and of each contribution.
    pub(crate) fn digests(&self) -> impl Iterator<Item = String> {
        let evidence = self.evidence.iter();
        let contributions = evidence.flat_map(|evidence| &evidence.contributions);
        std::iter::once(self.content_digest()).chain(contributions.map(Contribution::digest))
    }

    /// Like [`Memory::hear`], for a shared memory: clones it only if its endorsement changes.
    pub(crate) fn heard(mut self: Arc<Self>, words: &Words) -> Arc<Self> {
        let (word, foreign) = (self.word_among(words), self.is_foreign_to(words));
        if (word, foreign) != (self.word, self.foreign) {
            let memory = Arc::make_mut(&mut self);
            (memory.word, memory.foreign) = (word, foreign);
        }
        self
    }

    /// Returns the highest endorsement of the current text; `Untrusted` if the user rejected it, as this memory or as
    /// another one, and did not confirm this one since.
    fn word_among(&self, words: &Words) -> Option<Trust> {
        let mut about = words.about(&self.id).peekable();
        if about.peek().is_none() && !words.has_rejections() {
            return None;
        }
        let digest = self.content_digest();
        let highest = about
            .filter(|word| word.digest == digest)
            .map(|word| Trust::from(word.word))
            .max();
        match words.has_rejected(&digest) {
            true if highest != Some(Trust::Confirmed) => Some(Trust::Untrusted),
            _ => highest,
        }
    }

    /// Reports whether a sidecar must be rewritten: its content is right, but in the form that a git merge left.
    pub fn is_untidy(&self) -> bool {
        self.untidy
    }

    /// Reports whether a run must propose instead of changing it: a person wrote, edited, confirmed or reviewed it.
    pub fn is_protected(&self) -> bool {
        match &self.state {
            None => true,
            Some(state) => self.word > Some(Trust::Untrusted) || !state.wrote(&self.digest),
        }
    }
}
