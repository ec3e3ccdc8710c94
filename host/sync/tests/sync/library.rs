//! A home with sessions of one project, a controllable clock, and a model that answers on request.

#![expect(
    clippy::disallowed_methods,
    reason = "agents do not go through the store"
)]

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use acreta_pipeline::{GrantedModels, ModelShare, Plugins, RunOptions};
use acreta_redact::Redactor;
use acreta_session_archive::{Places, Platform};
use acreta_state::{Catalog, CatalogOptions};
use acreta_sync::{
    AdapterEntry, Scope, Selection, SyncEnvironment, SyncOptions, SyncReport, Watcher,
    WithoutProject, sync,
};
use acreta_types::{
    Adapter, AdapterRoot, Attrs, Call, Candidate, Cursor, Description, Event, Extractor, Failure,
    Job, MemoryWriter, ModelBudget, ModelReply, ModelRequest, ModelSource, ModelUsage, Models,
    Origin, PluginInfo, Preopen, Role, Session, SharedModels, SharedSink, SharedTrace, Summary,
    WriteAction, WriteContext, Written,
};
use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

use crate::fakes::{Silent, done, info, register, run_options};

pub(crate) const NOON: u64 = 1_900_022_400_000;

/// Behaviour of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ModelBehaviour {
    Fine,
    Fails {
        code: &'static str,
        retry_at_ms: Option<u64>,
    },
}

pub(crate) struct SessionHome {
    folder: TempDir,
    entries: Vec<AdapterEntry>,
    adapter: Arc<Shelf>,
    pub(crate) now_ms: AtomicU64,
    pub(crate) has_model: AtomicBool,
    writable: Arc<ScriptedModel>,
    pub(crate) catch_up: u64,
    seed: AtomicU64,
}

/// The model's side.
pub(crate) struct ScriptedModel {
    answer: Mutex<ModelBehaviour>,
    /// Each question: the session with its size, and true if it was answered.
    asked: Mutex<Vec<(String, bool)>>,
}

impl SessionHome {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        std::fs::create_dir_all(root.join("agent")).unwrap();
        std::fs::create_dir_all(root.join("project/.acreta")).unwrap();
        register(root, &root.join("project"));
        let agent = root.join("agent");
        Self {
            entries: vec![AdapterEntry {
                id: "fake".to_owned(),
                digest: "digest".to_owned(),
                roots: BTreeMap::from([("agent".to_owned(), agent.clone())]),
                described: None,
                speaks_for: None,
                granted: None,
            }],
            adapter: Arc::new(Shelf {
                agent,
                project: root.join("project"),
                info: info(Role::Adapter),
            }),
            now_ms: AtomicU64::new(NOON),
            has_model: AtomicBool::new(true),
            writable: Arc::new(ScriptedModel {
                answer: Mutex::new(ModelBehaviour::Fine),
                asked: Mutex::default(),
            }),
            catch_up: 20,
            seed: AtomicU64::new(7),
            folder,
        }
    }

    fn path(&self, relative: &str) -> Utf8PathBuf {
        Utf8PathBuf::try_from(self.folder.path().join(relative)).unwrap()
    }

    /// Writes a session with this many events; a higher number is a newer session.
    pub(crate) fn write(&self, number: u64, events: usize) {
        let path = self.path(&format!("agent/s{number}.jsonl"));
        std::fs::write(path, "x".repeat(events)).unwrap();
    }

    /// Returns true if the project has any memory.
    pub(crate) fn has_memory(&self) -> bool {
        let folder = self.path("project/.acreta/memory/summaries");
        std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_some())
    }

    /// Deletes a session, as agents do with old ones.
    pub(crate) fn remove(&self, number: u64) {
        let path = self.path(&format!("agent/s{number}.jsonl"));
        std::fs::remove_file(path).unwrap();
    }

    pub(crate) fn answers(&self, answer: ModelBehaviour) {
        *self.writable.answer.lock().unwrap() = answer;
    }

    pub(crate) fn pass(&self, ms: u64) {
        self.now_ms.fetch_add(ms, Ordering::SeqCst);
    }

    /// Returns the questions since the last call: `s1/3` is session 1 with three events, `!` was not answered.
    pub(crate) fn asked(&self) -> Vec<String> {
        let asked = std::mem::take(&mut *self.writable.asked.lock().unwrap());
        let line = |(session, is_answered): (String, bool)| match is_answered {
            true => session,
            false => format!("{session}!"),
        };
        asked.into_iter().map(line).collect()
    }

    pub(crate) fn catalog(&self) -> Catalog {
        let file = self.path("acreta/state.db");
        Catalog::open(&file, CatalogOptions::default()).unwrap()
    }

    pub(crate) fn sync(&self) -> SyncReport {
        self.sync_watched(&Silent)
    }

    pub(crate) fn sync_watched(&self, watcher: &dyn Watcher) -> SyncReport {
        let options = SyncOptions {
            state: self.path("acreta/state.db").into(),
            archive: self.path("acreta/archive"),
            shared_archive: None,
            learns_here: true,
            scratch: self.path("scratch"),
            own_folders: vec![self.path("acreta")],
            homes: Vec::new(),
            excluded: acreta_sync::Excluded::default(),
            global: self.path("acreta"),
            words: self.path("acreta/trust"),
            places: Places {
                platform: Platform::Linux,
                home: self.path(""),
                config: self.path("config"),
                data: self.path("data"),
                variables: BTreeMap::new(),
            },
            redactor: Arc::new(Redactor::new(&[]).unwrap()),
            current_project: None,
            selection: Selection::default(),
            without_project: WithoutProject::Archive,
            workers: 2,
            catch_up: self.catch_up,
            seed: self.seed.fetch_add(1_000, Ordering::SeqCst),
        };
        sync(&options, self, watcher).unwrap()
    }
}

