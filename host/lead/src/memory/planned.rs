//! One memory as it will be: what every writer of memory (a run, a note, an amendment, maintenance)
//! hands to the write path.

use acreta_model::MemoryType;
use acreta_store::{ArchivedBy, Contribution, EvidenceFile, Memory, Proposal, StateFile, Status};

use crate::decide::folded::Folded;
use acreta_relate::Statement;

/// One memory after the change.
#[derive(Debug, Clone)]
pub(crate) struct Planned {
    pub(crate) id: String,
    pub(crate) memory_type: MemoryType,
    /// As it is now; none for a new one.
    pub(crate) before: Option<Memory>,
    pub(crate) contributions: Vec<Contribution>,
    pub(crate) text: TextChange,
    /// How it will stand; the digest of its text is filled in once that is written.
    pub(crate) state: StateFile,
    /// The user stands behind it as it will read.
    pub(crate) confirms: bool,
    /// Ids of other memories, for its front matter.
    pub(crate) related: Vec<String>,
    /// Ids of the memories that it takes in.
    pub(crate) sources: Vec<String>,
}

/// What becomes of a memory's file.
#[derive(Debug, Clone)]
pub(crate) enum TextChange {
    Stays,
    /// The writer drafts it. One that lies in the archive comes back.
    Written(Folded),
    /// A person's own text.
    Given(String),
    Archived,
    /// Comes back from the archive as it is.
    Restored,
}

impl Planned {
    /// A memory that is there, unchanged so far.
    pub(crate) fn of(memory: &Memory) -> Self {
        Self {
            id: memory.id.clone(),
            memory_type: memory.memory_type,
            contributions: contributions_of(memory).to_vec(),
            text: TextChange::Stays,
            state: state_of(memory),
            confirms: false,
            related: memory.front_matter.related.clone(),
            sources: Vec::new(),
            before: Some(memory.clone()),
        }
    }

    /// A memory that is not there yet.
    pub(crate) fn new(id: String, contribution: Contribution, folded: Folded) -> Self {
        Self {
            memory_type: folded.memory_type,
            before: None,
            contributions: vec![contribution],
            state: StateFile::new(&id, String::new()),
            confirms: false,
            text: TextChange::Written(folded),
            related: Vec::new(),
            sources: Vec::new(),
            id,
        }
    }

    pub(crate) fn archive(&mut self, by: ArchivedBy) {
        self.text = TextChange::Archived;
        self.state.status = Status::Archived;
        self.state.archived_by = Some(by);
    }

    /// Gives it a text, and notes the earlier texts that this one says the opposite of.
    pub(crate) fn write(&mut self, folded: Folded) {
        // Titles follow from the contributions; ids are what maintenance decided.
        let ids = self.state.supersedes.iter().filter(|one| is_ulid(one));
        let titles = folded.contradicted.iter();
        self.state.supersedes = ids.chain(titles).cloned().collect();
        self.text = TextChange::Written(folded);
    }

    /// Puts it back among the memories in use, with the text it has.
    pub(crate) fn activate(&mut self) {
        self.state.status = Status::Active;
        self.state.archived_by = None;
        self.state.rejected = false;
        self.state.superseded_by = None;
    }

    /// Notes a proposal, once, unless a person did not want it; says whether it is new.
    pub(crate) fn propose(&mut self, proposal: Proposal) -> bool {
        let digest = proposal.digest();
        let is_new = !self.state.dismissed.contains(&digest)
            && !(self.state.proposals.iter()).any(|known| known.digest() == digest);
        if is_new {
            self.state.proposals.push(proposal);
        }
        is_new
    }

    /// Its title after the change.
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

/// The state beside a memory, or the one it has without any: as if a person had written it.
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

/// What a memory's file says today.
pub(crate) fn own_words(memory: &Memory) -> Statement {
    Statement::new(
        memory.memory_type,
        memory.kind(),
        memory.title(),
        body_of(memory),
    )
}

/// The body without the heading that repeats the title.
pub(crate) fn body_of(memory: &Memory) -> &str {
    let body = memory.body().trim();
    let (heading, rest) = body.split_once('\n').unwrap_or((body, ""));
    match heading.strip_prefix("# ") {
        Some(heading) if heading.trim() == memory.title() => rest.trim(),
        _ => body,
    }
}

/// What a memory's file says, as if it were all there is.
pub(crate) fn as_it_reads(memory: &Memory, now_ms: u64) -> Folded {
    let front_matter = &memory.front_matter;
    let time = |text: &Option<String>| text.as_deref().and_then(milliseconds);
    let created_ms = time(&front_matter.created).unwrap_or(now_ms);
    Folded {
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

/// A time of front matter.
pub(crate) fn milliseconds(text: &str) -> Option<u64> {
    let time: jiff::Timestamp = text.parse().ok()?;
    u64::try_from(time.as_millisecond()).ok()
}
