//! What a person or an agent tells acreta directly, or what is brought over from other notes. It takes the same way as what
//! a session says: the same gates, the same decisions, the same draft and commit.

use crate::memory::speakers::{CLIENT, IMPORT, PERSON};
use acreta_model::{Attrs, Candidate, Event, MemoryType, Origin};
use serde::Serialize;

use crate::decide::contributor::{Contributor, Voice, contribution};
use crate::decide::gates::{Passed, well_formed_note};
use crate::decide::kept::{Cited, Kept};
use crate::decide::opinions::Opinions;
use crate::decide::plan::{Plan, plan};
use crate::decide::precedence::Precedence;
use crate::error::RunError;
use crate::grounds::INSTRUCTING_KINDS;
use crate::memory::desk::Desk;
use crate::memory::workspace::NoLog;
use crate::memory::write::Prepared;
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
    /// When it was said, if that is known; now, otherwise.
    pub at_ms: Option<u64>,
    /// What stands behind it, word for word.
    pub quote: String,
    /// Where that stands: a line of a file, or nothing.
    pub place: String,
}

/// Where notes come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoteSource {
    /// A person, now.
    Person,
    /// A file of notes, by name. Taking it in again changes only what it now says differently.
    File(String),
    /// A file of an agent's own memory, by name: an agent's word. Taking it in again changes only what it now says
    /// differently.
    AgentMemory(String),
    /// An agent, by the name it gives itself. It is nobody's word until a person confirms it.
    Agent(String),
}

/// What became of notes.
#[derive(Debug, Clone, Serialize)]
pub struct NotesReport {
    pub actions: Vec<ActionRecord>,
    pub counts: Counts,
    /// Notes that did not pass, by their place in the list, and why.
    pub refused: Vec<RefusedNote>,
    /// Notes of an agent that would tell later agents what to do: no memory until a person confirms them.
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

/// Notes, worked out and not remembered yet.
pub(crate) struct PlannedNotes {
    pub(crate) plan: Plan,
    pub(crate) prepared: Prepared,
    pub(crate) refused: Vec<RefusedNote>,
    pending: Vec<PendingQuote>,
}

impl Desk {
    /// Remembers notes. With `dry_run` it only says what it would do.
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
            NoteSource::Person => (PERSON, self.ids.next(), Voice::Person),
            NoteSource::File(name) | NoteSource::AgentMemory(name) => {
                (IMPORT, name.clone(), Voice::Derived)
            }
            NoteSource::Agent(name) => {
                let session = format!("{name}-{}", self.ids.next());
                (CLIENT, session, Voice::Derived)
            }
        };
        let speaker = match source {
            NoteSource::Person | NoteSource::File(_) => Speaker::Person,
            NoteSource::Agent(_) | NoteSource::AgentMemory(_) => Speaker::Agent,
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
        let mut passed = Passed::new();
        for (index, note) in notes.into_iter().enumerate() {
            let one = self.judge(index, &note, speaker);
            match one.and_then(|one| passed.once(one)) {
                Ok(one) if speaker == Speaker::Agent && instructs(&one) => {
                    pending.push(self.pending_quote(&one, &contributor, source));
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
        let log = std::sync::Arc::new(NoLog);
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

    /// A note as it waits. Its session is named by what it says, so that saying it again is no second sighting.
    fn pending_quote(
        &self,
        note: &Kept,
        contributor: &Contributor,
        source: &NoteSource,
    ) -> PendingQuote {
        let quote = note.citations.first().map(|cited| cited.quote.clone());
        let quote = quote.unwrap_or_default();
        let id = pending_id(self.store.layout().base().as_str(), &quote);
        let name = match source {
            NoteSource::Agent(name) | NoteSource::AgentMemory(name) => name,
            NoteSource::Person | NoteSource::File(_) => PERSON,
        };
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

    fn judge(&self, index: usize, note: &Note, speaker: Speaker) -> Result<Kept, String> {
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
        let memory_type = well_formed_note(&candidate, &self.options.redactor)?;
        let quote = self.options.redactor.redact(&note.quote).text.into_owned();
        let at_ms = note.at_ms.unwrap_or(self.options.now_ms);
        Ok(Kept {
            candidate,
            memory_type,
            citations: vec![Cited {
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
            untrusted: speaker == Speaker::Agent,
            newest_ms: at_ms,
        })
    }
}

/// Reports whether a note would tell later agents what to do.
fn instructs(note: &Kept) -> bool {
    INSTRUCTING_KINDS.contains(&note.candidate.kind.as_str())
}

/// Whose words a note is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speaker {
    Person,
    Agent,
}

impl Speaker {
    fn role(self) -> &'static str {
        match self {
            Speaker::Person => "user",
            Speaker::Agent => "assistant",
        }
    }
}
