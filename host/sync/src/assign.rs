//! Assigns each session to a project and enqueues the selected ones. A session never goes to a wrong project: if the
//! project is not certain, the session stays unassigned and waits.
//!
//! The working directory is the adapter's word alone. A built-in adapter is trusted with it; any other adapter could
//! name any project there and so put words into its person's mouth. Its sessions count for a project only if a person
//! granted the adapter that project, or if their files are in the project's own folder. Otherwise they stay archived
//! and wait.

use acreta_fs::canonical;
use acreta_session_archive::{
    DirectoryFacts, KnownProject, identity_of, is_other_repository, other_spelling, resolve,
};
use acreta_state::{Catalog, Enqueued, Project, ProjectId, RecordedDirectory, Relation};
use acreta_state::{KnownSession, SessionFilter, SessionKey, SessionState, Wanted};
use acreta_store::{Layout, project_root_outside, start_ledger};
use acreta_types::Identity;
use camino::{Utf8Path, Utf8PathBuf};

use crate::error::SyncError;
use crate::options::{SyncOptions, WithoutProject};
use crate::report::{SyncReport, WaitingProject};
use crate::workshop::{AdapterEntry, Pass, is_of_plugin};

/// Registers the current repository and finds the project of every session without one.
pub(crate) fn assign(
    catalog: &Catalog,
    options: &SyncOptions,
    adapters: &[AdapterEntry],
    now_ms: u64,
) -> Result<(), SyncError> {
    let mut known = ProjectMatcher::load(catalog, options, now_ms)?;
    if let Some(current) = &options.current_project {
        known.register(current)?;
    }
    for adapter in adapters {
        for project in catalog.projects()? {
            if !adapter.may_speak_for(&project.root) {
                catalog.unassign(&adapter.id, &project, now_ms)?;
            }
        }
    }
    for sessions in catalog.unassigned()? {
        let Some(id) = known.project_of(&sessions.place)? else {
            continue;
        };
        let adapter = adapters.iter().find(|entry| entry.id == sessions.adapter);
        let root = known.root(id).unwrap_or(&options.global);
        let is_trusted = match adapter {
            Some(adapter) => adapter.may_speak_for(root),
            // Its grant was revoked since.
            None => !is_of_plugin(&sessions.agent),
        };
        let within = (!is_trusted).then(|| root.to_owned());
        catalog.assign_place(&sessions, within.as_deref(), id)?;
    }
    Ok(())
}

/// Removes the registration of projects at whose path another repository is now. Fills in the identity of those that
/// had none when they were registered.
pub(crate) fn verify_registrations(catalog: &Catalog, now_ms: u64) -> Result<(), SyncError> {
    for project in catalog.projects()? {
        if project.registered && is_other_repository(&project.root, &project.identity) {
            catalog.unregister(&project.root, now_ms)?;
        } else if project.identity.root_commit.is_none() {
            let identity = identity_of(&project.root);
            if identity.root_commit.is_some() {
                catalog.note_project(&project.root, &identity, now_ms)?;
            }
        }
    }
    Ok(())
}

