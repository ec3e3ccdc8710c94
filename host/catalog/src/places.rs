//! Working directories of sessions without a project, and former paths of projects.

use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::params;

use crate::backend::{Result as Answer, TransactionStop};
use crate::values::ColumnReader;
use crate::{Catalog, CatalogError, ProjectId, projects};

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
    /// Returns the working directories of sessions without a project, without duplicates.
    pub fn unassigned(&self) -> Result<Vec<RecordedDirectory>, CatalogError> {
        self.read(|connection| {
            let mut statement = connection.prepare(&format!(
                "SELECT DISTINCT project_dir, 
                     CASE WHEN project_dir IS NULL THEN attrs ->> 'project_slug' END,
                     CASE WHEN project_dir IS NULL THEN attrs ->> 'project_digest' END
                 FROM sessions WHERE project IS NULL AND {}
                 ORDER BY 1 NULLS FIRST, 2 NULLS FIRST, 3 NULLS FIRST",
                connection.here("sessions"),
            ))?;
            let places = statement.query_map([], |row| {
                let mut columns = ColumnReader::new(row);
                let (directory, slug) = (columns.take()?, columns.take()?);
                Ok(match (directory, slug, columns.take()?) {
                    (Some(directory), ..) => RecordedDirectory::Directory(directory),
                    (None, Some(slug), _) => RecordedDirectory::Slug(slug),
                    (None, None, Some(digest)) => RecordedDirectory::Digest(digest),
                    (None, None, None) => RecordedDirectory::Nowhere,
                })
            })?;
            let mut places = places.collect::<Answer<Vec<_>>>()?;
            places.dedup();
            Ok(places)
        })
    }

    /// Assigns the sessions of a working directory that have no project to one; returns their number.
    pub fn assign_place(
        &self,
        place: &RecordedDirectory,
        project: ProjectId,
    ) -> Result<usize, CatalogError> {
        let (condition, value) = match place {
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
                    "UPDATE sessions SET project = ?1 WHERE project IS NULL AND {condition} AND {}",
                    connection.here("sessions"),
                ),
                params![project, value],
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
