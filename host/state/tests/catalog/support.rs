//! A database for each test, and short helpers to fill it.

use acreta_fs::Stamp;
use acreta_state::{
    Catalog, CatalogOptions, Completion, Discovery, Enqueued, Finding, Found, Job, JobFilter,
    KnownSession, Lease, ProjectId, SessionChange, SessionKey, Wanted,
};
use acreta_types::Identity;
use acreta_types::{Attrs, Session};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::json;

pub(crate) const SECOND: u64 = 1_000;
pub(crate) const MINUTE: u64 = 60 * SECOND;
pub(crate) const HOUR: u64 = 60 * MINUTE;
pub(crate) const DAY: u64 = 24 * HOUR;

/// Current time of the tests.
pub(crate) const NOW: u64 = 1_780_000_000_000;

/// A separate catalog for each test: an SQLite file or, within `postgres::the_suite_holds_over_postgresql`, a schema on
/// its server.
pub(crate) struct TestCatalog {
    folder: tempfile::TempDir,
    #[cfg(all(unix, feature = "postgres"))]
    schema: Option<crate::server::TestSchema>,
}

impl TestCatalog {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            #[cfg(all(unix, feature = "postgres"))]
            schema: crate::server::TestSchema::of_suite(),
        }
    }

    pub(crate) fn folder(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).unwrap()
    }

    pub(crate) fn database(&self) -> Utf8PathBuf {
        self.folder().join("state.db")
    }

    pub(crate) fn open(&self) -> Catalog {
        self.open_with(CatalogOptions::default())
    }

    pub(crate) fn open_with(&self, options: CatalogOptions) -> Catalog {
        #[cfg(all(unix, feature = "postgres"))]
        if let Some(schema) = &self.schema {
            return schema.open(options);
        }
        Catalog::open(&self.database(), options).unwrap()
    }

    /// Opens the database with SQLite directly.
    pub(crate) fn raw(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.database()).unwrap()
    }

    /// Changes the database directly, bypassing the catalog.
    pub(crate) fn execute(&self, sql: &str) {
        #[cfg(all(unix, feature = "postgres"))]
        if let Some(schema) = &self.schema {
            schema.client().batch_execute(sql).unwrap();
            return;
        }
        self.raw().execute_batch(sql).unwrap();
    }

    /// Returns the number of rows of a table.
    pub(crate) fn count(&self, table: &str) -> i64 {
        let sql = format!("SELECT count(*) FROM {table}");
        #[cfg(all(unix, feature = "postgres"))]
        if let Some(schema) = &self.schema {
            return schema.client().query_one(&sql, &[]).unwrap().get(0);
        }
        self.raw().query_row(&sql, [], |row| row.get(0)).unwrap()
    }

    /// Asserts that SQLite's files do not contain a text. A server's files are not checked.
    pub(crate) fn assert_no_byte_of(&self, text: &str) {
        for file in ["state.db", "state.db-wal"] {
            let bytes = std::fs::read(self.folder().join(file)).unwrap_or_default();
            let found = bytes
                .windows(text.len())
                .any(|part| part == text.as_bytes());
            assert!(!found, "{text} in {file}");
        }
    }
}

pub(crate) fn key(id: &str) -> SessionKey {
    SessionKey::new("claude", id)
}

pub(crate) fn session(id: &str, revision: &str, updated_ms: u64) -> Session {
    Session {
        id: id.to_owned(),
        agent: "claude".to_owned(),
        path: format!("/claude/{id}.jsonl"),
        project_dir: Some("/src/app".to_owned()),
        parent: None,
        started_ms: Some(1),
        updated_ms: Some(updated_ms),
        revision: revision.to_owned(),
        attrs: Attrs::default(),
    }
}

/// Returns the discovery of a file of `size` bytes with these sessions.
pub(crate) fn discovery(path: &str, size: u64, sessions: Vec<Session>) -> Discovery {
    let found = sessions.into_iter().map(|session| Found {
        session,
        root: "claude".to_owned(),
    });
    Discovery {
        path: path.into(),
        stamp: stamp(size),
        finding: Finding::Sessions(found.collect()),
    }
}

pub(crate) fn stamp(size: u64) -> Stamp {
    Stamp {
        bytes: size,
        modified_ns: -5,
        changed_ns: 7,
        inode: u64::MAX - 1,
    }
}

/// Stores a session as the only one of its own file.
pub(crate) fn find(catalog: &Catalog, id: &str, revision: &str, updated_ms: u64) -> SessionChange {
    let session = session(id, revision, updated_ms);
    let found = discovery(&format!("/home/u/{id}.jsonl"), 10, vec![session]);
    catalog.record("claude", &[found], NOW).unwrap()[0].change
}

pub(crate) fn known(catalog: &Catalog, id: &str) -> KnownSession {
    catalog.session(&key(id)).unwrap().unwrap()
}

pub(crate) fn project(catalog: &Catalog, root: &str) -> ProjectId {
    catalog
        .register(root.into(), &Identity::default(), NOW)
        .unwrap()
        .id
}

pub(crate) fn wanted(id: &str, project: ProjectId, revision: &str) -> Wanted {
    Wanted {
        session: key(id),
        project,
        mode: "sync".to_owned(),
        revision: revision.to_owned(),
    }
}

/// Stores a session and enqueues a job for it.
pub(crate) fn enqueue(
    catalog: &Catalog,
    id: &str,
    project: ProjectId,
    revision: &str,
    updated_ms: u64,
) -> String {
    find(catalog, id, revision, updated_ms);
    match catalog.enqueue(&wanted(id, project, revision), NOW) {
        Ok(Enqueued::New(job) | Enqueued::AlreadyQueued(job)) => job,
        other => panic!("not enqueued: {other:?}"),
    }
}

/// Claims the next job for a minute.
pub(crate) fn claim(catalog: &Catalog, now_ms: u64) -> Option<Lease> {
    catalog
        .claim("worker", MINUTE, now_ms, &Default::default())
        .unwrap()
}

/// Begins a run of a lease and returns a completion for it.
pub(crate) fn begin(catalog: &Catalog, lease: &Lease) -> Completion {
    let run_id = format!("sync-{}", lease.token);
    let folder = format!("/src/app/.acreta/workspace/{run_id}");
    catalog
        .begin_leased_run(lease, &run_id, folder.as_str().into(), NOW)
        .unwrap();
    Completion {
        run_id,
        ran_revision: lease.revision.clone(),
        cursor: None,
        counts: json!({"add": 1}),
        reading: None,
    }
}

pub(crate) fn complete(catalog: &Catalog, lease: &Lease) {
    let completion = begin(catalog, lease);
    catalog.complete(lease, &completion, NOW).unwrap();
}

pub(crate) fn job(catalog: &Catalog, id: &str) -> Job {
    catalog.job(id).unwrap().one().unwrap()
}

pub(crate) fn all_jobs(catalog: &Catalog) -> Vec<Job> {
    catalog.jobs(&JobFilter::default()).unwrap()
}

/// Returns the session ids of jobs.
pub(crate) fn ids(jobs: &[Job]) -> Vec<&str> {
    jobs.iter().map(|job| job.session.id.as_str()).collect()
}
