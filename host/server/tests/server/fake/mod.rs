//! A service over an invented world. Edits change it; some words make it fail, panic or wait.

#![allow(
    clippy::unwrap_used,
    reason = "a poisoned lock means that a test has failed already"
)]
#![allow(
    dead_code,
    reason = "the served fake and the tests use different parts"
)]

mod backend;
mod day;
mod details;
mod pages;
mod review;
mod talk;
mod texts;
mod world;

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use acreta_mcp::{Backend, Failure, FailureKind};
use acreta_server::api::*;
use acreta_server::{Caller, Edited, JobControl, JobRequest, Service};
use serde_json::{Map, Value, json};

use world::{Memory, World, digest, id};

pub(crate) use texts::{HOSTILE, PROJECTS};

pub(crate) struct Fake {
    world: Mutex<World>,
    /// Each call that changes something or is recorded on request, with its request id.
    calls: Mutex<Vec<String>>,
    gate: Gate,
    /// Duration of one step of a job.
    pace: Duration,
}

/// Blocks calls that contain `wait`.
#[derive(Default)]
struct Gate {
    state: Mutex<(usize, bool)>,
    changed: Condvar,
}

impl Fake {
    pub(crate) fn new(memories: usize, now_ms: u64, pace: Duration) -> Arc<Self> {
        Arc::new(Self {
            world: Mutex::new(World::new(memories, now_ms)),
            calls: Mutex::default(),
            gate: Gate::default(),
            pace,
        })
    }

    pub(crate) fn calls(&self) -> Vec<String> {
        self.calls.lock().unwrap().clone()
    }

    /// Writes an event to the log of the world.
    pub(crate) fn note(&self, kind: &str, name: &str) {
        self.world().note(kind, name, Map::new());
    }

    /// Blocks until `count` calls wait.
    pub(crate) fn until_waiting(&self, count: usize) {
        let state = self.gate.state.lock().unwrap();
        drop(
            self.gate
                .changed
                .wait_while(state, |state| state.0 < count)
                .unwrap(),
        );
    }

    pub(crate) fn open_gate(&self) {
        self.gate.state.lock().unwrap().1 = true;
        self.gate.changed.notify_all();
    }

    /// Waits until the gate opens or `given_up` returns true.
    fn wait(&self, given_up: impl Fn() -> bool) {
        let mut state = self.gate.state.lock().unwrap();
        state.0 += 1;
        self.gate.changed.notify_all();
        while !state.1 && !given_up() {
            let look_again = Duration::from_millis(5);
            state = self.gate.changed.wait_timeout(state, look_again).unwrap().0;
        }
        state.0 -= 1;
    }

    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap()
    }

    fn called(&self, caller: &Caller, what: String) {
        assert!(!caller.request_id.is_empty());
        self.calls.lock().unwrap().push(what);
    }
}

fn not_found(what: &str) -> Failure {
    Failure::new(FailureKind::NotFound, format!("there is no such {what}"))
        .hint("list them to see which there are")
}

fn project_of(project: &Option<Text<4096>>) -> String {
    let project = project.as_ref().map(|project| project.to_string());
    project.unwrap_or_else(|| PROJECTS[0].to_owned())
}

/// Stands for all projects instead of a path.
const ALL: &str = "*";

fn projects_of(project: &Option<Text<4096>>, all_projects: bool) -> String {
    match all_projects {
        true => ALL.to_owned(),
        false => project_of(project),
    }
}

/// Returns whether a memory belongs to the project or is global.
fn belongs(memory: &Memory, project: &str) -> bool {
    let own = memory.project.as_deref();
    project == ALL || own.is_none_or(|own| own == project)
}

/// Returns the scope of a memory as a list of these projects shows it.
fn scope_of(memory: &Memory, project: &str) -> String {
    match &memory.project {
        Some(own) if project == ALL && own != PROJECTS[0] => own.clone(),
        _ => memory.detail.row.scope.clone(),
    }
}

