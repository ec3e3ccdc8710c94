//! The daemon: the server's [`Service`] over acreta's libraries. The command line can do everything here without it,
//! and both may run at once.
//!
//! Memory is changed in this process, as a command would; a sync or a maintenance is a separate process, so that its
//! failure leaves the daemon unaffected.

pub mod background;
pub mod client;
mod context;
mod jobs;
mod memories;
mod model;
mod overview;
pub mod place;
mod places;
mod plugins;
mod reports;
mod review;
mod rows;
mod run;
mod sessions;
mod watch;
mod work;

pub use jobs::ENDS_WITH_INPUT;

use std::sync::Arc;

use crate::api::{
    AskAnswer, AskRequest, AskSource, BriefList, BriefsQuery, ChosenModel, Connection,
    ContextCommand, ContextRequest, EventPage, EventsQuery, ExcludedFolder, ExcludedFolders,
    Exclusions, FindInSessionQuery, Home, HomeQuery, InProject, InProjects, KnownProject, LogEvent,
    MemoriesQuery, MemoryAdded, MemoryChange, MemoryChanged, MemoryDetail, MemoryEdit, MemoryNote,
    MemoryPage, MemoryProvenance, ModelTrial, ModelView, NewConnection, NewProject, NewSetting,
    Overview, PluginRow, ProjectAdded, ProjectChanged, ProjectRow, ProjectTrust, QueueAction,
    QueueChanged, QueueList, QueueQuery, Removed, ReviewDetail, ReviewQueue, ReviewReport,
    ReviewRequest, ReviewUndone, RowBody, RowMatches, RowPage, RowsQuery, RunDetail, RunList,
    RunsQuery, SearchHit, SearchPage, SearchQuery, ServiceStatus, SessionDetail, SessionOutline,
    SessionPage, SessionSearchQuery, SessionsFound, SessionsQuery, SettingWritten, SettingsForm,
    Timeline, TimelineQuery,
};
use crate::{Caller, Edited, JobControl, JobRequest, Service};
use acreta_mcp::{Backend, Failure as Refusal};
use acreta_service::find::query::{Finder, MemoryFilter, query};
use acreta_service::find::timeline::TimelineRequest;
use acreta_service::recall::told::{self, GivenRequest};
use acreta_service::sessions::reader::{self, RowsRequest};
use acreta_service::{
    Context, Failure, ForAgents, Process, connect::permissions, find::answer, find::timeline,
    overview::home, projects::configure, projects::scopes,
};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Map, Value};

pub use acreta_fs::allocator::keep_little;
pub use run::{Listen, run};

/// Maximum number of memories that an answer uses.
const SOURCES: usize = 8;

/// Implements the server's service over acreta's libraries.
pub struct Daemon {
    pub(crate) process: Process,
    /// The project the daemon was started in, or any folder outside of one.
    pub(crate) directory: Utf8PathBuf,
    /// Path of the `acreta` program that runs its jobs.
    pub(crate) program: Utf8PathBuf,
}

impl Daemon {
    pub fn new(process: Process, directory: &Utf8Path, program: &Utf8Path) -> Self {
        Self {
            process,
            directory: directory.to_owned(),
            program: program.to_owned(),
        }
    }

    /// Opens a context. Settings are read for each request, so that a change applies at once.
    pub(crate) fn context(&self, project_root: Option<&str>) -> Result<Context, Failure> {
        let directory = project_root.map_or(self.directory.as_path(), Utf8Path::new);
        Context::open(&self.process, directory)
    }

    /// Opens a context of one project, or of all.
    pub(crate) fn context_of(
        &self,
        project_root: Option<&str>,
        all_projects: bool,
    ) -> Result<Context, Failure> {
        let context = self.context(project_root)?;
        Ok(Context {
            all_projects,
            ..context
        })
    }
}

impl Service for Daemon {
    fn is_registered(&self, project_root: &str) -> Result<bool, Refusal> {
        let root = Utf8Path::new(project_root);
        let context = self.context(None)?;
        Ok(
            root == context.project
                || scopes::registered_projects(&context)?.contains(&root.into()),
        )
    }

