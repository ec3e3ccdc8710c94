//! Finds out what a plugin was built from: asks the package manager whose lock lies in the plugin's folder.

use std::process::Command;

use acreta_fs::Directory;
use acreta_plugin_registry::{Dependency, Manifest, from_cargo_tree, from_npm, from_pip};
use camino::Utf8Path;

use crate::{Failure, Kind};

/// Maximum size of a lock.
const LOCK_BYTES: u64 = 8 * 1024 * 1024;

/// The target of components, whose dependencies count.
const TARGET: &str = "wasm32-wasip2";

/// Edges of cargo's tree: all that make the component, and those to what ends up in it.
const ALL: &str = "normal,build";
const RUNTIME: &str = "normal,no-proc-macro";

/// Returns the packages that the plugin in a folder is built from; `None` if it has no lock.
pub(super) fn of(
    directory: &Directory,
    manifest: &Manifest,
) -> Result<Option<Vec<Dependency>>, Failure> {
    let version = manifest.version.to_string();
    let root = (manifest.id.as_str(), version.as_str());
    if directory.exists("Cargo.lock")? {
        let folder = directory.path();
        let (all, runtime) = (cargo_tree(folder, ALL)?, cargo_tree(folder, RUNTIME)?);
        return Ok(Some(from_cargo_tree(&all, &runtime)));
    }
    if directory.exists("package-lock.json")? {
        let lock = directory.read_to_string("package-lock.json", LOCK_BYTES)?;
        let packages = from_npm(&lock, root);
        let packages = packages.ok_or_else(|| {
            let message = format!("`{}/package-lock.json` has no packages", directory.path());
            Failure::new(Kind::Refused, message).hint("npm 7 and later write one that has them")
        })?;
        return Ok(Some(packages));
    }
    if directory.exists("requirements.txt")? {
        let requirements = directory.read_to_string("requirements.txt", LOCK_BYTES)?;
        return Ok(Some(from_pip(&requirements, root)));
    }
    Ok(None)
}

fn cargo_tree(folder: &Utf8Path, edges: &str) -> Result<String, Failure> {
    let output = Command::new("cargo")
        .args(["tree", "--locked", "--target", TARGET])
        .args(["--prefix", "depth", "--format", " {p}", "--edges", edges])
        .current_dir(folder)
        .output();
    let failed = |cause: &str| {
        let message = format!("`cargo tree` in `{folder}` failed: {}", cause.trim());
        Failure::saying(message).hint(
            "it lists the dependencies that are written into a component beside a `Cargo.lock`",
        )
    };
    match output {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Ok(output) => Err(failed(&String::from_utf8_lossy(&output.stderr))),
        Err(error) => Err(failed(&error.to_string())),
    }
}
