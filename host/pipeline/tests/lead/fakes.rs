//! Scripted plugins, and a project to run them in.

#![expect(
    clippy::disallowed_methods,
    reason = "people, editors and git do not go through the store"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use acreta_fs::{Faults, NoFaults};
use acreta_pipeline::{
    GrantedModels, MaintainOptions, MaintainReport, ModelShare, PendingQuotes, Plugins, Progress,
    References, Repository, RunError, RunMode, RunOptions, RunReport, Sighting, Source, Thresholds,
    TodoState, WritableMemory, WritableOptions, run,
};
use acreta_redact::Redactor;
use acreta_store::{DraftLimits, KnownFiles, Layout, Memory, Snapshot, Store};
use acreta_types::{
    Adapter, Attrs, Call, Candidate, Cursor, Description, Event, Evidence, Explorer, Extractor,
    Finding, Job, MemoryWriter, ModelBudget, ModelReply, ModelRequest, ModelSource, ModelUsage,
    Models, Origin, PluginInfo, Preopen, Role, Session, SharedModels, SharedSearch, SharedSink,
    SharedTrace, Summary, Usage, WriteAction, WriteContext, Written,
};
use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

/// One session: a candidate per line, `title | body`, and the time of its evidence. A title that begins with `? ` is
/// uncertain; for it, and for one that begins with `! `, the body is the quote.
#[derive(Clone)]
pub(crate) struct ScriptedSession {
    pub(crate) session: &'static str,
    pub(crate) at_ms: u64,
    pub(crate) events: u64,
    pub(crate) candidates: Vec<(&'static str, &'static str)>,
    /// Role of the speaker.
    pub(crate) role: &'static str,
    /// The kind of a learning; empty for a decision.
    pub(crate) kind: &'static str,
    /// The relation that the explorer reports between its candidates and any memory it finds.
    pub(crate) relation: Option<&'static str>,
    /// The text of its summary; with an empty one there is nothing to tell.
    pub(crate) summary: &'static str,
}

impl ScriptedSession {
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
            relation: None,
            summary: "Something.",
        }
    }
}

pub(crate) struct Project {
    folder: TempDir,
    /// Storage for pending quotes.
    pub(crate) waiting: Option<Arc<dyn PendingQuotes>>,
    /// Number of the machine: clock and random numbers differ between machines.
    pub(crate) machine: u64,
    /// Files that its last run read.
    known: KnownFiles,
}