fn page<T: Clone>(items: &[T], offset: u64, limit: u64) -> Vec<T> {
    let items = items.iter().skip(offset as usize);
    items.take(limit as usize).cloned().collect()
}

fn holds(text: &str, part: &Option<Text<200>>) -> bool {
    let lower = text.to_lowercase();
    part.as_ref()
        .is_none_or(|part| lower.contains(&part.to_lowercase()))
}

fn is<T: AsRef<str> + ?Sized>(value: &T, wanted: &Option<Text<64>>) -> bool {
    wanted
        .as_ref()
        .is_none_or(|wanted| value.as_ref() == wanted.as_str())
}

impl Service for Fake {
    fn is_registered(&self, project_root: &str) -> Result<bool, Failure> {
        let world = self.world();
        Ok(world
            .projects
            .iter()
            .any(|(path, registered)| path == project_root && *registered))
    }

    fn status(&self, query: &InProjects) -> Result<ServiceStatus, Failure> {
        let world = self.world();
        let projects = projects_of(&query.project_root, query.all_projects);
        let items = review::items(&world, &projects);
        Ok(ServiceStatus {
            review: review::counts(&items),
            ..details::status(&world)
        })
    }

    fn overview(&self, query: &InProject) -> Result<Overview, Failure> {
        Ok(details::overview(
            &self.world(),
            &project_of(&query.project_root),
        ))
    }

    fn home(&self, query: &HomeQuery) -> Result<Home, Failure> {
        let world = self.world();
        let project = projects_of(&query.project_root, query.all_projects);
        let since = query.since.map(|since| since.get());
        Ok(pages::home(&world, &project, since))
    }

    fn timeline(&self, query: &TimelineQuery) -> Result<Timeline, Failure> {
        let project = projects_of(&query.project_root, query.all_projects);
        let mut entries = pages::timeline(&self.world(), &project);
        let counts = TimelineCounts::of(&entries);
        entries.retain(|entry| query.kind.is_none_or(|kind| kind == entry.kind));
        Ok(Timeline {
            counts,
            total: entries.len() as u64,
            entries: page(&entries, query.offset.get(), query.limit.get()),
        })
    }

    fn memories(&self, query: &MemoriesQuery) -> Result<MemoryPage, Failure> {
        let world = self.world();
        let project = projects_of(&query.project_root, query.all_projects);
        let wanted = |memory: &&Memory| {
            let row = &memory.detail.row;
            belongs(memory, &project)
                && query
                    .memory_type
                    .is_none_or(|wanted| row.memory_type == wanted)
                && is(&row.kind, &query.kind)
                && query
                    .tag
                    .as_ref()
                    .is_none_or(|tag| row.tags.iter().any(|own| own == tag.as_str()))
                && query.trust.is_none_or(|wanted| row.trust == wanted)
                && row.status == query.status.unwrap_or(Status::Active)
                && query.stale.is_none_or(|wanted| row.stale == wanted)
                && match query.scope {
                    None | Some(ListScope::All) => true,
                    Some(ListScope::Project) => row.scope == "project",
                    Some(ListScope::Global) => row.scope == "global",
                }
                && holds(&row.title, &query.text)
        };
        let mut rows: Vec<MemoryRow> = world
            .memories
            .iter()
            .filter(wanted)
            .map(|memory| MemoryRow {
                scope: scope_of(memory, &project),
                ..memory.detail.row.clone()
            })
            .collect();
        match query.sort.unwrap_or(MemorySort::Updated) {
            MemorySort::Updated => rows.sort_by(|one, other| other.updated.cmp(&one.updated)),
            MemorySort::Created => rows.sort_by(|one, other| other.created.cmp(&one.created)),
            MemorySort::Title => rows.sort_by(|one, other| one.title.cmp(&other.title)),
            MemorySort::Confidence => rows.sort_by(|one, other| {
                other
                    .effective_confidence
                    .total_cmp(&one.effective_confidence)
            }),
            MemorySort::Rank => rows.sort_by_key(|row| {
                let is_rule = matches!(row.kind.as_str(), "convention" | "preference" | "pitfall");
                let rank = match row.memory_type {
                    MemoryType::Decision => 0,
                    MemoryType::Learning => u8::from(!is_rule),
                    MemoryType::Summary => 2,
                };
                (rank, std::cmp::Reverse(row.updated.clone()))
            }),
        }
        Ok(MemoryPage {
            items: page(&rows, query.offset.get(), query.limit.get()),
            total: rows.len() as u64,
            offset: query.offset.get(),
            limit: query.limit.get(),
            facets: query.facets.unwrap_or(false).then(|| pages::facets(&rows)),
        })
    }

