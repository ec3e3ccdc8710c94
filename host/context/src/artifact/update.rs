//! An artifact brought up to date: what is there is tried first, one writer does the rest under the
//! project's lock, and whoever cannot have the lock gets an answer that nothing is kept of.

use std::time::Duration;

use acreta_fs::Stamp;

use crate::ContextError;
use crate::answer::response::{CacheStatus, Delta, Freshness, Stats};
use crate::artifact::churn;
use crate::artifact::finish::Finishing;
use crate::artifact::format::{Artifact, Meta};
use crate::artifact::how::How;
use crate::artifact::sink::{FactsFile, Keeping};
use crate::artifact::store::{Store, Stored};
use crate::context::{Context, Project};
use crate::options::Analysis;
use crate::scan::changes::Changes;
use crate::scan::content::Reading;
use crate::scan::examine::{Examined, examine};
use crate::scan::journal;
use crate::scan::repository::Repository;

/// How long somebody who has nothing to serve waits for whoever builds it.
const BUILD_WAIT: Duration = Duration::from_secs(600);

/// A project's artifact, current, and how it came to be so.
pub(crate) struct Current {
    pub(crate) artifact: Box<Artifact>,
    /// The artifact that `delta` tells changes from, where it is another one.
    pub(crate) before: Option<Box<Artifact>>,
    pub(crate) status: CacheStatus,
    pub(crate) freshness: Freshness,
    pub(crate) stats: Stats,
    pub(crate) delta: Delta,
}

