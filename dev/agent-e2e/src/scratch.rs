//! A scratch home with two git projects, a worktree and a subfolder, and the programs that run in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tempfile::TempDir;

use crate::cache::{self, Installed};
use crate::process::{self, ProgramOutput};

/// Time limit for one command of an agent or of acreta.
const LIMIT: Duration = Duration::from_secs(400);

pub(crate) struct Scratch {
    folder: TempDir,
    acreta: PathBuf,
    program: Installed,
    /// Address of the scripted model.
    pub(crate) url: String,
    variables: Vec<(&'static str, String)>,
    commands: AtomicUsize,
}

/// Paths of files and their bytes; links by their target.
pub(crate) type FolderSnapshot = BTreeMap<PathBuf, Vec<u8>>;

impl Scratch {
    pub(crate) fn new(acreta: &Path, program: Installed, url: String) -> Result<Self, String> {
        let folder = tempfile::Builder::new()
            .prefix("agents")
            .tempdir()
            .map_err(|error| format!("no scratch folder: {error}"))?;
        let scratch = Self {
            folder,
            acreta: acreta.to_owned(),
            program,
            url,
            variables: Vec::new(),
            commands: AtomicUsize::new(0),
        };
        for folder in ["home/.cache", "logs", "tmp", "work"] {
            scratch.make(&scratch.path(folder))?;
        }
        // Some agents give commands to a login shell.
        if let Some(own) = acreta.parent() {
            let own = format!("PATH='{}':\"$PATH\"\n", own.display());
            scratch.write(".profile", &own)?;
        }
        // All homes share compiled plugins.
        let compiled = cache::root().join("compiled");
        scratch.make(&compiled)?;
        #[cfg(unix)]
        std::os::unix::fs::symlink(compiled, scratch.home().join(".cache/acreta"))
            .map_err(|error| format!("no link to the compiled plugins: {error}"))?;
        for name in ["alpha", "beta"] {
            scratch.repository(&scratch.project(name))?;
        }
        scratch.make(&scratch.project("alpha/deep/sub"))?;
        let tree = scratch.project("alpha-tree");
        let tree = tree.to_string_lossy();
        scratch.git(
            &scratch.project("alpha"),
            &["worktree", "add", "-q", "-b", "side", &tree],
        )?;
        Ok(scratch)
    }

    pub(crate) fn set_variables(&mut self, variables: Vec<(&'static str, String)>) {
        self.variables = variables;
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.folder.path().join(relative)
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.path("home")
    }

    pub(crate) fn project(&self, name: &str) -> PathBuf {
        self.path("work").join(name)
    }

    /// Keeps the folder for inspection.
    pub(crate) fn keep(self) -> PathBuf {
        self.folder.keep()
    }

    fn make(&self, folder: &Path) -> Result<(), String> {
        std::fs::create_dir_all(folder).map_err(|error| format!("`{}`: {error}", folder.display()))
    }

    /// Writes a file of the scratch home.
    pub(crate) fn write(&self, relative: &str, text: &str) -> Result<(), String> {
        self.write_at(&self.home().join(relative), text)
    }

    /// Writes a file of a project.
    pub(crate) fn write_project(&self, relative: &str, text: &str) -> Result<(), String> {
        self.write_at(&self.project(relative), text)
    }

    fn write_at(&self, path: &Path, text: &str) -> Result<(), String> {
        self.make(path.parent().unwrap_or(path))?;
        #[expect(clippy::disallowed_methods, reason = "a file of a scratch home")]
        std::fs::write(path, text).map_err(|error| format!("`{}`: {error}", path.display()))
    }

    /// Removes a file of a project, if it is there.
    pub(crate) fn remove_from_project(&self, relative: &str) -> Result<(), String> {
        #[expect(clippy::disallowed_methods, reason = "a file of a scratch project")]
        let removed = std::fs::remove_file(self.project(relative));
        match removed {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(format!("`{relative}`: {error}"))
            }
            _ => Ok(()),
        }
    }

