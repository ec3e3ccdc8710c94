//! Brings an artifact up to date. A usable artifact is tried first; otherwise one writer updates it under the project's
//! lock. A process that cannot get the lock answers without storing anything.

use std::time::Duration;

use acreta_fs::Stamp;

use crate::ContextError;
use crate::answer::response::{CacheStatus, Delta, Freshness, Stats};
use crate::artifact::churn;
use crate::artifact::detection::ChangeDetection;
use crate::artifact::finish::ArtifactBuilder;
use crate::artifact::format::{Artifact, ArtifactMeta};
use crate::artifact::sink::{FactsDestination, FactsFile};
use crate::artifact::store::{ArtifactStore, StoredArtifact};
use crate::context::{Context, OpenProject};
use crate::options::Analysis;
use crate::scan::changes::PathChanges;
use crate::scan::content::ContentReader;
use crate::scan::examine::{Examination, examine};
use crate::scan::journal;
use crate::scan::repository::ProjectRepository;

/// Maximum time to wait for another process that builds the first artifact.
const BUILD_WAIT: Duration = Duration::from_secs(600);

/// A current artifact of a project, and how it was obtained.
pub(crate) struct CurrentArtifact {
    pub(crate) artifact: Box<Artifact>,
    /// The artifact that `delta` is relative to, if it is not `artifact`.
    pub(crate) before: Option<Box<Artifact>>,
    pub(crate) status: CacheStatus,
    pub(crate) freshness: Freshness,
    pub(crate) stats: Stats,
    pub(crate) delta: Delta,
}

impl Context {
    /// Updates and stores the artifact of a project.
    pub(crate) fn update(
        &self,
        project: &OpenProject,
        how: ChangeDetection<'_>,
    ) -> Result<CurrentArtifact, ContextError> {
        let is_forced = matches!(how, ChangeDetection::Reread);
        if !is_forced
            && let Usable::Yes(artifact) = self.usable(project)
            && self.changes(project, &artifact, how)?.is_clean()
        {
            self.store.touch(&project.id, (self.options.now)());
            return Ok(unchanged(artifact, Freshness::Fresh));
        }
        let wait = match self.store.load(&project.id, project.root.path()) {
            StoredArtifact::Artifact(_) if !is_forced => Duration::from_secs(5),
            _ => BUILD_WAIT,
        };
        let lock = self.store.lock(&project.id, wait);
        let lock = match lock {
            Ok(lock) => lock,
            Err(error) => return self.answer_without_storing(project, error),
        };
        // The previous holder of the lock may have done the work.
        let usable = self.usable(project);
        let looked_ns = self.now_ns();
        let now = RepositoryState::of(project, looked_ns);
        let (before, status) = match usable {
            Usable::Yes(artifact) if is_forced => (Some(artifact), CacheStatus::Refreshed),
            Usable::Yes(artifact) => (Some(artifact), CacheStatus::Hit),
            Usable::No(UnusableReason::Absent) => (None, CacheStatus::Miss),
            Usable::No(UnusableReason::Broken) => (None, CacheStatus::StaleRebuild),
            Usable::No(UnusableReason::Old(artifact)) => {
                (Some(artifact), CacheStatus::StaleRebuild)
            }
        };
        let place = self.place(project);
        let changes = match (&before, status) {
            (None, _) => place.list_all(&place.rules())?,
            (Some(artifact), CacheStatus::Hit) => self.changes(project, artifact, how)?,
            (Some(artifact), _) => place.compare_distrusting(artifact)?,
        };
        if status == CacheStatus::Hit
            && changes.is_clean()
            && let Some(artifact) = before
        {
            return Ok(unchanged(artifact, Freshness::Fresh));
        }
        let current = self.keep(project, before, changes, now, status);
        drop(lock);
        current
    }

    /// Returns changes since the artifact. Stores nothing, unless there was no artifact.
    pub(crate) fn look(&self, project: &OpenProject) -> Result<CurrentArtifact, ContextError> {
        let looked_ns = self.now_ns();
        let Usable::Yes(artifact) = self.usable(project) else {
            return self.update(project, ChangeDetection::Auto);
        };
        let changes = self.changes(project, &artifact, ChangeDetection::Auto)?;
        if changes.is_clean() {
            return Ok(unchanged(artifact, Freshness::Fresh));
        }
        self.examine_without_storing(project, artifact, changes, looked_ns)
    }