impl SyncEnvironment for SessionHome {
    fn adapters(&self) -> &[AdapterEntry] {
        &self.entries
    }

    fn adapter(&self, _id: &str) -> Result<Arc<dyn Adapter>, String> {
        Ok(self.adapter.clone())
    }

    fn run(&self, scope: &Scope) -> Result<(Plugins, RunOptions), String> {
        let Scope::Project(root) = scope else {
            return Err("there is no global memory here".to_owned());
        };
        let scribe = Arc::new(Scribe(info(Role::Extractor)));
        let plugins = Plugins {
            adapters: Vec::new(),
            extractors: vec![scribe.clone()],
            explorers: Vec::new(),
            writer: scribe,
        };
        let models = self.has_model(scope).then(|| GrantedModels {
            source: Arc::new(Source(self.writable.clone())),
            plugins: [("fake".to_owned(), ModelShare::Whole)].into(),
        });
        let options = RunOptions {
            now_ms: self.now_ms(),
            seed: self.seed.fetch_add(1, Ordering::SeqCst),
            models,
            ..run_options(root, self.path("scratch"))
        };
        Ok((plugins, options))
    }

    fn has_model(&self, _scope: &Scope) -> bool {
        self.has_model.load(Ordering::SeqCst)
    }

    fn now_ms(&self) -> u64 {
        self.now_ms.load(Ordering::SeqCst)
    }
}

struct Source(Arc<ScriptedModel>);

impl ModelSource for Source {
    fn session(&self, _run_id: &str, _folder: &Utf8Path) -> SharedModels {
        Arc::new(OneRun {
            writable: self.0.clone(),
            usage: Mutex::default(),
        })
    }

    fn model(&self, _purpose: &str) -> Option<String> {
        Some("claude/haiku".to_owned())
    }
}

struct OneRun {
    writable: Arc<ScriptedModel>,
    usage: Mutex<ModelUsage>,
}

impl Models for OneRun {
    fn left(&self) -> ModelBudget {
        ModelBudget {
            calls: u32::MAX,
            tokens: u64::MAX,
        }
    }

    fn complete_all(&self, requests: &[ModelRequest]) -> Vec<Result<ModelReply, Failure>> {
        let answer = *self.writable.answer.lock().unwrap();
        let mut usage = self.usage.lock().unwrap();
        let mut asked = self.writable.asked.lock().unwrap();
        let reply = |request: &ModelRequest| {
            let session = request.messages[0].content.clone();
            asked.push((session, answer == ModelBehaviour::Fine));
            usage.calls += 1;
            match answer {
                ModelBehaviour::Fine => {
                    usage.output_tokens += 9;
                    Ok(ModelReply {
                        content: "{}".to_owned(),
                        input_tokens: 1,
                        output_tokens: 9,
                        cached: false,
                    })
                }
                ModelBehaviour::Fails { code, retry_at_ms } => {
                    usage.failed += 1;
                    usage.problem = Some("it does not answer".to_owned());
                    usage.problem_code = Some(code.to_owned());
                    usage.retry_at_ms = retry_at_ms;
                    Err(Failure {
                        code: code.to_owned(),
                        message: String::new(),
                        retryable: true,
                    })
                }
            }
        };
        requests.iter().map(reply).collect()
    }

    fn usage(&self) -> ModelUsage {
        self.usage.lock().unwrap().clone()
    }
}

