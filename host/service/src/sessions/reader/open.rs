//! Opens sessions for reading, and answers from them.

use std::sync::{Arc, Mutex};

use acreta_state::{KnownSession, Relation, SessionFilter};
use acreta_types::locked;
use schemars::JsonSchema;
use serde::Deserialize;

use super::kept::{OpenSession, missing};
use super::{RowBody, RowMatches, RowPage, SessionLink, SessionOutline};
use crate::sessions::conversation::SessionOpener;
use crate::sessions::{SessionMatch, Titles, find, known, roots, row};
use crate::{Context, Failure, projects::scopes};

/// A part of the rows: from a number on, or the page with an event.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RowsRequest {
    #[serde(default)]
    #[schemars(range(max = 1_000_000_000))]
    pub offset: u64,
    #[serde(default = "page_size")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: u64,
    /// Id of an event: answers the page of `limit` rows that has it; `offset` is then ignored.
    #[schemars(length(min = 1, max = 256))]
    pub around: Option<String>,
}

fn page_size() -> u64 {
    40
}

/// A text to find in one conversation.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FindRequest {
    /// Found as it stands, in whatever case.
    #[schemars(length(min = 1, max = 200))]
    pub q: String,
}

/// Opens a session by its id, a prefix of it, or `AGENT/ID`.
pub fn read(id: &str, context: &Context) -> Result<OpenSession, Failure> {
    let found = find(id, context)?;
    let children = match &found {
        SessionMatch::Known(known, _) => children(known, context)?,
        SessionMatch::Recovered(_) => Vec::new(),
    };
    let conversation = SessionOpener::new(context)?.open(found)?;
    OpenSession::new(conversation.session, conversation.events, children)
}

/// Returns the structure of a session.
pub fn outline(agent: &str, id: &str, context: &Context) -> Result<SessionOutline, Failure> {
    let known = known(agent, id, context)?;
    let children = children(&known, context)?;
    let parent = match &known.session.parent {
        Some(parent) => link(agent, parent, context)?,
        None => None,
    };
    let mut session = open(&known, context)?;
    // A subagent's session may become known after that of its agent.
    if locked(&session).children != children {
        context.process.kept.readings.close(agent, id);
        session = open(&known, context)?;
    }
    let session = locked(&session);
    Ok(SessionOutline {
        parent,
        ..session.outline()
    })
}

/// Returns a part of a session's rows.
pub fn rows(
    agent: &str,
    id: &str,
    request: &RowsRequest,
    context: &Context,
) -> Result<RowPage, Failure> {
    let session = open(&known(agent, id, context)?, context)?;
    let around = request.around.as_deref();
    let page = locked(&session).page(request.offset, request.limit, around);
    page.ok_or_else(|| missing(around.unwrap_or_default()))
}

/// Returns all of the row with an event.
pub fn body(agent: &str, id: &str, event: &str, context: &Context) -> Result<RowBody, Failure> {
    let session = open(&known(agent, id, context)?, context)?;
    locked(&session).body(event)
}

/// Returns the rows in which a text occurs, ignoring case.
pub fn find_text(
    agent: &str,
    id: &str,
    text: &str,
    context: &Context,
) -> Result<RowMatches, Failure> {
    let session = open(&known(agent, id, context)?, context)?;
    locked(&session).matches(text)
}

/// Returns the session in its latest state, opened if it is not open.
fn open(known: &KnownSession, context: &Context) -> Result<Arc<Mutex<OpenSession>>, Failure> {
    let session = &known.session;
    let archived = known.archive.as_ref().map(|archive| &archive.revision);
    let state = format!("{archived:?} {:?}", known.ran_revision);
    let key = [session.agent.clone(), session.id.clone(), state];
    let readings = &context.process.kept.readings;
    if let Some(session) = readings.get(&key) {
        return Ok(session);
    }
    let children = children(known, context)?;
    let row = row(known, &roots(context)?);
    let found = SessionMatch::Known(Box::new(known.clone()), row);
    let conversation = SessionOpener::new(context)?.open(found)?;
    let session = OpenSession::new(conversation.session, conversation.events, children)?;
    Ok(readings.keep(key, session))
}

/// Returns the subagents' sessions that a session started.
fn children(known: &KnownSession, context: &Context) -> Result<Vec<SessionLink>, Failure> {
    let sessions = scopes::open_catalog(context)?.sessions(&SessionFilter {
        agent: Some(known.session.agent.clone()),
        project: known.project,
        ..SessionFilter::default()
    })?;
    let is_child = |one: &KnownSession| {
        one.relation == Relation::Subagent
            && one.session.parent.as_deref() == Some(known.session.id.as_str())
    };
    let mut children: Vec<KnownSession> = sessions.into_iter().filter(is_child).collect();
    children.sort_by_key(|child| child.session.started_ms);
    let links = children.into_iter().map(|child| SessionLink {
        agent: child.session.agent,
        id: child.session.id,
        title: child.title,
    });
    Ok(links.collect())
}

fn link(agent: &str, id: &str, context: &Context) -> Result<Option<SessionLink>, Failure> {
    let key = acreta_state::SessionKey::new(agent, id);
    let Some(known) = scopes::open_catalog(context)?.session(&key)? else {
        return Ok(None);
    };
    let row = Titles::new(context).complete(row(&known, &roots(context)?))?;
    Ok(Some(SessionLink {
        agent: row.agent,
        id: row.id,
        title: row.title,
    }))
}