    fn status(&self, query: &InProjects) -> Result<ServiceStatus, Refusal> {
        Ok(self.work_status(query)?)
    }

    fn overview(&self, query: &InProject) -> Result<Overview, Refusal> {
        Ok(self.figures(query)?)
    }

    fn home(&self, query: &HomeQuery) -> Result<Home, Refusal> {
        let context = self.context_of(query.project_root.as_deref(), query.all_projects)?;
        Ok(home::home(query.since.map(|since| since.get()), &context)?)
    }

    fn timeline(&self, query: &TimelineQuery) -> Result<Timeline, Refusal> {
        let context = self.context_of(query.project_root.as_deref(), query.all_projects)?;
        let request = TimelineRequest {
            kind: query.kind,
            offset: query.offset.get() as usize,
            limit: query.limit.get() as usize,
        };
        Ok(timeline::timeline(&request, &context)?)
    }

    fn memories(&self, query: &MemoriesQuery) -> Result<MemoryPage, Refusal> {
        Ok(self.list_memories(query)?)
    }

    fn memory(&self, id: &str, query: &InProject) -> Result<MemoryDetail, Refusal> {
        Ok(self.whole_memory(id, query)?)
    }

    fn provenance(&self, id: &str, query: &InProject) -> Result<MemoryProvenance, Refusal> {
        Ok(self.memory_provenance(id, query)?)
    }

    fn add_memory(&self, _caller: &Caller, note: &MemoryNote) -> Result<MemoryAdded, Refusal> {
        Ok(self.remember(note)?)
    }

    fn edit_memory(
        &self,
        _caller: &Caller,
        id: &str,
        edit: &MemoryEdit,
    ) -> Result<Edited, Refusal> {
        Ok(self.edit(id, edit)?)
    }

    fn change_memory(
        &self,
        _caller: &Caller,
        id: &str,
        change: MemoryChange,
        project: &InProject,
    ) -> Result<MemoryChanged, Refusal> {
        Ok(self.amend(id, change, project)?)
    }

    fn review(&self, query: &InProjects) -> Result<ReviewQueue, Refusal> {
        Ok(self.review_queue(query)?)
    }

    fn review_item(&self, id: &str, query: &InProjects) -> Result<ReviewDetail, Refusal> {
        Ok(self.review_detail(id, query)?)
    }

    fn decide(&self, _caller: &Caller, request: &ReviewRequest) -> Result<ReviewReport, Refusal> {
        Ok(self.review_decisions(request)?)
    }

    fn undo_review(&self, _caller: &Caller, project: &InProjects) -> Result<ReviewUndone, Refusal> {
        Ok(self.review_undo(project)?)
    }

    fn search(&self, asked: &SearchQuery) -> Result<SearchPage, Refusal> {
        let context = self.context(asked.project_root.as_deref())?;
        let wanted = MemoryFilter {
            types: asked
                .memory_type
                .map(|memory_type| memory_type.name().to_owned())
                .into_iter()
                .collect(),
            kinds: texts(&asked.kind),
            tags: texts(&asked.tag),
            agents: texts(&asked.agent),
            only_trust: asked.trust,
            only_status: asked.status,
            since: asked.since.as_ref().map(|since| since.as_str().to_owned()),
            scope: asked.scope.map(|mode| mode.name().to_owned()),
            all_projects: asked.all_projects,
            ..MemoryFilter::default()
        };
        let (offset, limit) = (asked.offset.get() as usize, asked.limit.get() as usize);
        let query = query(asked.q.to_string(), offset + limit + 1, &wanted, &context)?;
        let found = Finder::new(&context, &wanted).find(&query)?;
        let hits = found.iter().skip(offset).take(limit).map(|found| {
            let hit = &found.hit;
            SearchHit {
                id: hit.id.clone(),
                scope: found.scope.clone(),
                memory_type: hit.memory_type,
                kind: hit.kind.clone(),
                title: hit.title.clone(),
                path: hit.path.to_string(),
                trust: hit.trust,
                status: hit.status,
                score: f64::from(hit.score),
                snippet: hit.snippet.text.clone(),
                marks: hit
                    .snippet
                    .marks
                    .iter()
                    .map(|mark| (mark.start as u64, mark.end as u64))
                    .collect(),
            }
        });
        Ok(SearchPage {
            query: asked.q.to_string(),
            hits: hits.collect(),
            more: found.len() > offset + limit,
        })
    }