impl Project {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("project")).unwrap();
        std::fs::File::create(folder.path().join("trace.jsonl")).unwrap();
        Self {
            folder,
            waiting: None,
            machine: 0,
            known: KnownFiles::default(),
        }
    }

    pub(crate) fn path(&self, relative: &str) -> Utf8PathBuf {
        Utf8PathBuf::try_from(self.folder.path().join(relative)).unwrap()
    }

    pub(crate) fn layout(&self) -> Layout {
        Layout::for_project(&self.path("project")).with_words_in(&self.path("trust"))
    }

    pub(crate) fn run(&self, says: &ScriptedSession) -> RunReport {
        self.run_with(says, NoFaults::shared()).unwrap()
    }

    pub(crate) fn run_with(
        &self,
        says: &ScriptedSession,
        faults: Arc<dyn Faults>,
    ) -> Result<RunReport, RunError> {
        self.run_by(says, None, faults, &SilentProgress)
    }

    /// Runs with an observer.
    pub(crate) fn watched(
        &self,
        says: &ScriptedSession,
        progress: &dyn Progress,
    ) -> Result<RunReport, RunError> {
        self.run_by(says, None, NoFaults::shared(), progress)
    }

    /// Runs with an extractor that has this model usage.
    pub(crate) fn read(&self, says: &ScriptedSession, usage: Option<&ModelUsage>) -> RunReport {
        self.run_by(says, usage, NoFaults::shared(), &SilentProgress)
            .unwrap()
    }

    /// Runs with an extractor that asks a model once.
    pub(crate) fn read_asking(
        &self,
        says: &ScriptedSession,
        usage: &ModelUsage,
        asked: &ModelQuestion,
    ) -> RunReport {
        let faults = NoFaults::shared();
        self.run_asking(
            says,
            Some(usage),
            Some(asked),
            None,
            faults,
            &SilentProgress,
        )
        .unwrap()
    }

    /// Runs with the test's own extractors.
    pub(crate) fn run_extractors(
        &self,
        says: &ScriptedSession,
        extractors: &[Arc<dyn Extractor>],
    ) -> Result<RunReport, RunError> {
        let faults = NoFaults::shared();
        self.run_asking(says, None, None, Some(extractors), faults, &SilentProgress)
    }

    fn run_by(
        &self,
        says: &ScriptedSession,
        usage: Option<&ModelUsage>,
        faults: Arc<dyn Faults>,
        progress: &dyn Progress,
    ) -> Result<RunReport, RunError> {
        self.run_asking(says, usage, None, None, faults, progress)
    }

    fn run_asking(
        &self,
        says: &ScriptedSession,
        usage: Option<&ModelUsage>,
        asked: Option<&ModelQuestion>,
        extractors: Option<&[Arc<dyn Extractor>]>,
        faults: Arc<dyn Faults>,
        progress: &dyn Progress,
    ) -> Result<RunReport, RunError> {
        let models = usage.map(|usage| GrantedModels {
            source: Arc::new(FixedModels {
                usage: usage.clone(),
                content: asked.map_or("", |asked| asked.content),
            }),
            plugins: [("fake".to_owned(), ModelShare::Whole)].into(),
        });
        let options = RunOptions {
            layout: self.layout(),
            known: self.known.clone(),
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
            now_ms: 1_700_000_000_000 + says.at_ms + self.machine * 86_461_007,
            seed: says.at_ms.wrapping_mul(7919 + self.machine) ^ says.events,
            models,
            without_model: None,
            summaries: None,
            pending: self.waiting.clone(),
            times: acreta_pipeline::Times::Told,
            faults,
        };
        let fake = Arc::new(Fake {
            asks: asked.cloned(),
            ..Fake::new(says.clone())
        });
        let extractors = match extractors {
            Some(extractors) => extractors.to_vec(),
            None => vec![fake.clone() as Arc<dyn Extractor>],
        };
        let plugins = Plugins {
            adapters: vec![fake.clone()],
            extractors,
            explorers: vec![fake.clone()],
            writer: fake,
        };
        let source = Source::File(self.path("trace.jsonl"));
        run(&source, &plugins, &options, progress)
    }

    pub(crate) fn writable_options(&self, now_ms: u64, faults: Arc<dyn Faults>) -> WritableOptions {
        WritableOptions {
            layout: self.layout(),
            known: KnownFiles::default(),
            repo_name: "project".to_owned(),
            writer: Arc::new(Fake::new(ScriptedSession::new("writable", 0, &[]))),
            redactor: Arc::new(Redactor::new(&[]).unwrap()),
            scratch: self.path("scratch"),
            draft_limits: DraftLimits {
                files: 1000,
                bytes: 1 << 24,
            },
            lock_wait: Duration::ZERO,
            update_overlap: 0.72,
            now_ms,
            seed: now_ms.wrapping_mul(104_729),
            faults,
        }
    }

    pub(crate) fn writable(&self, now_ms: u64) -> WritableMemory {
        WritableMemory::open(self.writable_options(now_ms, NoFaults::shared())).unwrap()
    }

    /// Reports whether nobody holds the project's lock.
    pub(crate) fn writable_is_free(&self) -> bool {
        let store = Store::open(self.layout(), NoFaults::shared()).unwrap();
        store.lock(Duration::ZERO).is_ok()
    }

    pub(crate) fn maintain_options(&self, now_ms: u64, has: FakeRepository) -> MaintainOptions {
        MaintainOptions {
            writable: self.writable_options(now_ms, NoFaults::shared()),
            explorers: vec![Arc::new(SearchExplorer(info()))],
            models: None,
            dry_run: false,
            since_ms: None,
            seen: BTreeMap::new(),
            active_days: (0..now_ms / 86_400_000).collect(),
            repository: Arc::new(has),
            keep_runs: 50,
            shown_failures: BTreeSet::new(),
        }
    }

    pub(crate) fn maintain(&self, options: &MaintainOptions) -> MaintainReport {
        acreta_pipeline::maintain(options, &SilentProgress).unwrap()
    }

    /// Copies this project's memory into another's, like a git merge.
    pub(crate) fn move_into(&self, other: &Project) {
        let (from, to) = (
            self.layout().base().to_owned(),
            other.layout().base().to_owned(),
        );
        for folder in [
            "memory/decisions",
            "memory/learnings",
            "memory/summaries",
            "meta/memories",
            "meta/summaries",
        ] {
            let Ok(entries) = from.join(folder).read_dir_utf8() else {
                continue;
            };
            std::fs::create_dir_all(to.join(folder)).unwrap();
            for entry in entries {
                let entry = entry.unwrap();
                let mut target = to.join(folder).join(entry.file_name());
                let mut number = 2;
                while target.exists() {
                    let stem = entry.file_name().trim_end_matches(".md");
                    target = to.join(folder).join(format!("{stem}-{number}.md"));
                    number += 1;
                }
                std::fs::rename(entry.path(), target).unwrap();
            }
        }
    }

    pub(crate) fn memories(&self) -> Vec<Memory> {
        let memories = self.load().memories.into_iter();
        memories.map(Arc::unwrap_or_clone).collect()
    }

    pub(crate) fn by_id(&self, id: &str) -> Memory {
        let mut memories = self.memories().into_iter();
        memories.find(|memory| memory.id == id).unwrap()
    }

    pub(crate) fn by_title(&self, title: &str) -> Memory {
        let mut memories = self.memories().into_iter();
        memories.find(|memory| memory.title() == title).unwrap()
    }

    /// Edits a memory's file like an editor.
    pub(crate) fn edit_by_hand(&self, id: &str, from: &str, to: &str) {
        let memory = self.by_id(id);
        let path = self.layout().memory_root().join(&memory.path);
        std::fs::write(path, memory.text.replace(from, to)).unwrap();
    }

    /// Appends to a file that [`Self::bytes`] names, like a person.
    pub(crate) fn append_by_hand(&self, path: &Utf8Path, text: &str) {
        let path = self.layout().base().join(path);
        let before = std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, before + text).unwrap();
    }

    /// Returns every file of memory and its sidecars.
    pub(crate) fn bytes(&self) -> BTreeMap<Utf8PathBuf, Vec<u8>> {
        let base = self.layout().base().to_owned();
        let mut files = BTreeMap::new();
        let mut folders = vec![
            base.join("memory"),
            base.join("meta/memories"),
            base.join("meta/summaries"),
        ];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = folder.read_dir_utf8() else {
                continue;
            };
            for entry in entries {
                let path = entry.unwrap().into_path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let bytes = std::fs::read(&path).unwrap();
                    files.insert(path.strip_prefix(&base).unwrap().to_owned(), bytes);
                }
            }
        }
        files
    }

    pub(crate) fn load(&self) -> Snapshot {
        let store = Store::open(self.layout(), NoFaults::shared()).unwrap();
        if let Ok(lock) = store.lock(Duration::ZERO) {
            store.recover(&lock).unwrap();
        }
        store.load().unwrap()
    }

    /// Returns title and body of active memories, without summaries.
    pub(crate) fn statements(&self) -> BTreeMap<String, String> {
        self.load()
            .memories
            .iter()
            .filter(|memory| {
                !memory.is_archived() && memory.memory_type != acreta_types::MemoryType::Summary
            })
            .map(|memory| (memory.title().to_owned(), memory.body().trim().to_owned()))
            .collect()
    }
}

