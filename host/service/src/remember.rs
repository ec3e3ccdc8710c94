//! Remembering one note: what `memory add`, `POST /api/memories` and the tool `memory_add` do. A person's note is
//! confirmed by being written; an agent's is untrusted until a person confirms it, and waits outside memory if it
//! would tell later agents what to do.

use acreta_lead::{Action, Note, NoteSource, PendingQuote, PendingQuotes, PendingUpdate};
use acreta_model::MemoryType;
pub use acreta_model::WriteScope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::clock::now_ms;
use crate::scopes::MemoryScope;
use crate::{Context, Failure, Kind, desk, pending_quotes};

/// A note to remember.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Remember {
    /// A learning if not given.
    pub memory_type: Option<MemoryType>,
    /// An insight if not given and it is a learning.
    pub kind: Option<String>,
    pub title: String,
    /// The title if not given.
    pub body: Option<String>,
    pub tags: Vec<String>,
    /// 0 to 1. Follows from the author if not given.
    pub confidence: Option<f32>,
    pub scope: WriteScope,
    pub author: Author,
}

/// Who wrote a note.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Author {
    #[default]
    Person,
    /// An agent, by the name it gives itself.
    Agent(Option<String>),
}

/// What became of a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MemoryAdded")]
pub struct Remembered {
    /// `add`, `update`, `no_op`, or `pending`: it waits for a person.
    pub action: String,
    /// The memory that holds it now, or the pending record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Relative to the memory root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    pub message: String,
}

/// Confidence of a person's note.
const PERSON: f32 = 0.9;

/// Confidence of an agent's note.
const AGENT: f32 = 0.5;

/// Remembers a note.
pub fn remember(request: &Remember, context: &Context) -> Result<Remembered, Failure> {
    let memory_type = request.memory_type.unwrap_or(MemoryType::Learning);
    let kind = match &request.kind {
        Some(kind) => kind.clone(),
        None if memory_type == MemoryType::Learning => "insight".to_owned(),
        None => String::new(),
    };
    let title = request.title.trim().to_owned();
    let body = request.body.clone().unwrap_or_else(|| title.clone());
    let (source, confidence) = match &request.author {
        Author::Person => (NoteSource::Person, PERSON),
        Author::Agent(name) => {
            let name = acreta_text::slug(name.as_deref().unwrap_or("agent"));
            (NoteSource::Agent(name), AGENT)
        }
    };
    let note = Note {
        memory_type,
        kind,
        title,
        quote: body.clone(),
        body,
        tags: sorted(&request.tags),
        confidence: request.confidence.unwrap_or(confidence),
        at_ms: None,
        place: String::new(),
    };
    let scope = MemoryScope::to_write(request.scope, context);
    let waiting = pending_quotes::of(context, &scope.layout);
    let mut desk = desk::open(context, scope.layout)?;
    let report = desk.remember(vec![note], &source, false)?;
    if let Some(refused) = report.refused.first() {
        return Err(refusal(&request.author, &refused.reason));
    }
    if let Some(quote) = report.pending.into_iter().next() {
        return set_aside(quote, waiting.as_ref());
    }
    let Some(done) = report.actions.into_iter().next() else {
        return Ok(Remembered {
            action: action_name(Action::NoOp).to_owned(),
            id: None,
            path: None,
            message: "nothing to remember".to_owned(),
        });
    };
    Ok(Remembered {
        message: match (done.action, &request.author) {
            (Action::NoOp, _) => format!("nothing added: {}", done.reason),
            (_, Author::Person) => done.reason,
            (_, Author::Agent(_)) => "kept as untrusted until a person confirms it".to_owned(),
        },
        action: action_name(done.action).to_owned(),
        id: Some(done.memory_id),
        path: done.path,
    })
}

/// The action as reports name it.
fn action_name(action: Action) -> &'static str {
    match action {
        Action::NoOp => "no_op",
        other => other.name(),
    }
}

/// Keeps what only a person can set as a pending record.
fn set_aside(quote: PendingQuote, waiting: &dyn PendingQuotes) -> Result<Remembered, Failure> {
    let now_ms = now_ms();
    let (id, kind) = (quote.id.clone(), quote.contribution.candidate.kind.clone());
    let unkept = |problem: String| Failure::saying(format!("this could not be kept: {problem}"));
    let known = waiting.seen(now_ms).map_err(unkept)?;
    if known.iter().any(|one| one.id == id && one.rejected) {
        return Ok(Remembered {
            action: action_name(Action::NoOp).to_owned(),
            message: "nothing added: a person rejected this".to_owned(),
            id: Some(id),
            path: None,
        });
    }
    let update = PendingUpdate {
        agent: quote.contribution.agent.clone(),
        session_id: quote.contribution.session_id.clone(),
        quotes: vec![quote],
        repeated: Vec::new(),
        now_ms,
    };
    waiting.keep(&update).map_err(unkept)?;
    Ok(Remembered {
        action: "pending".to_owned(),
        message: format!(
            "not memory yet: only a person sets a {kind}; it waits until they say `acreta memory confirm {id}`"
        ),
        id: Some(id),
        path: None,
    })
}

/// A person can word a note differently; what an agent may not say, a person can.
fn refusal(author: &Author, reason: &str) -> Failure {
    // Gates say what is wrong with a candidate, mostly with it as the subject.
    let subject = match reason.starts_with(['`', '“']) || reason.starts_with("its ") {
        true => "",
        false => "it ",
    };
    let message = format!("this is not remembered: {subject}{reason}");
    match author {
        Author::Person => Failure::new(Kind::Usage, message),
        Author::Agent(_) => Failure::new(Kind::Refused, message)
            .hint("a person can say it with `acreta memory add`"),
    }
}

pub(crate) fn sorted(tags: &[String]) -> Vec<String> {
    let mut tags: Vec<String> = tags.iter().map(|tag| tag.trim().to_owned()).collect();
    tags.sort();
    tags.dedup();
    tags
}
