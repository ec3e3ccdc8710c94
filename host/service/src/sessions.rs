//! The known sessions of every agent: `sessions list` and the dashboard's list. Reading, searching and exporting are in
//! the submodules.

mod commits;
mod conversation;
mod events;
mod export;
mod figures;
pub(crate) mod for_agents;
pub(crate) mod forget;
mod handoff;
pub(crate) mod index;
pub mod reader;
pub(crate) mod recovered;
mod resume;
mod search;
mod trail;
pub mod usage;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

pub use acreta_state::SessionState;
use acreta_state::{KnownSession, Lookup, ProjectId, RunFilter, SessionFilter, SessionKey};
use acreta_store::{Layout, Memory, Snapshot};
use acreta_types::MemoryType;
use camino::{Utf8Path, Utf8PathBuf};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::learn::runs::RunRow;
use crate::process::clock::{moment, now_ms};
use crate::{Context, Failure, Kind, projects::scopes};

pub use commits::{CommitSession, name_sessions, of_commit};
pub(crate) use conversation::open_one;
pub use conversation::{Conversation, EventPage, EventPageRequest, EventRow, open, page};
pub use export::{ExportFormat, ExportedSession, PromptRange, SessionExport, export};
pub use forget::{Forgotten, forget};
pub use handoff::{Handoff, handoff};
pub use index::{Unreadable, index_all};
pub use resume::{AgentCommand, KnownFrom, Resumption, resume};
pub use search::{SessionSearch, SessionSearchResult, SessionTextHit, search};
pub(crate) use search::{roots_at, vocabulary};
pub use trail::{FileChange, TouchedFile, TrailRequest, UsedCommand, blame, files, how};

/// Filters of the list; a missing one matches everything.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SessionListRequest {
    #[schemars(length(min = 1, max = 64))]
    pub agent: Option<String>,
    /// A directory of the project.
    #[serde(skip)]
    pub project: Option<Utf8PathBuf>,
    pub state: Option<SessionState>,
    /// A date, a time, or an age; compared with the last change.
    #[schemars(length(min = 1, max = 40))]
    pub since: Option<String>,
    #[schemars(length(min = 1, max = 40))]
    pub until: Option<String>,
    /// Text that the title or the id must contain, ignoring case.
    #[schemars(length(min = 1, max = 200))]
    pub text: Option<String>,
    #[serde(default)]
    #[schemars(range(max = 1_000_000_000))]
    pub offset: u64,
    #[serde(default = "page_size")]
    #[schemars(range(min = 1, max = 500))]
    pub limit: u64,
    /// Include sessions of which only the prompts are left, in an agent's history of prompts.
    #[serde(skip)]
    pub recovered: bool,
}

fn page_size() -> u64 {
    50
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SessionList {
    /// Most recently changed first.
    pub sessions: Vec<SessionRow>,
    /// Total number, without `offset` and `limit`.
    pub total: u64,
}

/// One session.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SessionRow {
    pub agent: String,
    pub id: String,
    pub title: Option<String>,
    /// The main checkout, or the directory that the agent recorded.
    pub project: Option<String>,
    pub started_ms: Option<u64>,
    pub updated_ms: Option<u64>,
    /// `None` for a session of which only the prompts are left.
    pub state: Option<SessionState>,
    pub revision: Option<String>,
    pub copy: SessionCopy,
    /// `subagent` or `fork`.
    pub relation: Option<&'static str>,
    /// The session that started this one.
    pub parent: Option<String>,
    /// The file that holds it, or held it.
    #[schemars(with = "String")]
    pub file: Utf8PathBuf,
    /// Size of that file; 0 if it no longer exists.
    pub bytes: u64,
}

/// Location of a session's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SessionCopy {
    /// Its agent has it; it is not archived.
    AgentOnly,
    /// Its agent has it, and it is archived.
    Archived,
    /// Archived; its agent has deleted it.
    Rescued,
    /// Its agent has deleted it. Only the prompts are left, in the agent's history.
    PromptsOnly,
    /// Neither its agent nor the archive has it.
    Lost,
}

impl SessionCopy {
    /// Returns the name for a table.
    pub fn name(self) -> &'static str {
        match self {
            SessionCopy::AgentOnly => "not archived",
            SessionCopy::Archived => "archived",
            SessionCopy::Rescued => "rescued",
            SessionCopy::PromptsOnly => "prompts only",
            SessionCopy::Lost => "lost",
        }
    }

    fn of(known: &KnownSession) -> Self {
        // A file that a person named is in no agent's folder, so discovery considers it deleted.
        let is_by_hand = known.root.is_empty() && known.file.exists();
        match (
            known.archive.is_some(),
            known.gone_ms.is_some() && !is_by_hand,
        ) {
            (true, false) => SessionCopy::Archived,
            (true, true) => SessionCopy::Rescued,
            (false, false) => SessionCopy::AgentOnly,
            (false, true) => SessionCopy::Lost,
        }
    }
}

