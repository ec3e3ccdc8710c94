//! The conversation of a session, event by event and redacted: from the trace of a run, or from the archived copy,
//! which is read again in the sandbox.

use std::sync::{Arc, Mutex, PoisonError};

use acreta_fs::{Directory, NoFaults, scratch};
use acreta_session_archive::{TraceArchive, TraceFile, TraceLimits};
use acreta_state::KnownSession;
use acreta_sync::{Selection, SyncOptions};
use acreta_types::{Attrs, Event, Origin, SharedSink};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::events::EventSource;
use super::recovered::Recovered;
use super::{SessionMatch, SessionRow, Titles, find, known, layout, roots, row};
use crate::{Context, Failure, Kind, LazySyncEnvironment, learn::sync_options};

/// Maximum characters of one event in a page.
const TEXT: usize = 20_000;

/// A session that is open for reading.
pub struct Conversation {
    pub session: SessionRow,
    pub(super) events: EventSource,
}

/// The part of a conversation to read.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EventPageRequest {
    #[serde(default)]
    #[schemars(range(max = 1_000_000_000))]
    pub offset: u64,
    #[serde(default = "page_size")]
    #[schemars(range(min = 1, max = 500))]
    pub limit: u64,
    /// Id of an event to show in the middle of the page; `offset` is then ignored.
    #[schemars(length(min = 1, max = 256))]
    pub around: Option<String>,
}

fn page_size() -> u64 {
    100
}

/// A part of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EventPage {
    pub events: Vec<EventRow>,
    pub total: u64,
    /// Number of events before the first one of this page.
    pub offset: u64,
}

/// One event of a session.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "SessionEvent")]
pub struct EventRow {
    pub id: String,
    /// `user`, `assistant`, `tool` or `system`.
    pub role: String,
    /// `text`, `thinking`, `tool-call`, `tool-result`, `injected`, `compaction` or `note`.
    pub kind: String,
    pub at_ms: Option<u64>,
    pub text: String,
    pub attrs: Map<String, Value>,
    /// The text was cut.
    pub truncated: bool,
}

/// Opens a session by its id, a prefix of it, or `AGENT/ID`.
pub fn open(id: &str, context: &Context) -> Result<Conversation, Failure> {
    SessionOpener::new(context)?.open(find(id, context)?)
}

/// Returns a part of the session of an agent with exactly this id.
pub fn page(
    agent: &str,
    id: &str,
    request: &EventPageRequest,
    context: &Context,
) -> Result<EventPage, Failure> {
    let around = request.around.as_deref();
    open_one(agent, id, context)?.page(request.offset, request.limit, around)
}

/// Opens the session of an agent with exactly this id.
pub(crate) fn open_one(agent: &str, id: &str, context: &Context) -> Result<Conversation, Failure> {
    let known = known(agent, id, context)?;
    let row = row(&known, &roots(context)?);
    SessionOpener::new(context)?.open(SessionMatch::Known(Box::new(known), row))
}

/// Opens sessions; the adapters it loads are reused for all of them.
pub(super) struct SessionOpener<'a> {
    context: &'a Context,
    workshop: LazySyncEnvironment<'a>,
    pub(super) options: SyncOptions,
}

impl<'a> SessionOpener<'a> {
    pub(super) fn new(context: &'a Context) -> Result<Self, Failure> {
        Ok(Self {
            context,
            workshop: LazySyncEnvironment::ungranted(context)?,
            options: sync_options::sync_options(context, Selection::default())?,
        })
    }

    pub(super) fn open(&self, candidate: SessionMatch) -> Result<Conversation, Failure> {
        match candidate {
            SessionMatch::Known(known, row) => Ok(Conversation {
                session: Titles::new(self.context).complete(row)?,
                events: self.trace(&known)?,
            }),
            SessionMatch::Recovered(session) => Ok(Conversation {
                session: session.row(),
                events: EventSource::Prompts {
                    events: prompts(&session),
                    next: 0,
                },
            }),
        }
    }

    /// Returns the trace of the last run, unless the session has been archived at a later state.
    fn trace(&self, known: &KnownSession) -> Result<EventSource, Failure> {
        let archived = known.archive.as_ref();
        let is_current =
            archived.is_none_or(|archive| known.ran_revision.as_deref() == Some(&archive.revision));
        if is_current && let Some(file) = self.kept_trace(known)? {
            return Ok(EventSource::Trace {
                file: Box::new(file),
                _made: None,
            });
        }
        if archived.is_some() {
            return self.rescued(known);
        }
        let message = "its conversation is not archived yet";
        Err(Failure::new(Kind::Missing, message).hint("`acreta sync` archives it"))
    }

