//! Sessions, and the conversation in one as it was archived: redacted.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use crate::api::{
    EventPage, EventsQuery, SessionDetail, SessionEvent, SessionMemory, SessionPage, SessionRow,
    SessionState, SessionsQuery,
};
use acreta_catalog::{KnownSession, RunFilter, SessionFilter, SessionKey};
use acreta_fs::NoFaults;
use acreta_model::{Event, MemoryType, TraceReader};
use acreta_service::{Context, Failure, Kind, scopes};
use acreta_sessions::{TraceArchive, TraceFile};
use acreta_store::{Layout, Memory, Snapshot};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

use crate::daemon::work::session_state;
use crate::daemon::{Daemon, rows};

/// Characters of one event that are given.
const TEXT: usize = 20_000;

/// Text that is read of a trace at a time.
const PAGE_BYTES: u32 = 1024 * 1024;

impl Daemon {
    pub(crate) fn session_list(&self, query: &SessionsQuery) -> Result<SessionPage, Failure> {
        let context = self.context(query.project_root.as_deref())?;
        let catalog = scopes::open_catalog(&context)?;
        let project = match &query.project_root {
            None => None,
            Some(_) => match catalog.project_at(&context.project)? {
                Some(project) => Some(project.id),
                None => {
                    return Ok(SessionPage {
                        items: Vec::new(),
                        total: 0,
                    });
                }
            },
        };
        let sessions = catalog.sessions(&SessionFilter {
            agent: query.agent.as_ref().map(|text| text.to_string()),
            project,
            state: query.state.map(stored),
            ..SessionFilter::default()
        })?;
        let wanted = query.text.as_ref().map(|text| text.to_lowercase());
        let fitting: Vec<KnownSession> = sessions
            .into_iter()
            .filter(|known| {
                wanted.as_ref().is_none_or(|wanted| {
                    let title = known.title.as_deref().unwrap_or_default();
                    let id = &known.session.id;
                    title.to_lowercase().contains(wanted) || id.to_lowercase().contains(wanted)
                })
            })
            .collect();
        let roots = self.roots(&context)?;
        let mut titles = Titles::new(&context);
        let page = fitting
            .iter()
            .skip(query.offset.get() as usize)
            .take(query.limit.get() as usize);
        Ok(SessionPage {
            total: fitting.len() as u64,
            items: page
                .map(|known| titles.give(row(known, &roots)))
                .collect::<Result<_, Failure>>()?,
        })
    }

    pub(crate) fn whole_session(&self, agent: &str, id: &str) -> Result<SessionDetail, Failure> {
        let context = self.context(None)?;
        let known = self.known(&context, agent, id)?;
        let roots = self.roots(&context)?;
        let row = Titles::new(&context).give(row(&known, &roots))?;
        let memories = match self.layout(&context, &known)? {
            Some(layout) if layout.has_memory()? => {
                let snapshot = scopes::snapshot(&context, &layout)?;
                let led_to = |memory: &&Memory| came_from(memory, agent, &known.session.id);
                snapshot
                    .iter()
                    .filter(led_to)
                    .map(|memory| SessionMemory {
                        id: memory.id.clone(),
                        title: memory.title().to_owned(),
                        memory_type: memory.memory_type,
                    })
                    .collect()
            }
            _ => Vec::new(),
        };
        let runs = scopes::open_catalog(&context)?.runs(&RunFilter {
            session: Some(known.key()),
            ..RunFilter::default()
        })?;
        Ok(SessionDetail {
            row,
            memories,
            runs: runs.iter().map(rows::run).collect(),
        })
    }