/// Enqueues the selected sessions that are not done. Returns them if only part of the queue is wanted.
pub(crate) fn enqueue(
    catalog: &Catalog,
    options: &SyncOptions,
    pass: Pass,
    now_ms: u64,
    report: &mut SyncReport,
) -> Result<Option<Vec<SessionKey>>, SyncError> {
    let selection = &options.selection;
    let states: &[SessionState] = if selection.force {
        &[
            SessionState::New,
            SessionState::Done,
            SessionState::Cancelled,
            SessionState::Failed,
        ]
    } else {
        &[SessionState::New]
    };
    let filter = SessionFilter {
        agent: selection.agent.clone(),
        since_ms: selection.since_ms,
        until_ms: selection.until_ms,
        ..SessionFilter::default()
    };
    let mut sessions = in_states(catalog, options, states, &filter)?;
    sessions.retain(|known| pass.has(&known.session.agent));
    sessions.sort_by_key(|session| std::cmp::Reverse(session.session.updated_ms));

    let (silent, mut speaking): (Vec<_>, Vec<_>) = sessions.into_iter().partition(is_silent);
    for session in &silent {
        if session.state == SessionState::New {
            report.skipped += 1;
            if !selection.dry_run {
                catalog.mark_ran(&session.key(), &session.session.revision, now_ms)?;
            }
        }
    }
    let is_selective = selection.max_sessions.is_some()
        || selection.since_ms.is_some()
        || selection.until_ms.is_some()
        || selection.agent.is_some()
        || selection.force;
    if let Some(most) = selection.max_sessions {
        // An earlier pass had its part.
        let left = most.saturating_sub(report.queued.max(report.runs.len() as u64));
        speaking.truncate(usize::try_from(left).unwrap_or(usize::MAX));
    }
    let keys: Vec<SessionKey> = speaking.iter().map(KnownSession::key).collect();
    if selection.dry_run {
        report.queued = keys.len() as u64;
        let unread = speaking.into_iter();
        (report.unread).extend(unread.map(|known| (known.file, Some(known.session.id))));
        return Ok(is_selective.then_some(keys));
    }
    if selection.force {
        catalog.forget_runs(&keys, now_ms)?;
    }
    let wanted: Vec<Wanted> = speaking
        .iter()
        .filter_map(|session| {
            Some(Wanted {
                session: session.key(),
                project: session.project?,
                mode: "sync".to_owned(),
                revision: session.session.revision.clone(),
            })
        })
        .collect();
    let enqueued = catalog.enqueue_all(&wanted, now_ms)?;
    for (wanted, enqueued) in wanted.iter().zip(&enqueued) {
        if let Enqueued::New(job_id) = enqueued {
            let (agent, session) = (&wanted.session.agent, &wanted.session.id);
            tracing::info!(name: "job.state", job_id, state = "accepted", agent, session);
            tracing::info!(name: "job.state", job_id, state = "queued");
        }
    }
    report.queued += enqueued
        .iter()
        .filter(|enqueued| matches!(enqueued, Enqueued::New(_)))
        .count() as u64;
    Ok(is_selective.then_some(keys))
}

/// Reports whether a session of a registered project is new, for example because it grew while it was read.
pub(crate) fn is_left(catalog: &Catalog, options: &SyncOptions) -> Result<bool, SyncError> {
    let filter = SessionFilter::default();
    let left = in_states(catalog, options, &[SessionState::New], &filter)?;
    Ok(!left.is_empty())
}

/// Returns the sessions of registered projects in these states, without the excluded ones.
fn in_states(
    catalog: &Catalog,
    options: &SyncOptions,
    states: &[SessionState],
    filter: &SessionFilter,
) -> Result<Vec<KnownSession>, SyncError> {
    let mut sessions = Vec::new();
    for state in states {
        sessions.extend(catalog.sessions(&SessionFilter {
            state: Some(*state),
            // Another machine enqueues its own, once they are archived.
            here: true,
            ..filter.clone()
        })?);
    }
    let registered: Vec<ProjectId> = catalog
        .projects()?
        .into_iter()
        .filter(|project| project.registered)
        .map(|project| project.id)
        .collect();
    sessions.retain(|session| session.project.is_some_and(|id| registered.contains(&id)));
    sessions.retain(|known| !options.excluded.has_session(&known.session));
    Ok(sessions)
}

/// Returns the sessions that wait for a person.
pub(crate) fn waiting(catalog: &Catalog) -> Result<Vec<WaitingProject>, SyncError> {
    let waiting = catalog.waiting()?.into_iter();
    let waiting = waiting.map(WaitingProject::from);
    Ok(waiting.collect())
}

/// Returns true if there is nothing to learn from a session by itself. The parent's session reports what a subagent
/// did.
fn is_silent(session: &KnownSession) -> bool {
    session.relation == Relation::Subagent || session.session.attrs.get("empty") == Some("true")
}

/// The known projects, to compare with a session's directory.
struct ProjectMatcher<'a> {
    catalog: &'a Catalog,
    options: &'a SyncOptions,
    now_ms: u64,
    projects: Vec<KnownProject>,
    ids: Vec<ProjectId>,
}

impl<'a> ProjectMatcher<'a> {
    fn load(
        catalog: &'a Catalog,
        options: &'a SyncOptions,
        now_ms: u64,
    ) -> Result<Self, SyncError> {
        let mut known = Self {
            catalog,
            options,
            now_ms,
            projects: Vec::new(),
            ids: Vec::new(),
        };
        let former = catalog.former_paths()?;
        for project in catalog.projects()? {
            let paths = former.iter().filter(|(id, _)| *id == project.id);
            let paths = paths.map(|(_, path)| path.clone()).collect();
            known.add(project, paths);
        }
        Ok(known)
    }

