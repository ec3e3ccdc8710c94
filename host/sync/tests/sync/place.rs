//! Assignment of sessions, whatever happens to their files: copied, moved, grown, rewritten, run by hand elsewhere, in
//! any order. Each session is archived and processed once, in the project it names.

#![expect(
    clippy::disallowed_methods,
    reason = "agents do not go through the store"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use acreta_pipeline::{Plugins, Progress, RunOptions, Source, TodoState};
use acreta_redact::Redactor;
use acreta_session_archive::{Places, Platform};
use acreta_state::{Catalog, CatalogOptions, SessionFilter, SessionState};
use acreta_sync::{
    AdapterEntry, Scope, Selection, SyncEnvironment, SyncOptions, SyncReport, WithoutProject,
    record_named_run, sync,
};
use acreta_types::{
    Adapter, AdapterRoot, Attrs, Call, Cursor, Description, Event, Failure, Identity, Job, Origin,
    PluginError, PluginFault, PluginInfo, Preopen, Role, Session, SharedSink, Usage,
};
use camino::{Utf8Path, Utf8PathBuf};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::fakes::{Silent, done, info, register, run_options};
use crate::library::Scribe;

const NOW: u64 = 1_900_000_000_000;
const SESSIONS: usize = 3;
const PROJECTS: usize = 3;

#[derive(Debug, Clone)]
enum HistoryStep {
    /// The agent continues a session.
    Grow {
        session: usize,
    },
    /// The agent rewrites it, with the same length and time.
    Rewrite {
        session: usize,
    },
    /// Its file is renamed within the agent's folder.
    Move {
        session: usize,
    },
    /// A copy of its file appears there, shorter by some lines.
    Copy {
        session: usize,
        without: usize,
    },
    /// A person runs a copy of it in a project: shorter, equal or longer.
    Run {
        session: usize,
        project: usize,
        lines: isize,
    },
    Sync,
}

