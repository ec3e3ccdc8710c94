//! A memory after a change: the input of the write path for all its callers (run, note, amendment, maintenance).

use acreta_store::{
    ArchivedBy, Contribution, EvidenceFile, Memory, Proposal, Rung, StateFile, Status,
};
use acreta_types::MemoryType;

use crate::decide::folded::FoldedMemory;
use acreta_compare::Statement;

/// One memory after the change.
#[derive(Debug, Clone)]
pub(crate) struct PlannedMemory {
    pub(crate) id: String,
    pub(crate) memory_type: MemoryType,
    /// The current memory; `None` for a new one.
    pub(crate) before: Option<Memory>,
    pub(crate) contributions: Vec<Contribution>,
    pub(crate) text: TextChange,
    /// Its new state; the digest of its text is filled in once that is written.
    pub(crate) state: StateFile,
    /// The user endorses its new text.
    pub(crate) confirms: bool,
    /// The user does not want its text to be used, wherever it comes from.
    pub(crate) rejects: bool,
    /// Ids of other memories, for its front matter.
    pub(crate) related: Vec<String>,
    /// Ids of the memories that are merged into it.
    pub(crate) sources: Vec<String>,
}

/// Change of a memory's file.
#[derive(Debug, Clone)]
pub(crate) enum TextChange {
    Stays,
    /// The writer drafts it. An archived memory is restored.
    Written(FoldedMemory),
    /// A person's own text.
    Given(String),
    Archived,
    /// Restored from the archive unchanged.
    Restored,
}

impl PlannedMemory {
    /// Starts from an existing memory, without changes.
    pub(crate) fn of(memory: &Memory) -> Self {
        Self {
            id: memory.id.clone(),
            memory_type: memory.memory_type,
            contributions: contributions_of(memory).to_vec(),
            text: TextChange::Stays,
            state: state_of(memory),
            confirms: false,
            rejects: false,
            related: memory.front_matter.related.clone(),
            sources: Vec::new(),
            before: Some(memory.clone()),
        }
    }

    /// Starts a new memory.
    pub(crate) fn new(id: String, contribution: Contribution, folded: FoldedMemory) -> Self {
        Self {
            memory_type: folded.memory_type,
            before: None,
            contributions: vec![contribution],
            state: StateFile::new(&id, String::new()),
            confirms: false,
            rejects: false,
            text: TextChange::Written(folded),
            related: Vec::new(),
            sources: Vec::new(),
            id,
        }
    }

    /// Returns what the user says about its text.
    pub(crate) fn word(&self) -> Option<Rung> {
        match (self.confirms, self.rejects) {
            (true, _) => Some(Rung::Confirmed),
            (false, true) => Some(Rung::Rejected),
            (false, false) => None,
        }
    }

    pub(crate) fn archive(&mut self, by: ArchivedBy) {
        self.text = TextChange::Archived;
        self.state.status = Status::Archived;
        self.state.archived_by = Some(by);
    }

    /// Sets the text, and records the earlier texts that it contradicts.
    pub(crate) fn write(&mut self, folded: FoldedMemory) {
        // Titles follow from the contributions; ids were decided by maintenance.
        let ids = self.state.supersedes.iter().filter(|one| is_ulid(one));
        let titles = folded.contradicted.iter();
        self.state.supersedes = ids.chain(titles).cloned().collect();
        self.text = TextChange::Written(folded);
    }

    /// Makes it active again with its current text.
    pub(crate) fn activate(&mut self) {
        self.state.status = Status::Active;
        self.state.archived_by = None;
        self.state.rejected = false;
        self.state.superseded_by = None;
    }

    /// Adds a proposal unless it is known or a person dismissed it; returns whether it was added.
    pub(crate) fn propose(&mut self, proposal: Proposal) -> bool {
        let digest = proposal.digest();
        let is_new = !self.state.dismissed.contains(&digest)
            && !(self.state.proposals.iter()).any(|known| known.digest() == digest);
        if is_new {
            self.state.proposals.push(proposal);
        }
        is_new
    }

    /// Returns its title after the change.
    pub(crate) fn title(&self) -> &str {
        match (&self.text, &self.before) {
            (TextChange::Written(folded), _) => &folded.title,
            (_, Some(before)) => before.title(),
            (_, None) => &self.id,
        }
    }

    pub(crate) fn evidence(&self) -> EvidenceFile {
        EvidenceFile {
            id: self.id.clone(),
            contributions: self.contributions.clone(),
        }
    }
}

fn is_ulid(text: &str) -> bool {
    ulid::Ulid::from_string(text).is_ok()
}

/// Returns a memory's state; without a sidecar, the state of a text that a person wrote.
pub(crate) fn state_of(memory: &Memory) -> StateFile {
    memory.state.clone().unwrap_or_else(|| StateFile {
        status: if memory.is_archived() {
            Status::Archived
        } else {
            Status::Active
        },
        ..StateFile::new(&memory.id, String::new())
    })
}

pub(crate) fn contributions_of(memory: &Memory) -> &[Contribution] {
    memory
        .evidence
        .as_ref()
        .map_or(&[], |evidence| &evidence.contributions)
}

/// Returns the current statement of a memory's file.
pub(crate) fn own_words(memory: &Memory) -> Statement {
    Statement::new(
        memory.memory_type,
        memory.kind(),
        memory.title(),
        body_of(memory),
    )
}

/// Returns the body without the heading that repeats the title.
pub(crate) fn body_of(memory: &Memory) -> &str {
    let body = memory.body().trim();
    let (heading, rest) = body.split_once('\n').unwrap_or((body, ""));
    match heading.strip_prefix("# ") {
        Some(heading) if heading.trim() == memory.title() => rest.trim(),
        _ => body,
    }
}

/// Returns a memory's file as if it were the only source.
pub(crate) fn as_it_reads(memory: &Memory, now_ms: u64) -> FoldedMemory {
    let front_matter = &memory.front_matter;
    let time = |text: &Option<String>| text.as_deref().and_then(milliseconds);
    let created_ms = time(&front_matter.created).unwrap_or(now_ms);
    FoldedMemory {
        memory_type: memory.memory_type,
        kind: memory.kind().to_owned(),
        title: memory.title().to_owned(),
        body: body_of(memory).to_owned(),
        confidence: front_matter.confidence.unwrap_or(0.5),
        tags: front_matter.tags.clone(),
        created_ms,
        updated_ms: time(&front_matter.updated).unwrap_or(created_ms),
        source: None,
        contradicted: Vec::new(),
        trust: memory.trust(),
    }
}

/// Parses a time of front matter.
pub(crate) fn milliseconds(text: &str) -> Option<u64> {
    let time: jiff::Timestamp = text.parse().ok()?;
    u64::try_from(time.as_millisecond()).ok()
}
