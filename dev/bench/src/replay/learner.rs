//! An acreta with its own home and project, in this process.

use std::path::Path;

use acreta_service::learn::one_file::{Learn, Progress, RunReport, TodoState, learn};
use acreta_service::{Context, Environment, Process};
use camino::Utf8PathBuf;

use crate::Outcome;

pub(crate) struct Learner {
    pub(crate) context: Context,
    _folder: tempfile::TempDir,
}

impl Learner {
    pub(crate) fn new(name: &str, config: &str) -> Outcome<Self> {
        let folder = tempfile::Builder::new().prefix(name).tempdir()?;
        let base = Utf8PathBuf::try_from(folder.path().canonicalize()?)?;
        let (home, project) = (base.join("home"), base.join("project"));
        std::fs::create_dir_all(&home)?;
        std::fs::create_dir_all(project.join(".git"))?;
        #[expect(clippy::disallowed_methods, reason = "the bench's own scratch folder")]
        std::fs::write(home.join("config.toml"), config)?;
        let mut environment = Environment::new();
        environment.insert("HOME".to_owned(), base.to_string());
        environment.insert("ACRETA_HOME".to_owned(), home.into_string());
        // All learners share compiled plugins.
        let cache = acreta_plugin_build::workspace_root().join("target/bench/cache");
        environment.insert("ACRETA_CACHE_DIR".to_owned(), cache.display().to_string());
        let key = "the learners share one key and one cache";
        environment.insert("ACRETA_CACHE_KEY".to_owned(), key.to_owned());
        let process = Process::silent(environment);
        Ok(Self {
            context: Context::open(&process, &project).map_err(|failure| failure.to_string())?,
            _folder: folder,
        })
    }

    /// Learns from a session file, with the default pipeline.
    pub(crate) fn learn(&mut self, file: &Path) -> Outcome<RunReport> {
        let request = Learn {
            trace: Utf8PathBuf::try_from(std::path::absolute(file)?)?,
            ..Learn::default()
        };
        let learnt = learn(&request, &self.context, &Silent);
        Ok(learnt.map_err(|failure| failure.to_string())?.report)
    }
}

struct Silent;

impl Progress for Silent {
    fn step(&self, _step: &'static str, _state: TodoState) {}
}
