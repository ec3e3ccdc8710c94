//! Working directories of sessions without a project, and former paths of projects.

use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::params;

use crate::backend::{Result as Answer, TransactionStop};
use crate::values::{ColumnReader, stored};
use crate::{Catalog, CatalogError, Project, ProjectId, projects};

/// Sessions without a project that one adapter found with the same working directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnassignedSessions {
    pub adapter: String,
    pub agent: String,
    pub place: RecordedDirectory,
}

/// The working directory of a session, as far as its agent records it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RecordedDirectory {
    Directory(String),
    /// A path in which `-` replaces everything but letters and digits.
    Slug(String),
    /// Hex digest of a path.
    Digest(String),
    /// Not recorded.
    Nowhere,
}

impl Catalog {
    /// Returns the sessions without a project, by adapter, agent and working directory.
    pub fn unassigned(&self) -> Result<Vec<UnassignedSessions>, CatalogError> {
        self.read(|connection| {
            let mut statement = connection.prepare(&format!(
                "SELECT DISTINCT adapter, agent, project_dir,
                     CASE WHEN project_dir IS NULL THEN attrs ->> 'project_slug' END,
                     CASE WHEN project_dir IS NULL THEN attrs ->> 'project_digest' END
                 FROM sessions WHERE project IS NULL AND {}
                 ORDER BY 1, 2, 3 NULLS FIRST, 4 NULLS FIRST, 5 NULLS FIRST",
                connection.here("sessions"),
            ))?;
            let places = statement.query_map([], |row| {
                let mut columns = ColumnReader::new(row);
                let (adapter, agent) = (columns.take()?, columns.take()?);
                let (directory, slug) = (columns.take()?, columns.take()?);
                let place = match (directory, slug, columns.take()?) {
                    (Some(directory), ..) => RecordedDirectory::Directory(directory),
                    (None, Some(slug), _) => RecordedDirectory::Slug(slug),
                    (None, None, Some(digest)) => RecordedDirectory::Digest(digest),
                    (None, None, None) => RecordedDirectory::Nowhere,
                };
                Ok(UnassignedSessions {
                    adapter,
                    agent,
                    place,
                })
            })?;
            let mut places = places.collect::<Answer<Vec<_>>>()?;
            places.dedup();
            Ok(places)
        })
    }

    /// Assigns sessions without a project to one; returns their number. With `within`, only those whose files are in that
    /// folder.
    pub fn assign_place(
        &self,
        sessions: &UnassignedSessions,
        within: Option<&Utf8Path>,
        project: ProjectId,
    ) -> Result<usize, CatalogError> {
        let (condition, value) = match &sessions.place {
            RecordedDirectory::Directory(directory) => ("project_dir = ?2", directory.as_str()),
            RecordedDirectory::Slug(slug) => (
                "project_dir IS NULL AND attrs ->> 'project_slug' = ?2",
                slug.as_str(),
            ),
            RecordedDirectory::Digest(digest) => (
                "project_dir IS NULL AND attrs ->> 'project_slug' IS NULL
                     AND attrs ->> 'project_digest' = ?2",
                digest.as_str(),
            ),
            RecordedDirectory::Nowhere => (
                "project_dir IS NULL AND attrs ->> 'project_slug' IS NULL
                     AND attrs ->> 'project_digest' IS NULL AND ?2 = ''",
                "",
            ),
        };
        self.write(|connection| {
            let changed = connection.execute(
                &format!(
                    "UPDATE sessions SET project = ?1 WHERE project IS NULL AND {condition}
                         AND adapter = ?3 AND substr(path, 1, length(?4)) = ?4 AND {}",
                    connection.here("sessions"),
                ),
                params![project, value, sessions.adapter, folder_prefix(within)],
            )?;
            Ok::<_, TransactionStop<CatalogError>>(changed)
        })
    }

    /// Takes an adapter's sessions away from a project, except those whose files are in the project's folder. Their
    /// queued jobs are cancelled.
    pub fn unassign(
        &self,
        adapter: &str,
        project: &Project,
        now_ms: u64,
    ) -> Result<usize, CatalogError> {
        let prefix = folder_prefix(Some(&project.root));
        self.write(|connection| {
            let which = format!(
                "project = ?1 AND adapter = ?2 AND substr(path, 1, length(?3)) <> ?3
                     AND root <> '' AND {}",
                connection.here("sessions"),
            );
            connection.execute(
                &format!(
                    "UPDATE jobs SET state = 'cancelled', finished_ms = ?4,
                         cause = 'its adapter may not speak for the project'
                     WHERE state = 'queued'
                         AND session IN (SELECT session FROM sessions WHERE {which})"
                ),
                params![project.id, adapter, prefix, stored(now_ms)],
            )?;
            let changed = connection.execute(
                &format!("UPDATE sessions SET project = NULL WHERE {which}"),
                params![project.id, adapter, prefix],
            )?;
            Ok::<_, TransactionStop<CatalogError>>(changed)
        })
    }

    /// Returns former paths of projects, by path.
    pub fn former_paths(&self) -> Result<Vec<(ProjectId, Utf8PathBuf)>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare("SELECT project, path FROM project_paths ORDER BY path")?
                .query_map([], |row| {
                    let mut columns = ColumnReader::new(row);
                    Ok((columns.take()?, columns.path()?))
                })?
                .collect()
        })
    }

    /// Records that sessions which ran at `path` belong to a project: on another machine, or before a move that was not
    /// noticed.
    pub fn add_former_path(&self, project: ProjectId, path: &Utf8Path) -> Result<(), CatalogError> {
        self.write(|connection| {
            connection.execute(
                projects::put_path(connection),
                params![path.as_str(), project],
            )?;
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }
}

/// Returns the beginning of the path of every file in a folder; empty for any folder.
fn folder_prefix(folder: Option<&Utf8Path>) -> String {
    folder.map_or_else(String::new, |folder| folder.join("").into_string())
}