    fn ask(&self, _caller: &Caller, request: &AskRequest) -> Result<AskAnswer, Refusal> {
        let context = self.context(request.project_root.as_deref())?;
        let answered = answer::ask(
            &request.question,
            SOURCES,
            &MemoryFilter::default(),
            &context,
        )?;
        let numbered = |passages: &[answer::FoundPassage]| {
            let sources = passages.iter().zip(1..).map(|(one, number)| AskSource {
                number,
                id: one.found.hit.id.clone(),
                scope: one.found.scope.clone(),
                title: one.found.hit.title.clone(),
                path: one.found.hit.path.to_string(),
                trust: one.found.hit.trust,
                passage: one.passage.clone(),
                sure: one.sure.into(),
            });
            sources.collect()
        };
        Ok(AskAnswer {
            question: request.question.to_string(),
            answered: answered.is_answered(),
            sources: numbered(&answered.sources),
            nearest: numbered(&answered.nearest),
            answer: answered.text,
            by: answered.by.to_owned(),
        })
    }

    fn connections(&self) -> Result<Vec<Connection>, Refusal> {
        Ok(self.agents()?)
    }

    fn connect(&self, _caller: &Caller, request: &NewConnection) -> Result<Connection, Refusal> {
        Ok(self.grant(request)?)
    }

    fn disconnect(&self, _caller: &Caller, agent: &str) -> Result<Removed, Refusal> {
        Ok(self.revoke(agent)?)
    }

    fn projects(&self) -> Result<Vec<ProjectRow>, Refusal> {
        Ok(self.known_projects()?)
    }

    fn add_project(&self, _caller: &Caller, request: &NewProject) -> Result<ProjectAdded, Refusal> {
        Ok(self.take_in(request)?)
    }

    fn remove_project(
        &self,
        _caller: &Caller,
        request: &KnownProject,
    ) -> Result<ProjectChanged, Refusal> {
        Ok(self.leave_out(request)?)
    }

    fn trust_project(
        &self,
        _caller: &Caller,
        request: &ProjectTrust,
    ) -> Result<ProjectChanged, Refusal> {
        Ok(self.trust_settings(request)?)
    }

    fn excluded(&self) -> Result<ExcludedFolders, Refusal> {
        Ok(self.excluded_folders()?)
    }

    fn exclude(&self, _caller: &Caller, request: &ExcludedFolder) -> Result<Exclusions, Refusal> {
        let folder = Utf8Path::new(request.folder.as_str());
        Ok(permissions::exclude(folder, &self.context(None)?)?)
    }

    fn include(&self, _caller: &Caller, request: &ExcludedFolder) -> Result<Exclusions, Refusal> {
        let folder = Utf8Path::new(request.folder.as_str());
        Ok(permissions::include(folder, &self.context(None)?)?)
    }

    fn model(&self) -> Result<ModelView, Refusal> {
        Ok(self.reader()?)
    }

    fn choose_model(&self, _caller: &Caller, request: &ChosenModel) -> Result<ModelView, Refusal> {
        Ok(self.choose_reader(request)?)
    }

    fn test_model(&self, _caller: &Caller) -> Result<ModelTrial, Refusal> {
        Ok(self.try_reader()?)
    }

    fn settings(&self, query: &InProject) -> Result<SettingsForm, Refusal> {
        Ok(configure::form(
            &self.context(query.project_root.as_deref())?,
        ))
    }

    fn set_setting(
        &self,
        _caller: &Caller,
        request: &NewSetting,
    ) -> Result<SettingWritten, Refusal> {
        let context = self.context(None)?;
        let written = configure::set_plain(&request.key, &request.value, &context)?;
        Ok(SettingWritten {
            file: written.file.into_string(),
            value: written.value,
        })
    }

