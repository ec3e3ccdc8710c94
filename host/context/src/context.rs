//! The door: explore, delta, refresh, context, gain; `pilot` is in a file of its own. `explore` and `refresh` keep what they find;
//! `delta` and `context` only look. A question never waits for another process's writing.

use std::sync::OnceLock;

use acreta_fs::unix_ns;
use acreta_redact::Redactor;
use camino::{Utf8Path, Utf8PathBuf};
use xxhash_rust::xxh3::xxh3_64;

use crate::ContextError;
use crate::answer::gain::{self, Gain};
use crate::answer::question::Question;
use crate::answer::request::{MemoryHints, Request};
use crate::answer::response::{Command, Response};
use crate::artifact::format::VERSION;
use crate::artifact::how::How;
use crate::artifact::store::Store;
use crate::options::ContextOptions;
use crate::scan::compare::Place;
use crate::scan::node::Root;
use crate::scan::repository::Repository;
use crate::scan::sensitive::Sensitive;

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
            asked: (self.options.now)(),
            request,
            hints,
        };
        self.updated(project, question, How::of(request))
    }

    /// The same with everything read again.
    pub fn refresh(&self, project: &Utf8Path, request: &Request) -> Result<Response, ContextError> {
        let question = Question {
            command: Command::Refresh,
            asked: (self.options.now)(),
            request,
            hints: None,
        };
        self.updated(project, question, How::Reading)
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
            asked: (self.options.now)(),
            request,
            hints,
        };
        self.updated(project, question, How::of(request))
    }

    /// An answer from an artifact that was brought up to date and kept.
    fn updated(
        &self,
        project: &Utf8Path,
        question: Question<'_>,
        how: How<'_>,
    ) -> Result<Response, ContextError> {
        let project = self.project(project)?;
        let current = self.update(&project, how)?;
        self.answer(&project, current, question)
    }

    /// What changed since the artifact, or since a revision; keeps nothing but an artifact where
    /// there was none.
    pub fn delta(&self, project: &Utf8Path, request: &Request) -> Result<Response, ContextError> {
        let question = Question {
            command: Command::Delta,
            asked: (self.options.now)(),
            request,
            hints: None,
        };
        let project = self.project(project)?;
        let current = self.look(&project)?;
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
        let canonical = acreta_fs::native(&canonical);
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

/// Where a project's artifacts would lie, for people who look.
impl std::fmt::Debug for Context {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let root: &Utf8PathBuf = &self.options.cache_root;
        formatter.debug_tuple("Context").field(root).finish()
    }
}