    fn memory(&self, id: &str, query: &InProject) -> Result<MemoryDetail, Failure> {
        let world = self.world();
        let project = project_of(&query.project_root);
        let mut memories = world.memories.iter();
        let found = memories.find(|memory| memory.detail.row.id == id && belongs(memory, &project));
        found
            .map(|memory| memory.detail.clone())
            .ok_or_else(|| not_found("memory"))
    }

    fn provenance(&self, id: &str, query: &InProject) -> Result<MemoryProvenance, Failure> {
        let detail = self.memory(id, query)?;
        Ok(pages::provenance(&detail))
    }

    fn add_memory(&self, caller: &Caller, note: &MemoryNote) -> Result<MemoryAdded, Failure> {
        self.called(caller, format!("add {}", note.title.as_str()));
        if note.body.contains("AKIA") {
            let refused = Failure::new(FailureKind::Refused, "it holds a secret");
            return Err(refused
                .hint("take the secret out")
                .caused_by("rule `aws-access-key` fits"));
        }
        let mut world = self.world();
        let number = world.memories.len();
        let now_ms = world.now_ms;
        let mut memory = world.memories[0].clone();
        memory.project = match note.scope {
            Some(WriteScope::Global) => None,
            _ => Some(project_of(&note.project_root)),
        };
        memory.created_ms = now_ms;
        memory.archived_ms = None;
        let detail = &mut memory.detail;
        detail.body = note.body.to_string();
        detail.evidence.clear();
        detail.proposals.clear();
        let row = &mut detail.row;
        row.id = id(number);
        row.title = note.title.to_string();
        row.memory_type = note.memory_type.unwrap_or(MemoryType::Learning);
        row.kind = note
            .kind
            .as_ref()
            .map_or_else(|| "insight".to_owned(), |kind| kind.to_string());
        row.tags = note.tags.iter().map(|tag| tag.to_string()).collect();
        row.scope = if memory.project.is_none() {
            "global"
        } else {
            "project"
        }
        .to_owned();
        row.trust = Trust::Confirmed;
        row.status = Status::Active;
        row.created = day::day(now_ms);
        row.updated = day::day(now_ms);
        row.source = "person".to_owned();
        row.path = format!("learnings/{}-{number}.md", row.created.replace('-', ""));
        let (id, path) = (row.id.clone(), row.path.clone());
        detail.digest = digest(&detail.row, &detail.body);
        world.memories.push(memory);
        world.note("memory", "added", Map::new());
        Ok(MemoryAdded {
            action: "add".to_owned(),
            id: Some(id),
            path: Some(path),
            message: "added".to_owned(),
        })
    }

    fn edit_memory(&self, caller: &Caller, id: &str, edit: &MemoryEdit) -> Result<Edited, Failure> {
        self.called(caller, format!("edit {id}"));
        let mut world = self.world();
        let project = project_of(&edit.project_root);
        let now_ms = world.now_ms;
        let mut memories = world.memories.iter_mut();
        let found = memories.find(|memory| memory.detail.row.id == id && belongs(memory, &project));
        let detail = &mut found.ok_or_else(|| not_found("memory"))?.detail;
        if detail.digest != edit.expected_digest.as_str() {
            let digest = detail.digest.clone();
            return Ok(Edited::ChangedMeanwhile { digest });
        }
        if let Some(title) = &edit.title {
            detail.row.title = title.to_string();
        }
        if let Some(body) = &edit.body {
            detail.body = body.to_string();
        }
        if let Some(tags) = &edit.tags {
            detail.row.tags = tags.iter().map(|tag| tag.to_string()).collect();
        }
        if let Some(kind) = &edit.kind {
            detail.row.kind = kind.to_string();
        }
        let now = digest(&detail.row, &detail.body);
        let changed = now != detail.digest;
        detail.digest = now;
        detail.row.updated = day::day(now_ms);
        let answer = answer(detail, changed, "edited");
        world.note("memory", "edited", Map::new());
        Ok(Edited::Done(answer))
    }

