//! Public interface: explore, delta, refresh, context and gain (`pilot` has its own file). `explore` and `refresh`
//! store what they find; `delta` and `context` only read. A question never waits for another process to write.

use std::sync::OnceLock;

use acreta_fs::unix_ns;
use acreta_redact::Redactor;
use camino::{Utf8Path, Utf8PathBuf};
use xxhash_rust::xxh3::xxh3_64;

use crate::ContextError;
use crate::answer::gain::{self, Gain};
use crate::answer::question::ContextQuestion;
use crate::answer::request::{MemoryHints, Request};
use crate::answer::response::{Command, Response};
use crate::artifact::detection::ChangeDetection;
use crate::artifact::format::VERSION;
use crate::artifact::store::ArtifactStore;
use crate::options::ContextOptions;
use crate::scan::compare::ProjectScan;
use crate::scan::node::ScanRoot;
use crate::scan::repository::ProjectRepository;
use crate::scan::sensitive::Sensitive;

/// Answers questions about projects from stored artifacts.
pub struct Context {
    pub(crate) options: ContextOptions,
    pub(crate) store: ArtifactStore,
    sensitive: OnceLock<Sensitive>,
    redactor: OnceLock<Redactor>,
}

/// An open project.
pub(crate) struct OpenProject {
    pub(crate) id: String,
    pub(crate) root: ScanRoot,
    pub(crate) repository: Option<ProjectRepository>,
}

impl Context {
    pub fn open(options: ContextOptions) -> Result<Self, ContextError> {
        let store = ArtifactStore::open(&options.cache_root, options.faults.clone())?;
        let context = Self {
            options,
            store,
            sensitive: OnceLock::new(),
            redactor: OnceLock::new(),
        };
        let patterns = &context.options.sensitive;
        if !patterns.allow.is_empty() || !patterns.deny.is_empty() {
            // Report invalid user patterns at once.
            context.sensitive()?;
        }
        Ok(context)
    }

    /// Returns the slice of a project, and the changes since it was last explored.
    pub fn explore(
        &self,
        project: &Utf8Path,
        request: &Request,
        hints: Option<&dyn MemoryHints>,
    ) -> Result<Response, ContextError> {
        let question = self.question(Command::Explore, request, hints);
        self.updated(project, question, ChangeDetection::of(request))
    }

    /// Like [`Context::explore`], but rereads every file.
    pub fn refresh(&self, project: &Utf8Path, request: &Request) -> Result<Response, ContextError> {
        let question = self.question(Command::Refresh, request, None);
        self.updated(project, question, ChangeDetection::Reread)
    }

    /// Returns the slice for a query within a budget, without a delta.
    pub fn context(
        &self,
        project: &Utf8Path,
        request: &Request,
        hints: Option<&dyn MemoryHints>,
    ) -> Result<Response, ContextError> {
        let question = self.question(Command::Context, request, hints);
        self.updated(project, question, ChangeDetection::of(request))
    }

    fn question<'a>(
        &self,
        command: Command,
        request: &'a Request,
        hints: Option<&'a dyn MemoryHints>,
    ) -> ContextQuestion<'a> {
        ContextQuestion {
            command,
            asked: (self.options.now)(),
            request,
            hints,
        }
    }

    /// Updates and stores the artifact, then answers from it.
    fn updated(
        &self,
        project: &Utf8Path,
        question: ContextQuestion<'_>,
        how: ChangeDetection<'_>,
    ) -> Result<Response, ContextError> {
        let project = self.project(project)?;
        let current = self.update(&project, how)?;
        self.answer(&project, current, question)
    }

    /// Returns the changes since the artifact, or since a revision. Stores nothing, unless there was no artifact.
    pub fn delta(&self, project: &Utf8Path, request: &Request) -> Result<Response, ContextError> {
        let question = self.question(Command::Delta, request, None);
        let project = self.project(project)?;
        let current = self.look(&project)?;
        self.answer(&project, current, question)
    }

    /// Returns measured savings of the answers served about a project.
    pub fn gain(&self, project: &Utf8Path) -> Result<Gain, ContextError> {
        let project = self.project(project)?;
        let sensitive = self.sensitive()?;
        gain::measure(&self.store, &project.id, project.root.path(), |path| {
            !sensitive.covers(path)
        })
    }

    pub(crate) fn project(&self, path: &Utf8Path) -> Result<OpenProject, ContextError> {
        let failed = |cause| ContextError::Project {
            path: path.to_owned(),
            cause,
        };
        let canonical = path.canonicalize_utf8().map_err(failed)?;
        let canonical = acreta_fs::native(&canonical);
        if !canonical.is_dir() {
            return Err(ContextError::NotADirectory { path: canonical });
        }
        let root = ScanRoot::open(&canonical).map_err(failed)?;
        // A folder that cannot be listed would look empty: fail instead.
        std::fs::read_dir(&canonical).map_err(failed)?;
        Ok(OpenProject {
            id: ArtifactStore::id(&canonical),
            repository: ProjectRepository::find(&canonical),
            root,
        })
    }

    pub(crate) fn place<'a>(&'a self, project: &'a OpenProject) -> ProjectScan<'a> {
        ProjectScan {
            root: &project.root,
            repository: project.repository.as_ref(),
            limits: &self.options.limits,
            global_ignore: self.options.global_ignore.as_deref(),
        }
    }

    pub(crate) fn now_ns(&self) -> i64 {
        unix_ns((self.options.now)())
    }

    /// Hashes the settings that decide which files are read, and how.
    pub(crate) fn settings(&self) -> u64 {
        let limits = &self.options.limits;
        let text = format!(
            "{VERSION} {} {} {} {:?} {:?} {:?}",
            limits.hashed_bytes,
            limits.analysed_bytes,
            limits.depth,
            self.options.analysis,
            self.options.sensitive,
            self.options.history.commits,
        );
        xxh3_64(text.as_bytes())
    }

    pub(crate) fn sensitive(&self) -> Result<&Sensitive, ContextError> {
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

/// Shows only the cache directory.
impl std::fmt::Debug for Context {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let root: &Utf8PathBuf = &self.options.cache_root;
        formatter.debug_tuple("Context").field(root).finish()
    }
}