/// A session with its runs and memories.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SessionDetail {
    #[serde(flatten)]
    pub session: SessionRow,
    pub memories: Vec<SessionMemory>,
    /// Newest first.
    pub runs: Vec<RunRow>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionMemory {
    pub id: String,
    pub title: String,
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    /// Empty if the type has no kinds.
    pub kind: String,
    /// Ids of the events that it quotes.
    pub events: Vec<String>,
}

/// Lists sessions, most recently changed first.
pub fn list(request: &SessionListRequest, context: &Context) -> Result<SessionList, Failure> {
    let fitting = fitting(request, context)?;
    let skip = usize::try_from(request.offset).unwrap_or(usize::MAX);
    let take = usize::try_from(request.limit).unwrap_or(usize::MAX);
    let mut titles = Titles::new(context);
    let sessions = fitting.iter().skip(skip).take(take);
    Ok(SessionList {
        total: fitting.len() as u64,
        sessions: sessions
            .map(|session| titles.complete(session.row()))
            .collect::<Result<_, Failure>>()?,
    })
}

/// Returns the details of one session with its runs and memories.
pub fn detail(agent: &str, id: &str, context: &Context) -> Result<SessionDetail, Failure> {
    let known = known(agent, id, context)?;
    let roots = roots(context)?;
    let session = Titles::new(context).complete(row(&known, &roots))?;
    let memories = match layout(context, &known, &roots) {
        Some(layout) if layout.has_memory()? => {
            let snapshot = scopes::snapshot(context, &layout)?;
            let led_to = |memory: &&Memory| came_from(memory, agent, id);
            snapshot
                .iter()
                .filter(led_to)
                .map(|memory| SessionMemory {
                    id: memory.id.clone(),
                    title: memory.title().to_owned(),
                    memory_type: memory.memory_type,
                    kind: memory.kind().to_owned(),
                    events: quoted(memory, agent, id),
                })
                .collect()
        }
        _ => Vec::new(),
    };
    let runs = scopes::open_catalog(context)?.runs(&RunFilter {
        session: Some(known.key()),
        ..RunFilter::default()
    })?;
    Ok(SessionDetail {
        session,
        memories,
        runs: runs.into_iter().map(RunRow::from).collect(),
    })
}

/// A session that matches a request.
#[derive(Clone)]
enum SessionMatch {
    Known(Box<KnownSession>, SessionRow),
    Recovered(recovered::Recovered),
}

impl SessionMatch {
    fn row(&self) -> SessionRow {
        match self {
            SessionMatch::Known(_, row) => row.clone(),
            SessionMatch::Recovered(session) => session.row(),
        }
    }
}

/// Returns every matching session, most recently changed first; ignores `offset` and `limit`.
fn fitting(request: &SessionListRequest, context: &Context) -> Result<Vec<SessionMatch>, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let now = now_ms();
    let time = |text: &Option<String>| text.as_ref().map(|text| moment(text, now)).transpose();
    let (since_ms, until_ms) = (time(&request.since)?, time(&request.until)?);
    let project = match &request.project {
        None => None,
        Some(directory) => Some(catalog.project_at(directory)?),
    };
    let roots = roots(context)?;
    let wanted = request.text.as_ref().map(|text| text.to_lowercase());
    let has_text = |row: &SessionRow| {
        wanted.as_ref().is_none_or(|wanted| {
            let title = row.title.as_deref().unwrap_or_default();
            title.to_lowercase().contains(wanted) || row.id.to_lowercase().contains(wanted)
        })
    };
    let mut fitting: Vec<SessionMatch> = match &project {
        // A directory without sessions.
        Some(None) => Vec::new(),
        project => {
            let known = catalog.sessions(&SessionFilter {
                agent: request.agent.clone(),
                project: project.iter().flatten().map(|project| project.id).next(),
                since_ms,
                until_ms,
                state: request.state,
                here: false,
                limit: None,
            })?;
            let known = known.into_iter().map(|known| {
                let row = row(&known, &roots);
                SessionMatch::Known(Box::new(known), row)
            });
            known.collect()
        }
    };
    if request.recovered && request.state.is_none() {
        let is_wanted = |session: &recovered::Recovered| {
            let at_ms = session.updated_ms;
            since_ms.is_none_or(|since| at_ms >= since)
                && until_ms.is_none_or(|until| at_ms < until)
                && (request.agent.as_ref()).is_none_or(|agent| agent == recovered::AGENT)
                && (request.project.as_ref())
                    .is_none_or(|project| Utf8Path::new(&session.project).starts_with(project))
        };
        let recovered = recovered::recovered(context)?.into_iter();
        fitting.extend(recovered.filter(is_wanted).map(SessionMatch::Recovered));
        fitting.sort_by_cached_key(|session| Reverse(session.row().updated_ms.unwrap_or(0)));
    }
    fitting.retain(|session| has_text(&session.row()));
    Ok(fitting)
}

