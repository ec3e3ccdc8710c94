//! Use cases of agents over MCP, for one project. An agent is not a person: what it adds is untrusted, and it cannot
//! change what a person holds.

use acreta_mcp::{
    Added, Answer, AnswerSource, ArchiveChange, Backend, Changed, DeltaRequest, Evidence,
    ExploreRequest, Failure as Refusal, FailureKind, Feedback, Hit, MemoryText, NewMemory, NewNote,
    Noted, Page, PageRequest, Provenance, SearchRequest, SessionHit, SessionPart, SessionRequest,
    Verdict,
};
use acreta_store::Memory;
use acreta_types::{Status, Trust};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Map, Value};

use crate::codebase::CodebaseQuery;
use crate::find::answer::{self, AskRequest, SOURCES, ask};
use crate::find::query::{Finder, MemoryFilter, memory_of, query};
use crate::projects::scopes::{self, Scoped};
use crate::remember::add::{NoteAuthor, Remember, WriteScope, remember};
use crate::remember::amend::{Suggestion, suggest};
use crate::remember::note::NoteRequest;
use crate::sessions::for_agents::{
    cited_for_agent, cited_hit, find_for_agent, forget_for_agent, read_for_agent,
};
use crate::{Context, Failure, Kind, Process, find::origin, process::clock};

/// Memory and codebase of one project. Settings are read again for each call.
pub struct ForAgents {
    process: Process,
    directory: Utf8PathBuf,
}

impl ForAgents {
    pub fn new(process: Process, directory: &Utf8Path) -> Self {
        Self {
            process,
            directory: directory.to_owned(),
        }
    }

    fn context(&self) -> Result<Context, Failure> {
        Context::open(&self.process, &self.directory)
    }

    fn find(context: &Context, id: &str) -> Result<Scoped, Failure> {
        scopes::find_in(context, &scopes::configured(context)?, id)
    }

    fn suggest(&self, id: &str, suggestion: Suggestion) -> Result<Changed, Refusal> {
        let done = suggest(id, suggestion, &self.context()?)?;
        Ok(Changed {
            id: done.id,
            path: done.path,
            changed: done.changed,
            message: done.message.to_owned(),
        })
    }

    /// Returns the folder of a call and its project: this project or a registered one.
    fn codebase(&self, folder: Option<&str>) -> Result<(Context, CodebaseQuery), Failure> {
        let context = self.context()?;
        let folder = folder.map(Utf8Path::new);
        let asked = CodebaseQuery::new(folder, &context)?;
        if asked.project != context.project
            && !scopes::registered_projects(&context)?.contains(&asked.project)
        {
            let message = format!("`{}` is not a registered project", asked.project);
            let hint = format!(
                "a person can register it with `acreta project add {}`",
                asked.project
            );
            return Err(Failure::new(Kind::Refused, message).hint(hint));
        }
        Ok((context, asked))
    }
}

impl Backend for ForAgents {
    fn search(&self, request: &SearchRequest) -> Result<Page<Hit>, Refusal> {
        let context = self.context()?;
        let wanted = MemoryFilter {
            types: request
                .memory_type
                .iter()
                .map(|memory_type| memory_type.name().to_owned())
                .collect(),
            kinds: request.kind.iter().cloned().collect(),
            tags: request.tag.iter().cloned().collect(),
            agents: request.agent.iter().cloned().collect(),
            since: request.since.clone(),
            scope: request.scope.map(|mode| mode.name().to_owned()),
            trust: request
                .is_grounded
                .then(|| Trust::Grounded.name().to_owned()),
            ..MemoryFilter::default()
        };
        let PageRequest { offset, limit } = request.page;
        let query = query(request.query.clone(), offset + limit + 1, &wanted, &context)?;
        let found = Finder::new(&context, &wanted).find(&query)?;
        let mut items = Vec::new();
        for found in found.iter().skip(offset).take(limit) {
            if let Some(memory) = memory_of(found)? {
                items.push(hit(&found.scope, &memory, &found.hit.snippet.text));
            }
        }
        Ok(Page {
            items,
            more: found.len() > offset + limit,
        })
    }

    fn get(&self, id: &str) -> Result<MemoryText, Refusal> {
        let context = self.context()?;
        let scoped = Self::find(&context, id)?;
        scopes::note_access(&context, &[scoped.memory.id.as_str()]);
        Ok(text(&scoped, &context))
    }

