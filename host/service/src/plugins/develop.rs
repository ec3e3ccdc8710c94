//! Rounds of work on a plugin: build it, test it, and run it on a session: `plugin dev`. Whatever a round finds is in the
//! [`Round`]; none of it ends the loop.
//!
//! A round changes nothing but the component: it asks no models, runs dry, and grants nothing. Components of Rust are
//! built with line tables, so that a [`Trap`] has its source lines.

use std::collections::BTreeMap;

use acreta_fs::Directory;
use acreta_sandbox::TrapLog;
pub use acreta_sandbox::{Frame, Trap};
use camino::{Utf8Path, Utf8PathBuf};
use ignore::{DirEntry, WalkBuilder};
use serde::Serialize;

use crate::learn::one_file::{Learn, Progress, RunReport, learn};
use crate::plugins::publish::{self, Build, Built, build};
use crate::plugins::try_out::{Tried, TryOut, try_out};
use crate::{Context, Failure, Process, ProcessCaches};

/// A plugin that somebody works on.
#[derive(Debug, Clone)]
pub struct Develop {
    pub folder: Utf8PathBuf,
    /// The session to run it on; without one it is built and tested.
    pub session: Option<Utf8PathBuf>,
}

/// What one round found. A step that fails ends the round; failed tests do not.
#[derive(Debug, Default, Serialize)]
pub struct Round {
    pub built: Option<Built>,
    pub tested: Option<Tried>,
    pub run: Option<RunReport>,
    pub traps: Vec<Trap>,
    #[serde(skip)]
    pub failure: Option<Failure>,
}

impl Round {
    pub fn is_passed(&self) -> bool {
        let tested = self.tested.as_ref();
        self.failure.is_none()
            && self.traps.is_empty()
            && tested.is_some_and(|tested| tested.failed() == 0)
    }
}

/// Builds, tests and runs a plugin once.
pub fn round(request: &Develop, context: &Context, progress: &dyn Progress) -> Round {
    let traps = TrapLog::default();
    let mut round = Round::default();
    round.failure = steps(request, &traps, context, progress, &mut round).err();
    round.traps = traps.take();
    round
}

fn steps(
    request: &Develop,
    traps: &TrapLog,
    context: &Context,
    progress: &dyn Progress,
    round: &mut Round,
) -> Result<(), Failure> {
    let built = build(&Build {
        folder: request.folder.clone(),
        revision: None,
        runs_script: true,
        has_lines: true,
    })?;
    let file = built.file.clone();
    round.built = Some(built);
    let mut flags = context.process.flags.clone();
    flags.push(("llm.enabled".to_owned(), "false".to_owned()));
    let process = Process {
        flags,
        tried: vec![file.clone()],
        traps: Some(traps.clone()),
        // The sandbox with debug information is not the one of other commands.
        kept: ProcessCaches::default(),
        ..context.process.clone()
    };
    let context = Context::open(&process, &context.project)?;
    let tested = TryOut {
        plugin: file,
        only_replay: false,
    };
    round.tested = Some(try_out(&tested, &context)?);
    if let Some(session) = &request.session {
        let request = Learn {
            trace: session.clone(),
            dry_run: true,
            ..Learn::default()
        };
        round.run = Some(learn(&request, &context, progress)?.report);
    }
    Ok(())
}

/// Folders that tools fill, wherever no `.gitignore` names them.
const GENERATED: [&str; 3] = ["__pycache__", "node_modules", "target"];

/// Maximum size of a file that is watched, in bytes.
const SOURCE_BYTES: u64 = 4 * 1024 * 1024;

/// The files that a plugin is built from, by the digest of their content: a build that writes the same bytes again is no
/// change. Hidden, ignored and generated files and the component are not among them.
pub struct Sources {
    folder: Directory,
    component: Utf8PathBuf,
    /// Digests by path, relative to the folder.
    seen: BTreeMap<Utf8PathBuf, String>,
}

impl Sources {
    /// Reads the folder of a plugin.
    pub fn read(folder: &Utf8Path) -> Result<Self, Failure> {
        let (folder, _, manifest) = publish::open(folder)?;
        let mut sources = Self {
            component: folder.path().join(&manifest.component),
            folder,
            seen: BTreeMap::new(),
        };
        sources.seen = sources.digests();
        Ok(sources)
    }

    /// Returns the files that were written, added or removed since they were last read, relative to the folder.
    pub fn changed(&mut self) -> Vec<Utf8PathBuf> {
        let now = self.digests();
        let all = self.seen.keys().chain(now.keys());
        let is_changed = |path: &&Utf8PathBuf| self.seen.get(*path) != now.get(*path);
        let mut changed: Vec<Utf8PathBuf> = all.filter(is_changed).cloned().collect();
        changed.sort();
        changed.dedup();
        self.seen = now;
        changed
    }

    /// Returns the text of a line that a trap names; `None` if its file is not one of the plugin's own.
    pub fn line(&self, frame: &Frame) -> Option<(Utf8PathBuf, String)> {
        let path = Utf8Path::new(&frame.file);
        let path = path.strip_prefix(self.folder.path()).unwrap_or(path);
        self.seen.get(path)?;
        let text = self.folder.read_to_string(path, SOURCE_BYTES).ok()?;
        let line = text.lines().nth((frame.line as usize).checked_sub(1)?)?;
        Some((path.to_owned(), line.to_owned()))
    }

    fn digests(&self) -> BTreeMap<Utf8PathBuf, String> {
        let is_source = |entry: &DirEntry| {
            let name = entry.file_name().to_str();
            name.is_some_and(|name| !GENERATED.contains(&name))
        };
        let walk = WalkBuilder::new(self.folder.path())
            .require_git(false)
            .parents(false)
            .filter_entry(is_source)
            .build();
        // A file that cannot be read is as good as none; the build says why.
        let files = walk.flatten().filter_map(|entry| {
            let path = Utf8Path::from_path(entry.path())?;
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            if !is_file || path == self.component {
                return None;
            }
            let path = path.strip_prefix(self.folder.path()).ok()?;
            let bytes = self.folder.read(path, SOURCE_BYTES).ok()?;
            Some((path.to_owned(), acreta_store::digest(&bytes)))
        });
        files.collect()
    }
}
