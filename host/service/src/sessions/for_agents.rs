//! What agents may find and read of earlier sessions: those of their own project, unless the person allows all or none
//! (`mcp.sessions`).

use acreta_mcp::{SessionEvent, SessionHit, SessionPart, SessionRequest};
use acreta_pipeline::CONFIRMED;

use super::search::{SessionSearch, search};
use super::{EventRow, SessionRow, find};
use crate::find::cited_sessions::{CitedSessions, SessionSource};
use crate::{Context, Failure, Kind, process::clock};

/// Number of events in a part, before it is fitted to the tokens of an answer.
const EVENTS: u64 = 40;

/// The sessions that agents may read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Allowed {
    Project,
    All,
}

pub(crate) fn find_for_agent(
    query: &str,
    limit: usize,
    context: &Context,
) -> Result<Vec<SessionHit>, Failure> {
    let project = match allowed(context)? {
        Allowed::All => None,
        Allowed::Project => Some(context.project.clone()),
    };
    let found = search(
        &SessionSearch {
            text: query.to_owned(),
            project,
            limit: limit as u64,
            ..SessionSearch::default()
        },
        context,
    )?;
    let hits = found.hits.into_iter().map(|hit| SessionHit {
        session: format!("{}/{}", hit.agent, hit.session),
        title: hit.title.unwrap_or_default(),
        event: SessionEvent {
            id: hit.event,
            role: hit.role,
            tool: hit.tool,
            date: hit.at_ms.map(clock::shown).unwrap_or_default(),
            text: hit.snippet,
        },
    });
    Ok(hits.collect())
}

/// Returns the sessions that an answer for an agent may cite.
pub(crate) fn cited_for_agent(context: &Context) -> CitedSessions {
    match allowed(context) {
        Ok(Allowed::All) => CitedSessions::All,
        Ok(Allowed::Project) => CitedSessions::Project,
        Err(_) => CitedSessions::None,
    }
}

pub(crate) fn cited_hit(source: SessionSource) -> SessionHit {
    SessionHit {
        session: format!("{}/{}", source.agent, source.session),
        title: source.title.unwrap_or_default(),
        event: SessionEvent {
            id: source.event,
            role: source.role,
            tool: None,
            date: source.date,
            text: source.passage,
        },
    }
}

pub(crate) fn read_for_agent(
    request: &SessionRequest,
    context: &Context,
) -> Result<SessionPart, Failure> {
    let allowed = allowed(context)?;
    let candidate = find(&request.id, context).map_err(|failure| match failure.kind {
        // The ids of other projects' sessions are not told.
        Kind::Usage => Failure::new(Kind::Usage, "the id is not unique").hint("give all of it"),
        _ => failure,
    })?;
    if allowed == Allowed::Project && !is_of(&candidate.row(), context) {
        let message = format!("`{}` is not a session of this project", request.id);
        return Err(Failure::new(Kind::Refused, message)
            .hint("a person can allow it with `acreta config set mcp.sessions all`"));
    }
    let mut conversation = super::conversation::SessionOpener::new(context)?.open(candidate)?;
    let page = conversation.page(request.offset as u64, EVENTS, request.around.as_deref())?;
    let session = conversation.session;
    Ok(SessionPart {
        session: format!("{}/{}", session.agent, session.id),
        title: session.title.unwrap_or_default(),
        offset: usize::try_from(page.offset).unwrap_or(usize::MAX),
        total: usize::try_from(page.total).unwrap_or(usize::MAX),
        events: page.events.into_iter().map(event).collect(),
    })
}

/// Returns what an agent is told that asked that its own session be forgotten. Nothing is done yet: the call and this answer
/// are in the session, and have it forgotten when a sync reads it (`acreta_pipeline::CONFIRMED`).
pub(crate) fn forget_for_agent() -> String {
    format!(
        "This session {CONFIRMED}: nothing is learnt from it, and acreta removes its copy the next time it reads the session. \
         Your own program keeps its file, and what you added with memory_add stays."
    )
}

fn event(event: EventRow) -> SessionEvent {
    let tool = event.attrs.get("tool").and_then(|tool| tool.as_str());
    SessionEvent {
        tool: tool.map(str::to_owned),
        id: event.id,
        role: event.role,
        date: event.at_ms.map(clock::shown).unwrap_or_default(),
        text: event.text,
    }
}

fn is_of(session: &SessionRow, context: &Context) -> bool {
    session.project.as_deref() == Some(context.project.as_str())
}

fn allowed(context: &Context) -> Result<Allowed, Failure> {
    match context.config.text("mcp.sessions") {
        "all" => Ok(Allowed::All),
        "off" => Err(Failure::new(
            Kind::Refused,
            "agents may not read earlier sessions: `mcp.sessions` is off",
        )),
        _ => Ok(Allowed::Project),
    }
}
