//! The door: explore, delta, refresh, context, gain. `explore` and `refresh` keep what they find;
//! `delta` and `context` only look. A question never waits for another process's writing.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::OnceLock;
use std::time::Duration;

use acreta_redact::Redactor;
use camino::{Utf8Path, Utf8PathBuf};
use xxhash_rust::xxh3::xxh3_64;

use crate::ContextError;
use crate::artifact::{Artifact, Meta, Section, VERSION};
use crate::budget;
use crate::build::{Examined, FactsFile, Finishing, Keeping, examine};
use crate::bytes::Fields;
use crate::compare::{Changes, Place};
use crate::content::Reading;
use crate::gain::{self, Gain};
use crate::graph::Graph;
use crate::journal;
use crate::options::{ContextOptions, unix_ns};
use crate::rank::Ranking;
use crate::repository::Repository;
use crate::request::{Detail, MemoryHints, Request};
use crate::response::{CacheStatus, Command, Delta, Found, Freshness, Response, Slice, Stats};
use crate::sensitive::Sensitive;
use crate::slice;
use crate::stamp::{Root, Stamp};
use crate::store::{Store, Stored};

/// How long somebody who has nothing to serve waits for whoever builds it.
const BUILD_WAIT: Duration = Duration::from_secs(600);

/// Answers questions about projects from what it keeps of them.
pub struct Context {
    pub(crate) options: ContextOptions,
    pub(crate) store: Store,
    sensitive: OnceLock<Sensitive>,
    redactor: OnceLock<Redactor>,
}

/// A project, found and open.
pub(crate) struct Project {
    pub(crate) id: String,
    pub(crate) root: Root,
    pub(crate) repository: Option<Repository>,
}

/// How an update finds out what changed.
#[derive(Debug, Clone, Copy)]
pub(crate) enum How<'a> {
    /// From a watcher, or by looking at every path.
    Asking,
    /// By looking at every path.
    Walking,
    /// Only these paths can have changed.
    At(&'a BTreeSet<String>),
    /// Everything is read again.
    Reading,
}

impl How<'_> {
    fn of(request: &Request) -> Self {
        if request.refresh {
            How::Reading
        } else {
            How::Asking
        }
    }
}

/// What is asked, and what memory says about it.
#[derive(Clone, Copy)]
struct Question<'a> {
    command: Command,
    request: &'a Request,
    hints: Option<&'a dyn MemoryHints>,
}

/// A project's artifact, current, and how it came to be so.
pub(crate) struct Current {
    pub(crate) artifact: Box<Artifact>,
    pub(crate) status: CacheStatus,
    pub(crate) freshness: Freshness,
    pub(crate) stats: Stats,
    pub(crate) delta: Delta,
}

impl Context {
    pub fn open(options: ContextOptions) -> Result<Self, ContextError> {
        let store = Store::open(&options.cache_root, options.faults.clone())?;
        let context = Self {
            options,
            store,
            sensitive: OnceLock::new(),
            redactor: OnceLock::new(),
        };
        let patterns = &context.options.sensitive;
        if !patterns.allow.is_empty() || !patterns.deny.is_empty() {
            // Patterns of the user's are wrong now or never.
            context.sensitive()?;
        }
        Ok(context)
    }

    /// Where to look in a project and what changed in it since it was explored last.
    pub fn explore(
        &self,
        project: &Utf8Path,
        request: &Request,
        hints: Option<&dyn MemoryHints>,
    ) -> Result<Response, ContextError> {
        let question = Question {
            command: Command::Explore,
            request,
            hints,
        };
        let project = self.project(project)?;
        let current = self.update(&project, How::of(request))?;
        self.answer(&project, current, question)
    }

    /// The same with everything read again.
    pub fn refresh(&self, project: &Utf8Path, request: &Request) -> Result<Response, ContextError> {
        let question = Question {
            command: Command::Refresh,
            request,
            hints: None,
        };
        let project = self.project(project)?;
        let current = self.update(&project, How::Reading)?;
        self.answer(&project, current, question)
    }

    /// The slice for a query within a budget, without a delta.
    pub fn context(
        &self,
        project: &Utf8Path,
        request: &Request,
        hints: Option<&dyn MemoryHints>,
    ) -> Result<Response, ContextError> {
        let question = Question {
            command: Command::Context,
            request,
            hints,
        };
        let project = self.project(project)?;
        let current = self.update(&project, How::of(request))?;
        self.answer(&project, current, question)
    }