    fn change_memory(
        &self,
        caller: &Caller,
        id: &str,
        change: MemoryChange,
        project: &InProject,
    ) -> Result<MemoryChanged, Failure> {
        self.called(caller, format!("{change:?} {id}"));
        let mut world = self.world();
        let project = project_of(&project.project_root);
        let now_ms = world.now_ms;
        let mut memories = world.memories.iter_mut();
        let found = memories.find(|memory| memory.detail.row.id == id && belongs(memory, &project));
        let memory = found.ok_or_else(|| not_found("memory"))?;
        let detail = &mut memory.detail;
        let before = (detail.row.clone(), detail.body.clone());
        match change {
            MemoryChange::Confirm => detail.row.trust = Trust::Confirmed,
            MemoryChange::Reject | MemoryChange::Archive => {
                detail.row.status = Status::Archived;
                memory.archived_ms = Some(now_ms);
            }
            MemoryChange::Restore => {
                detail.row.status = Status::Active;
                memory.archived_ms = None;
            }
            MemoryChange::Accept => {
                if !detail.proposals.is_empty() {
                    let proposal = detail.proposals.remove(0);
                    detail.row.title = proposal.title;
                    detail.body = proposal.body;
                    detail.row.open_proposals = detail.proposals.len() as u64;
                }
            }
        }
        let changed = before != (detail.row.clone(), detail.body.clone());
        detail.digest = digest(&detail.row, &detail.body);
        let message = if changed { "done" } else { "nothing to do" };
        let answer = answer(detail, changed, message);
        world.note("memory", "changed", Map::new());
        Ok(answer)
    }

    fn review(&self, query: &InProjects) -> Result<ReviewQueue, Failure> {
        let world = self.world();
        let projects = projects_of(&query.project_root, query.all_projects);
        let items = review::items(&world, &projects);
        Ok(ReviewQueue {
            waiting: review::counts(&items),
            last: review::past(&world),
            items,
        })
    }

    fn review_item(&self, id: &str, query: &InProjects) -> Result<ReviewDetail, Failure> {
        let world = self.world();
        let projects = projects_of(&query.project_root, query.all_projects);
        let items = review::items(&world, &projects);
        let found = items.into_iter().find(|item| item.id == id);
        let item = found.ok_or_else(|| not_found("item"))?;
        Ok(review::detail(item, world.now_ms))
    }

    fn decide(&self, caller: &Caller, request: &ReviewRequest) -> Result<ReviewReport, Failure> {
        let ids: Vec<&str> = request
            .decisions
            .iter()
            .map(|one| one.id.as_str())
            .collect();
        self.called(
            caller,
            format!("decide {} {}", ids.join(" "), request.dry_run),
        );
        let mut world = self.world();
        let project = projects_of(&request.project_root, request.all_projects);
        let items = review::items(&world, &project);
        let mut decided = Vec::new();
        let decisions = request.decisions.iter().map(|choice| {
            let found = items.iter().find(|item| item.id == choice.id.as_str());
            decided.extend(found.map(|item| item.id.clone()));
            let mut report = DecisionReport {
                id: choice.id.to_string(),
                title: found.map_or(String::new(), |item| item.title.clone()),
                message: "done".to_owned(),
                effect: ActionEffect {
                    action: choice.action,
                    summary: Vec::new(),
                    files: Vec::new(),
                    problem: Some("there is no such item".to_owned()),
                },
            };
            if let Some(item) = found {
                report.effect = review::effect(item, choice.action);
            }
            report
        });
        let decisions = decisions.collect();
        if !request.dry_run && !decided.is_empty() {
            world.decided.push(decided);
            world.note("memory", "changed", Map::new());
        }
        Ok(ReviewReport {
            decisions,
            waiting: review::counts(&review::items(&world, &project)),
            dry_run: request.dry_run,
        })
    }

