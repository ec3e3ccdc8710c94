//! The projects that sessions belong to. A project is identified by its main checkout; it keeps its id and its former
//! paths when it moves.

use acreta_types::Identity;
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

/// A project that machines share: its root commit and its remote are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamProject {
    pub id: ProjectId,
    pub root_commit: String,
    /// `host/path`, or the absolute path of a folder.
    pub remote: String,
}

impl TeamProject {
    pub fn identity(&self) -> Identity {
        Identity {
            root_commit: Some(self.root_commit.clone()),
            remote: Some(self.remote.clone()),
        }
    }

    /// Returns the name of the repository, which all clones share.
    pub fn name(&self) -> &str {
        self.remote.rsplit('/').next().unwrap_or(&self.remote)
    }
}

/// Sessions that are not processed until their project is registered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitingSessions {
    /// The project's root, or the directory that the sessions recorded; `None` if they recorded none.
    pub place: Option<Utf8PathBuf>,
    /// The adapter that found them, if the project is registered: it may not speak for it.
    pub adapter: Option<String>,
    pub sessions: u64,
}

impl Catalog {
    /// Returns the project whose root is, or was, at a path.
    pub fn project_at(&self, path: &Utf8Path) -> Result<Option<Project>, CatalogError> {
        self.read(|connection| project_at(connection, path))
    }