    /// What changed since the artifact, or since a revision; keeps nothing but an artifact where
    /// there was none.
    pub fn delta(&self, project: &Utf8Path, request: &Request) -> Result<Response, ContextError> {
        let project = self.project(project)?;
        let looked_ns = self.now_ns();
        let current = match self.usable(&project) {
            Usable::Yes(artifact) => {
                let changes = self.changes(&project, &artifact, How::Asking)?;
                if changes.is_clean() {
                    unchanged(artifact, Freshness::Fresh)
                } else {
                    let keeping = Keeping::Nothing;
                    let examined =
                        self.examine(&project, Some(&artifact), changes, keeping, looked_ns)?;
                    let freshness = freshness(&examined.delta);
                    Current {
                        artifact,
                        status: CacheStatus::Hit,
                        freshness,
                        stats: examined.stats,
                        delta: examined.delta,
                    }
                }
            }
            Usable::No(_) => self.update(&project, How::Asking)?,
        };
        let question = Question {
            command: Command::Delta,
            request,
            hints: None,
        };
        self.answer(&project, current, question)
    }

    /// Measured savings of what was served about a project.
    pub fn gain(&self, project: &Utf8Path) -> Result<Gain, ContextError> {
        let project = self.project(project)?;
        let sensitive = self.sensitive()?;
        gain::measure(&self.store, &project.id, project.root.path(), |path| {
            !sensitive.covers(path)
        })
    }

