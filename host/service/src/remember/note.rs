//! A note that an agent makes of what the person said: the tool `memory_note` and `acreta memory note`. It takes no lock
//! of the project: it waits among the pending records until its session is read, which proves it or not
//! (`plugins/extractor-notes`). A note of something that nobody said is `remember`.
//!
//! The answer comes at once, from hashes of what was typed (`typed`) and the index as it is: noted; known already;
//! noted, with similar memories that it may replace; or not the person's words, which is not stored.

use acreta_pipeline::{CLIENT, Note, PendingUpdate, is_instruction, noted};
use acreta_text::bounds::MADE_TITLE;
use acreta_text::{jaccard, tokens};
use acreta_types::{MEMORY_TYPES, MemoryType, Quotation};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::learn::typed::{self, Whose};
use crate::process::clock::now_ms;
use crate::recall::{Shelf, ShelfQuery};
use crate::{
    Context, Failure, Kind, learn::sync_options, projects::scopes, remember::pending_quotes,
};

/// A note to make.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NoteRequest {
    pub title: String,
    /// `decision`, or the kind of a learning.
    pub kind: String,
    /// Passages of the person, verbatim; of a finding, the agent's or a tool's. At least one.
    pub quotes: Vec<String>,
    /// The agent's passage that the quotes answer.
    pub about: Option<String>,
    pub files: Vec<String>,
    /// Id of the memory that it replaces.
    pub replaces: Option<String>,
    /// The agent's name for itself.
    pub agent: Option<String>,
}

/// Answer to a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NoteReport {
    pub status: NoteStatus,
    /// The pending record of the note, or the memory that says it already.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Memories that it may replace.
    pub similar: Vec<SimilarMemory>,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoteStatus {
    /// It waits until its session is read.
    Noted,
    /// A memory says it already.
    Known,
    /// The person typed no such words lately; nothing was stored.
    NotTheirWords,
}

