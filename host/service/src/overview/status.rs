//! The status: sessions, queue, models and pending records: `status`.

use std::collections::BTreeMap;

use acreta_llm::Purpose;
pub use acreta_llm::Spending;
use acreta_state::{Catalog, NoteOutcome, WaitingReadings};
pub use acreta_state::{NoteCounts, SessionState};
use schemars::JsonSchema;
use serde::Serialize;

use crate::connect::init::{self, AgentLearning};
use crate::plugins::lifecycle::revoked_plugins;
use crate::process::clock::now_ms;
use crate::projects::registry::{self, WaitingRow};
use crate::recall::offers::OfferCounts;
use crate::review::ReviewCounts;
use crate::{
    Context, Failure, learn::readings, models::opened, projects::scopes, recall::offers, review,
};

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "ServiceStatus")]
pub struct Status {
    /// Number of registered projects.
    pub projects: u64,
    pub sessions: Vec<SessionCount>,
    /// Number of active memories of the configured scopes, by type.
    pub memories: BTreeMap<&'static str, u64>,
    /// Number of sessions that are not archived yet, by agent.
    pub not_archived: BTreeMap<String, u64>,
    /// Number of jobs by state.
    pub jobs: BTreeMap<String, u64>,
    pub dead_letters: u64,
    pub oldest_queued_ms: Option<u64>,
    pub waiting_for_model: Vec<WaitingForModel>,
    /// Sessions of adapters that may not speak for their project.
    pub waiting_for_grant: Vec<WaitingRow>,
    /// Installed plugins that do not run because their component was revoked, with the reason.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub revoked_plugins: BTreeMap<String, String>,
    /// Spending of today; `None` if no model is configured.
    pub models_today: Option<Spending>,
    /// Number of pending records that wait for a person, in all projects.
    pub pending: u64,
    /// Items that wait for review in this project.
    pub review: ReviewCounts,
    /// Offers to agents, by moment: `start`, `prompt`, `failure`, `edit`.
    pub offers: BTreeMap<String, OfferCounts>,
    /// Notes that agents made of what the person said, by agent.
    pub notes: BTreeMap<String, AgentNotes>,
    /// When the sessions of each agent of this machine are read without the daemon.
    pub learning: Vec<AgentLearning>,
    /// `waiting_for_model` and `waiting_for_grant` as sentences.
    #[serde(skip)]
    pub waiting: Vec<String>,
}

/// Notes of one agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AgentNotes {
    /// In all projects.
    #[serde(flatten)]
    pub counts: NoteCounts,
    /// Number of refused notes of this project, by reason.
    pub refused_here: BTreeMap<String, u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SessionCount {
    pub agent: String,
    pub state: SessionState,
    pub sessions: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct WaitingForModel {
    pub sessions: u64,
    pub code: String,
    pub reason: String,
    pub model: String,
    pub retry_at_ms: Option<u64>,
}

pub fn status(context: &Context) -> Result<Status, Failure> {
    // Before the catalog is borrowed: counting borrows it as well, and a second connection would be opened.
    let review = review::waiting(context)?;
    let projects = scopes::registered_projects(context)?;
    let mut memories = BTreeMap::new();
    for scope in scopes::configured(context)? {
        let snapshot = scope.snapshot(context)?;
        let active = snapshot.memories.iter().filter(|one| !one.is_archived());
        active.for_each(|one| *memories.entry(one.memory_type.name()).or_default() += 1);
    }
    let catalog = scopes::open_catalog(context)?;
    let counts = catalog.counts()?;
    let now = now_ms();
    let waiting = catalog.waiting_readings()?;
    let unheard = catalog.waiting()?.into_iter().map(WaitingRow::from);
    let unheard: Vec<WaitingRow> = unheard.filter(|row| row.adapter.is_some()).collect();
    let mut sentences = readings::waiting(&waiting, now);
    sentences.extend(unheard.iter().filter_map(|row| {
        let why = registry::unheard(row.adapter.as_ref()?, row.project.as_ref()?);
        Some(format!("{} wait: {why}", row.sessions))
    }));
    let spending = opened::spending(&context.config, context)?;
    let is_told = opened::is_configured(&context.config, Purpose::Extract) || spending.calls > 0;
    let sessions = counts.sessions.into_iter().map(|line| SessionCount {
        agent: line.agent,
        state: line.state,
        sessions: line.sessions,
    });
    let jobs = counts.jobs.into_iter();
    Ok(Status {
        projects: projects.len() as u64,
        sessions: sessions.collect(),
        memories,
        not_archived: catalog.not_archived()?,
        jobs: jobs
            .map(|(state, number)| (state.name().to_owned(), number))
            .collect(),
        dead_letters: counts.dead_letters,
        oldest_queued_ms: counts.oldest_queued_ms,
        learning: init::learning(context),
        models_today: is_told.then_some(spending),
        pending: catalog.pending_waiting(now)?,
        review,
        offers: offers::totals(&catalog)?,
        notes: notes(&catalog, context)?,
        waiting: sentences,
        waiting_for_grant: unheard,
        revoked_plugins: revoked_plugins(context)?,
        waiting_for_model: waiting.into_iter().map(WaitingForModel::from).collect(),
    })
}

fn notes(catalog: &Catalog, context: &Context) -> Result<BTreeMap<String, AgentNotes>, Failure> {
    let here = catalog.notes(context.layout(&context.project).base().as_str())?;
    let counts = catalog.note_counts()?.into_iter();
    let mut notes: BTreeMap<String, AgentNotes> = counts
        .map(|(agent, counts)| {
            let refused_here = BTreeMap::new();
            let of_agent = AgentNotes {
                counts,
                refused_here,
            };
            (agent, of_agent)
        })
        .collect();
    for note in here {
        if let (NoteOutcome::Refused(reason), Some(of_agent)) =
            (note.outcome, notes.get_mut(&note.agent))
        {
            *of_agent.refused_here.entry(reason).or_default() += 1;
        }
    }
    Ok(notes)
}

impl From<WaitingReadings> for WaitingForModel {
    fn from(line: WaitingReadings) -> Self {
        Self {
            sessions: line.sessions,
            code: line.shortfall.code,
            reason: line.shortfall.reason,
            model: line.shortfall.model,
            retry_at_ms: line.shortfall.retry_at_ms,
        }
    }
}
