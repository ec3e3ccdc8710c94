//! The projects that sessions belong to. A project is identified by its main checkout; it keeps its id and its former
//! paths when it moves.

use acreta_model::Identity;
use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::params;

use crate::backend::{Connection, OptionalExtension, Result as Answer, ResultRow, TransactionStop};
use crate::values::{ColumnReader, stored};
use crate::{Catalog, CatalogError, DatabaseError, ProjectId, SessionKey, sessions};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    pub id: ProjectId,
    /// Canonical path of the main checkout.
    pub root: Utf8PathBuf,
    pub identity: Identity,
    /// True if its sessions may become memory.
    pub registered: bool,
    pub added_ms: u64,
}

/// Sessions that are not processed until their project is registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingSessions {
    /// The project's root, or the directory that the sessions recorded; `None` if they recorded none.
    pub place: Option<Utf8PathBuf>,
    pub sessions: u64,
}

impl Catalog {
    /// Returns the project whose root is, or was, at a path.
    pub fn project_at(&self, path: &Utf8Path) -> Result<Option<Project>, CatalogError> {
        self.read(|connection| project_at(connection, path))
    }

    /// Returns all projects, by root.
    pub fn projects(&self) -> Result<Vec<Project>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(&select("ORDER BY root"))?
                .query_map([], project)?
                .collect()
        })
    }

    /// Registers the checkout at `root`: its sessions may become memory.
    pub fn register(
        &self,
        root: &Utf8Path,
        identity: &Identity,
        now_ms: u64,
    ) -> Result<Project, CatalogError> {
        self.put_project(root, identity, Registered::Yes, now_ms)
    }

    /// Records a checkout that sessions come from; its registration does not change.
    pub fn note_project(
        &self,
        root: &Utf8Path,
        identity: &Identity,
        now_ms: u64,
    ) -> Result<Project, CatalogError> {
        self.put_project(root, identity, Registered::AsItWas, now_ms)
    }

    /// Removes a registration. Queued jobs of the project are cancelled, a running one is asked to stop. Returns the
    /// project, if there is one at the path.
    pub fn unregister(
        &self,
        path: &Utf8Path,
        now_ms: u64,
    ) -> Result<Option<Project>, CatalogError> {
        self.write(|connection| {
            let Some(project) = project_at(connection, path)? else {
                return Ok::<_, TransactionStop<CatalogError>>(None);
            };
            connection.execute(
                "UPDATE projects SET registered = FALSE WHERE project = ?1",
                [project.id],
            )?;
            connection.execute(
                "UPDATE jobs SET state = 'cancelled', finished_ms = ?2,
                     cause = 'the project is no longer registered'
                 WHERE project = ?1 AND state = 'queued'",
                params![project.id, stored(now_ms)],
            )?;
            connection.execute(
                "UPDATE jobs SET cancel_requested = TRUE WHERE project = ?1 AND state = 'running'",
                [project.id],
            )?;
            Ok(Some(Project {
                registered: false,
                ..project
            }))
        })
    }

    /// Moves a project to a new root. The old path still finds it.
    pub fn attach(&self, id: ProjectId, new_root: &Utf8Path) -> Result<Project, CatalogError> {
        self.write(|connection| {
            let old = connection
                .query_row(&select("WHERE project = ?1"), [id], project)
                .optional()?
                .ok_or(TransactionStop::Refused(CatalogError::UnknownProject {
                    project: id,
                }))?;
            if old.root == new_root {
                return Ok(old);
            }
            if project_with_root(connection, new_root)?.is_some() {
                return Err(TransactionStop::Refused(CatalogError::RootTaken {
                    path: new_root.to_owned(),
                }));
            }
            connection.execute(
                "UPDATE projects SET root = ?2 WHERE project = ?1",
                params![id, new_root.as_str()],
            )?;
            forget_alias(connection, new_root)?;
            connection.execute(
                "INSERT INTO project_paths (path, project) VALUES (?1, ?2)
                 ON CONFLICT (path) DO UPDATE SET project = excluded.project",
                params![old.root.as_str(), id],
            )?;
            Ok(Project {
                root: new_root.to_owned(),
                ..old
            })
        })
    }

    /// Assigns sessions to projects, in one transaction.
    pub fn assign(
        &self,
        assignments: &[(SessionKey, Option<ProjectId>)],
    ) -> Result<(), CatalogError> {
        self.write(|connection| {
            let mut statement =
                connection.prepare("UPDATE sessions SET project = ?2 WHERE session = ?1")?;
            for (key, id) in assignments {
                let session = sessions::require(connection, key)?;
                if let Some(id) = *id {
                    require(connection, id)?;
                }
                statement.execute(params![session, id])?;
            }
            Ok(())
        })
    }

    /// Returns the sessions that wait for a registration, by directory, largest count first. Sessions that no longer
    /// exist are not counted.
    pub fn waiting(&self) -> Result<Vec<WaitingSessions>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(
                    "SELECT coalesce(p.root, s.project_dir) AS place, count(*) AS sessions
                     FROM sessions s LEFT JOIN projects p USING (project)
                     WHERE NOT coalesce(p.registered, FALSE) AND (s.ran_revision IS DISTINCT FROM s.revision
                             OR s.ran_project <> s.project)
                         AND (s.gone_ms IS NULL OR s.archive_digest IS NOT NULL)
                     GROUP BY place ORDER BY sessions DESC, place NULLS FIRST",
                )?
                .query_map([], |row| {
                    let mut columns = ColumnReader::new(row);
                    Ok(WaitingSessions {
                        place: columns.take::<Option<String>>()?.map(Utf8PathBuf::from),
                        sessions: columns.number()?,
                    })
                })?
                .collect()
        })
    }

    /// Creates the project of a root or updates it. Values that are unknown now keep their stored state.
    fn put_project(
        &self,
        root: &Utf8Path,
        identity: &Identity,
        registered: Registered,
        now_ms: u64,
    ) -> Result<Project, CatalogError> {
        self.write(|connection| {
            connection.execute(
                "INSERT INTO projects (root, root_commit, remote, registered, added_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (root) DO UPDATE SET
                     root_commit = coalesce(excluded.root_commit, projects.root_commit),
                     remote = coalesce(excluded.remote, projects.remote),
                     registered = (projects.registered OR excluded.registered)",
                params![
                    root.as_str(),
                    identity.root_commit,
                    identity.remote,
                    registered == Registered::Yes,
                    stored(now_ms),
                ],
            )?;
            // The path belonged to another project before; it no longer does.
            forget_alias(connection, root)?;
            let put = project_with_root(connection, root)?;
            put.ok_or(TransactionStop::Database(DatabaseError::NoRows))
        })
    }
}