fn step() -> impl Strategy<Value = HistoryStep> {
    prop_oneof![
        4 => (0..SESSIONS).prop_map(|session| HistoryStep::Grow { session }),
        2 => (0..SESSIONS).prop_map(|session| HistoryStep::Rewrite { session }),
        2 => (0..SESSIONS).prop_map(|session| HistoryStep::Move { session }),
        1 => (0..SESSIONS, 0..3_usize).prop_map(|(session, without)| HistoryStep::Copy { session, without }),
        4 => (0..SESSIONS, 0..PROJECTS, -2..4_isize)
            .prop_map(|(session, project, lines)| HistoryStep::Run { session, project, lines }),
        4 => Just(HistoryStep::Sync),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn each_session_is_archived_and_learnt_where_it_belongs(
        steps in prop::collection::vec(step(), 1..14),
    ) {
        let mut world = PlacementWorld::new();
        for step in &steps {
            world.take(step)?;
        }
        world.finish()?;
    }
}

/// The histories of the original bug report, so that every run covers them.
#[test]
fn a_longer_copy_that_was_run_elsewhere_stands_for_nothing() {
    use HistoryStep::{Grow, Rewrite, Run, Sync};
    let copied = Run {
        session: 0,
        project: 1,
        lines: 3,
    };
    let histories: [&[HistoryStep]; 4] = [
        &[Grow { session: 0 }, copied.clone(), Sync],
        &[Grow { session: 0 }, Sync, copied.clone(), Sync],
        &[Grow { session: 0 }, copied, Grow { session: 0 }, Sync],
        &[Grow { session: 0 }, Sync, Rewrite { session: 0 }, Sync],
    ];
    for steps in histories {
        let mut world = PlacementWorld::new();
        for step in steps {
            world.take(step).unwrap();
        }
        world.finish().unwrap();
    }
}

type Checked = Result<(), TestCaseError>;

struct PlacementWorld {
    shop: TestMachine,
    /// The agent's own file of each session and its lines.
    files: BTreeMap<usize, (String, Vec<String>)>,
    /// The projects in which a person ran a session.
    by_hand: BTreeSet<(usize, usize)>,
    names: usize,
}

impl PlacementWorld {
    fn new() -> Self {
        Self {
            shop: TestMachine::new(),
            files: BTreeMap::new(),
            by_hand: BTreeSet::new(),
            names: 0,
        }
    }

    fn take(&mut self, step: &HistoryStep) -> Checked {
        match *step {
            HistoryStep::Grow { session } => {
                let name = format!("s{session}");
                let (_, lines) = self.files.entry(session).or_insert((name, Vec::new()));
                lines.push(format!("said in line {}", lines.len()));
                self.write(session);
            }
            HistoryStep::Rewrite { session } => {
                if let Some((_, lines)) = self.files.get_mut(&session) {
                    let first = &mut lines[0];
                    *first = match first.starts_with("said") {
                        true => first.replacen("said", "told", 1),
                        false => first.replacen("told", "said", 1),
                    };
                    self.write(session);
                }
            }
            HistoryStep::Move { session } => {
                let next = self.next_name();
                if let Some((name, _)) = self.files.get_mut(&session) {
                    let from = self.shop.path(&format!("agent/{name}.log"));
                    *name = next;
                    std::fs::rename(from, self.shop.path(&format!("agent/{name}.log"))).unwrap();
                }
            }
            HistoryStep::Copy { session, without } => {
                let name = self.next_name();
                if let Some((_, lines)) = self.files.get(&session) {
                    let length = lines.len().saturating_sub(without).max(1);
                    let text = self.text(session, &lines[..length]);
                    std::fs::write(self.shop.path(&format!("agent/{name}.log")), text).unwrap();
                }
            }
            HistoryStep::Run {
                session,
                project,
                lines,
            } => self.run_by_hand(session, project, lines),
            HistoryStep::Sync => {
                let report = self.shop.sync();
                prop_assert_eq!(report.failed, 0, "{:?} {:?}", report.problems, report.runs);
            }
        }
        Ok(())
    }

    fn next_name(&mut self) -> String {
        self.names += 1;
        format!("n{}", self.names)
    }

    fn text(&self, session: usize, lines: &[String]) -> String {
        let home = self.shop.project(session % PROJECTS);
        format!("s{session} {home}\n{}\n", lines.join("\n"))
    }

    fn write(&self, session: usize) {
        let (name, lines) = &self.files[&session];
        let text = self.text(session, lines);
        std::fs::write(self.shop.path(&format!("agent/{name}.log")), text).unwrap();
    }

    fn run_by_hand(&mut self, session: usize, project: usize, lines: isize) {
        let Some((_, own)) = self.files.get(&session) else {
            return;
        };
        let mut copy = own.clone();
        copy.truncate(copy.len().saturating_add_signed(lines.min(0)).max(1));
        copy.extend((0..lines.max(0)).map(|number| format!("only the copy says {number}")));
        let path = self.shop.path("copy.log");
        std::fs::write(&path, self.text(session, &copy)).unwrap();
        self.shop.run_by_hand(&path, project);
        self.by_hand.insert((session, project));
    }

    /// Syncs until done, and compares the result with the history.
    fn finish(&mut self) -> Checked {
        self.take(&HistoryStep::Sync)?;
        let again = self.shop.sync();
        prop_assert_eq!((again.discovered, again.archived), (0, 0));
        prop_assert_eq!((again.queued, again.ran, again.failed), (0, 0, 0));
        let catalog = self.shop.catalog();
        let known = catalog.sessions(&SessionFilter::default()).unwrap();
        prop_assert_eq!(known.len(), self.files.len());
        for known in known {
            let session: usize = known.session.id[1..].parse().unwrap();
            let home = self.shop.project(session % PROJECTS);
            prop_assert_eq!(known.state, SessionState::Done, "{:?}", known);
            prop_assert!(known.file.starts_with(self.shop.path("agent")));
            let archived = known.archive.as_ref().map(|archive| &archive.revision);
            prop_assert_eq!(archived, Some(&known.session.revision));
            let own = catalog.project_at(&home).unwrap().map(|project| project.id);
            prop_assert_eq!((known.project, known.ran_project), (own, own));
            if known.gone_ms.is_none() {
                let bytes = std::fs::read(&known.file).unwrap();
                prop_assert_eq!(
                    revision(&bytes),
                    known.session.revision,
                    "it is as it lies there"
                );
            }
            for project in 0..PROJECTS {
                let is_there = self.shop.summaries(project, session);
                let is_own = project == session % PROJECTS;
                let expected = is_own || self.by_hand.contains(&(session, project));
                prop_assert_eq!(
                    is_there,
                    usize::from(expected),
                    "s{} in {}",
                    session,
                    project
                );
            }
        }
        Ok(())
    }
}

/// The machine: an agent's folder, projects and acreta's own.
struct TestMachine {
    folder: TempDir,
    entries: Vec<AdapterEntry>,
    adapter: Arc<LogAdapter>,
    seed: AtomicU64,
}

impl TestMachine {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = acreta_fs::canonical(Utf8Path::from_path(folder.path()).unwrap()).unwrap();
        std::fs::create_dir_all(root.join("agent")).unwrap();
        for project in 0..PROJECTS {
            let project = root.join(format!("projects/p{project}"));
            std::fs::create_dir_all(project.join(".acreta")).unwrap();
            register(&root, &project);
        }
        Self {
            entries: vec![AdapterEntry {
                id: "fake".to_owned(),
                digest: "digest".to_owned(),
                roots: BTreeMap::from([("agent".to_owned(), root.join("agent"))]),
                described: None,
                speaks_for: None,
                granted: None,
            }],
            adapter: Arc::new(LogAdapter(info(Role::Adapter))),
            seed: AtomicU64::new(7),
            folder,
        }
    }

    fn path(&self, relative: &str) -> Utf8PathBuf {
        let root = Utf8Path::from_path(self.folder.path()).unwrap();
        acreta_fs::canonical(root).unwrap().join(relative)
    }

    fn project(&self, number: usize) -> Utf8PathBuf {
        self.path(&format!("projects/p{number}"))
    }

    fn catalog(&self) -> Catalog {
        Catalog::open(&self.path("acreta/state.db"), CatalogOptions::default()).unwrap()
    }

    /// Returns the number of a project's memories about a session.
    fn summaries(&self, project: usize, session: usize) -> usize {
        let folder = self.project(project).join(".acreta/memory/summaries");
        let title = format!("Session s{session}\"");
        let is_about = |entry: std::io::Result<std::fs::DirEntry>| {
            std::fs::read_to_string(entry.unwrap().path()).is_ok_and(|text| text.contains(&title))
        };
        std::fs::read_dir(folder)
            .into_iter()
            .flatten()
            .filter_map(|entry| is_about(entry).then_some(()))
            .count()
    }

    fn run_by_hand(&self, path: &Utf8Path, project: usize) {
        let root = self.project(project);
        let (plugins, options) = self.run(&Scope::Project(root.clone())).unwrap();
        let plugins = Plugins {
            adapters: vec![self.adapter.clone()],
            ..plugins
        };
        let source = Source::File(path.to_owned());
        let report = acreta_pipeline::run(&source, &plugins, &options, &Quiet).unwrap();
        let catalog = self.catalog();
        let project = catalog.register(&root, &Identity::default(), NOW).unwrap();
        record_named_run(&catalog, &report, path, project.id, NOW).unwrap();
    }

    fn sync(&self) -> SyncReport {
        let options = SyncOptions {
            excluded: Default::default(),
            state: self.path("acreta/state.db").into(),
            archive: self.path("acreta/archive"),
            shared_archive: None,
            learns_here: true,
            scratch: self.path("scratch"),
            own_folders: vec![self.path("acreta")],
            homes: Vec::new(),
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
            workers: 1,
            catch_up: 20,
            seed: self.seed.fetch_add(1_000, Ordering::SeqCst),
        };
        sync(&options, self, &Silent).unwrap()
    }
}

