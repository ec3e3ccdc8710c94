//! Sessions by the place they say they come from, for those that no project was found for yet; and
//! the places where projects lay before.

use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::params;

use crate::backend::{Result as Answer, Stop};
use crate::values::Columns;
use crate::{Catalog, CatalogError, ProjectId};

/// Where a session's agent worked, as far as the agent says it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    Directory(String),
    /// A path with `-` for everything but letters and digits.
    Slug(String),
    /// A digest of a path, in hex.
    Digest(String),
    /// Nothing is said.
    Nowhere,
}

impl Catalog {
    /// The places of sessions that belong to no project yet, each once.
    pub fn unassigned(&self) -> Result<Vec<Place>, CatalogError> {
        self.read(|connection| {
            let mut statement = connection.prepare(
                "SELECT DISTINCT project_dir, 
                     CASE WHEN project_dir IS NULL THEN attrs ->> 'project_slug' END,
                     CASE WHEN project_dir IS NULL THEN attrs ->> 'project_digest' END
                 FROM sessions WHERE project IS NULL 
                 ORDER BY 1 NULLS FIRST, 2 NULLS FIRST, 3 NULLS FIRST",
            )?;
            let places = statement.query_map([], |row| {
                let mut columns = Columns::new(row);
                let (directory, slug) = (columns.take()?, columns.take()?);
                Ok(match (directory, slug, columns.take()?) {
                    (Some(directory), ..) => Place::Directory(directory),
                    (None, Some(slug), _) => Place::Slug(slug),
                    (None, None, Some(digest)) => Place::Digest(digest),
                    (None, None, None) => Place::Nowhere,
                })
            })?;
            let mut places = places.collect::<Answer<Vec<_>>>()?;
            places.dedup();
            Ok(places)
        })
    }

    /// Says which project the unassigned sessions of a place belong to; gives their number.
    pub fn assign_place(&self, place: &Place, project: ProjectId) -> Result<usize, CatalogError> {
        let (condition, value) = match place {
            Place::Directory(directory) => ("project_dir = ?2", directory.as_str()),
            Place::Slug(slug) => (
                "project_dir IS NULL AND attrs ->> 'project_slug' = ?2",
                slug.as_str(),
            ),
            Place::Digest(digest) => (
                "project_dir IS NULL AND attrs ->> 'project_slug' IS NULL
                     AND attrs ->> 'project_digest' = ?2",
                digest.as_str(),
            ),
            Place::Nowhere => (
                "project_dir IS NULL AND attrs ->> 'project_slug' IS NULL
                     AND attrs ->> 'project_digest' IS NULL AND ?2 = ''",
                "",
            ),
        };
        self.write(|connection| {
            let changed = connection.execute(
                &format!("UPDATE sessions SET project = ?1 WHERE project IS NULL AND {condition}"),
                params![project, value],
            )?;
            Ok::<_, Stop<CatalogError>>(changed)
        })
    }

    /// Where projects lay before, by path.
    pub fn former_paths(&self) -> Result<Vec<(ProjectId, Utf8PathBuf)>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare("SELECT project, path FROM project_paths ORDER BY path")?
                .query_map([], |row| {
                    let mut columns = Columns::new(row);
                    Ok((columns.take()?, columns.path()?))
                })?
                .collect()
        })
    }

    /// Notes that sessions which ran at `path` are a project's: on another machine, or before a
    /// move that nobody saw.
    pub fn add_former_path(&self, project: ProjectId, path: &Utf8Path) -> Result<(), CatalogError> {
        self.write(|connection| {
            connection.execute(
                "INSERT INTO project_paths (path, project) VALUES (?1, ?2)
                 ON CONFLICT (path) DO UPDATE SET project = excluded.project",
                params![path.as_str(), project],
            )?;
            Ok::<_, Stop<CatalogError>>(())
        })
    }
}