    fn list(&self, page: PageRequest) -> Result<Page<Hit>, Refusal> {
        let context = self.context()?;
        let scopes = scopes::configured(&context)?;
        let snapshots = scopes
            .iter()
            .map(|scope| Ok((scope.name.as_str(), scope.snapshot(&context)?)))
            .collect::<Result<Vec<_>, Failure>>()?;
        let mut memories: Vec<(&str, &Memory)> = snapshots
            .iter()
            .flat_map(|(scope, snapshot)| snapshot.iter().map(|memory| (*scope, memory)))
            .filter(|(_, memory)| memory.status() == Status::Active)
            .collect();
        memories.sort_by(|(_, left), (_, right)| {
            let updated = right.front_matter.updated.cmp(&left.front_matter.updated);
            updated.then_with(|| left.id.cmp(&right.id))
        });
        let more = memories.len() > page.offset + page.limit;
        let wanted = memories.iter().skip(page.offset).take(page.limit);
        Ok(Page {
            items: wanted
                .map(|(scope, memory)| hit(scope, memory, ""))
                .collect(),
            more,
        })
    }

    fn add(&self, memory: &NewMemory) -> Result<Added, Refusal> {
        let request = Remember {
            memory_type: memory.memory_type,
            kind: memory.kind.clone(),
            title: memory.title.clone(),
            body: Some(memory.body.clone()),
            tags: memory.tags.clone(),
            confidence: None,
            scope: WriteScope::Project,
            author: NoteAuthor::Agent(memory.client.clone()),
        };
        let report = remember(&request, &self.context()?)?;
        Ok(Added {
            action: report.action,
            id: report.id,
            path: report.path,
            message: report.message,
        })
    }

    fn note(&self, note: &NewNote) -> Result<Noted, Refusal> {
        let request = NoteRequest {
            title: note.title.clone(),
            kind: note.kind.clone(),
            quotes: note.quotes.clone(),
            about: note.about.clone(),
            files: note.files.clone(),
            replaces: note.replaces.clone(),
            agent: note.client.clone(),
        };
        let report = crate::remember::note::note(&request, &self.context()?)?;
        let similar = report.similar.into_iter();
        Ok(Noted {
            status: report.status.name().to_owned(),
            id: report.id,
            similar: similar.map(|one| (one.id, one.title)).collect(),
            message: report.message,
        })
    }

    fn archive(&self, id: &str, change: ArchiveChange) -> Result<Changed, Refusal> {
        self.suggest(
            id,
            match change {
                ArchiveChange::Archive => Suggestion::Archive,
                ArchiveChange::Restore => Suggestion::Restore,
            },
        )
    }

    fn feedback(&self, feedback: &Feedback) -> Result<Changed, Refusal> {
        if feedback.verdict == Verdict::Wrong {
            return self.suggest(&feedback.id, Suggestion::Doubt);
        }
        let context = self.context()?;
        let memory = Self::find(&context, &feedback.id)?.memory;
        scopes::note_access(&context, &[memory.id.as_str()]);
        Ok(Changed {
            id: memory.id.clone(),
            path: memory.path.to_string(),
            changed: false,
            message: "recorded as useful".to_owned(),
        })
    }

    fn explore(&self, request: &ExploreRequest) -> Result<Map<String, Value>, Refusal> {
        let (context, asked) = self.codebase(request.project.as_deref())?;
        let request = acreta_codebase::Request {
            query: request.query.clone(),
            budget: Some(request.budget),
            detail: request.detail,
            ..acreta_codebase::Request::default()
        };
        Ok(object(&asked.explore(&request, &context)?))
    }

    fn find_in_sessions(&self, query: &str, limit: usize) -> Result<Vec<SessionHit>, Refusal> {
        Ok(find_for_agent(query, limit, &self.context()?)?)
    }

    fn forget_session(&self) -> Result<String, Refusal> {
        Ok(forget_for_agent())
    }

    fn read_session(&self, request: &SessionRequest) -> Result<SessionPart, Refusal> {
        Ok(read_for_agent(request, &self.context()?)?)
    }

    fn delta(&self, request: &DeltaRequest) -> Result<Map<String, Value>, Refusal> {
        let (_, asked) = self.codebase(request.project.as_deref())?;
        let request = acreta_codebase::Request {
            since: request.since.clone(),
            budget: Some(request.budget),
            detail: request.detail,
            ..acreta_codebase::Request::default()
        };
        Ok(object(&asked.delta(&request)?))
    }