    fn kept_trace(&self, known: &KnownSession) -> Result<Option<TraceFile>, Failure> {
        let own = layout(self.context, known, &roots(self.context)?);
        for layout in own.into_iter().chain([self.context.global_layout()]) {
            let base = layout.open(&NoFaults::shared())?;
            let Some(Ok(directory)) = base.map(|base| base.subdirectory(layout.traces())) else {
                continue;
            };
            let archive = TraceArchive::new(&directory);
            let session = &known.session;
            if archive.contains(&session.agent, &session.id)? {
                let opened = archive.open(&session.agent, &session.id);
                // A branch may have brought another file of this name. The archive is this machine's own.
                let is_left = |file: &TraceFile| {
                    let left = known.cursor.as_ref();
                    left.is_some_and(|at| file.is_as_left(at.trace_bytes, &at.trace_digest))
                };
                let has_copy = known.archive.is_some();
                return match opened {
                    Ok(file) if has_copy && !is_left(&file) => Ok(None),
                    Err(_) if has_copy => Ok(None),
                    opened => opened
                        .map(Some)
                        .map_err(|error| Failure::from_error(&error)),
                };
            }
        }
        Ok(None)
    }

    /// Reads the archived copy into a trace that lives as long as the conversation.
    fn rescued(&self, known: &KnownSession) -> Result<EventSource, Failure> {
        let failed = |error: acreta_session_archive::TraceError| Failure::from_error(&error);
        let folder = Directory::open_or_create_private(&self.options.scratch, NoFaults::shared())?;
        let folder = scratch(&folder, "reading")?;
        let session = &known.session;
        let writer = TraceArchive::new(folder.directory()).write(
            &session.agent,
            &session.id,
            Arc::clone(&self.options.redactor),
            TraceLimits::default(),
        );
        let writer = Arc::new(Mutex::new(writer.map_err(failed)?));
        let sink: SharedSink = writer.clone();
        acreta_sync::read_rescued(known, &self.options, &self.workshop, sink).map_err(|cause| {
            let message = format!("the archived copy of {} cannot be read", known.key());
            let mut failure = Failure::saying(message)
                .hint("`acreta sessions export --as original` exports it unchanged");
            failure.causes.push(cause);
            failure
        })?;
        let Ok(writer) = Arc::try_unwrap(writer) else {
            return Err(Failure::saying("the adapter still holds the trace"));
        };
        let writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
        let pending = writer.finish_temporary().map_err(failed)?;
        Ok(EventSource::Trace {
            file: Box::new(pending.open().map_err(failed)?),
            _made: Some(Box::new((pending, folder))),
        })
    }
}

impl Conversation {
    /// Returns the number of events.
    pub fn count(&self) -> u64 {
        self.events.count()
    }

    /// Returns the next events, a few at a time; empty at the end.
    pub fn next_rows(&mut self) -> Result<Vec<EventRow>, Failure> {
        Ok(self.next_events()?.into_iter().map(EventRow::new).collect())
    }

    /// Returns up to `limit` events from `offset` on, or with the event `around` in the middle.
    pub fn page(
        &mut self,
        offset: u64,
        limit: u64,
        around: Option<&str>,
    ) -> Result<EventPage, Failure> {
        let total = self.count();
        let offset = match around {
            None => offset,
            Some(event) => self.place_of(event)?.saturating_sub(limit / 2),
        };
        self.events.rewind();
        let end = offset.saturating_add(limit);
        let mut events = Vec::new();
        let mut seen = 0;
        while seen < end {
            let page = self.next_events()?;
            if page.is_empty() {
                break;
            }
            for event in page {
                if (offset..end).contains(&seen) {
                    events.push(EventRow::new(event));
                }
                seen += 1;
            }
        }
        Ok(EventPage {
            events,
            total,
            offset: offset.min(total),
        })
    }

    pub(super) fn next_events(&mut self) -> Result<Vec<Event>, Failure> {
        self.events.next_events()
    }

    pub(super) fn rewind(&mut self) {
        self.events.rewind();
    }

    fn place_of(&mut self, event_id: &str) -> Result<u64, Failure> {
        self.events.rewind();
        let mut place = 0;
        loop {
            let page = self.next_events()?;
            if page.is_empty() {
                let message = format!("the session has no event `{event_id}`");
                return Err(Failure::new(Kind::Missing, message));
            }
            if let Some(index) = page.iter().position(|event| event.id == event_id) {
                return Ok(place + index as u64);
            }
            place += page.len() as u64;
        }
    }
}

impl EventRow {
    fn new(event: Event) -> Self {
        let cut = event.text.char_indices().nth(TEXT).map(|(at, _)| at);
        let text = match cut {
            Some(at) => event.text[..at].to_owned(),
            None => event.text,
        };
        let attrs = event.attrs.0.into_iter();
        Self {
            id: event.id,
            role: event.role,
            kind: event.kind,
            at_ms: event.at_ms,
            text,
            attrs: attrs
                .map(|(name, value)| (name, Value::String(value)))
                .collect(),
            truncated: cut.is_some(),
        }
    }
}

/// Converts recovered prompts to events of a session.
fn prompts(session: &Recovered) -> Vec<Event> {
    let prompts = session.prompts.iter().enumerate();
    prompts
        .map(|(number, prompt)| Event {
            id: format!("p{}", number + 1),
            origin: Origin::default(),
            role: "user".to_owned(),
            kind: "text".to_owned(),
            at_ms: Some(prompt.at_ms),
            text: prompt.text.clone(),
            attrs: Attrs::default(),
        })
        .collect()
}