struct Quiet;

impl Progress for Quiet {
    fn step(&self, _step: &'static str, _state: TodoState) {}
}

impl SyncEnvironment for TestMachine {
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
        let options = RunOptions {
            seed: self.seed.fetch_add(1, Ordering::SeqCst),
            ..run_options(root, self.path("scratch"))
        };
        Ok((plugins, options))
    }

    fn now_ms(&self) -> u64 {
        NOW
    }
}

/// Reads a file whose first line is a session's name and directory, and whose other lines are its messages.
struct LogAdapter(PluginInfo);

fn revision(bytes: &[u8]) -> String {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    format!("{}:{:x}", bytes.len(), hasher.finish())
}

fn on_host(roots: &[Preopen], path: &str) -> Utf8PathBuf {
    let root = roots.iter().find(|root| path.starts_with(&root.guest));
    let root = root.unwrap();
    root.host
        .join(path[root.guest.len()..].trim_start_matches('/'))
}

impl Adapter for LogAdapter {
    fn info(&self) -> &PluginInfo {
        &self.0
    }

    fn describe(&self, _job: &Job) -> Call<Description> {
        done(Description {
            agent: "fake".to_owned(),
            roots: vec![AdapterRoot {
                name: "agent".to_owned(),
                candidates: Vec::new(),
                patterns: vec!["*.log".to_owned()],
                reason: "sessions".to_owned(),
            }],
            attrs: Attrs::default(),
        })
    }

    fn sessions(&self, _job: &Job, roots: &[Preopen], path: &str) -> Call<Vec<Session>> {
        let bytes = std::fs::read(on_host(roots, path)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let (id, directory) = text.lines().next().unwrap().split_once(' ').unwrap();
        done(vec![Session {
            id: id.to_owned(),
            agent: "fake".to_owned(),
            path: path.to_owned(),
            project_dir: Some(directory.to_owned()),
            parent: None,
            started_ms: None,
            updated_ms: Some(NOW + text.lines().count() as u64),
            revision: revision(&bytes),
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
        let bytes = std::fs::read(on_host(roots, &session.path)).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().collect();
        let read = usize::try_from(from.offset).unwrap();
        // Like real adapters, it checks the line right before the cursor.
        if read > 0 && lines.get(read - 1).map(|line| line.as_bytes()) != Some(&*from.state) {
            return Call {
                result: Err(PluginError {
                    plugin: "fake".to_owned(),
                    role: Role::Adapter,
                    fault: PluginFault::Failed(Failure {
                        code: "invalid-cursor".to_owned(),
                        message: "it was rewritten".to_owned(),
                        retryable: false,
                    }),
                }),
                usage: Usage::default(),
            };
        }
        let event = |(number, line): (usize, &&str)| Event {
            id: format!("e{number}"),
            origin: Origin::default(),
            // A session that changes something leaves a summary.
            role: "assistant".to_owned(),
            kind: "tool-call".to_owned(),
            at_ms: Some(NOW + number as u64),
            text: (*line).to_owned(),
            attrs: Attrs(vec![("tool".to_owned(), "Edit".to_owned())]),
        };
        let events = lines.iter().enumerate().skip(read.max(1)).map(event);
        sink.lock().unwrap().emit(events.collect()).unwrap();
        done(Cursor {
            offset: lines.len() as u64,
            state: lines.last().unwrap().as_bytes().to_vec(),
        })
    }
}