    fn add(&mut self, project: Project, former_paths: Vec<Utf8PathBuf>) {
        self.projects.push(KnownProject {
            id: self.ids.len().to_string(),
            root: project.root,
            former_paths,
        });
        self.ids.push(project.id);
    }

    fn register(&mut self, root: &Utf8Path) -> Result<(), SyncError> {
        if self.projects.iter().any(|project| project.root == root)
            && self
                .catalog
                .project_at(root)?
                .is_some_and(|project| project.registered)
        {
            return Ok(());
        }
        self.living(root)?;
        let words = Layout::for_project(root).with_words_in(&self.options.words);
        start_ledger(&words)?;
        let identity = Identity::default();
        let project = self.catalog.register(root, &identity, self.now_ms)?;
        if !self.ids.contains(&project.id) {
            self.add(project, Vec::new());
        }
        Ok(())
    }

    fn project_of(&mut self, place: &RecordedDirectory) -> Result<Option<ProjectId>, SyncError> {
        let facts = match place {
            RecordedDirectory::Directory(directory) => match self.root_of(Utf8Path::new(directory))
            {
                Some(root) => return self.living(&root),
                None if self.is_home(directory) => return self.without_project(),
                None => DirectoryFacts::Gone {
                    path: directory.into(),
                },
            },
            RecordedDirectory::Slug(slug) => DirectoryFacts::Slug(slug.clone()),
            RecordedDirectory::Digest(digest) => DirectoryFacts::Hash(digest.clone()),
            RecordedDirectory::Nowhere => return self.without_project(),
        };
        Ok(resolve(&facts, &self.projects).and_then(|id| self.id(id)))
    }

    /// Returns the main checkout of an existing directory other than the home folder.
    fn root_of(&self, directory: &Utf8Path) -> Option<Utf8PathBuf> {
        let platform = self.options.places.platform;
        let existing = |path: &Utf8Path| canonical(path).ok().filter(|found| found.is_dir());
        let directory =
            existing(directory).or_else(|| existing(&other_spelling(directory, platform)?))?;
        // A folder that was already a project stays one, even if a repository is created around it.
        if self.projects.iter().any(|known| known.root == directory) {
            return Some(directory);
        }
        let root = project_root_outside(&directory, &self.options.global).path;
        (!self.is_home(root.as_str())).then_some(root)
    }

    fn is_home(&self, directory: &str) -> bool {
        let home = &self.options.places.home;
        directory == home.as_str() || canonical(home).is_ok_and(|home| home == directory)
    }

    /// Returns the project at a root, recorded if it is new.
    fn living(&mut self, root: &Utf8Path) -> Result<Option<ProjectId>, SyncError> {
        if let Some(place) = self.projects.iter().position(|known| known.root == root) {
            return Ok(Some(self.ids[place]));
        }
        let identity = identity_of(root);
        // A folder `.acreta` in it does not register it: the author of the repository may have created that. Nor does the same
        // first commit and remote as those of a project whose folder is away: every copy has them. Only the person knows
        // whether the project moved.
        let project = self.catalog.note_project(root, &identity, self.now_ms)?;
        let id = project.id;
        self.add(project, Vec::new());
        Ok(Some(id))
    }

    /// Returns the global scope as a project, if sessions without a project go there.
    fn without_project(&mut self) -> Result<Option<ProjectId>, SyncError> {
        match self.options.without_project {
            WithoutProject::Archive => Ok(None),
            WithoutProject::Global => {
                let global = &self.options.global;
                let identity = Identity::default();
                let project = self.catalog.register(global, &identity, self.now_ms)?;
                Ok(Some(project.id))
            }
        }
    }

    /// Returns the root of a project; `None` for the global scope.
    fn root(&self, id: ProjectId) -> Option<&Utf8Path> {
        let place = self.ids.iter().position(|known| *known == id)?;
        Some(&self.projects[place].root)
    }

    fn id(&self, index: &str) -> Option<ProjectId> {
        self.ids.get(index.parse::<usize>().ok()?).copied()
    }
}