#[derive(PartialEq, Eq)]
enum Registered {
    Yes,
    AsItWas,
}

fn project_at(connection: &Connection, path: &Utf8Path) -> Answer<Option<Project>> {
    if let Some(project) = project_with_root(connection, path)? {
        return Ok(Some(project));
    }
    connection
        .prepare(&select(
            "WHERE project = (SELECT project FROM project_paths WHERE path = ?1)",
        ))?
        .query_row([path.as_str()], project)
        .optional()
}

fn project_with_root(connection: &Connection, root: &Utf8Path) -> Answer<Option<Project>> {
    connection
        .prepare(&select("WHERE root = ?1"))?
        .query_row([root.as_str()], project)
        .optional()
}

/// Returns an error if the project does not exist.
pub(crate) fn require(
    connection: &Connection,
    id: ProjectId,
) -> Result<(), TransactionStop<CatalogError>> {
    let known = connection
        .prepare("SELECT 1 FROM projects WHERE project = ?1")?
        .exists([id])?;
    if known {
        return Ok(());
    }
    Err(TransactionStop::Refused(CatalogError::UnknownProject {
        project: id,
    }))
}

fn forget_alias(connection: &Connection, path: &Utf8Path) -> Answer<usize> {
    connection.execute("DELETE FROM project_paths WHERE path = ?1", [path.as_str()])
}

fn select(rest: &str) -> String {
    format!("SELECT project, root, root_commit, remote, registered, added_ms FROM projects {rest}")
}

fn project(row: &ResultRow<'_>) -> Answer<Project> {
    let mut columns = ColumnReader::new(row);
    Ok(Project {
        id: columns.take()?,
        root: columns.path()?,
        identity: Identity {
            root_commit: columns.take()?,
            remote: columns.take()?,
        },
        registered: columns.take()?,
        added_ms: columns.number()?,
    })
}