/// Proposes what the host's search finds.
struct SearchExplorer(PluginInfo);

impl Explorer for SearchExplorer {
    fn info(&self) -> &PluginInfo {
        &self.0
    }

    fn explore(
        &self,
        _job: &Job,
        _root: &Utf8Path,
        search: SharedSearch,
        batch: &[Candidate],
    ) -> Call<Vec<Finding>> {
        let mut findings = Vec::new();
        for candidate in batch {
            let query = format!("{} {}", candidate.title, candidate.body);
            let filter = Attrs(vec![("type".to_owned(), candidate.category.clone())]);
            for hit in search.find(&query, 6, &filter).unwrap() {
                findings.push(Finding {
                    candidate_id: candidate.id.clone(),
                    action_hint: "add".to_owned(),
                    matched_file: Some(hit.path),
                    overlap: hit.score as f32,
                    evidence: String::new(),
                    attrs: Attrs::default(),
                });
            }
        }
        done(findings)
    }
}

/// A repository in which `present` exist and `deleted` existed once.
pub(crate) struct FakeRepository {
    pub(crate) present: Vec<&'static str>,
    pub(crate) deleted: Vec<&'static str>,
}

impl Repository for FakeRepository {
    fn look(&self, wanted: &References) -> Option<Sighting> {
        let wanted: BTreeSet<&str> = wanted.names().map(String::as_str).collect();
        let of = |names: &[&'static str]| {
            let names = names.iter().filter(|name| wanted.contains(*name));
            names.map(|name| (*name).to_owned()).collect()
        };
        Some(Sighting {
            present: of(&self.present),
            deleted: of(&self.deleted),
        })
    }
}