    fn repository(&self, root: &Path) -> Result<(), String> {
        self.make(root)?;
        self.git(root, &["init", "-q", "-b", "main"])?;
        let name = root.file_name().unwrap_or_default().to_string_lossy();
        #[expect(clippy::disallowed_methods, reason = "a file of a scratch project")]
        std::fs::write(root.join("README.md"), format!("# {name}\n"))
            .map_err(|error| format!("`{}`: {error}", root.display()))?;
        self.git(root, &["add", "."])?;
        self.git(root, &["commit", "-q", "-m", "First"])
    }

    fn git(&self, directory: &Path, arguments: &[&str]) -> Result<(), String> {
        let mut git = self.bare("git".as_ref(), directory);
        git.args(["-c", "user.name=t", "-c", "user.email=t@example.com"]);
        let ran = self.finish(git.args(arguments))?;
        match ran.succeeded {
            true => Ok(()),
            false => Err(format!("git {}: {}", arguments.join(" "), ran.last_line())),
        }
    }

    /// Builds a command without the user's environment.
    fn bare(&self, program: &Path, directory: &Path) -> Command {
        let own = self.acreta.parent();
        let path = [Some(self.program.folder.as_path()), own];
        let system = std::env::var_os("PATH").unwrap_or_default();
        let path = path
            .into_iter()
            .flatten()
            .map(Path::to_owned)
            .chain(std::env::split_paths(&system));
        let mut command = Command::new(program);
        command
            .current_dir(directory)
            .env_clear()
            .env("PATH", std::env::join_paths(path).unwrap_or(system.clone()))
            .env("HOME", self.home())
            .env("TMPDIR", self.path("tmp"))
            .env("LANG", "C.UTF-8")
            .env("TERM", "dumb")
            // The suite drives a build without optimisation.
            .env("ACRETA_HOOK_WAIT_MS", "4000");
        command
    }

    fn finish(&self, command: &mut Command) -> Result<ProgramOutput, String> {
        let number = self.commands.fetch_add(1, Ordering::Relaxed);
        let program = Path::new(command.get_program())
            .file_name()
            .unwrap_or_default();
        let name = format!("logs/{number:03}-{}.log", program.to_string_lossy());
        process::run(command, &self.path(&name), LIMIT)
    }

    /// Runs the agent.
    pub(crate) fn agent(
        &self,
        directory: &Path,
        arguments: &[String],
    ) -> Result<ProgramOutput, String> {
        let mut command = self.bare(&self.program.binary, directory);
        let variables = self.variables.iter();
        command
            .args(arguments)
            .envs(variables.map(|(name, value)| (name, value)));
        self.finish(&mut command)
    }

    /// Runs acreta; repeats it while a background sync holds a project.
    pub(crate) fn acreta(
        &self,
        directory: &Path,
        arguments: &[&str],
    ) -> Result<ProgramOutput, String> {
        for _ in 0..30 {
            let mut command = self.bare(&self.acreta, directory);
            let ran = self.finish(command.args(arguments))?;
            if ran.code != Some(4) {
                return Ok(ran);
            }
            std::thread::sleep(Duration::from_secs(1));
        }
        Err("a sync in the background holds the project".to_owned())
    }

    /// Returns everything in the home and the projects except acreta's own folders and caches.
    pub(crate) fn files(&self) -> FolderSnapshot {
        let mut files = FolderSnapshot::new();
        for folder in [self.home(), self.path("work")] {
            collect(&folder, &mut files);
        }
        files
    }
}

fn collect(folder: &Path, files: &mut FolderSnapshot) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if [".acreta", ".cache", ".git", "node_modules"]
            .iter()
            .any(|own| name == *own)
        {
            continue;
        }
        if path.is_symlink() {
            let target = std::fs::read_link(&path).unwrap_or_default();
            files.insert(path, target.to_string_lossy().into_owned().into_bytes());
        } else if path.is_dir() {
            collect(&path, files);
        } else {
            files.insert(path.clone(), std::fs::read(&path).unwrap_or_default());
        }
    }
}