    fn undo_review(&self, caller: &Caller, project: &InProjects) -> Result<ReviewUndone, Failure> {
        self.called(caller, "undo review".to_owned());
        let mut world = self.world();
        let undone = review::past(&world);
        world.decided.pop().ok_or_else(|| not_found("decision"))?;
        let projects = projects_of(&project.project_root, project.all_projects);
        let items = review::items(&world, &projects);
        Ok(ReviewUndone {
            undone,
            waiting: review::counts(&items),
        })
    }

    fn search(&self, query: &SearchQuery) -> Result<SearchPage, Failure> {
        match query.q.as_str() {
            "panic" => panic!("the fake was asked to"),
            "busy" => {
                return Err(Failure::new(
                    FailureKind::Busy,
                    "another process is writing",
                ));
            }
            "fail" => {
                return Err(Failure::new(FailureKind::Failed, "the index is broken")
                    .caused_by("it was asked to"));
            }
            "wait" => self.wait(|| false),
            _ => {}
        }
        Ok(details::search(
            &self.world(),
            query,
            &projects_of(&query.project_root, query.all_projects),
        ))
    }

    fn ask(&self, caller: &Caller, request: &AskRequest) -> Result<AskAnswer, Failure> {
        self.called(caller, format!("ask {}", request.question.as_str()));
        Ok(details::ask(
            &self.world(),
            &request.question,
            &project_of(&request.project_root),
        ))
    }

    fn connections(&self) -> Result<Vec<Connection>, Failure> {
        Ok(self.world().connections.clone())
    }

    fn connect(&self, caller: &Caller, request: &NewConnection) -> Result<Connection, Failure> {
        self.called(caller, format!("connect {}", request.agent.as_str()));
        let mut world = self.world();
        let mut connections = world.connections.iter_mut();
        let known = connections.find(|connection| connection.agent == request.agent.as_str());
        let connection = known.ok_or_else(|| not_found("agent"))?;
        connection.granted = true;
        if let Some(root) = &request.root {
            connection.roots = vec![root.to_string()];
        }
        Ok(connection.clone())
    }

    fn disconnect(&self, caller: &Caller, agent: &str) -> Result<Removed, Failure> {
        self.called(caller, format!("disconnect {agent}"));
        let mut world = self.world();
        let mut connections = world.connections.iter_mut();
        let known = connections.find(|connection| connection.agent == agent);
        let connection = known.ok_or_else(|| not_found("agent"))?;
        let changed = std::mem::replace(&mut connection.granted, false);
        Ok(Removed {
            agent: agent.to_owned(),
            changed,
            message: "its sessions are read no longer".to_owned(),
        })
    }

    fn projects(&self) -> Result<Vec<ProjectRow>, Failure> {
        Ok(details::projects(&self.world()))
    }

    fn add_project(&self, caller: &Caller, request: &NewProject) -> Result<ProjectAdded, Failure> {
        self.called(caller, format!("project {}", request.path.as_str()));
        let mut world = self.world();
        if let Some(former) = &request.former {
            let moved = |(path, _): &(String, bool)| path != former.as_str();
            world.projects.retain(moved);
        }
        let mut projects = world.projects.iter_mut();
        let known = projects.find(|(path, _)| path == request.path.as_str());
        let (path, registered) = known.ok_or_else(|| not_found("folder"))?;
        let changed = !std::mem::replace(registered, true);
        Ok(ProjectAdded {
            path: path.clone(),
            changed,
            message: "registered".to_owned(),
        })
    }