    /// Returns the projects of this machine, by root.
    pub fn projects(&self) -> Result<Vec<Project>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(&select(
                    connection.either("ORDER BY root", "WHERE is_here ORDER BY root"),
                ))?
                .query_map([], project)?
                .collect()
        })
    }

    /// Returns the projects that machines share, by id. A file has none: nobody shares it.
    pub fn team_projects(&self) -> Result<Vec<TeamProject>, CatalogError> {
        self.read(|connection| {
            if !connection.is_shared() {
                return Ok(Vec::new());
            }
            connection
                .prepare(
                    "SELECT project, root_commit, remote FROM team_projects
                     WHERE identity = root_commit || ' ' || remote ORDER BY project",
                )?
                .query_map([], |row| {
                    let mut columns = ColumnReader::new(row);
                    Ok(TeamProject {
                        id: columns.take()?,
                        root_commit: columns.take()?,
                        remote: columns.take()?,
                    })
                })?
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
                connection.either(
                    "UPDATE projects SET registered = FALSE WHERE project = ?1",
                    "UPDATE checkouts SET registered = FALSE
                     WHERE project = ?1 AND machine = this_machine()",
                ),
                [project.id],
            )?;
            // Sessions of other machines are not this user's to decide on.
            let here = format!(
                "EXISTS (SELECT 1 FROM sessions s WHERE s.session = jobs.session AND {})",
                connection.here("s"),
            );
            connection.execute(
                &format!(
                    "UPDATE jobs SET state = 'cancelled', finished_ms = ?2,
                         cause = 'the project is no longer registered'
                     WHERE project = ?1 AND state = 'queued' AND {here}"
                ),
                params![project.id, stored(now_ms)],
            )?;
            connection.execute(
                &format!(
                    "UPDATE jobs SET cancel_requested = TRUE
                     WHERE project = ?1 AND state = 'running' AND {here}"
                ),
                [project.id],
            )?;
            Ok(Some(Project {
                registered: false,
                ..project
            }))
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

    /// Returns the sessions that wait for a person's decision, by directory, largest count first: their project is not
    /// registered, or their adapter may not speak for it. Sessions that no longer exist are not counted.
    pub fn waiting(&self) -> Result<Vec<WaitingSessions>, CatalogError> {
        let projects = self.projects()?;
        let rows = self.read(|connection| {
            connection
                .prepare(&format!(
                    "SELECT coalesce(p.root, s.project_dir) AS place,
                         CASE WHEN s.project IS NULL THEN s.adapter END AS adapter, count(*) AS sessions
                     FROM sessions s LEFT JOIN projects p USING (project)
                     WHERE NOT coalesce(p.registered, FALSE) AND (s.ran_revision IS DISTINCT FROM s.revision
                             OR s.ran_project <> s.project)
                         AND (s.gone_ms IS NULL OR s.archive_digest IS NOT NULL) AND {}
                     GROUP BY 1, 2 ORDER BY 2 NULLS FIRST",
                    connection.here("s"),
                ))?
                .query_map([], |row| {
                    let mut columns = ColumnReader::new(row);
                    Ok(WaitingSessions {
                        place: columns.take::<Option<String>>()?.map(Utf8PathBuf::from),
                        adapter: columns.take()?,
                        sessions: columns.number()?,
                    })
                })?
                .collect::<Answer<Vec<_>>>()
        })?;
        let mut waiting: Vec<WaitingSessions> = Vec::new();
        let former = self.former_paths()?;
        for mut row in rows {
            // Every session below a registered project, or where it was before, is assigned to it, unless its adapter may
            // not speak for it.
            let is_above = |project: &&Project| {
                let place = row.place.as_ref().filter(|_| row.adapter.is_some());
                let own = former.iter().filter(|(id, _)| *id == project.id);
                let mut roots = own.map(|(_, path)| path).chain([&project.root]);
                project.registered
                    && place.is_some_and(|place| roots.any(|root| place.starts_with(root)))
            };
            match projects.iter().find(is_above) {
                Some(project) => row.place = Some(project.root.clone()),
                None => row.adapter = None,
            }
            let is_same = |known: &&mut WaitingSessions| {
                (&known.place, &known.adapter) == (&row.place, &row.adapter)
            };
            match waiting.iter_mut().find(is_same) {
                Some(known) => known.sessions += row.sessions,
                None => waiting.push(row),
            }
        }
        waiting.sort_by(|left, right| {
            (right.sessions, &left.place, &left.adapter).cmp(&(
                left.sessions,
                &right.place,
                &right.adapter,
            ))
        });
        Ok(waiting)
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
            if connection.is_shared() {
                put_checkout(connection, root, identity, &registered, now_ms)?;
                forget_alias(connection, root)?;
                let put = project_with_root(connection, root)?;
                return put.ok_or(TransactionStop::Database(DatabaseError::NoRows));
            }
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

/// Returns the statement that stores a former path.
pub(crate) fn put_path(connection: &Connection) -> &'static str {
    connection.either(
        "INSERT INTO project_paths (path, project) VALUES (?1, ?2)
         ON CONFLICT (path) DO UPDATE SET project = excluded.project",
        "INSERT INTO machine_paths (path, project) VALUES (?1, ?2)
         ON CONFLICT (machine, path) DO UPDATE SET project = excluded.project",
    )
}

/// Creates or updates this machine's checkout at a root. A new checkout belongs to the team's project with the same
/// root commit and remote, unless this machine has another checkout of that project: two clones on one machine are two
/// projects.
fn put_checkout(
    connection: &Connection,
    root: &Utf8Path,
    identity: &Identity,
    registered: &Registered,
    now_ms: u64,
) -> Answer<()> {
    let key = identity.root_commit.as_ref().zip(identity.remote.as_ref());
    let key = key.map(|(commit, remote)| format!("{commit} {remote}"));
    let mut known = project_with_root(connection, root)?;
    if let Some(other) = known.take_if(|project| is_another(&project.identity, identity)) {
        // The team's project stays what it is; this machine no longer has a checkout of it.
        connection.execute(
            "DELETE FROM checkouts WHERE project = ?1 AND machine = this_machine()",
            [other.id],
        )?;
    }
    let known = known.map(|project| project.id);
    let shared = match (&known, &key) {
        (None, Some(key)) => connection
            .prepare(
                "SELECT project FROM team_projects t WHERE identity = ?1 AND NOT EXISTS (
                     SELECT 1 FROM checkouts c WHERE c.project = t.project AND c.machine = this_machine())",
            )?
            .query_row([key], |row| row.get(0))
            .optional()?,
        _ => None,
    };
    let project: ProjectId = match known.or(shared) {
        Some(project) => project,
        None => connection
            .prepare("INSERT INTO team_projects (added_ms) VALUES (?1) RETURNING project")?
            .query_row([stored(now_ms)], |row| row.get(0))?,
    };
    connection.execute(
        "UPDATE team_projects SET root_commit = coalesce(?2, root_commit), remote = coalesce(?3, remote)
         WHERE project = ?1",
        params![project, identity.root_commit, identity.remote],
    )?;
    // The first project with an identity owns it.
    connection.execute(
        "UPDATE team_projects SET identity = root_commit || ' ' || remote
         WHERE project = ?1 AND identity IS NULL AND NOT EXISTS (
             SELECT 1 FROM team_projects e
             WHERE e.identity = team_projects.root_commit || ' ' || team_projects.remote)",
        [project],
    )?;
    connection.execute(
        "INSERT INTO checkouts (project, root, registered) VALUES (?1, ?2, ?3)
         ON CONFLICT (machine, project) DO UPDATE SET
             registered = (checkouts.registered OR excluded.registered)",
        params![project, root.as_str(), *registered == Registered::Yes],
    )?;
    Ok(())
}

/// Returns true if both root commits are known and differ.
fn is_another(known: &Identity, now: &Identity) -> bool {
    matches!((&known.root_commit, &now.root_commit), (Some(known), Some(now)) if known != now)
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