    pub(crate) fn conversation(
        &self,
        agent: &str,
        id: &str,
        query: &EventsQuery,
    ) -> Result<EventPage, Failure> {
        let context = self.context(None)?;
        let known = self.known(&context, agent, id)?;
        let mut trace = self.trace(&context, &known)?;
        let total = trace.count();
        let limit = query.limit.get();
        let offset = match &query.around {
            None => query.offset.get(),
            Some(event) => {
                let place = place_of(&mut trace, event)?;
                trace.rewind();
                place.saturating_sub(limit / 2)
            }
        };
        let mut events = Vec::new();
        let mut seen = 0;
        loop {
            let page = read(&mut trace)?;
            if page.is_empty() || seen >= offset + limit {
                break;
            }
            for event in page {
                if (offset..offset + limit).contains(&seen) {
                    events.push(shown(event));
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

    fn known(&self, context: &Context, agent: &str, id: &str) -> Result<KnownSession, Failure> {
        let session = scopes::open_catalog(context)?.session(&SessionKey::new(agent, id))?;
        session.ok_or_else(|| {
            let message = format!("there is no session `{id}` of {agent}");
            Failure::new(Kind::Missing, message)
        })
    }

    /// Where the memory of a session's project lies.
    fn layout(&self, context: &Context, known: &KnownSession) -> Result<Option<Layout>, Failure> {
        let roots = self.roots(context)?;
        let root = known.project.and_then(|project| {
            let found = roots.iter().find(|(id, _)| *id == project);
            found.map(|(_, root)| root.clone())
        });
        Ok(root
            .map(|root| context.layout(&root))
            .filter(|layout| !layout.is_closed()))
    }

    fn roots(&self, context: &Context) -> Result<Roots, Failure> {
        let projects = scopes::open_catalog(context)?.projects()?;
        Ok(projects
            .into_iter()
            .map(|project| (project.id, project.root))
            .collect())
    }

    fn trace(&self, context: &Context, known: &KnownSession) -> Result<TraceFile, Failure> {
        let layouts = self
            .layout(context, known)?
            .into_iter()
            .chain([context.global_layout()]);
        for layout in layouts {
            let base = layout.open(&NoFaults::shared())?;
            let Some(Ok(directory)) = base.map(|base| base.subdirectory(layout.traces())) else {
                continue;
            };
            let archive = TraceArchive::new(&directory);
            let session = &known.session;
            if archive.contains(&session.agent, &session.id)? {
                return archive
                    .open(&session.agent, &session.id)
                    .map_err(|error| Failure::from_error(&error));
            }
        }
        let message = "its conversation was not read yet";
        Err(Failure::new(Kind::Missing, message)
            .hint("a sync reads it once its project is taken in"))
    }
}

/// Titles of sessions that their agents gave none, from their summaries.
struct Titles<'a> {
    context: &'a Context,
    /// By project; each is looked at once for a page.
    snapshots: HashMap<String, Option<Arc<Snapshot>>>,
}

impl<'a> Titles<'a> {
    fn new(context: &'a Context) -> Self {
        Self {
            context,
            snapshots: HashMap::new(),
        }
    }

    fn give(&mut self, mut row: SessionRow) -> Result<SessionRow, Failure> {
        let (None, Some(project)) = (&row.title, &row.project) else {
            return Ok(row);
        };
        let snapshot = match self.snapshots.entry(project.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let layout = self.context.layout(Utf8Path::new(project));
                place.insert(match layout.has_memory()? {
                    true => Some(scopes::snapshot(self.context, &layout)?),
                    false => None,
                })
            }
        };
        let mut summaries = snapshot.iter().flat_map(|all| all.iter()).filter(|memory| {
            memory.memory_type == MemoryType::Summary && came_from(memory, &row.agent, &row.id)
        });
        row.title = summaries.next().map(|memory| memory.title().to_owned());
        Ok(row)
    }
}

type Roots = Vec<(acreta_catalog::ProjectId, Utf8PathBuf)>;

fn row(known: &KnownSession, roots: &Roots) -> SessionRow {
    let session = &known.session;
    let root = known.project.and_then(|project| {
        let found = roots.iter().find(|(id, _)| *id == project);
        found.map(|(_, root)| root.to_string())
    });
    SessionRow {
        agent: session.agent.clone(),
        id: session.id.clone(),
        title: known.title.clone(),
        project: root.or_else(|| session.project_dir.clone()),
        updated_ms: session.updated_ms,
        state: session_state(known.state),
        revision: Some(session.revision.clone()),
        bytes: known.file.metadata().map_or(0, |metadata| metadata.len()),
    }
}

fn came_from(memory: &Memory, agent: &str, id: &str) -> bool {
    let contributions = memory
        .evidence
        .iter()
        .flat_map(|evidence| &evidence.contributions);
    let mut sessions = contributions.map(|one| (one.agent.as_str(), one.session_id.as_str()));
    sessions.any(|session| session == (agent, id))
}

fn place_of(trace: &mut TraceFile, event_id: &str) -> Result<u64, Failure> {
    let mut place = 0;
    loop {
        let page = read(trace)?;
        if page.is_empty() {
            let message = format!("there is no event `{event_id}` in it");
            return Err(Failure::new(Kind::Missing, message));
        }
        if let Some(index) = page.iter().position(|event| event.id == event_id) {
            return Ok(place + index as u64);
        }
        place += page.len() as u64;
    }
}

fn read(trace: &mut TraceFile) -> Result<Vec<Event>, Failure> {
    trace
        .next(PAGE_BYTES)
        .map_err(|failure| Failure::saying(failure.message))
}

fn shown(event: Event) -> SessionEvent {
    let cut = event.text.char_indices().nth(TEXT).map(|(at, _)| at);
    let text = match cut {
        Some(at) => event.text[..at].to_owned(),
        None => event.text,
    };
    SessionEvent {
        id: event.id,
        role: event.role,
        kind: event.kind,
        at_ms: event.at_ms,
        text,
        attrs: event
            .attrs
            .0
            .into_iter()
            .map(|(name, value)| (name, Value::String(value)))
            .collect(),
        truncated: cut.is_some(),
    }
}

fn stored(state: SessionState) -> acreta_catalog::SessionState {
    use acreta_catalog::SessionState as State;
    match state {
        SessionState::Waiting => State::Waiting,
        SessionState::New => State::New,
        SessionState::Queued => State::Queued,
        SessionState::Done => State::Done,
        SessionState::Failed => State::Failed,
    }
}