impl NoteStatus {
    pub fn name(self) -> &'static str {
        match self {
            Self::Noted => "noted",
            Self::Known => "known",
            Self::NotTheirWords => "not_their_words",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SimilarMemory {
    pub id: String,
    pub title: String,
}

/// Maximum characters of all passages together.
pub const QUOTE_CHARACTERS: usize = 600;

/// Maximum number of notes of a project that wait; a flood is refused.
const MOST_WAITING: usize = 100;

/// Number of memories that are compared.
const COMPARED: usize = 5;

/// Share of words from which a memory says the same, and is similar.
const SAME: f64 = 0.8;
const SIMILAR: f64 = 0.2;

/// Makes a note.
pub fn note(request: &NoteRequest, context: &Context) -> Result<NoteReport, Failure> {
    let (memory_type, kind) = checked(request)?;
    let is_instruction = is_instruction(kind.as_str());
    let session = match typed::whose(&request.quotes, context) {
        Whose::Nobody if is_instruction => {
            return Ok(NoteReport {
                status: NoteStatus::NotTheirWords,
                id: None,
                similar: Vec::new(),
                message: "not noted: these are not the person's words; quote a whole sentence of theirs, verbatim"
                    .to_owned(),
            });
        }
        Whose::Session(session) => Some(session),
        Whose::Nobody | Whose::Unknown => None,
    };
    let (known, similar) = compared(request, context)?;
    if let Some(known) = known {
        return Ok(NoteReport {
            status: NoteStatus::Known,
            message: format!("memory says this already: {}", known.title),
            id: Some(known.id),
            similar: Vec::new(),
        });
    }
    let now = now_ms();
    let layout = context.layout(&context.project);
    let project = layout.base().to_string();
    let catalog = scopes::open_catalog(context)?;
    let waiting = catalog.notes(&project)?;
    let waiting = waiting
        .iter()
        .filter(|note| note.outcome == acreta_state::NoteOutcome::Waiting);
    if waiting.count() >= MOST_WAITING {
        let message = format!("not noted: {MOST_WAITING} notes wait for their sessions to be read");
        return Err(Failure::new(Kind::Refused, message).hint("`acreta sync` reads sessions"));
    }
    let agent = acreta_text::slug(request.agent.as_deref().unwrap_or("agent"));
    let quotation = Quotation {
        quotes: request.quotes.clone(),
        about: request.about.clone().filter(|_| is_instruction),
    };
    let note = Note {
        memory_type,
        kind,
        title: request.title.trim().to_owned(),
        body: match is_instruction {
            true => quotation.to_body(),
            false => request.quotes.join("\n"),
        },
        tags: crate::remember::add::sorted(&request.files),
        confidence: CONFIDENCE,
        at_ms: Some(now),
        quote: request.quotes.join(" "),
        place: String::new(),
    };
    let redactor = sync_options::redactor(&context.config)?;
    let quote = noted(&note, &agent, &project, &redactor, now)
        .map_err(|reason| Failure::new(Kind::Usage, format!("not noted: it {reason}")))?;
    let id = quote.id.clone();
    let records = pending_quotes::of(context, &layout)?;
    let update = PendingUpdate {
        agent: CLIENT.to_owned(),
        session_id: quote.contribution.session_id.clone(),
        quotes: vec![quote],
        repeated: Vec::new(),
        notes: Vec::new(),
        now_ms: now,
    };
    let unkept = |problem: String| Failure::saying(format!("this could not be noted: {problem}"));
    records.keep(&update).map_err(unkept)?;
    let by = session
        .as_ref()
        .map_or(agent.as_str(), |session| &session.agent);
    let session = session.as_ref().map(|session| session.id.as_str());
    catalog.add_note(&project, &id, (by, session), now)?;
    let message = match (similar.is_empty(), &request.replaces) {
        (false, None) => {
            "it becomes memory when this session is read; if it replaces one of these, note it again with `replaces`"
        }
        _ => "it becomes memory when this session is read",
    };
    Ok(NoteReport {
        status: NoteStatus::Noted,
        id: Some(id),
        similar: match request.replaces {
            Some(_) => Vec::new(),
            None => similar,
        },
        message: message.to_owned(),
    })
}

/// Confidence of a note, before its session proves it.
const CONFIDENCE: f32 = 0.9;

/// Checks the form of a note; returns its type and kind.
fn checked(request: &NoteRequest) -> Result<(MemoryType, String), Failure> {
    let usage = |message: String| Failure::new(Kind::Usage, message);
    let title = request.title.trim();
    if title.is_empty() || title.contains('\n') || title.chars().count() > MADE_TITLE {
        let message = format!("the title of a note is one line of 1 to {MADE_TITLE} characters");
        return Err(usage(message));
    }
    let length: usize = request
        .quotes
        .iter()
        .map(|quote| quote.chars().count())
        .sum();
    if length == 0 || length > QUOTE_CHARACTERS {
        let message = format!("a note quotes 1 to {QUOTE_CHARACTERS} characters of what was said");
        return Err(usage(message).hint("what nobody said is `memory_add`"));
    }
    if request.kind == MemoryType::Decision.name() {
        return Ok((MemoryType::Decision, String::new()));
    }
    match MemoryType::Learning.allows_kind(&request.kind) {
        true => Ok((MemoryType::Learning, request.kind.clone())),
        false => Err(usage(format!(
            "`{}` is not a kind of note: {}",
            request.kind,
            kinds().join(", ")
        ))),
    }
}

/// Returns the kinds of notes.
pub fn kinds() -> Vec<&'static str> {
    let kinds = MEMORY_TYPES.iter().flat_map(|entry| entry.kinds).copied();
    std::iter::once(MemoryType::Decision.name())
        .chain(kinds)
        .collect()
}

/// Returns the memory that says the same, or those that are similar.
fn compared(
    request: &NoteRequest,
    context: &Context,
) -> Result<(Option<SimilarMemory>, Vec<SimilarMemory>), Failure> {
    let quoted = tokens(&request.quotes.join(" "));
    let said = tokens(&format!("{} {}", request.title, request.quotes.join(" ")));
    let mut shelf = Shelf::open(context)?;
    let hits = shelf.look(&ShelfQuery {
        text: format!("{} {}", request.title, request.quotes.join(" ")).replace(['"', '*'], " "),
        types: &[MemoryType::Decision, MemoryType::Learning],
        kinds: &[],
        limit: COMPARED,
        words_only: true,
    })?;
    let mut similar = Vec::new();
    for hit in &hits {
        let Some(memory) = shelf.take(hit)? else {
            continue;
        };
        let found = SimilarMemory {
            id: memory.id.clone(),
            title: memory.title().to_owned(),
        };
        let quotes = Quotation::from_body(memory.body()).map(|known| known.quotes.join(" "));
        if quotes.is_some_and(|known| jaccard(&tokens(&known), &quoted) >= SAME) {
            return Ok((Some(found), Vec::new()));
        }
        let text = tokens(&format!("{} {}", memory.title(), memory.body()));
        if jaccard(&text, &said) >= SIMILAR {
            similar.push(found);
        }
    }
    similar.truncate(3);
    Ok((None, similar))
}