    pub(crate) fn project(&self, path: &Utf8Path) -> Result<Project, ContextError> {
        let failed = |cause| ContextError::Project {
            path: path.to_owned(),
            cause,
        };
        let canonical = path.canonicalize_utf8().map_err(failed)?;
        if !canonical.is_dir() {
            return Err(ContextError::NotADirectory { path: canonical });
        }
        let root = Root::open(&canonical).map_err(failed)?;
        // A folder that may not be listed has no files as far as anybody can tell: say so instead.
        std::fs::read_dir(&canonical).map_err(failed)?;
        Ok(Project {
            id: Store::id(&canonical),
            repository: Repository::find(&canonical),
            root,
        })
    }

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
                scope.spawn(|| match project.repository {
                    Some(_) => self.options.git.churn(project.root.path()),
                    None => None,
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
            git: &self.options.git,
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

    /// The answer without keeping anything: another process writes.
    fn unkept(&self, project: &Project, busy: ContextError) -> Result<Current, ContextError> {
        let looked_ns = self.now_ns();
        let Usable::Yes(artifact) = self.usable(project) else {
            return Err(busy);
        };
        let changes = self.changes(project, &artifact, How::Asking)?;
        let keeping = Keeping::Nothing;
        let examined = self.examine(project, Some(&artifact), changes, keeping, looked_ns)?;
        Ok(Current {
            artifact,
            status: CacheStatus::Hit,
            freshness: freshness(&examined.delta),
            stats: examined.stats,
            delta: examined.delta,
        })
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
        let reading = Reading {
            root: &project.root,
            limits: &self.options.limits,
            sensitive: self.sensitive()?,
            redactor: self.redactor(),
            analysis: self.options.analysis,
        };
        examine(&reading, before, changes, keeping, looked_ns)
    }

    fn answer(
        &self,
        project: &Project,
        mut current: Current,
        question: Question<'_>,
    ) -> Result<Response, ContextError> {
        let Question {
            command,
            request,
            hints,
        } = question;
        let delta = match (&request.since, command) {
            (_, Command::Context) => None,
            (Some(revision), _) => Some(self.since(project, revision)?),
            (None, _) => Some(std::mem::take(&mut current.delta)),
        };
        let slice = match command {
            Command::Delta => None,
            _ => {
                let stored: Slice =
                    serde_json::from_slice(current.artifact.stored_slice()).unwrap_or_default();
                Some(slice::cut(stored, request.detail))
            }
        };
        let matches = match (&request.query, command) {
            (None, _) | (_, Command::Delta) => None,
            (Some(query), _) => Some(self.matches(&mut current.artifact, query, request, hints)),
        };
        self.clean(&mut current.stats);
        let response = Response {
            command,
            project_root: project.root.path().to_string(),
            project_id: project.id.clone(),
            cache_status: current.status,
            freshness: current.freshness,
            stats: current.stats,
            delta: delta.map(|delta| self.shown(delta, request.detail)),
            slice,
            matches,
            truncated: false,
        };
        let response = match request.budget {
            Some(budget) => budget::fit(response, budget),
            None => response,
        };
        gain::record(&self.store, &project.id, &response);
        Ok(response)
    }

    fn matches(
        &self,
        artifact: &mut Artifact,
        query: &str,
        request: &Request,
        hints: Option<&dyn MemoryHints>,
    ) -> Vec<Found> {
        let facts = self
            .store
            .facts(&artifact.meta.facts)
            .map(|reader| reader.read_all())
            .unwrap_or_default();
        let edges = artifact.section(Section::Edges).unwrap_or_default();
        let keys = artifact.section(Section::Keys).unwrap_or_default();
        let churn = artifact.section(Section::Churn).unwrap_or_default();
        let mut fields = Fields::new(&churn);
        let churn: Vec<u32> = (0..churn.len() / 4).map(|_| fields.u32()).collect();
        let ranking = Ranking {
            tables: artifact.tables(),
            facts: &facts,
            graph: &Graph::decode(&edges, &keys),
            churn: &churn,
            hints,
        };
        let mut found = ranking.rank(query);
        found.truncate(request.detail.entries().max(10));
        let redactor = self.redactor();
        for found in &mut found {
            found.path = redactor.redact(&found.path).text.into_owned();
        }
        found
    }

    fn since(&self, project: &Project, revision: &str) -> Result<Delta, ContextError> {
        let changed = self
            .options
            .git
            .changed_since(project.root.path(), revision)
            .ok_or_else(|| ContextError::Revision {
                path: project.root.path().to_owned(),
                revision: revision.to_owned(),
            })?;
        let mut delta = Delta::default();
        for file in &changed {
            match file.change {
                crate::response::Change::Added => delta.added += 1,
                crate::response::Change::Modified => delta.modified += 1,
                crate::response::Change::Removed => delta.removed += 1,
                crate::response::Change::Renamed => delta.renamed += 1,
            }
        }
        delta.files = changed;
        Ok(delta)
    }

    /// Takes secrets out of the names of what was skipped.
    fn clean(&self, stats: &mut Stats) {
        for skipped in &mut stats.skipped {
            if let Cow::Owned(redacted) = self.redactor().redact(&skipped.path).text {
                skipped.path = redacted;
            }
        }
    }

    /// As much of a delta as a detail level asks for, without secrets.
    pub(crate) fn shown(&self, mut delta: Delta, detail: Detail) -> Delta {
        delta.files.truncate(detail.changes());
        if !delta.files.is_empty() {
            let redactor = self.redactor();
            let clean = |text: &mut String| {
                if let Cow::Owned(redacted) = redactor.redact(text).text {
                    *text = redacted;
                }
            };
            for file in &mut delta.files {
                clean(&mut file.path);
                if let Some(from) = &mut file.from {
                    clean(from);
                }
            }
        }
        delta
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

    pub(crate) fn place<'a>(&'a self, project: &'a Project) -> Place<'a> {
        Place {
            root: &project.root,
            repository: project.repository.as_ref(),
            limits: &self.options.limits,
            global_ignore: self.options.global_ignore.as_deref(),
        }
    }

    pub(crate) fn now_ns(&self) -> i64 {
        unix_ns((self.options.now)())
    }

    /// What decides which files are read, and how.
    fn settings(&self) -> u64 {
        let limits = &self.options.limits;
        let text = format!(
            "{VERSION} {} {} {} {:?} {:?} {:?}",
            limits.hashed_bytes,
            limits.analysed_bytes,
            limits.depth,
            self.options.analysis,
            self.options.sensitive,
            self.options.git.commits,
        );
        xxh3_64(text.as_bytes())
    }

    fn sensitive(&self) -> Result<&Sensitive, ContextError> {
        if let Some(sensitive) = self.sensitive.get() {
            return Ok(sensitive);
        }
        let sensitive = Sensitive::new(&self.options.sensitive)?;
        Ok(self.sensitive.get_or_init(|| sensitive))
    }

    pub(crate) fn redactor(&self) -> &Redactor {
        self.redactor
            .get_or_init(|| Redactor::new(&[]).expect("an empty allow-list has no bad entry"))
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

/// Where a project's artifacts would lie, for people who look.
impl std::fmt::Debug for Context {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let root: &Utf8PathBuf = &self.options.cache_root;
        formatter.debug_tuple("Context").field(root).finish()
    }
}
