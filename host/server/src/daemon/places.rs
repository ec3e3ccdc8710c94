//! Agents whose sessions may be read, and projects that get memory.

use std::collections::BTreeMap;

use crate::api::{
    Connection, ExcludedFolders, KnownProject, NewConnection, NewProject, ProjectAdded,
    ProjectChanged, ProjectRow, ProjectTrust, Removed,
};
use acreta_service::projects::scopes::{self, MemoryScope};
use acreta_service::{
    Failure, Kind, connect::permissions, learn::sync_options, projects::registry,
};
use acreta_state::SessionFilter;
use camino::{Utf8Path, Utf8PathBuf};

use crate::daemon::Daemon;

impl Daemon {
    pub(crate) fn agents(&self) -> Result<Vec<Connection>, Failure> {
        let context = self.context(None)?;
        let counts = scopes::open_catalog(&context)?.counts()?;
        let mut rows: BTreeMap<String, Connection> = BTreeMap::new();
        for root in permissions::roots(&context)? {
            let asked = root.asked;
            let of_agent = counts.sessions.iter();
            let of_agent = of_agent.filter(|line| line.agent == asked.agent);
            let sessions = of_agent.map(|line| line.sessions).sum();
            let row = rows
                .entry(asked.adapter.clone())
                .or_insert_with(|| Connection {
                    agent: asked.agent,
                    adapter: asked.adapter,
                    granted: root.granted,
                    roots: Vec::new(),
                    sessions,
                    deletes_after_days: asked.deletes_after_days,
                });
            row.roots.extend(asked.found.map(|path| path.into_string()));
        }
        Ok(rows.into_values().collect())
    }

    pub(crate) fn grant(&self, request: &NewConnection) -> Result<Connection, Failure> {
        let context = self.context(None)?;
        let root = request.root.as_deref().map(Utf8Path::new);
        permissions::add(&context, &request.agent, root)?;
        let agents = self.agents()?;
        let wanted = request.agent.as_str();
        agents
            .into_iter()
            .find(|row| row.agent == wanted || row.adapter == wanted)
            .ok_or_else(|| Failure::new(Kind::Missing, format!("unknown agent `{wanted}`")))
    }

    pub(crate) fn revoke(&self, agent: &str) -> Result<Removed, Failure> {
        let was = self.agents()?;
        let is_it = |row: &&Connection| row.agent == agent || row.adapter == agent;
        let changed = was.iter().find(is_it).is_some_and(|row| row.granted);
        permissions::remove(&self.context(None)?, agent)?;
        Ok(Removed {
            agent: agent.to_owned(),
            changed,
            message: "its sessions are no longer read; what was learnt and archived stays"
                .to_owned(),
        })
    }

    pub(crate) fn known_projects(&self) -> Result<Vec<ProjectRow>, Failure> {
        let context = self.context(None)?;
        let catalog = scopes::open_catalog(&context)?;
        let mut rows = Vec::new();
        for project in catalog.projects()? {
            let sessions = catalog.sessions(&SessionFilter {
                project: Some(project.id),
                ..SessionFilter::default()
            })?;
            let scope = MemoryScope {
                name: project.root.to_string(),
                layout: context.layout(&project.root),
            };
            let has_memory = project.registered && scope.layout.has_memory().unwrap_or(false);
            let memories = match has_memory {
                true => {
                    let snapshot = scope.lately(&context)?;
                    let active = snapshot.memories.iter();
                    active.filter(|memory| !memory.is_archived()).count() as u64
                }
                false => 0,
            };
            rows.push(ProjectRow {
                registered: project.registered,
                exists: project.root.is_dir(),
                sessions: sessions.len() as u64,
                memories,
                trusted: context.trust.is_trusted(&project.root),
                current: project.root == context.project,
                path: project.root.into_string(),
            });
        }
        // Folders that no checkout was found in, mostly because they are gone.
        for waiting in catalog.waiting()? {
            let Some(place) = waiting.place.filter(|_| waiting.adapter.is_none()) else {
                continue;
            };
            if rows.iter().any(|row| row.path == place.as_str()) {
                continue;
            }
            rows.push(ProjectRow {
                registered: false,
                exists: place.is_dir(),
                sessions: waiting.sessions,
                memories: 0,
                trusted: false,
                current: false,
                path: place.into_string(),
            });
        }
        Ok(rows)
    }

    pub(crate) fn take_in(&self, request: &NewProject) -> Result<ProjectAdded, Failure> {
        let context = self.context(None)?;
        let folder = Utf8Path::new(request.path.as_str());
        if !folder.is_absolute() {
            let message = format!("`{folder}` is not absolute");
            return Err(Failure::new(Kind::Usage, message).hint("give an absolute path"));
        }
        let root = registry::root_of(&context, Some(folder))?;
        let (project, changed) = registry::add(&context, &root)?;
        let former = request.former.as_deref().map(Utf8PathBuf::from);
        let is_moved = former.is_some();
        registry::add_former_paths(&context, &project, former.as_slice())?;
        Ok(ProjectAdded {
            path: project.root.into_string(),
            changed: changed || is_moved,
            message: match changed || is_moved {
                true => "registered; the next sync learns from its sessions",
                false => "it was registered already",
            }
            .to_owned(),
        })
    }

    pub(crate) fn leave_out(&self, request: &KnownProject) -> Result<ProjectChanged, Failure> {
        let folder = Utf8Path::new(request.path.as_str());
        let root = registry::remove(&self.context(None)?, Some(folder))?;
        Ok(ProjectChanged {
            path: root.into_string(),
            changed: true,
            message: "no longer registered; its memory stays where it is".to_owned(),
        })
    }

    pub(crate) fn trust_settings(&self, request: &ProjectTrust) -> Result<ProjectChanged, Failure> {
        let context = self.context(Some(request.path.as_str()))?;
        let changed = registry::trust(&context, request.trusted)?;
        Ok(ProjectChanged {
            path: context.project.to_string(),
            changed,
            message: match request.trusted {
                true => "the settings in the project apply",
                false => "the settings in the project do not apply",
            }
            .to_owned(),
        })
    }

    pub(crate) fn excluded_folders(&self) -> Result<ExcludedFolders, Failure> {
        let folders = sync_options::excluded(&self.context(None)?).into_iter();
        Ok(ExcludedFolders {
            folders: folders.map(|folder| folder.into_string()).collect(),
        })
    }
}