    fn ask(&self, question: &str) -> Result<Answer, Refusal> {
        let context = self.context()?;
        let request = AskRequest {
            question: question.to_owned(),
            limit: SOURCES,
            explain: false,
            sessions: cited_for_agent(&context),
        };
        let answered = ask(&request, &MemoryFilter::default(), &context)?;
        let numbered = |sources: &[answer::AnswerSource]| -> Result<Vec<AnswerSource>, Failure> {
            let sources = sources.iter();
            sources
                .map(|one| {
                    Ok(AnswerSource {
                        number: one.number,
                        passage: one.passage.clone(),
                        sure: one.sure,
                        id: one.id.clone(),
                        title: one.title.clone(),
                        path: one.path.clone(),
                        scope: one.scope.clone(),
                        trust: one.trust,
                        provenance: memory_of(&one.found)?
                            .as_ref()
                            .map(provenance)
                            .unwrap_or_default(),
                    })
                })
                .collect()
        };
        Ok(Answer {
            sources: numbered(&answered.sources)?,
            nearest: numbered(&answered.nearest)?,
            sessions: answered.sessions.into_iter().map(cited_hit).collect(),
            text: answered.text,
            by: answered.by.to_owned(),
        })
    }
}

/// Converts a failure to the protocol's error.
impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        let kind = match failure.kind {
            Kind::Missing => FailureKind::NotFound,
            Kind::Usage => FailureKind::Invalid,
            Kind::Refused => FailureKind::Refused,
            Kind::Busy => FailureKind::Busy,
            Kind::Changed => FailureKind::Invalid,
            Kind::Failure | Kind::Partial => FailureKind::Failed,
        };
        let mut refusal = Refusal::new(kind, failure.to_string());
        refusal.hints = failure.hints;
        refusal
    }
}

/// Returns a report as a JSON object.
pub(crate) fn object(response: &acreta_codebase::Response) -> Map<String, Value> {
    match serde_json::to_value(response) {
        Ok(Value::Object(object)) => object,
        _ => Map::new(),
    }
}

fn hit(scope: &str, memory: &Memory, snippet: &str) -> Hit {
    Hit {
        id: memory.id.clone(),
        memory_type: memory.memory_type,
        kind: memory.kind().to_owned(),
        title: memory.title().to_owned(),
        snippet: snippet.to_owned(),
        trust: memory.trust(),
        status: memory.status(),
        scope: scope.to_owned(),
        provenance: provenance(memory),
    }
}

fn text(scoped: &Scoped, context: &Context) -> MemoryText {
    let memory = &scoped.memory;
    let contributions = memory
        .evidence
        .iter()
        .flat_map(|evidence| &evidence.contributions);
    let evidence = contributions.flat_map(|contribution| {
        contribution.evidence.iter().map(|quoted| Evidence {
            provenance: Provenance {
                source: format!("{}/{}", contribution.agent, contribution.session_id),
                date: day(quoted.at_ms.unwrap_or(contribution.newest_ms)),
            },
            role: quoted.role.clone(),
            quote: quoted.quote.clone(),
        })
    });
    MemoryText {
        id: memory.id.clone(),
        memory_type: memory.memory_type,
        kind: memory.kind().to_owned(),
        title: memory.title().to_owned(),
        body: memory.body().trim().to_owned(),
        tags: memory.front_matter.tags.clone(),
        related: memory.front_matter.related.clone(),
        path: memory.path.to_string(),
        scope: scoped.scope.clone(),
        trust: memory.trust(),
        status: memory.status(),
        provenance: provenance(memory),
        origin: origin_of(scoped, context),
        evidence: evidence.collect(),
    }
}

/// Returns who brought a memory by git, and that the user did not accept it yet.
fn origin_of(scoped: &Scoped, context: &Context) -> Option<String> {
    let origin = origin::of_memory(context, &scoped.layout, &scoped.memory);
    let origin = origin.map(|origin| origin.to_string());
    match scoped.memory.is_foreign() {
        true => {
            let origin = origin.unwrap_or_else(|| "from the repository".to_owned());
            Some(format!("{origin}; not accepted by the user"))
        }
        false => origin,
    }
}

fn provenance(memory: &Memory) -> Provenance {
    let front_matter = &memory.front_matter;
    let agent = front_matter.coding_agent.clone();
    let date = front_matter.created.as_deref().unwrap_or_default();
    Provenance {
        source: front_matter.source.clone().or(agent).unwrap_or_default(),
        date: date.get(..10).unwrap_or(date).to_owned(),
    }
}

fn day(ms: u64) -> String {
    let text = clock::shown(ms);
    text.get(..10).unwrap_or_default().to_owned()
}
