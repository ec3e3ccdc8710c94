//! Remembers one note: `memory add`, `POST /api/memories` and the tool `memory_add`. A person's note is confirmed by
//! being written; an agent's is untrusted until a person confirms it, and waits outside memory if it would instruct
//! later agents.

use acreta_pipeline::{
    Action, Note, NoteSource, PendingQuote, PendingQuotes, PendingUpdate, noted,
};
use acreta_types::MemoryType;
pub use acreta_types::WriteScope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::process::clock::now_ms;
use crate::projects::scopes::MemoryScope;
use crate::{
    Context, Failure, Kind, learn::sync_options, remember::locked, remember::pending_quotes,
};

/// A note to remember.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "MemoryNote")]
pub struct Remember {
    /// Default: a learning.
    #[serde(rename = "type")]
    pub memory_type: Option<MemoryType>,
    /// Default for a learning: an insight.
    #[schemars(length(min = 1, max = 64))]
    pub kind: Option<String>,
    #[schemars(length(min = 1, max = 200))]
    pub title: String,
    /// Default: the title.
    #[schemars(length(min = 1, max = 20_000))]
    pub body: Option<String>,
    #[serde(default)]
    #[schemars(length(max = 12), inner(length(min = 1, max = 64)))]
    pub tags: Vec<String>,
    /// 0 to 1. Default: depends on the author.
    #[schemars(range(min = 0, max = 1))]
    pub confidence: Option<f32>,
    #[serde(default)]
    pub scope: WriteScope,
    #[serde(skip)]
    pub author: NoteAuthor,
}

/// The author of a note.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum NoteAuthor {
    #[default]
    Person,
    /// An agent, by its name for itself.
    Agent(Option<String>),
}

/// Result of adding a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "MemoryAdded")]
pub struct Remembered {
    /// `add`, `update`, `no_op`, or `pending`: it waits for a person.
    pub action: String,
    /// The memory that now holds it, or the pending record.
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
        NoteAuthor::Person => (NoteSource::Person, PERSON),
        NoteAuthor::Agent(name) => {
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
    let waiting = pending_quotes::of(context, &scope.layout)?;
    let project = scope.layout.base().to_string();
    let mut writable = match (locked::open(context, scope.layout), &source) {
        // An agent does not try again, so its note waits.
        (Err(failure), NoteSource::Agent(name)) if failure.kind == Kind::Busy => {
            let redactor = sync_options::redactor(&context.config)?;
            let quote = noted(&note, name, &project, &redactor, now_ms())
                .map_err(|reason| refusal(&request.author, &reason))?;
            return set_aside(quote, waiting.as_ref(), "memory is being written");
        }
        (opened, _) => opened?,
    };
    let report = writable.remember(vec![note], &source, false)?;
    if let Some(refused) = report.refused.first() {
        return Err(refusal(&request.author, &refused.reason));
    }
    if let Some(quote) = report.pending.into_iter().next() {
        let kind = &quote.contribution.candidate.kind;
        let reason = format!("only a person sets a {kind}");
        return set_aside(quote, waiting.as_ref(), &reason);
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
            (_, NoteAuthor::Person) => done.reason,
            (_, NoteAuthor::Agent(_)) => "kept as untrusted until a person confirms it".to_owned(),
        },
        action: action_name(done.action).to_owned(),
        id: Some(done.memory_id),
        path: done.path,
    })
}

/// Returns the action's name in reports.
fn action_name(action: Action) -> &'static str {
    match action {
        Action::NoOp => "no_op",
        other => other.name(),
    }
}

/// Stores a statement that cannot become memory now as a pending record.
fn set_aside(
    quote: PendingQuote,
    waiting: &dyn PendingQuotes,
    reason: &str,
) -> Result<Remembered, Failure> {
    let now_ms = now_ms();
    let id = quote.id.clone();
    let unkept = |problem: String| Failure::saying(format!("this could not be stored: {problem}"));
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
        notes: Vec::new(),
        now_ms,
    };
    waiting.keep(&update).map_err(unkept)?;
    Ok(Remembered {
        action: "pending".to_owned(),
        message: format!(
            "not memory yet: {reason}; it waits until a person says `acreta memory confirm {id}`"
        ),
        id: Some(id),
        path: None,
    })
}

/// Returns the refusal of a note, with a hint: a person can reword it, and a person may say what an agent may not.
fn refusal(author: &NoteAuthor, reason: &str) -> Failure {
    // Gates describe a problem of the candidate, mostly with it as the subject.
    let subject = match reason.starts_with(['`', '“']) || reason.starts_with("its ") {
        true => "",
        false => "it ",
    };
    let message = format!("this is not remembered: {subject}{reason}");
    match author {
        NoteAuthor::Person => Failure::new(Kind::Usage, message),
        NoteAuthor::Agent(_) => Failure::new(Kind::Refused, message)
            .hint("a person can say it with `acreta memory add`"),
    }
}

pub(crate) fn sorted(tags: &[String]) -> Vec<String> {
    let mut tags: Vec<String> = tags.iter().map(|tag| tag.trim().to_owned()).collect();
    tags.sort();
    tags.dedup();
    tags
}