    /// Answers without storing anything, because another process is writing.
    fn answer_without_storing(
        &self,
        project: &OpenProject,
        busy: ContextError,
    ) -> Result<CurrentArtifact, ContextError> {
        let looked_ns = self.now_ns();
        let Usable::Yes(artifact) = self.usable(project) else {
            return Err(busy);
        };
        let changes = self.changes(project, &artifact, ChangeDetection::Auto)?;
        self.examine_without_storing(project, artifact, changes, looked_ns)
    }

    /// Computes changes relative to an artifact that stays unchanged.
    fn examine_without_storing(
        &self,
        project: &OpenProject,
        artifact: Box<Artifact>,
        changes: PathChanges,
        looked_ns: i64,
    ) -> Result<CurrentArtifact, ContextError> {
        let keeping = FactsDestination::Discard;
        let examined = self.examine(project, Some(&artifact), changes, keeping, looked_ns)?;
        Ok(CurrentArtifact {
            artifact,
            before: None,
            status: CacheStatus::Hit,
            freshness: freshness(&examined.delta),
            stats: examined.stats,
            delta: examined.delta,
        })
    }

    /// Examines the changes, writes the artifact and reads it back.
    fn keep(
        &self,
        project: &OpenProject,
        mut before: Option<Box<Artifact>>,
        changes: PathChanges,
        now: RepositoryState,
        status: CacheStatus,
    ) -> Result<CurrentArtifact, ContextError> {
        let generation = before
            .as_ref()
            .map_or(0, |artifact| artifact.meta.generation + 1)
            .max(u64::try_from(now.looked_ns).unwrap_or(0));
        let (file, copied) = self.facts_file(project, before.as_deref(), generation);
        let keeping = FactsDestination::Facts {
            store: &self.store,
            file,
        };
        let is_moved = before
            .as_ref()
            .is_none_or(|artifact| artifact.meta.head != now.head);
        // Read the history while files are read.
        let (examined, churn) = std::thread::scope(|scope| {
            let asking = is_moved.then(|| {
                scope.spawn(|| match (&project.repository, self.options.analysis) {
                    (Some(repository), Analysis::Symbols) => {
                        Some(churn::churn(repository, &self.options.history))
                    }
                    _ => None,
                })
            });
            let looked_ns = now.looked_ns;
            let examined = self.examine(project, before.as_deref(), changes, keeping, looked_ns);
            // If that failed, continue without history.
            let churn = asking.map(|asking| asking.join().ok().flatten().unwrap_or_default());
            (examined, churn)
        });
        let mut examined = examined?;
        if copied {
            examined.copy_facts(&self.store, before.as_deref())?;
        }
        let is_whole = !matches!(status, CacheStatus::Hit);
        let built_ns = match &before {
            Some(artifact) if !is_whole => artifact.meta.built_ns,
            _ => now.looked_ns,
        };
        let place = self.place(project);
        let finishing = ArtifactBuilder {
            place: &place,
            store: &self.store,
            history: &self.options.history,
            redactor: self.redactor(),
            churn,
            meta: ArtifactMeta {
                root: project.root.path().to_owned(),
                generation,
                built_ns,
                settings: self.settings(),
                head: now.head,
                index: now.index,
                rules: place.rules().files().to_vec(),
                ..ArtifactMeta::default()
            },
        };
        let Some(bytes) = finishing.finish(before.as_deref_mut(), &examined)? else {
            // Facts of unchanged files are damaged: reread everything.
            let changes = place.list_all(&place.rules())?;
            let now = RepositoryState::of(project, self.now_ns());
            return self.keep(project, None, changes, now, CacheStatus::StaleRebuild);
        };
        self.store.save(&project.id, &bytes)?;
        drop(bytes);
        let artifact = match self.store.load(&project.id, project.root.path()) {
            StoredArtifact::Artifact(artifact) => artifact,
            _ => {
                return Err(ContextError::Request {
                    message: "the artifact that was just written cannot be read".to_owned(),
                });
            }
        };
        self.store.drop_facts(&project.id, &artifact.meta.facts);
        self.store.evict(self.options.limits.projects);
        let (freshness, delta) = match status {
            CacheStatus::Miss => (Freshness::Stale, Delta::default()),
            CacheStatus::StaleRebuild if before.is_none() => (Freshness::Stale, Delta::default()),
            CacheStatus::StaleRebuild => (Freshness::Stale, examined.delta),
            _ => (freshness(&examined.delta), examined.delta),
        };
        Ok(CurrentArtifact {
            artifact,
            before,
            status,
            freshness,
            stats: examined.stats,
            delta,
        })
    }

