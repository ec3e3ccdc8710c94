//! The invented world for MCP clients: one project of it, as it was at the time of the request.

use std::sync::Arc;

use acreta_mcp::{
    Added, Answer, AnswerSource, ArchiveChange, Backend, Changed, DeltaRequest, Evidence,
    ExploreRequest, Failure, FailureKind, Feedback, Hit, MemoryText, NewMemory, NewNote, Noted,
    Page, PageRequest, Provenance, SearchRequest, SessionEvent, SessionHit, SessionPart,
    SessionRequest, Status, Trust,
};
use acreta_server::api;
use serde_json::{Map, Value, json};

use crate::fake::belongs;
use crate::fake::world::{Memory, World};

pub(crate) fn backend(world: &World, project: &str) -> Arc<dyn Backend> {
    let memories = world
        .memories
        .iter()
        .filter(|memory| belongs(memory, project));
    Arc::new(Snapshot {
        project: project.to_owned(),
        memories: memories.cloned().collect(),
    })
}

struct Snapshot {
    project: String,
    memories: Vec<Memory>,
}

impl Snapshot {
    fn find(&self, id: &str) -> Result<&Memory, Failure> {
        let found = self
            .memories
            .iter()
            .find(|memory| memory.detail.row.id == id);
        found.ok_or_else(|| Failure::new(FailureKind::NotFound, "no memory has this id"))
    }

    fn changed(&self, id: &str) -> Result<Changed, Failure> {
        let row = &self.find(id)?.detail.row;
        Ok(Changed {
            id: row.id.clone(),
            path: row.path.clone(),
            changed: true,
            message: "done".to_owned(),
        })
    }

    fn report(&self, command: &str) -> Map<String, Value> {
        let report =
            json!({ "command": command, "project_root": self.project, "freshness": "fresh" });
        report.as_object().cloned().unwrap_or_default()
    }
}

impl Backend for Snapshot {
    fn search(&self, request: &SearchRequest) -> Result<Page<Hit>, Failure> {
        let word = request.query.to_lowercase();
        let fits = |memory: &&Memory| memory.detail.body.to_lowercase().contains(&word);
        let hits: Vec<Hit> = self.memories.iter().filter(fits).map(hit).collect();
        Ok(page(&hits, request.page))
    }

    fn get(&self, id: &str) -> Result<MemoryText, Failure> {
        let detail = &self.find(id)?.detail;
        let hit = hit(self.find(id)?);
        Ok(MemoryText {
            id: hit.id,
            memory_type: hit.memory_type,
            kind: hit.kind,
            title: hit.title,
            body: detail.body.clone(),
            tags: detail.row.tags.clone(),
            related: detail
                .related
                .iter()
                .filter_map(|link| link.id.clone())
                .collect(),
            path: detail.row.path.clone(),
            scope: hit.scope,
            trust: hit.trust,
            status: hit.status,
            evidence: detail
                .evidence
                .iter()
                .map(|evidence| Evidence {
                    provenance: hit.provenance.clone(),
                    role: evidence.role.clone(),
                    quote: evidence.quote.clone(),
                })
                .collect(),
            provenance: hit.provenance,
            origin: detail.origin.clone(),
        })
    }

    fn list(&self, request: PageRequest) -> Result<Page<Hit>, Failure> {
        let hits: Vec<Hit> = self.memories.iter().map(hit).collect();
        Ok(page(&hits, request))
    }

    fn add(&self, _memory: &NewMemory) -> Result<Added, Failure> {
        Ok(Added {
            action: "no_op".to_owned(),
            id: None,
            path: None,
            message: "known already".to_owned(),
        })
    }

    fn note(&self, _note: &NewNote) -> Result<Noted, Failure> {
        Ok(Noted {
            status: "known".to_owned(),
            id: None,
            similar: Vec::new(),
            message: "known already".to_owned(),
        })
    }

    fn archive(&self, id: &str, _change: ArchiveChange) -> Result<Changed, Failure> {
        self.changed(id)
    }

    fn feedback(&self, feedback: &Feedback) -> Result<Changed, Failure> {
        self.changed(&feedback.id)
    }

    fn explore(&self, _request: &ExploreRequest) -> Result<Map<String, Value>, Failure> {
        Ok(self.report("explore"))
    }

    fn delta(&self, _request: &DeltaRequest) -> Result<Map<String, Value>, Failure> {
        Ok(self.report("delta"))
    }

    fn find_in_sessions(&self, _query: &str, limit: usize) -> Result<Vec<SessionHit>, Failure> {
        let hits = (1..=limit.min(2)).map(|number| SessionHit {
            session: "claude/5f1c2a34".to_owned(),
            title: "Queue".to_owned(),
            event: event(number),
        });
        Ok(hits.collect())
    }

    fn forget_session(&self) -> Result<String, Failure> {
        Ok("this session will not be kept".to_owned())
    }

    fn read_session(&self, request: &SessionRequest) -> Result<SessionPart, Failure> {
        Ok(SessionPart {
            session: "claude/5f1c2a34".to_owned(),
            title: "Queue".to_owned(),
            events: (1..=3).map(event).collect(),
            offset: request.offset,
            total: request.offset + 4,
        })
    }

    fn ask(&self, _question: &str) -> Result<Answer, Failure> {
        let hit = hit(&self.memories[0]);
        Ok(Answer {
            text: "The queue is kept in SQLite [1].".to_owned(),
            nearest: Vec::new(),
            sources: vec![AnswerSource {
                number: 1,
                id: hit.id,
                title: hit.title,
                path: self.memories[0].detail.row.path.clone(),
                scope: hit.scope,
                trust: hit.trust,
                provenance: hit.provenance,
                passage: String::new(),
                sure: 0,
            }],
            by: "passages".to_owned(),
        })
    }
}

fn hit(memory: &Memory) -> Hit {
    let row = &memory.detail.row;
    Hit {
        id: row.id.clone(),
        memory_type: row.memory_type,
        kind: row.kind.clone(),
        title: row.title.clone(),
        snippet: memory.detail.body.chars().take(160).collect(),
        scope: row.scope.clone(),
        trust: match row.trust {
            api::Trust::Untrusted => Trust::Untrusted,
            api::Trust::Grounded => Trust::Grounded,
            api::Trust::Reviewed => Trust::Reviewed,
            api::Trust::Confirmed => Trust::Confirmed,
        },
        status: match row.status {
            api::Status::Active => Status::Active,
            api::Status::Archived => Status::Archived,
            api::Status::Superseded => Status::Superseded,
        },
        provenance: Provenance {
            source: row.source.clone(),
            date: row.created.clone(),
        },
    }
}

fn page(hits: &[Hit], request: PageRequest) -> Page<Hit> {
    let end = request.offset.saturating_add(request.limit);
    Page {
        items: hits
            .iter()
            .skip(request.offset)
            .take(request.limit)
            .cloned()
            .collect(),
        more: hits.len() > end,
    }
}

fn event(number: usize) -> SessionEvent {
    SessionEvent {
        id: format!("e{number}"),
        role: "tool".to_owned(),
        tool: Some("Bash".to_owned()),
        date: "2026-01-31".to_owned(),
        text: format!("part {number}"),
    }
}