struct Shelf {
    agent: Utf8PathBuf,
    project: Utf8PathBuf,
    info: PluginInfo,
}

impl Shelf {
    fn events(&self, id: &str) -> u64 {
        let file = self.agent.join(format!("{id}.jsonl"));
        file.metadata().map_or(0, |found| found.len())
    }
}

impl Adapter for Shelf {
    fn info(&self) -> &PluginInfo {
        &self.info
    }

    fn describe(&self, _job: &Job) -> Call<Description> {
        done(Description {
            agent: "fake".to_owned(),
            roots: vec![AdapterRoot {
                name: "agent".to_owned(),
                candidates: Vec::new(),
                patterns: vec!["*.jsonl".to_owned()],
                reason: "sessions".to_owned(),
            }],
            attrs: Attrs::default(),
        })
    }

    fn sessions(&self, _job: &Job, _roots: &[Preopen], path: &str) -> Call<Vec<Session>> {
        let id = Utf8Path::new(path).file_stem().unwrap_or_default();
        let number: u64 = id[1..].parse().unwrap();
        done(vec![Session {
            id: id.to_owned(),
            agent: "fake".to_owned(),
            path: path.to_owned(),
            project_dir: Some(self.project.to_string()),
            parent: None,
            started_ms: None,
            updated_ms: Some(NOON + number),
            revision: self.events(id).to_string(),
            attrs: Attrs::default(),
        }])
    }

    fn read(
        &self,
        _job: &Job,
        roots: &[Preopen],
        session: &Session,
        from: &Cursor,
        sink: SharedSink,
    ) -> Call<Cursor> {
        let name = format!("{}.jsonl", session.id);
        let all = roots[0].host.join(name).metadata().unwrap().len();
        let event = |number: u64| Event {
            id: format!("e{number}"),
            origin: Origin::default(),
            role: "user".to_owned(),
            kind: "text".to_owned(),
            at_ms: Some(NOON + number),
            text: format!("words {number}"),
            attrs: Attrs::default(),
        };
        let events = (from.offset..all).map(event).collect();
        sink.lock().unwrap().emit(events).unwrap();
        done(Cursor {
            offset: all,
            state: Vec::new(),
        })
    }
}

/// Asks the model once for each session, and writes its summary.
pub(crate) struct Scribe(pub(crate) PluginInfo);

impl Extractor for Scribe {
    fn info(&self) -> &PluginInfo {
        &self.0
    }

    fn extract(&self, job: &Job, session: &Session, trace: SharedTrace) -> Call<Vec<Candidate>> {
        if let Some(models) = &job.models {
            let events = trace.lock().unwrap().count();
            models.complete_all(&[ModelRequest {
                purpose: "extract".to_owned(),
                messages: vec![acreta_types::ModelMessage {
                    role: "user".to_owned(),
                    content: format!("{}/{events}", session.id),
                }],
                json_schema: None,
                max_output_tokens: 10,
            }]);
        }
        done(Vec::new())
    }

    fn summarise(&self, _job: &Job, session: &Session, _trace: SharedTrace) -> Call<Summary> {
        done(Summary {
            title: format!("Session {}", session.id),
            description: "Words.".to_owned(),
            body: "Words.".to_owned(),
            tags: Vec::new(),
            evidence: Vec::new(),
            attrs: Attrs::default(),
        })
    }
}

impl MemoryWriter for Scribe {
    fn info(&self) -> &PluginInfo {
        &self.0
    }

    fn apply(
        &self,
        _job: &Job,
        draft: &Utf8Path,
        context: &WriteContext,
        actions: &[WriteAction],
    ) -> Call<Vec<Written>> {
        let written = actions.iter().map(|action| {
            let title = &action.summary.as_ref().unwrap().title;
            let path = format!("summaries/20300317-120000-{}.md", action.memory_id.to_lowercase());
            let text = format!(
                "---\nid: {}\ntitle: {title:?}\ndescription: d\ndate: 2030-03-17\ntime: \"12:00:00\"\n\
                 coding_agent: fake\nraw_trace_path: {}\nrun_id: {}\nrepo_name: r\ntags: []\nrelated: []\n\
                 created: 2030-03-17T12:00:00Z\nupdated: 2030-03-17T12:00:00Z\n---\n\n# {title}\n\nWords.\n",
                action.memory_id, context.raw_trace_path, context.run_id,
            );
            std::fs::create_dir_all(draft.join("summaries")).unwrap();
            std::fs::write(draft.join(&path), text).unwrap();
            Written {
                action_id: action.id.clone(),
                path,
            }
        });
        done(written.collect())
    }
}
