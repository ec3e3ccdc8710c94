//! Fixtures, and databases that are made from them.

use std::path::{Path, PathBuf};

use acreta_sdk::adapter::Session;
use acreta_sdk::adapter::testing::{ReadResult, START, read, sessions};
use adapter_opencode::OpenCode;
use rusqlite::Connection;

/// The session that all stores have.
pub(crate) const MAIN: &str = "ses_47d2a6f01ffeTideCacheMain01";
/// The session of an agent that it started.
pub(crate) const CHILD: &str = "ses_47d2a6d02ffeTideCacheKid002";
/// A session with a part that cannot be read.
pub(crate) const DAMAGED: &str = "ses_47d2a6c03ffeTideCacheBad003";
/// A session without conversation.
pub(crate) const SILENT: &str = "ses_47d2a6b04ffeTideCacheNon004";

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/opencode")
}

pub(crate) fn export(name: &str) -> PathBuf {
    fixtures().join("export").join(name)
}

/// Returns the file of a session in the tree.
pub(crate) fn tree(session: &str) -> PathBuf {
    let project = "5f0c1d2e3b4a59687786958473625140a1b2c3d4";
    let folder = fixtures().join("storage/session").join(project);
    folder.join(format!("{session}.json"))
}

/// Creates a database from a fixture.
pub(crate) fn database(name: &str, folder: &Path) -> PathBuf {
    let path = folder.join(format!("{name}.db"));
    let sql = std::fs::read_to_string(fixtures().join(format!("{name}.sql"))).unwrap();
    execute(&path, &sql);
    path
}

pub(crate) fn execute(path: &Path, sql: &str) {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch(sql).unwrap();
}

/// Returns the session of this id in a file.
pub(crate) fn session(path: &Path, id: &str) -> Session {
    let found = sessions::<OpenCode>(path);
    let session = found.into_iter().find(|session| session.id == id);
    session.unwrap_or_else(|| panic!("{path:?} has no {id}"))
}

pub(crate) fn told(path: &Path, id: &str) -> ReadResult {
    read::<OpenCode>(&session(path, id), &START).0
}

pub(crate) fn attribute<'a>(session: &'a Session, key: &str) -> Option<&'a str> {
    let found = session.attrs.iter().find(|(name, _)| name == key);
    found.map(|(_, value)| &**value)
}
