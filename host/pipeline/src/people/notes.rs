//! Notes that a person or an agent gives to acreta directly, or that are imported from other notes. They go through
//! the same gates, decisions, draft and commit as the candidates of a session.

use crate::memory::speakers::{CLIENT, IMPORT, PERSON};
use acreta_redact::Redactor;
use acreta_types::{Attrs, Candidate, Event, MemoryType, Origin};
use serde::Serialize;

use crate::decide::accepted::{AcceptedCandidate, ResolvedCitation};
use crate::decide::cleaned::cleaned;
use crate::decide::contributor::{Contributor, ContributorVoice, contribution};
use crate::decide::gates::{PassedCandidates, says_the_same, well_formed_note};
use crate::decide::opinions::Opinions;
use crate::decide::plan::{MemoryPlan, plan};
use crate::decide::precedence::Precedence;
use crate::error::RunError;
use crate::memory::workspace::TracingPluginLog;
use crate::memory::writable::WritableMemory;
use crate::memory::write::PreparedChange;
use crate::people::pending::{PendingQuote, pending_id};
use crate::run::report::{ActionRecord, Counts};

/// One thing to remember.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    pub memory_type: MemoryType,
    /// Empty for a decision.
    pub kind: String,
    pub title: String,
    pub body: String,
    pub tags: Vec<String>,
    pub confidence: f32,
    /// When it was said; `None` means now.
    pub at_ms: Option<u64>,
    /// The quote that supports it, verbatim.
    pub quote: String,
    /// Location of the quote: a line of a file, or empty.
    pub place: String,
}

/// Source of notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoteSource {
    /// A person, now.
    Person,
    /// A file of notes, by name. Importing it again changes only what it now says differently.
    File(String),
    /// A file of an agent's own memory, by name: an agent's word. Importing it again changes only what it now says
    /// differently.
    AgentMemory(String),
    /// An agent, by the name it gives itself. It is untrusted until a person confirms it.
    Agent(String),
}

/// Result of adding notes.
#[derive(Debug, Clone, Serialize)]
pub struct NotesReport {
    pub actions: Vec<ActionRecord>,
    pub counts: Counts,
    /// Notes that did not pass, by their index in the list, with the reason.
    pub refused: Vec<RefusedNote>,
    /// Notes of an agent that would instruct later agents: not memory until a person confirms them.
    #[serde(skip)]
    pub pending: Vec<PendingQuote>,
    pub dry_run: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct RefusedNote {
    pub title: String,
    pub place: String,
    pub reason: String,
}

impl NotesReport {
    /// Returns both reports as one.
    pub fn and(mut self, other: Self) -> Self {
        self.actions.extend(other.actions);
        self.counts = Counts::of(&self.actions);
        self.refused.extend(other.refused);
        self.pending.extend(other.pending);
        self
    }
}

/// Notes that are planned but not committed.
pub(crate) struct PlannedNotes {
    pub(crate) plan: MemoryPlan,
    pub(crate) prepared: PreparedChange,
    pub(crate) refused: Vec<RefusedNote>,
    pending: Vec<PendingQuote>,
}

impl WritableMemory {
    /// Adds notes to memory. With `dry_run`, only reports what it would do.
    pub fn remember(
        &mut self,
        notes: Vec<Note>,
        source: &NoteSource,
        dry_run: bool,
    ) -> Result<NotesReport, RunError> {
        let change = self.plan_notes(notes, source)?;
        if !dry_run {
            self.commit(&change.prepared)?;
        }
        Ok(NotesReport {
            counts: Counts::of(&change.plan.actions),
            actions: change.plan.actions,
            refused: change.refused,
            pending: change.pending,
            dry_run,
        })
    }