    /// Chooses the facts file to append to: the existing one, or a new one if most of the old facts are unused. The
    /// flag says that facts still in use have to be copied.
    fn facts_file(
        &self,
        project: &OpenProject,
        before: Option<&Artifact>,
        generation: u64,
    ) -> (FactsFile, bool) {
        const WASTE: u64 = 16 * 1024 * 1024;
        let fresh = FactsFile {
            name: ArtifactStore::facts_name(&project.id, generation),
            bytes: 0,
        };
        let Some(meta) = before.map(|artifact| &artifact.meta) else {
            return (fresh, false);
        };
        let waste = meta.facts_bytes.saturating_sub(meta.facts_used);
        if waste > WASTE && waste > meta.facts_used {
            return (fresh, true);
        }
        let kept = FactsFile {
            name: meta.facts.clone(),
            // Append after anything that a crashed writer left there.
            bytes: self.store.facts_bytes(&meta.facts),
        };
        (kept, false)
    }

    fn changes(
        &self,
        project: &OpenProject,
        artifact: &Artifact,
        how: ChangeDetection<'_>,
    ) -> Result<PathChanges, ContextError> {
        let place = self.place(project);
        let reported = match how {
            ChangeDetection::Auto => {
                journal::read(&self.store, &project.id, artifact.meta.generation)
            }
            ChangeDetection::Paths(paths) => Some(paths.clone()),
            ChangeDetection::FullScan | ChangeDetection::Reread => None,
        };
        match reported {
            Some(paths) => place.compare_paths(artifact, &paths),
            None => place.compare(artifact),
        }
    }

    fn examine(
        &self,
        project: &OpenProject,
        before: Option<&Artifact>,
        changes: PathChanges,
        keeping: FactsDestination<'_>,
        looked_ns: i64,
    ) -> Result<Examination, ContextError> {
        // Facts that are not stored are not gathered.
        let analysis = match keeping {
            FactsDestination::Discard => Analysis::Hashes,
            FactsDestination::Facts { .. } => self.options.analysis,
        };
        let reading = ContentReader {
            root: &project.root,
            limits: &self.options.limits,
            sensitive: self.sensitive()?,
            redactor: self.redactor(),
            analysis,
        };
        examine(&reading, before, changes, keeping, looked_ns)
    }

    fn usable(&self, project: &OpenProject) -> Usable {
        match self.store.load(&project.id, project.root.path()) {
            StoredArtifact::Nothing => Usable::No(UnusableReason::Absent),
            StoredArtifact::Unusable => Usable::No(UnusableReason::Broken),
            StoredArtifact::Artifact(artifact)
                if artifact.meta.settings != self.settings()
                    || self.store.facts_bytes(&artifact.meta.facts) < artifact.meta.facts_bytes =>
            {
                Usable::No(UnusableReason::Broken)
            }
            StoredArtifact::Artifact(artifact) => {
                let lifetime = i64::try_from(self.options.limits.lifetime.as_nanos());
                let age = self.now_ns().saturating_sub(artifact.meta.built_ns);
                if age > lifetime.unwrap_or(i64::MAX) {
                    Usable::No(UnusableReason::Old(artifact))
                } else {
                    Usable::Yes(artifact)
                }
            }
        }
    }
}

enum Usable {
    Yes(Box<Artifact>),
    No(UnusableReason),
}

enum UnusableReason {
    Absent,
    Broken,
    Old(Box<Artifact>),
}

/// State of the repository when the examination began.
struct RepositoryState {
    looked_ns: i64,
    head: Option<String>,
    index: Option<Stamp>,
}

impl RepositoryState {
    fn of(project: &OpenProject, looked_ns: i64) -> Self {
        let repository = project.repository.as_ref();
        Self {
            looked_ns,
            head: repository.and_then(ProjectRepository::head),
            // A racy stamp could hide a later change, so it is not recorded.
            index: repository
                .and_then(ProjectRepository::index_stamp)
                .filter(|stamp| !stamp.is_racy(looked_ns)),
        }
    }
}

fn unchanged(artifact: Box<Artifact>, freshness: Freshness) -> CurrentArtifact {
    let file_count = u64::from(artifact.tables().file_count());
    let stats = Stats {
        file_count,
        reused_entries: file_count,
        rehashed_entries: 0,
        skipped_entries: artifact.meta.skipped_count,
        skipped: artifact.meta.skipped.clone(),
    };
    CurrentArtifact {
        artifact,
        before: None,
        status: CacheStatus::Hit,
        freshness,
        stats,
        delta: Delta::default(),
    }
}

fn freshness(delta: &Delta) -> Freshness {
    if delta.is_empty() {
        Freshness::Fresh
    } else {
        Freshness::Dirty
    }
}
