//! Sessions over HTTP. The data comes from `service::sessions`.

use std::time::Duration;

use crate::api::{
    EventPage, EventsQuery, SessionDetail, SessionEvent, SessionHit, SessionMemory, SessionPage,
    SessionRow, SessionSearchQuery, SessionState, SessionsFound, SessionsQuery, Text, UsageQuery,
    UsageReport,
};
use acreta_service::Failure;
use acreta_service::sessions::usage::{UsageRequest, usage};
use acreta_service::sessions::{self, SessionListRequest, SessionSearch};

use crate::daemon::work::session_state;
use crate::daemon::{Daemon, rows};

/// Time that a search takes to index new sessions; the next one goes on.
const SEARCH_PATIENCE: Duration = Duration::from_secs(3);

impl Daemon {
    pub(crate) fn session_list(&self, query: &SessionsQuery) -> Result<SessionPage, Failure> {
        let context = self.context(query.project_root.as_deref())?;
        let request = SessionListRequest {
            agent: query.agent.as_ref().map(|text| text.to_string()),
            project: query
                .project_root
                .is_some()
                .then(|| context.project.clone()),
            state: query.state.map(stored),
            text: query.text.as_ref().map(|text| text.to_string()),
            offset: query.offset.get(),
            limit: query.limit.get(),
            ..SessionListRequest::default()
        };
        let listed = sessions::list(&request, &context)?;
        Ok(SessionPage {
            total: listed.total,
            items: listed.sessions.into_iter().map(row).collect(),
        })
    }

    pub(crate) fn find_in_sessions(
        &self,
        query: &SessionSearchQuery,
    ) -> Result<SessionsFound, Failure> {
        let context = self.context(query.project_root.as_deref())?;
        let request = SessionSearch {
            text: query.q.to_string(),
            agent: query.agent.as_ref().map(|text| text.to_string()),
            project: query
                .project_root
                .is_some()
                .then(|| context.project.clone()),
            limit: query.limit.get(),
            patience: Some(SEARCH_PATIENCE),
            ..SessionSearch::default()
        };
        let found = sessions::search(&request, &context)?;
        let hits = found.hits.into_iter().map(|hit| SessionHit {
            agent: hit.agent,
            session_id: hit.session,
            title: hit.title,
            event_id: hit.event,
            role: hit.role,
            at_ms: hit.at_ms,
            snippet: hit.snippet,
            tool: hit.tool,
            marks: hit.marks,
        });
        Ok(SessionsFound {
            hits: hits.collect(),
            searched: found.searched,
            left: found.left,
            unreadable: found.unreadable.len() as u64,
        })
    }

    pub(crate) fn usage_report(&self, query: &UsageQuery) -> Result<UsageReport, Failure> {
        let context = self.context(query.project_root.as_deref())?;
        let text = |text: &Option<Text<64>>| text.as_ref().map(|text| text.to_string());
        let project = query.project_root.as_ref();
        let request = UsageRequest {
            by: query.by,
            agent: text(&query.agent),
            project: project.map(|_| context.project.clone()),
            since: text(&query.since),
            until: text(&query.until),
            patience: Some(SEARCH_PATIENCE),
        };
        usage(&request, &context)
    }

    pub(crate) fn whole_session(&self, agent: &str, id: &str) -> Result<SessionDetail, Failure> {
        let detail = sessions::detail(agent, id, &self.context(None)?)?;
        let memories = detail.memories.into_iter().map(|memory| SessionMemory {
            id: memory.id,
            title: memory.title,
            memory_type: memory.memory_type,
            kind: memory.kind,
            events: memory.events,
        });
        Ok(SessionDetail {
            row: row(detail.session),
            memories: memories.collect(),
            runs: detail.runs.iter().map(rows::run).collect(),
        })
    }

    pub(crate) fn conversation(
        &self,
        agent: &str,
        id: &str,
        query: &EventsQuery,
    ) -> Result<EventPage, Failure> {
        let context = self.context(None)?;
        let mut conversation = sessions::open_one(agent, id, &context)?;
        let around = query.around.as_deref();
        let page = conversation.page(query.offset.get(), query.limit.get(), around)?;
        let events = page.events.into_iter().map(|event| SessionEvent {
            id: event.id,
            role: event.role,
            kind: event.kind,
            at_ms: event.at_ms,
            text: event.text,
            attrs: event.attrs,
            truncated: event.truncated,
        });
        Ok(EventPage {
            events: events.collect(),
            total: page.total,
            offset: page.offset,
        })
    }
}

fn row(session: sessions::SessionRow) -> SessionRow {
    SessionRow {
        agent: session.agent,
        id: session.id,
        title: session.title,
        project: session.project,
        updated_ms: session.updated_ms,
        copy: session.copy,
        state: session.state.map_or(SessionState::Waiting, session_state),
        revision: session.revision,
        bytes: session.bytes,
    }
}

fn stored(state: SessionState) -> sessions::SessionState {
    use sessions::SessionState as State;
    match state {
        SessionState::Waiting => State::Waiting,
        SessionState::New => State::New,
        SessionState::Queued => State::Queued,
        SessionState::Done => State::Done,
        SessionState::Cancelled => State::Cancelled,
        SessionState::Failed => State::Failed,
    }
}