impl Context {
    /// The artifact of a project, brought up to date and kept.
    pub(crate) fn update(&self, project: &Project, how: How<'_>) -> Result<Current, ContextError> {
        let is_forced = matches!(how, How::Reading);
        if !is_forced
            && let Usable::Yes(artifact) = self.usable(project)
            && self.changes(project, &artifact, how)?.is_clean()
        {
            self.store.touch(&project.id, (self.options.now)());
            return Ok(unchanged(artifact, Freshness::Fresh));
        }
        let wait = match self.store.load(&project.id, project.root.path()) {
            Stored::Artifact(_) if !is_forced => Duration::from_secs(5),
            _ => BUILD_WAIT,
        };
        let lock = self.store.lock(&project.id, wait);
        let lock = match lock {
            Ok(lock) => lock,
            Err(error) => return self.unkept(project, error),
        };
        // Whoever had the lock may have done the work.
        let usable = self.usable(project);
        let looked_ns = self.now_ns();
        let now = Now::of(project, looked_ns);
        let (before, status) = match usable {
            Usable::Yes(artifact) if is_forced => (Some(artifact), CacheStatus::Refreshed),
            Usable::Yes(artifact) => (Some(artifact), CacheStatus::Hit),
            Usable::No(Unusable::Absent) => (None, CacheStatus::Miss),
            Usable::No(Unusable::Broken) => (None, CacheStatus::StaleRebuild),
            Usable::No(Unusable::Old(artifact)) => (Some(artifact), CacheStatus::StaleRebuild),
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

    /// What changed since the artifact; keeps nothing but an artifact where there was none.
    pub(crate) fn look(&self, project: &Project) -> Result<Current, ContextError> {
        let looked_ns = self.now_ns();
        let Usable::Yes(artifact) = self.usable(project) else {
            return self.update(project, How::Asking);
        };
        let changes = self.changes(project, &artifact, How::Asking)?;
        if changes.is_clean() {
            return Ok(unchanged(artifact, Freshness::Fresh));
        }
        self.unwritten(project, artifact, changes, looked_ns)
    }

    /// The answer without keeping anything: another process writes.
    fn unkept(&self, project: &Project, busy: ContextError) -> Result<Current, ContextError> {
        let looked_ns = self.now_ns();
        let Usable::Yes(artifact) = self.usable(project) else {
            return Err(busy);
        };
        let changes = self.changes(project, &artifact, How::Asking)?;
        self.unwritten(project, artifact, changes, looked_ns)
    }

    /// What changed, told beside an artifact that stays as it is.
    fn unwritten(
        &self,
        project: &Project,
        artifact: Box<Artifact>,
        changes: Changes,
        looked_ns: i64,
    ) -> Result<Current, ContextError> {
        let keeping = Keeping::Nothing;
        let examined = self.examine(project, Some(&artifact), changes, keeping, looked_ns)?;
        Ok(Current {
            artifact,
            before: None,
            status: CacheStatus::Hit,
            freshness: freshness(&examined.delta),
            stats: examined.stats,
            delta: examined.delta,
        })
    }

    /// Examines, writes, and reads back what was written.
    fn keep(
        &self,
        project: &Project,
        mut before: Option<Box<Artifact>>,
        changes: Changes,
        now: Now,
        status: CacheStatus,
    ) -> Result<Current, ContextError> {
        let generation = before
            .as_ref()
            .map_or(0, |artifact| artifact.meta.generation + 1)
            .max(u64::try_from(now.looked_ns).unwrap_or(0));
        let (file, copied) = self.facts_file(project, before.as_deref(), generation);
        let keeping = Keeping::Facts {
            store: &self.store,
            file,
        };
        let is_moved = before
            .as_ref()
            .is_none_or(|artifact| artifact.meta.head != now.head);
        // History is asked for while files are read.
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
            // Without an answer there is no history.
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
        let finishing = Finishing {
            place: &place,
            store: &self.store,
            history: &self.options.history,
            redactor: self.redactor(),
            churn,
            meta: Meta {
                root: project.root.path().to_owned(),
                generation,
                built_ns,
                settings: self.settings(),
                head: now.head,
                index: now.index,
                rules: place.rules().files().to_vec(),
                ..Meta::default()
            },
        };
        let Some(bytes) = finishing.finish(before.as_deref_mut(), &examined)? else {
            // Facts that unchanged files had are damaged: everything is read again.
            let changes = place.list_all(&place.rules())?;
            let now = Now::of(project, self.now_ns());
            return self.keep(project, None, changes, now, CacheStatus::StaleRebuild);
        };
        self.store.save(&project.id, &bytes)?;
        drop(bytes);
        let artifact = match self.store.load(&project.id, project.root.path()) {
            Stored::Artifact(artifact) => artifact,
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
        Ok(Current {
            artifact,
            before,
            status,
            freshness,
            stats: examined.stats,
            delta,
        })
    }

    /// Where facts go: to those there are, or, when most of these are of no use any more, to a new
    /// file that the others have to be copied to.
    fn facts_file(
        &self,
        project: &Project,
        before: Option<&Artifact>,
        generation: u64,
    ) -> (FactsFile, bool) {
        const WASTE: u64 = 16 * 1024 * 1024;
        let fresh = FactsFile {
            name: Store::facts_name(&project.id, generation),
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
            // Behind whatever a writer that died has left there.
            bytes: self.store.facts_bytes(&meta.facts),
        };
        (kept, false)
    }

    fn changes(
        &self,
        project: &Project,
        artifact: &Artifact,
        how: How<'_>,
    ) -> Result<Changes, ContextError> {
        let place = self.place(project);
        let told = match how {
            How::Asking => journal::read(&self.store, &project.id, artifact.meta.generation),
            How::At(paths) => Some(paths.clone()),
            How::Walking | How::Reading => None,
        };
        match told {
            Some(paths) => place.compare_paths(artifact, &paths),
            None => place.compare(artifact),
        }
    }

    fn examine(
        &self,
        project: &Project,
        before: Option<&Artifact>,
        changes: Changes,
        keeping: Keeping<'_>,
        looked_ns: i64,
    ) -> Result<Examined, ContextError> {
        // What is not kept is not gathered.
        let analysis = match keeping {
            Keeping::Nothing => Analysis::Hashes,
            Keeping::Facts { .. } => self.options.analysis,
        };
        let reading = Reading {
            root: &project.root,
            limits: &self.options.limits,
            sensitive: self.sensitive()?,
            redactor: self.redactor(),
            analysis,
        };
        examine(&reading, before, changes, keeping, looked_ns)
    }

    fn usable(&self, project: &Project) -> Usable {
        match self.store.load(&project.id, project.root.path()) {
            Stored::Nothing => Usable::No(Unusable::Absent),
            Stored::Unusable => Usable::No(Unusable::Broken),
            Stored::Artifact(artifact)
                if artifact.meta.settings != self.settings()
                    || self.store.facts_bytes(&artifact.meta.facts) < artifact.meta.facts_bytes =>
            {
                Usable::No(Unusable::Broken)
            }
            Stored::Artifact(artifact) => {
                let lifetime = i64::try_from(self.options.limits.lifetime.as_nanos());
                let age = self.now_ns().saturating_sub(artifact.meta.built_ns);
                if age > lifetime.unwrap_or(i64::MAX) {
                    Usable::No(Unusable::Old(artifact))
                } else {
                    Usable::Yes(artifact)
                }
            }
        }
    }
}

enum Usable {
    Yes(Box<Artifact>),
    No(Unusable),
}

enum Unusable {
    Absent,
    Broken,
    Old(Box<Artifact>),
}

/// How the repository stood when looking began.
struct Now {
    looked_ns: i64,
    head: Option<String>,
    index: Option<Stamp>,
}

impl Now {
    fn of(project: &Project, looked_ns: i64) -> Self {
        let repository = project.repository.as_ref();
        Self {
            looked_ns,
            head: repository.and_then(Repository::head),
            // One that may change unseen is looked at again.
            index: repository
                .and_then(Repository::index_stamp)
                .filter(|stamp| !stamp.is_racy(looked_ns)),
        }
    }
}

fn unchanged(artifact: Box<Artifact>, freshness: Freshness) -> Current {
    let file_count = u64::from(artifact.tables().file_count());
    let stats = Stats {
        file_count,
        reused_entries: file_count,
        rehashed_entries: 0,
        skipped_entries: artifact.meta.skipped_count,
        skipped: artifact.meta.skipped.clone(),
    };
    Current {
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
