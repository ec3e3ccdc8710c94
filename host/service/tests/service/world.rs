//! A home and a project in a scratch folder, and helpers for tests.

use std::sync::{Arc, Mutex};

use acreta_fs::Stamp;
use acreta_service::find::show::{MemoryListRequest, MemoryRow, list};
use acreta_service::remember::add::{NoteAuthor, Remember, Remembered, remember};
use acreta_service::{Context, Failure, Kind, Process, projects::scopes};
use acreta_state::{Discovery, Finding, Found, SessionKey, Wanted};
use acreta_types::{Attrs, Identity, Session, locked};
use camino::Utf8PathBuf;
use tempfile::TempDir;

pub(crate) struct World {
    folder: TempDir,
    process: Process,
    notices: Arc<Mutex<Vec<String>>>,
}

impl World {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir(&path).unwrap();
            path.canonicalize().unwrap().into_os_string()
        };
        let notices: Arc<Mutex<Vec<String>>> = Arc::default();
        let kept = Arc::clone(&notices);
        // Compiled plugins are the same for all tests.
        let cache = concat!(env!("CARGO_TARGET_TMPDIR"), "/acreta-cache");
        let environment = [
            ("HOME", path("user").into_string().unwrap()),
            ("ACRETA_HOME", path("home").into_string().unwrap()),
            ("ACRETA_CACHE_DIR", cache.to_owned()),
            (
                "ACRETA_CACHE_KEY",
                "the tests share one key and one cache".to_owned(),
            ),
        ];
        path("project");
        let environment = environment.map(|(name, value)| (name.to_owned(), value));
        let process = Process {
            // Compiling one adapter is fast, compiling all is not.
            flags: vec![(
                "plugins.adapters".to_owned(),
                "[\"adapter-claude\"]".to_owned(),
            )],
            notice: Arc::new(move |text| locked(&kept).push(text.to_owned())),
            warns_of_settings: true,
            ..Process::silent(environment.into())
        };
        Self {
            folder,
            process,
            notices,
        }
    }

    pub(crate) fn path(&self, relative: &str) -> Utf8PathBuf {
        let folder = self.folder.path().canonicalize().unwrap();
        Utf8PathBuf::try_from(folder.join(relative)).unwrap()
    }

    /// Opened again, as for every request.
    pub(crate) fn context(&self) -> Context {
        Context::open(&self.process, &self.path("project")).unwrap()
    }

    /// The context of another registered project.
    pub(crate) fn context_of(&self, project: &str) -> Context {
        let root = self.path(project);
        std::fs::create_dir_all(&root).unwrap();
        let context = Context::open(&self.process, &root).unwrap();
        acreta_service::projects::registry::add(&context, &root).unwrap();
        context
    }

    /// The context of a person who looks at all projects.
    pub(crate) fn everywhere(&self) -> Context {
        Context {
            all_projects: true,
            ..self.context()
        }
    }

    pub(crate) fn write(&self, relative: &str, text: &str) -> Utf8PathBuf {
        let path = self.path(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
        std::fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn notices(&self) -> Vec<String> {
        locked(&self.notices).clone()
    }

    pub(crate) fn remember(&self, request: &Remember) -> Result<Remembered, Failure> {
        remember(request, &self.context())
    }

    /// Remembers a person's note and returns its id.
    pub(crate) fn note(&self, title: &str, kind: &str) -> String {
        let request = note(title, kind, NoteAuthor::Person);
        self.remember(&request).unwrap().id.unwrap()
    }

    pub(crate) fn active(&self) -> Vec<MemoryRow> {
        self.list(&MemoryListRequest::default())
    }

    pub(crate) fn archived(&self) -> Vec<MemoryRow> {
        self.list(&MemoryListRequest {
            archived: true,
            ..MemoryListRequest::default()
        })
    }

    pub(crate) fn list(&self, request: &MemoryListRequest) -> Vec<MemoryRow> {
        list(request, &self.context()).unwrap().memories
    }

    /// Returns the memory with this id, active or not.
    pub(crate) fn row(&self, id: &str) -> MemoryRow {
        let mut rows = self.active().into_iter().chain(self.archived());
        rows.find(|row| row.id == id).unwrap()
    }

    /// Registers a session and enqueues its job.
    pub(crate) fn enqueue(&self, session: &str) -> String {
        let context = self.context();
        let catalog = scopes::open_catalog(&context).unwrap();
        let project = catalog
            .register(&context.project, &Identity::default(), NOW)
            .unwrap();
        let found = Found {
            session: Session {
                id: session.to_owned(),
                agent: "claude".to_owned(),
                path: format!("/claude/{session}.jsonl"),
                project_dir: Some(context.project.to_string()),
                parent: None,
                started_ms: Some(NOW),
                updated_ms: Some(NOW),
                revision: "r1".to_owned(),
                attrs: Attrs::default(),
            },
            root: "claude".to_owned(),
        };
        let discovery = Discovery {
            path: self.path(&format!("{session}.jsonl")),
            stamp: Stamp {
                bytes: 10,
                modified_ns: 1,
                changed_ns: 1,
                inode: 1,
            },
            finding: Finding::Sessions(vec![found]),
        };
        catalog.record("adapter-claude", &[discovery], NOW).unwrap();
        let wanted = Wanted {
            session: SessionKey::new("claude", session),
            project: project.id,
            mode: "sync".to_owned(),
            revision: "r1".to_owned(),
        };
        match catalog.enqueue(&wanted, NOW).unwrap() {
            acreta_state::Enqueued::New(job) => job,
            other => panic!("not enqueued: {other:?}"),
        }
    }
}

/// The time of the sessions.
pub(crate) const NOW: u64 = 1_780_000_000_000;

pub(crate) fn note(title: &str, kind: &str, author: NoteAuthor) -> Remember {
    Remember {
        kind: Some(kind.to_owned()),
        title: title.to_owned(),
        author,
        ..Remember::default()
    }
}

pub(crate) fn agent() -> NoteAuthor {
    NoteAuthor::Agent(Some("Codex CLI".to_owned()))
}

/// Fails unless the result is a failure of this kind whose message contains `says`.
#[track_caller]
pub(crate) fn assert_fails<T: std::fmt::Debug>(result: Result<T, Failure>, kind: Kind, says: &str) {
    let failure = result.unwrap_err();
    assert_eq!(failure.kind, kind, "{failure}");
    assert!(failure.to_string().contains(says), "{failure}");
}