    pub(crate) fn plan_notes(
        &mut self,
        notes: Vec<Note>,
        source: &NoteSource,
    ) -> Result<PlannedNotes, RunError> {
        let run_id = self.run_id("note");
        let (agent, session_id, voice) = match source {
            NoteSource::Person => (PERSON, self.ids.next(), ContributorVoice::Person),
            NoteSource::File(name) | NoteSource::AgentMemory(name) => {
                (IMPORT, name.clone(), ContributorVoice::Derived)
            }
            NoteSource::Agent(name) => {
                let session = format!("{name}-{}", self.ids.next());
                (CLIENT, session, ContributorVoice::Derived)
            }
        };
        let speaker = match source {
            NoteSource::Person | NoteSource::File(_) => NoteSpeaker::Person,
            NoteSource::Agent(_) | NoteSource::AgentMemory(_) => NoteSpeaker::Agent,
        };
        let now_ms = self.options.now_ms;
        let contributor = Contributor {
            agent: agent.to_owned(),
            session_id,
            run_id: run_id.clone(),
            events: notes.len() as u64,
            last_ms: Some(now_ms),
            created_ms: now_ms,
            voice,
            reading: None,
            precedence: Precedence::Replaces,
        };
        let mut refused = Vec::new();
        let mut pending = Vec::new();
        let mut kept = Vec::new();
        let mut passed = PassedCandidates::new();
        for (index, note) in notes.into_iter().enumerate() {
            let one = judge(index, &note, speaker, &self.options.redactor, now_ms);
            match one.and_then(|one| passed.once(one).map_err(|twin| says_the_same(&twin))) {
                Ok(one) if speaker == NoteSpeaker::Agent && instructs(&one) => {
                    let project = self.store.layout().base().as_str();
                    pending.push(pending_quote(&one, &contributor, project, name_of(source)));
                }
                Ok(one) => kept.push(one),
                Err(reason) => refused.push(RefusedNote {
                    title: note.title,
                    place: note.place,
                    reason,
                }),
            }
        }
        let ids = &mut self.ids;
        let overlap = self.options.update_overlap;
        let nobody = Opinions::default();
        let mut plan = plan(&self.snapshot, kept, &contributor, overlap, &nobody, |_| {
            ids.next()
        });
        let source = match source {
            NoteSource::Person => PERSON.to_owned(),
            NoteSource::File(name) | NoteSource::AgentMemory(name) => format!("{IMPORT}/{name}"),
            NoteSource::Agent(name) => format!("{CLIENT}/{name}"),
        };
        let log = std::sync::Arc::new(TracingPluginLog);
        let prepared = self.prepare(&run_id, &source, &plan.planned, log, &mut |_| {})?;
        for action in &mut plan.actions {
            action.path = prepared
                .paths
                .get(&action.memory_id)
                .map(ToString::to_string);
        }
        Ok(PlannedNotes {
            plan,
            prepared,
            refused,
            pending,
        })
    }
}

/// Returns a note of an agent as a pending quote, without memory at hand, or the reason why it does not pass.
pub fn noted(
    note: &Note,
    agent: &str,
    project: &str,
    redactor: &Redactor,
    now_ms: u64,
) -> Result<PendingQuote, String> {
    let accepted = judge(0, note, NoteSpeaker::Agent, redactor, now_ms)?;
    let contributor = Contributor {
        agent: CLIENT.to_owned(),
        session_id: String::new(),
        run_id: format!("note-{now_ms}"),
        events: 1,
        last_ms: Some(now_ms),
        created_ms: now_ms,
        voice: ContributorVoice::Derived,
        reading: None,
        precedence: Precedence::Replaces,
    };
    Ok(pending_quote(&accepted, &contributor, project, agent))
}

/// Returns a note as a pending quote. Its session id is derived from its text, so that repeating it is not a second
/// sighting.
fn pending_quote(
    note: &AcceptedCandidate,
    contributor: &Contributor,
    project: &str,
    name: &str,
) -> PendingQuote {
    let quote = note.citations.first().map(|cited| cited.quote.clone());
    let quote = quote.unwrap_or_default();
    let id = pending_id(project, &quote);
    let contributor = Contributor {
        session_id: format!("{name}-{id}"),
        ..contributor.clone()
    };
    PendingQuote {
        id,
        quote,
        contribution: contribution(note, &contributor),
        rejected: false,
    }
}

fn judge(
    index: usize,
    note: &Note,
    speaker: NoteSpeaker,
    redactor: &Redactor,
    now_ms: u64,
) -> Result<AcceptedCandidate, String> {
    let candidate = Candidate {
        id: format!("n{}", index + 1),
        category: note.memory_type.name().to_owned(),
        kind: note.kind.clone(),
        title: note.title.trim().to_owned(),
        body: note.body.trim().to_owned(),
        confidence: note.confidence,
        tags: note.tags.clone(),
        evidence: Vec::new(),
        attrs: Attrs::default(),
    };
    let memory_type = well_formed_note(&candidate, redactor)?;
    let quote = redactor.redact(&note.quote).text.into_owned();
    let at_ms = note.at_ms.unwrap_or(now_ms);
    let accepted = AcceptedCandidate {
        candidate,
        memory_type,
        citations: vec![ResolvedCitation {
            event: Event {
                id: format!("n{}", index + 1),
                origin: Origin {
                    record: note.place.clone(),
                    ..Origin::default()
                },
                role: speaker.role().to_owned(),
                kind: "text".to_owned(),
                at_ms: Some(at_ms),
                text: quote.clone(),
                attrs: Attrs::default(),
            },
            quote,
        }],
        untrusted: speaker == NoteSpeaker::Agent,
        newest_ms: at_ms,
        found_by: Vec::new(),
    };
    Ok(cleaned(accepted, &redactor.strict()))
}

fn name_of(source: &NoteSource) -> &str {
    match source {
        NoteSource::Agent(name) | NoteSource::AgentMemory(name) => name,
        NoteSource::Person | NoteSource::File(_) => PERSON,
    }
}

/// Reports whether a note would instruct later agents.
fn instructs(note: &AcceptedCandidate) -> bool {
    matches!(note.candidate.kind.as_str(), "convention" | "preference")
}

/// Speaker of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NoteSpeaker {
    Person,
    Agent,
}

impl NoteSpeaker {
    fn role(self) -> &'static str {
        match self {
            NoteSpeaker::Person => "user",
            NoteSpeaker::Agent => "assistant",
        }
    }
}
