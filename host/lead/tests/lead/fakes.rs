//! Plugins that do what a test tells them, and a project to run them in.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use acreta_fs::{Faults, NoFaults};
use acreta_lead::{
    Plugins, Progress, RunError, RunMode, RunOptions, RunReport, Source, Thresholds, TodoState, run,
};
use acreta_model::{
    Adapter, Attrs, Call, Candidate, Cursor, Description, Event, Evidence, Explorer, Extractor,
    Finding, Job, MemoryWriter, Origin, PluginInfo, Preopen, Role, Session, SharedSearch,
    SharedSink, SharedTrace, Summary, Usage, WriteAction, WriteContext, Written,
};
use acreta_redact::Redactor;
use acreta_store::{DraftLimits, Layout, Snapshot, Store};
use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

/// What one session says: a candidate per line, `title | body`, and the time of its evidence.
#[derive(Clone)]
pub(crate) struct Says {
    pub(crate) session: &'static str,
    pub(crate) at_ms: u64,
    pub(crate) events: u64,
    pub(crate) candidates: Vec<(&'static str, &'static str)>,
    /// Who said it.
    pub(crate) role: &'static str,
    pub(crate) kind: &'static str,
}

impl Says {
    pub(crate) fn new(
        session: &'static str,
        at_ms: u64,
        candidates: &[(&'static str, &'static str)],
    ) -> Self {
        Self {
            session,
            at_ms,
            events: 3,
            candidates: candidates.to_vec(),
            role: "user",
            kind: "convention",
        }
    }
}

pub(crate) struct Project {
    folder: TempDir,
}

impl Project {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("project")).unwrap();
        std::fs::File::create(folder.path().join("trace.jsonl")).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self, relative: &str) -> Utf8PathBuf {
        Utf8PathBuf::try_from(self.folder.path().join(relative)).unwrap()
    }

    pub(crate) fn layout(&self) -> Layout {
        Layout::for_project(&self.path("project"))
    }

    pub(crate) fn run(&self, says: &Says) -> RunReport {
        self.run_with(says, NoFaults::shared()).unwrap()
    }

    pub(crate) fn run_with(
        &self,
        says: &Says,
        faults: Arc<dyn Faults>,
    ) -> Result<RunReport, RunError> {
        let options = RunOptions {
            layout: self.layout(),
            repo_name: "project".to_owned(),
            mode: RunMode::Sync,
            agent: None,
            session: None,
            dry_run: false,
            thresholds: Thresholds::default(),
            redactor: Arc::new(Redactor::new(&[]).unwrap()),
            scratch: self.path("scratch"),
            draft_limits: DraftLimits {
                files: 100,
                bytes: 1 << 20,
            },
            lock_wait: Duration::ZERO,
            keep_runs: 50,
            shown_failures: BTreeSet::new(),
            now_ms: 1_700_000_000_000 + says.at_ms,
            seed: says.at_ms.wrapping_mul(7919) ^ says.events,
            faults,
        };
        let fake = Arc::new(Fake::new(says.clone()));
        let plugins = Plugins {
            adapters: vec![fake.clone()],
            extractor: fake.clone(),
            explorers: vec![fake.clone()],
            writer: fake,
        };
        let source = Source::File(self.path("trace.jsonl"));
        run(&source, &plugins, &options, &Silent)
    }

    pub(crate) fn load(&self) -> Snapshot {
        let store = Store::open(self.layout(), NoFaults::shared()).unwrap();
        if let Ok(lock) = store.lock(Duration::ZERO) {
            store.recover(&lock).unwrap();
        }
        store.load().unwrap()
    }

    /// Title and body of what is remembered and not archived, without summaries.
    pub(crate) fn statements(&self) -> BTreeMap<String, String> {
        self.load()
            .memories
            .iter()
            .filter(|memory| {
                !memory.is_archived() && memory.memory_type != acreta_model::MemoryType::Summary
            })
            .map(|memory| (memory.title().to_owned(), memory.body().trim().to_owned()))
            .collect()
    }
}

struct Silent;

impl Progress for Silent {
    fn step(&self, _step: &'static str, _state: TodoState) {}
}

struct Fake {
    says: Says,
    info: PluginInfo,
}

impl Fake {
    fn new(says: Says) -> Self {
        let info = PluginInfo {
            id: "fake".to_owned(),
            role: Role::Adapter,
            wit: "0.1.0".to_owned(),
            digest: String::new(),
        };
        Self { says, info }
    }

    fn quote(&self, index: usize) -> String {
        format!("quote {index}")
    }
}

fn done<T>(value: T) -> Call<T> {
    Call {
        result: Ok(value),
        usage: Usage::default(),
    }
}

impl Adapter for Fake {
    fn info(&self) -> &PluginInfo {
        &self.info
    }