    fn briefs(&self, query: &BriefsQuery) -> Result<BriefList, Refusal> {
        let context = self.context(query.project_root.as_deref())?;
        let request = GivenRequest {
            last: usize::try_from(query.limit.get()).unwrap_or(usize::MAX),
            session: query
                .session
                .as_ref()
                .map(|session| session.as_str().to_owned()),
        };
        let briefs = told::given(&request, &context)?;
        Ok(BriefList { briefs })
    }

    fn runs(&self, query: &RunsQuery) -> Result<RunList, Refusal> {
        Ok(self.run_list(query)?)
    }

    fn run(&self, id: &str) -> Result<RunDetail, Refusal> {
        Ok(self.whole_run(id)?)
    }

    fn queue(&self, query: &QueueQuery) -> Result<QueueList, Refusal> {
        Ok(self.queued(query)?)
    }

    fn change_queue(
        &self,
        _caller: &Caller,
        id: &str,
        action: QueueAction,
    ) -> Result<QueueChanged, Refusal> {
        Ok(self.queue_action(id, action)?)
    }

    fn sessions(&self, query: &SessionsQuery) -> Result<SessionPage, Refusal> {
        Ok(self.session_list(query)?)
    }

    fn search_sessions(&self, query: &SessionSearchQuery) -> Result<SessionsFound, Refusal> {
        Ok(self.find_in_sessions(query)?)
    }

    fn session(&self, agent: &str, id: &str) -> Result<SessionDetail, Refusal> {
        Ok(self.whole_session(agent, id)?)
    }

    fn session_events(
        &self,
        agent: &str,
        id: &str,
        query: &EventsQuery,
    ) -> Result<EventPage, Refusal> {
        Ok(self.conversation(agent, id, query)?)
    }

    fn session_outline(&self, agent: &str, id: &str) -> Result<SessionOutline, Refusal> {
        Ok(reader::outline(agent, id, &self.context(None)?)?)
    }

    fn session_rows(&self, agent: &str, id: &str, query: &RowsQuery) -> Result<RowPage, Refusal> {
        let request = RowsRequest {
            offset: query.offset.get(),
            limit: query.limit.get(),
            around: query.around.as_ref().map(|event| event.to_string()),
        };
        Ok(reader::rows(agent, id, &request, &self.context(None)?)?)
    }

    fn session_row(&self, agent: &str, id: &str, event: &str) -> Result<RowBody, Refusal> {
        Ok(reader::body(agent, id, event, &self.context(None)?)?)
    }

    fn find_in_session(
        &self,
        agent: &str,
        id: &str,
        query: &FindInSessionQuery,
    ) -> Result<RowMatches, Refusal> {
        Ok(reader::find_text(
            agent,
            id,
            &query.q,
            &self.context(None)?,
        )?)
    }

    fn plugins(&self) -> Result<Vec<PluginRow>, Refusal> {
        Ok(self.plugin_rows()?)
    }

    fn context(
        &self,
        _caller: &Caller,
        command: ContextCommand,
        request: &ContextRequest,
    ) -> Result<Map<String, Value>, Refusal> {
        Ok(self.codebase(command, request)?)
    }

    fn backend(&self, project_root: Option<&str>) -> Result<Arc<dyn Backend>, Refusal> {
        let directory = project_root.map_or(self.directory.as_path(), Utf8Path::new);
        Ok(Arc::new(ForAgents::new(self.process.clone(), directory)))
    }

    fn run_job(
        &self,
        caller: &Caller,
        job: &JobRequest,
        control: &dyn JobControl,
    ) -> Result<Value, Refusal> {
        Ok(self.work_on(caller, job, control)?)
    }

    fn newest_event(&self) -> Result<u64, Refusal> {
        Ok(self.last_event()?)
    }

    fn events_after(&self, sequence: u64, limit: usize) -> Result<Vec<LogEvent>, Refusal> {
        Ok(self.events(sequence, limit)?)
    }
}

fn texts<const LONGEST: usize>(text: &Option<crate::api::Text<LONGEST>>) -> Vec<String> {
    text.iter().map(|text| text.to_string()).collect()
}