    fn remove_project(
        &self,
        caller: &Caller,
        request: &KnownProject,
    ) -> Result<ProjectChanged, Failure> {
        self.called(caller, format!("leave out {}", request.path.as_str()));
        let mut world = self.world();
        let mut projects = world.projects.iter_mut();
        let known = projects.find(|(path, _)| path == request.path.as_str());
        let (path, registered) = known.ok_or_else(|| not_found("project"))?;
        Ok(ProjectChanged {
            changed: std::mem::replace(registered, false),
            path: path.clone(),
            message: "left out".to_owned(),
        })
    }

    fn trust_project(
        &self,
        caller: &Caller,
        request: &ProjectTrust,
    ) -> Result<ProjectChanged, Failure> {
        let path = request.path.to_string();
        self.called(caller, format!("trust {path} {}", request.trusted));
        let mut world = self.world();
        let before = world.trusted.contains(&path);
        world.trusted.retain(|known| *known != path);
        if request.trusted {
            world.trusted.push(path.clone());
        }
        Ok(ProjectChanged {
            path,
            changed: before != request.trusted,
            message: "done".to_owned(),
        })
    }

    fn excluded(&self) -> Result<ExcludedFolders, Failure> {
        let folders = self.world().excluded.clone();
        Ok(ExcludedFolders { folders })
    }

    fn exclude(&self, caller: &Caller, request: &ExcludedFolder) -> Result<Exclusions, Failure> {
        self.called(caller, format!("exclude {}", request.folder.as_str()));
        let mut world = self.world();
        world.excluded.push(request.folder.to_string());
        Ok(pages::exclusions(&world, &request.folder))
    }

    fn include(&self, caller: &Caller, request: &ExcludedFolder) -> Result<Exclusions, Failure> {
        self.called(caller, format!("include {}", request.folder.as_str()));
        let mut world = self.world();
        let before = world.excluded.len();
        let folder = request.folder.as_str();
        world.excluded.retain(|known| known != folder);
        if world.excluded.len() == before {
            return Err(not_found("folder"));
        }
        Ok(pages::exclusions(&world, &request.folder))
    }

    fn model(&self) -> Result<ModelView, Failure> {
        Ok(pages::model(&self.world()))
    }

    fn choose_model(&self, caller: &Caller, request: &ChosenModel) -> Result<ModelView, Failure> {
        self.called(caller, format!("model {:?}", request.name));
        let mut world = self.world();
        world.reader = request.name.as_ref().map(|name| name.to_string());
        Ok(pages::model(&world))
    }

    fn test_model(&self, caller: &Caller) -> Result<ModelTrial, Failure> {
        self.called(caller, "test model".to_owned());
        let reader = self.world().reader.clone();
        let nobody = || Failure::new(FailureKind::Failed, "no model reads your sessions");
        Ok(pages::trial(reader.ok_or_else(nobody)?))
    }

    fn settings(&self, _query: &InProject) -> Result<SettingsForm, Failure> {
        Ok(SettingsForm {
            settings: self.world().settings.clone(),
            ignored: vec![format!(
                "`llm.enabled` of a project does not count {}",
                HOSTILE[0]
            )],
        })
    }

    fn set_setting(
        &self,
        caller: &Caller,
        request: &NewSetting,
    ) -> Result<SettingWritten, Failure> {
        self.called(
            caller,
            format!("set {} {}", request.key.as_str(), request.value),
        );
        let mut world = self.world();
        let mut settings = world.settings.iter_mut();
        let known = settings.find(|known| known.key == request.key.as_str());
        let known = known.ok_or_else(|| not_found("setting"))?;
        if !known.plain {
            let message = "it can be set on the command line only";
            return Err(Failure::new(FailureKind::Refused, message));
        }
        known.value = Some(request.value.clone());
        known.origin = "/home/sam/.acreta/config.toml".to_owned();
        Ok(SettingWritten {
            file: known.origin.clone(),
            value: request.value.to_string(),
        })
    }