    fn describe(&self, _job: &Job) -> Call<Description> {
        done(Description {
            agent: "fake".to_owned(),
            roots: Vec::new(),
            attrs: Attrs::default(),
        })
    }

    fn sessions(&self, _job: &Job, _roots: &[Preopen], path: &str) -> Call<Vec<Session>> {
        done(vec![Session {
            id: self.says.session.to_owned(),
            agent: "fake".to_owned(),
            path: path.to_owned(),
            project_dir: None,
            parent: None,
            started_ms: None,
            updated_ms: None,
            revision: String::new(),
            attrs: Attrs::default(),
        }])
    }

    fn read(
        &self,
        _job: &Job,
        _roots: &[Preopen],
        _session: &Session,
        _from: &Cursor,
        sink: SharedSink,
    ) -> Call<Cursor> {
        let events = (0..self.says.events.max(self.says.candidates.len() as u64))
            .map(|index| Event {
                id: format!("e{index}"),
                origin: Origin::default(),
                role: self.says.role.to_owned(),
                kind: if self.says.role == "tool" {
                    "tool-result"
                } else {
                    "text"
                }
                .to_owned(),
                at_ms: Some(self.says.at_ms),
                text: self.quote(index as usize),
                attrs: Attrs::default(),
            })
            .collect();
        sink.lock().unwrap().emit(events).unwrap();
        done(Cursor::default())
    }
}

impl Extractor for Fake {
    fn info(&self) -> &PluginInfo {
        &self.info
    }

    fn extract(&self, _job: &Job, _session: &Session, _trace: SharedTrace) -> Call<Vec<Candidate>> {
        let candidates = self
            .says
            .candidates
            .iter()
            .enumerate()
            .map(|(index, (title, body))| Candidate {
                id: format!("c{index}"),
                category: "learning".to_owned(),
                kind: self.says.kind.to_owned(),
                title: (*title).to_owned(),
                body: (*body).to_owned(),
                confidence: 0.9,
                tags: Vec::new(),
                evidence: vec![Evidence {
                    event_id: format!("e{index}"),
                    quote: self.quote(index),
                }],
                attrs: Attrs::default(),
            })
            .collect();
        done(candidates)
    }

    fn summarise(&self, _job: &Job, _session: &Session, _trace: SharedTrace) -> Call<Summary> {
        done(Summary {
            title: format!("Session {}", self.says.session),
            description: "What was said.".to_owned(),
            body: "Something.".to_owned(),
            tags: Vec::new(),
            evidence: Vec::new(),
            attrs: Attrs::default(),
        })
    }
}

impl Explorer for Fake {
    fn info(&self) -> &PluginInfo {
        &self.info
    }

    fn explore(
        &self,
        _job: &Job,
        _root: &Utf8Path,
        _search: SharedSearch,
        _batch: &[Candidate],
    ) -> Call<Vec<Finding>> {
        done(Vec::new())
    }
}

impl MemoryWriter for Fake {
    fn info(&self) -> &PluginInfo {
        &self.info
    }

    fn apply(
        &self,
        _job: &Job,
        draft: &Utf8Path,
        context: &WriteContext,
        actions: &[WriteAction],
    ) -> Call<Vec<Written>> {
        let written = actions
            .iter()
            .enumerate()
            .map(|(index, action)| {
                let (folder, title, body, extra) = match (&action.candidate, &action.summary) {
                    (Some(candidate), _) => (
                        "learnings",
                        &candidate.title,
                        &candidate.body,
                        format!("kind: {}\nsource: fake\nconfidence: 0.9\n", candidate.kind),
                    ),
                    (None, Some(summary)) => (
                        "summaries",
                        &summary.title,
                        &summary.body,
                        format!(
                            "description: d\ndate: 2026-01-01\ntime: \"00:00:00\"\ncoding_agent: fake\nraw_trace_path: {}\nrun_id: {}\nrepo_name: r\n",
                            context.raw_trace_path, context.run_id
                        ),
                    ),
                    (None, None) => panic!("an action without matter"),
                };
                let path = action.target.clone().unwrap_or_else(|| match folder {
                    "summaries" => format!("{folder}/20260101-000000-summary-{index}.md"),
                    _ => format!("{folder}/20260101-memory-{index}.md"),
                });
                let text = format!(
                    "---\nid: {}\ntitle: {title:?}\n{extra}tags: []\nrelated: []\ncreated: 2026-01-01T00:00:00Z\nupdated: 2026-01-01T00:00:00Z\n---\n\n# {title}\n\n{body}\n",
                    action.memory_id
                );
                std::fs::create_dir_all(draft.join(folder)).unwrap();
                #[expect(clippy::disallowed_methods, reason = "a draft is written the way a guest writes it")]
                std::fs::write(draft.join(&path), text).unwrap();
                Written {
                    action_id: action.id.clone(),
                    path,
                }
            })
            .collect();
        done(written)
    }
}