/// Finds a session by `ID`, by a prefix of it, or by `AGENT/ID`.
fn find(id: &str, context: &Context) -> Result<SessionMatch, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let roots = roots(context)?;
    let known = |known: KnownSession| {
        let row = row(&known, &roots);
        SessionMatch::Known(Box::new(known), row)
    };
    if let Some((agent, id)) = id.split_once('/')
        && let Some(session) = catalog.session(&SessionKey::new(agent, id))?
    {
        return Ok(known(session));
    }
    match catalog.find_session(id)? {
        Lookup::One(session) => Ok(known(session)),
        Lookup::Ambiguous(several) => {
            let keys: Vec<String> = several.iter().map(|one| one.key().to_string()).collect();
            let message = format!("`{id}` matches several sessions: {}", keys.join(", "));
            Err(Failure::new(Kind::Usage, message)
                .hint("give more characters of the id, or AGENT/ID"))
        }
        Lookup::Missing => {
            let bare = id.strip_prefix(&format!("{}/", recovered::AGENT));
            let wanted = bare.unwrap_or(id);
            let fits = |session: &recovered::Recovered| session.id.starts_with(wanted);
            let mut sessions = recovered::recovered(context)?.into_iter().filter(fits);
            match (sessions.next(), sessions.next()) {
                (Some(session), None) => Ok(SessionMatch::Recovered(session)),
                (Some(_), Some(_)) => {
                    let message = format!("`{id}` matches several sessions");
                    Err(Failure::new(Kind::Usage, message).hint("give more characters of the id"))
                }
                (None, _) => Err(missing(id)),
            }
        }
    }
}

fn known(agent: &str, id: &str, context: &Context) -> Result<KnownSession, Failure> {
    let known = scopes::open_catalog(context)?.session(&SessionKey::new(agent, id))?;
    known.ok_or_else(|| missing(&format!("{agent}/{id}")))
}

fn missing(id: &str) -> Failure {
    Failure::new(Kind::Missing, format!("no such session: `{id}`"))
        .hint("`acreta sessions list --all-projects` shows them")
}

type Roots = Vec<(ProjectId, Utf8PathBuf)>;

pub(crate) fn roots(context: &Context) -> Result<Roots, Failure> {
    let projects = scopes::open_catalog(context)?.projects()?.into_iter();
    Ok(projects.map(|project| (project.id, project.root)).collect())
}

fn root_of<'a>(known: &KnownSession, roots: &'a Roots) -> Option<&'a Utf8Path> {
    let project = known.project?;
    let found = roots.iter().find(|(id, _)| *id == project);
    found.map(|(_, root)| root.as_path())
}

/// Returns the memory layout of a session's project; `None` if it has none or is not registered.
fn layout(context: &Context, known: &KnownSession, roots: &Roots) -> Option<Layout> {
    let layout = context.layout(root_of(known, roots)?);
    (!layout.is_closed()).then_some(layout)
}

pub(crate) fn row(known: &KnownSession, roots: &Roots) -> SessionRow {
    let session = &known.session;
    let root = root_of(known, roots).map(ToString::to_string);
    SessionRow {
        agent: session.agent.clone(),
        id: session.id.clone(),
        title: known.title.clone(),
        project: root.or_else(|| session.project_dir.clone()),
        started_ms: session.started_ms,
        updated_ms: session.updated_ms,
        state: Some(known.state),
        revision: Some(session.revision.clone()),
        copy: SessionCopy::of(known),
        relation: match known.relation {
            acreta_state::Relation::None => None,
            relation => Some(relation.name()),
        },
        parent: session.parent.clone(),
        file: known.file.clone(),
        bytes: known.file.metadata().map_or(0, |metadata| metadata.len()),
    }
}

/// Titles from summaries, for sessions to which their agents gave none.
pub(crate) struct Titles<'a> {
    context: &'a Context,
    /// By project; each is read once.
    snapshots: HashMap<String, Option<Arc<Snapshot>>>,
}

impl<'a> Titles<'a> {
    pub(crate) fn new(context: &'a Context) -> Self {
        Self {
            context,
            snapshots: HashMap::new(),
        }
    }

    pub(crate) fn complete(&mut self, mut row: SessionRow) -> Result<SessionRow, Failure> {
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

fn came_from(memory: &Memory, agent: &str, id: &str) -> bool {
    let contributions = memory
        .evidence
        .iter()
        .flat_map(|evidence| &evidence.contributions);
    let mut sessions = contributions.map(|one| (one.agent.as_str(), one.session_id.as_str()));
    sessions.any(|session| session == (agent, id))
}

/// Returns the events of a session that a memory quotes.
fn quoted(memory: &Memory, agent: &str, id: &str) -> Vec<String> {
    let contributions = memory
        .evidence
        .iter()
        .flat_map(|evidence| &evidence.contributions);
    let own = contributions.filter(|one| one.agent == agent && one.session_id == id);
    let mut events: Vec<String> = own
        .flat_map(|one| &one.evidence)
        .map(|quoted| quoted.event_id.clone())
        .collect();
    events.sort();
    events.dedup();
    events
}