    fn briefs(&self, query: &BriefsQuery) -> Result<BriefList, Failure> {
        let world = self.world();
        let mut briefs = pages::briefs(&world, &project_of(&query.project_root));
        briefs.retain(|brief| {
            let own = brief.session.as_deref().unwrap_or_default();
            let wanted = query.session.as_ref();
            wanted.is_none_or(|wanted| own.starts_with(wanted.as_str()))
        });
        Ok(BriefList {
            briefs: page(&briefs, 0, query.limit.get()),
        })
    }

    fn runs(&self, query: &RunsQuery) -> Result<RunList, Failure> {
        let world = self.world();
        let wanted = |run: &&RunRow| {
            query
                .project_root
                .as_ref()
                .is_none_or(|project| run.project == project.as_str())
                && query.state.is_none_or(|state| run.state == state)
                && query
                    .before
                    .is_none_or(|before| run.started_ms < before.get())
        };
        let runs: Vec<RunRow> = world.runs.iter().filter(wanted).cloned().collect();
        Ok(RunList {
            runs: page(&runs, 0, query.limit.get()),
        })
    }

    fn run(&self, id: &str) -> Result<RunDetail, Failure> {
        let world = self.world();
        let run = world.runs.iter().find(|run| run.run_id == id);
        run.map(details::run).ok_or_else(|| not_found("run"))
    }

    fn queue(&self, query: &QueueQuery) -> Result<QueueList, Failure> {
        let world = self.world();
        let wanted = |job: &&QueueJob| query.state.is_none_or(|state| job.state == state);
        Ok(QueueList {
            jobs: world.queue.iter().filter(wanted).cloned().collect(),
        })
    }

    fn change_queue(
        &self,
        caller: &Caller,
        id: &str,
        action: QueueAction,
    ) -> Result<QueueChanged, Failure> {
        self.called(caller, format!("{action:?} {id}"));
        let mut world = self.world();
        let job = world.queue.iter_mut().find(|job| job.id == id);
        let job = job.ok_or_else(|| not_found("job"))?;
        let before = job.state;
        match action {
            QueueAction::Retry => {
                job.state = TaskState::Queued;
                job.dead = false;
                job.finished_ms = None;
            }
            QueueAction::Skip => job.state = TaskState::Completed,
            QueueAction::Cancel => job.state = TaskState::Cancelled,
        }
        let changed = job.state != before;
        world.note("queue", "changed", Map::new());
        Ok(QueueChanged {
            id: id.to_owned(),
            changed,
            message: if changed { "done" } else { "nothing to do" }.to_owned(),
        })
    }

    fn sessions(&self, query: &SessionsQuery) -> Result<SessionPage, Failure> {
        let world = self.world();
        let wanted = |session: &&SessionRow| {
            let project = session.project.as_deref();
            query
                .project_root
                .as_ref()
                .is_none_or(|wanted| project == Some(wanted.as_str()))
                && is(&session.agent, &query.agent)
                && query.state.is_none_or(|state| session.state == state)
                && (holds(&session.id, &query.text)
                    || session
                        .title
                        .as_ref()
                        .is_some_and(|title| holds(title, &query.text)))
        };
        let rows: Vec<SessionRow> = world.sessions.iter().filter(wanted).cloned().collect();
        Ok(SessionPage {
            items: page(&rows, query.offset.get(), query.limit.get()),
            total: rows.len() as u64,
        })
    }

    fn search_sessions(&self, query: &SessionSearchQuery) -> Result<SessionsFound, Failure> {
        Ok(pages::search_sessions(&self.world(), query))
    }

    fn session(&self, agent: &str, id: &str) -> Result<SessionDetail, Failure> {
        let world = self.world();
        let mut sessions = world.sessions.iter();
        let row = sessions.find(|session| session.agent == agent && session.id == id);
        let row = row.ok_or_else(|| not_found("session"))?.clone();
        Ok(details::session(&world, row))
    }

