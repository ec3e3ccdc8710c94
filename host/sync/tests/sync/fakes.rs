//! An agent with sessions in two projects, and an adapter that fails whenever one is read.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::sync::{Arc, Barrier};
use std::time::Duration;

use acreta_fs::NoFaults;
use acreta_pipeline::{Plugins, RunMode, RunOptions, Thresholds};
use acreta_redact::Redactor;
use acreta_session_archive::{Places, Platform};
use acreta_state::{Catalog, CatalogOptions};
use acreta_store::{DraftLimits, KnownFiles, Layout};
use acreta_sync::{
    AdapterEntry, Scope, Selection, SyncEnvironment, SyncOptions, Watcher, WithoutProject,
};
use acreta_types::{
    Adapter, AdapterRoot, Attrs, Call, Candidate, Cursor, Description, Extractor, Identity, Job,
    MemoryWriter, PluginError, PluginFault, PluginInfo, Preopen, Role, Session, SharedSink,
    SharedTrace, Summary, Usage, WriteAction, WriteContext, Written,
};
use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

pub(crate) const NOW: u64 = 1_900_000_000_000;

/// The sessions; each has its own project.
pub(crate) const SESSIONS: [&str; 2] = ["first", "second"];

pub(crate) struct SyncHome {
    folder: TempDir,
    entries: Vec<AdapterEntry>,
    adapter: Arc<Broken>,
}

impl SyncHome {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8Path::from_path(folder.path()).unwrap();
        std::fs::create_dir_all(root.join("agent")).unwrap();
        for session in SESSIONS {
            let project = root.join("projects").join(session);
            std::fs::create_dir_all(project.join(".acreta")).unwrap();
            register(root, &project);
            let file = root.join("agent").join(format!("{session}.jsonl"));
            let mut file = std::fs::File::create(file).unwrap();
            file.write_all(b"{}\n").unwrap();
        }
        let entry = AdapterEntry {
            id: "fake".to_owned(),
            digest: "digest".to_owned(),
            roots: BTreeMap::from([("agent".to_owned(), root.join("agent"))]),
            described: None,
            speaks_for: None,
            granted: None,
        };
        Self {
            entries: vec![entry],
            adapter: Arc::new(Broken {
                projects: root.join("projects"),
                info: info(Role::Adapter),
                together: Barrier::new(SESSIONS.len()),
            }),
            folder,
        }
    }

    pub(crate) fn path(&self, relative: &str) -> Utf8PathBuf {
        Utf8PathBuf::try_from(self.folder.path().join(relative)).unwrap()
    }

    pub(crate) fn options(&self) -> SyncOptions {
        SyncOptions {
            state: self.path("acreta/state.db").into(),
            archive: self.path("acreta/archive"),
            shared_archive: None,
            scratch: self.path("scratch"),
            own_folders: vec![self.path("acreta")],
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
            homes: Vec::new(),
            redactor: Arc::new(Redactor::new(&[]).unwrap()),
            current_project: None,
            selection: Selection::default(),
            without_project: WithoutProject::Archive,
            learns_here: true,
            workers: SESSIONS.len(),
            catch_up: 20,
            seed: 7,
        }
    }
}

/// Registers a project, as its user does.
pub(crate) fn register(home: &Utf8Path, project: &Utf8Path) {
    let state = home.join("acreta/state.db");
    let catalog = Catalog::open(&state, CatalogOptions::default()).unwrap();
    let root = acreta_fs::canonical(project).unwrap();
    catalog.register(&root, &Identity::default(), 1).unwrap();
}

/// Returns options of a run into a project's memory, at [`NOW`] and without a model.
pub(crate) fn run_options(root: &Utf8Path, scratch: Utf8PathBuf) -> RunOptions {
    RunOptions {
        layout: Layout::for_project(root),
        known: KnownFiles::default(),
        repo_name: "project".to_owned(),
        mode: RunMode::Sync,
        agent: None,
        session: None,
        dry_run: false,
        thresholds: Thresholds::default(),
        redactor: Arc::new(Redactor::new(&[]).unwrap()),
        scratch,
        draft_limits: DraftLimits {
            files: 10,
            bytes: 1 << 20,
        },
        lock_wait: Duration::ZERO,
        keep_runs: 500,
        shown_failures: BTreeSet::new(),
        now_ms: NOW,
        seed: 7,
        models: None,
        without_model: None,
        summaries: None,
        pending: None,
        times: acreta_pipeline::Times::LeftOut,
        faults: NoFaults::shared(),
    }
}

impl SyncEnvironment for SyncHome {
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
        let nobody = Arc::new(Nobody(info(Role::Extractor)));
        let plugins = Plugins {
            adapters: Vec::new(),
            extractors: vec![nobody.clone()],
            explorers: Vec::new(),
            writer: nobody,
        };
        let options = run_options(root, self.path("scratch"));
        Ok((plugins, options))
    }

    fn now_ms(&self) -> u64 {
        NOW
    }
}

pub(crate) struct Silent;

impl Watcher for Silent {}

struct Broken {
    projects: Utf8PathBuf,
    info: PluginInfo,
    /// Sessions are read at the same time, so that each has its own thread.
    together: Barrier,
}

impl Adapter for Broken {
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
        done(vec![Session {
            id: id.to_owned(),
            agent: "fake".to_owned(),
            path: path.to_owned(),
            project_dir: Some(self.projects.join(id).into_string()),
            parent: None,
            started_ms: None,
            updated_ms: Some(NOW),
            revision: "1".to_owned(),
            attrs: Attrs::default(),
        }])
    }

    fn read(
        &self,
        _job: &Job,
        _roots: &[Preopen],
        _session: &Session,
        _from: &Cursor,
        _sink: SharedSink,
    ) -> Call<Cursor> {
        self.together.wait();
        Call {
            result: Err(PluginError {
                plugin: "fake".to_owned(),
                role: Role::Adapter,
                fault: PluginFault::Trap {
                    message: "unreachable".to_owned(),
                },
            }),
            usage: Usage {
                guest_ms: 3,
                ..Usage::default()
            },
        }
    }
}

/// Is never asked.
struct Nobody(PluginInfo);

impl Extractor for Nobody {
    fn info(&self) -> &PluginInfo {
        &self.0
    }

    fn extract(&self, _job: &Job, _session: &Session, _trace: SharedTrace) -> Call<Vec<Candidate>> {
        panic!("nothing was read")
    }

    fn summarise(&self, _job: &Job, _session: &Session, _trace: SharedTrace) -> Call<Summary> {
        panic!("nothing was read")
    }
}

impl MemoryWriter for Nobody {
    fn info(&self) -> &PluginInfo {
        &self.0
    }

    fn apply(
        &self,
        _job: &Job,
        _draft: &Utf8Path,
        _context: &WriteContext,
        _actions: &[WriteAction],
    ) -> Call<Vec<Written>> {
        panic!("nothing was read")
    }
}

pub(crate) fn info(role: Role) -> PluginInfo {
    PluginInfo {
        id: "fake".to_owned(),
        role,
        wit: "0.1.0".to_owned(),
        digest: "digest".to_owned(),
    }
}

pub(crate) fn done<T>(value: T) -> Call<T> {
    Call {
        result: Ok(value),
        usage: Usage::default(),
    }
}