fn memory_fields(candidate: &Candidate) -> String {
    let kind = match candidate.kind.as_str() {
        "" => String::new(),
        kind => format!("kind: {kind}\n"),
    };
    format!(
        "{kind}source: fake\nconfidence: {}\ntags: {:?}\n",
        candidate.confidence, candidate.tags
    )
}

fn time(ms: u64) -> String {
    let time = jiff::Timestamp::from_millisecond(ms as i64).unwrap();
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Models with a fixed usage and reply.
#[derive(Clone)]
struct FixedModels {
    usage: ModelUsage,
    content: &'static str,
}

/// A request of the extractor, and its reply.
#[derive(Clone)]
pub(crate) struct ModelQuestion {
    pub(crate) content: &'static str,
    pub(crate) json_schema: Option<String>,
}

impl ModelSource for FixedModels {
    fn session(&self, _run_id: &str, _folder: &Utf8Path) -> SharedModels {
        Arc::new(self.clone())
    }

    fn model(&self, _purpose: &str) -> Option<String> {
        Some("script/one".to_owned())
    }
}

impl Models for FixedModels {
    fn left(&self) -> ModelBudget {
        ModelBudget {
            calls: 100,
            tokens: 1_000_000,
        }
    }

    fn complete_all(
        &self,
        requests: &[ModelRequest],
    ) -> Vec<Result<ModelReply, acreta_types::Failure>> {
        let reply = || ModelReply {
            content: self.content.to_owned(),
            input_tokens: 10,
            output_tokens: 10,
            cached: false,
        };
        requests.iter().map(|_| Ok(reply())).collect()
    }

    fn usage(&self) -> ModelUsage {
        self.usage.clone()
    }
}

struct SilentProgress;

impl Progress for SilentProgress {
    fn step(&self, _step: &'static str, _state: TodoState) {}
}

pub(crate) struct Fake {
    says: ScriptedSession,
    asks: Option<ModelQuestion>,
    info: PluginInfo,
}

impl Fake {
    pub(crate) fn new(says: ScriptedSession) -> Self {
        Self {
            says,
            asks: None,
            info: info(),
        }
    }

    /// Returns an event's text, all of which is quoted.
    fn said(&self, index: usize) -> String {
        match self.says.candidates.get(index) {
            Some((title, body)) => format!("{title}. {body}"),
            None => format!("quote {index}"),
        }
    }
}

fn info() -> PluginInfo {
    PluginInfo {
        id: "fake".to_owned(),
        role: Role::Adapter,
        wit: "0.1.0".to_owned(),
        digest: String::new(),
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
                text: self.said(index as usize),
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

    fn extract(&self, job: &Job, _session: &Session, _trace: SharedTrace) -> Call<Vec<Candidate>> {
        if let (Some(asks), Some(models)) = (&self.asks, &job.models) {
            models.complete_all(&[ModelRequest {
                purpose: "extract".to_owned(),
                messages: Vec::new(),
                json_schema: asks.json_schema.clone(),
                max_output_tokens: 10,
            }]);
        }
        let candidates = self
            .says
            .candidates
            .iter()
            .enumerate()
            .map(|(index, (title, body))| {
                let marked = title.strip_prefix("? ").or(title.strip_prefix("! "));
                (index, title, body, marked)
            })
            .map(|(index, title, body, marked)| Candidate {
                id: format!("c{index}"),
                category: if self.says.kind.is_empty() {
                    "decision"
                } else {
                    "learning"
                }
                .to_owned(),
                kind: self.says.kind.to_owned(),
                title: marked.unwrap_or(title).to_owned(),
                body: (*body).to_owned(),
                confidence: 0.9,
                tags: Vec::new(),
                evidence: vec![Evidence {
                    event_id: format!("e{index}"),
                    quote: marked.map_or_else(|| self.said(index), |_| (*body).to_owned()),
                }],
                attrs: match title.starts_with("? ") {
                    true => Attrs(vec![("certainty".to_owned(), "pending".to_owned())]),
                    false => Attrs::default(),
                },
            })
            .collect();
        done(candidates)
    }

    fn summarise(&self, _job: &Job, _session: &Session, _trace: SharedTrace) -> Call<Summary> {
        done(Summary {
            title: match self.says.summary {
                "" => String::new(),
                _ => format!("Session {}", self.says.session),
            },
            description: "What was said.".to_owned(),
            body: self.says.summary.to_owned(),
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
        search: SharedSearch,
        batch: &[Candidate],
    ) -> Call<Vec<Finding>> {
        let mut findings = Vec::new();
        let relation = self.says.relation.into_iter();
        for (relation, candidate) in
            relation.flat_map(|one| batch.iter().map(move |own| (one, own)))
        {
            for hit in search.find(&candidate.title, 6, &Attrs::default()).unwrap() {
                findings.push(Finding {
                    candidate_id: candidate.id.clone(),
                    action_hint: "add".to_owned(),
                    matched_file: Some(hit.path),
                    overlap: 0.0,
                    evidence: String::new(),
                    attrs: Attrs(vec![("relation".to_owned(), relation.to_owned())]),
                });
            }
        }
        done(findings)
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
            .map(|action| {
                let (folder, title, body, extra) = match (&action.candidate, &action.summary) {
                    (Some(candidate), _) => (
                        if candidate.category == "decision" {
                            "decisions"
                        } else {
                            "learnings"
                        },
                        &candidate.title,
                        &candidate.body,
                        memory_fields(candidate),
                    ),
                    (None, Some(summary)) => (
                        "summaries",
                        &summary.title,
                        &summary.body,
                        format!(
                            "description: d\ndate: 2026-01-01\ntime: \"00:00:00\"\ncoding_agent: fake\nraw_trace_path: {}\nrun_id: {}\nrepo_name: r\ntags: []\n",
                            context.raw_trace_path, context.run_id
                        ),
                    ),
                    (None, None) => panic!("an action without matter"),
                };
                let path = action.target.clone().unwrap_or_else(|| match folder {
                    "summaries" => format!("{folder}/20260101-000000-summary.md"),
                    _ => format!("{folder}/20260101-{}.md", action.memory_id.to_lowercase()),
                });
                let text = format!(
                    "---\nid: {}\ntitle: {title:?}\n{extra}related: {:?}\ncreated: {}\nupdated: {}\n---\n\n# {title}\n\n{body}\n",
                    action.memory_id,
                    action.related,
                    time(action.created_ms),
                    time(action.updated_ms)
                );
                std::fs::create_dir_all(draft.join(&path).parent().unwrap()).unwrap();
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