    fn session_events(
        &self,
        agent: &str,
        id: &str,
        query: &EventsQuery,
    ) -> Result<EventPage, Failure> {
        let row = self.session(agent, id)?.row;
        let events = talk::conversation(&row);
        let limit = query.limit.get();
        let offset = match &query.around {
            None => query.offset.get(),
            Some(wanted) => {
                let place = events.iter().position(|event| event.id == wanted.as_str());
                let place = place.ok_or_else(|| not_found("event"))? as u64;
                place.saturating_sub(limit / 2)
            }
        };
        Ok(EventPage {
            events: page(&events, offset, limit),
            total: events.len() as u64,
            offset,
        })
    }

    fn session_outline(&self, agent: &str, id: &str) -> Result<SessionOutline, Failure> {
        let row = self.session(agent, id)?.row;
        Ok(talk::reading(&row).outline())
    }

    fn session_rows(&self, agent: &str, id: &str, query: &RowsQuery) -> Result<RowPage, Failure> {
        let row = self.session(agent, id)?.row;
        let around = query.around.as_deref();
        let page = talk::reading(&row).page(query.offset.get(), query.limit.get(), around);
        page.ok_or_else(|| not_found("event"))
    }

    fn session_row(&self, agent: &str, id: &str, event: &str) -> Result<RowBody, Failure> {
        let row = self.session(agent, id)?.row;
        talk::body(&row, event).ok_or_else(|| not_found("event"))
    }

    fn find_in_session(
        &self,
        agent: &str,
        id: &str,
        query: &FindInSessionQuery,
    ) -> Result<RowMatches, Failure> {
        let row = self.session(agent, id)?.row;
        Ok(talk::matches(&row, &query.q))
    }

    fn plugins(&self) -> Result<Vec<PluginRow>, Failure> {
        Ok(details::plugins())
    }

    fn context(
        &self,
        caller: &Caller,
        command: ContextCommand,
        request: &ContextRequest,
    ) -> Result<Map<String, Value>, Failure> {
        self.called(
            caller,
            format!("{command:?} {}", request.project_root.as_str()),
        );
        Ok(details::context(command, &request.project_root))
    }

    fn backend(&self, project_root: Option<&str>) -> Result<Arc<dyn Backend>, Failure> {
        let project = project_root.unwrap_or(PROJECTS[0]);
        Ok(backend::backend(&self.world(), project))
    }

    fn run_job(
        &self,
        caller: &Caller,
        job: &JobRequest,
        control: &dyn JobControl,
    ) -> Result<Value, Failure> {
        self.called(caller, format!("{job:?}"));
        let agent = match job {
            JobRequest::Sync(request) => request.agent.as_deref().unwrap_or(""),
            JobRequest::Maintain(_) => "",
        };
        match agent {
            "wait" => self.wait(|| control.is_cancelled()),
            "deaf" => self.wait(|| false),
            "panic" => panic!("the fake was asked to"),
            "fail" => {
                return Err(Failure::new(FailureKind::Failed, "the sync failed")
                    .caused_by("it was asked to"));
            }
            _ => {}
        }
        let steps = 12;
        for step in 0..steps {
            if control.is_cancelled() {
                return Ok(json!({ "interrupted": true, "ran": step }));
            }
            control.progress(JobProgress {
                done: step,
                total: Some(steps),
                message: format!("session {step} {}", HOSTILE[step as usize % HOSTILE.len()]),
            });
            self.world().note("step", "extract", Map::new());
            if !self.pace.is_zero() {
                std::thread::sleep(self.pace);
            }
        }
        Ok(
            json!({ "discovered": steps, "archived": 0, "queued": 3, "ran": 3, "interrupted": false }),
        )
    }

    fn newest_event(&self) -> Result<u64, Failure> {
        Ok(self.world().log.len() as u64)
    }

    fn events_after(&self, sequence: u64, limit: usize) -> Result<Vec<LogEvent>, Failure> {
        let world = self.world();
        let after = world.log.iter().skip(sequence as usize);
        Ok(after.take(limit).cloned().collect())
    }
}

fn answer(detail: &MemoryDetail, changed: bool, message: &str) -> MemoryChanged {
    MemoryChanged {
        id: detail.row.id.clone(),
        path: detail.row.path.clone(),
        changed,
        message: message.to_owned(),
    }
}
