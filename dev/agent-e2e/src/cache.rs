//! Installs the real programs from npm and PyPI, each in a separate folder, and finds them again. The folder is
//! `$ACRETA_AGENTS_CACHE`, or `acreta-agent-setup` in the user's cache folder.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::process;

/// Time limit for installing one program.
const INSTALL: Duration = Duration::from_secs(900);

/// Source of a program.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Package {
    Npm(&'static str),
    PyPi(&'static str),
}

/// An installed program.
#[derive(Debug, Clone)]
pub(crate) struct Installed {
    pub(crate) binary: PathBuf,
    /// Folder for `PATH`: the program's own runtime is in it.
    pub(crate) folder: PathBuf,
}

pub(crate) fn root() -> PathBuf {
    if let Some(folder) = std::env::var_os("ACRETA_AGENTS_CACHE") {
        return PathBuf::from(folder);
    }
    let base = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let base = base.or_else(|| std::env::home_dir().map(|home| home.join(".cache")));
    base.unwrap_or_else(std::env::temp_dir)
        .join("acreta-agent-setup")
}

/// Returns the program, installing it if necessary; otherwise the reason why it is not available.
pub(crate) fn find(name: &str, package: Package, binary: &str) -> Result<Installed, String> {
    let folder = root().join(name);
    let bin = match package {
        Package::Npm(_) => folder.join("node_modules/.bin"),
        Package::PyPi(_) => folder.join("bin"),
    };
    let found = Installed {
        binary: match binary.contains('/') {
            true => folder.join(binary),
            false => bin.join(binary),
        },
        folder: bin,
    };
    if found.binary.exists() {
        return Ok(found);
    }
    eprintln!("{name}: installing …");
    std::fs::create_dir_all(&folder).map_err(|error| format!("`{}`: {error}", folder.display()))?;
    match package {
        Package::Npm(package) => npm(&folder, package)?,
        Package::PyPi(package) => pypi(&folder, package)?,
    }
    match found.binary.exists() {
        true => Ok(found),
        false => Err(format!("the package has no program `{binary}`")),
    }
}

/// Installs Node first: several programs need a newer one than the system's, and npm selects an older version of a
/// program rather than one that its own Node cannot run.
fn npm(folder: &Path, package: &str) -> Result<(), String> {
    let npm = |package: &str| {
        let mut command = Command::new("npm");
        command
            .args([
                "install",
                "--no-audit",
                "--no-fund",
                "--loglevel=error",
                "--prefix",
            ])
            .arg(folder)
            .arg(package);
        command
    };
    install(&mut npm("node@24"), folder)?;
    let system = std::env::var_os("PATH").unwrap_or_default();
    let own = std::iter::once(folder.join("node_modules/.bin"));
    let path = std::env::join_paths(own.chain(std::env::split_paths(&system)));
    install(npm(package).env("PATH", path.unwrap_or(system)), folder)
}

fn pypi(folder: &Path, package: &str) -> Result<(), String> {
    let mut venv = Command::new("python3");
    venv.args(["-m", "venv"]).arg(folder);
    install(&mut venv, folder)?;
    let mut pip = Command::new(folder.join("bin/pip"));
    pip.args(["install", "--quiet", package]);
    install(&mut pip, folder)
}

fn install(command: &mut Command, folder: &Path) -> Result<(), String> {
    command.current_dir(folder).stdin(Stdio::null());
    let ran = process::run(command, &folder.join("install.log"), INSTALL)?;
    match ran.succeeded {
        true => Ok(()),
        false => Err(format!("could not be installed: {}", ran.last_line())),
    }
}
