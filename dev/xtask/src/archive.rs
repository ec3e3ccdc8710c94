//! Release archives: a binary with documents and licences, packed with `tar`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::files::{bytes, hex_digest, make, make_executable, remove};
use crate::process::{TaskError, run};

pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Licences of the libraries in the binary.
pub(crate) const LICENSES: &str = "THIRD-PARTY-LICENSES.txt";

/// Files of the repository in every archive besides the binary.
pub(crate) const BESIDE: [&str; 4] = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];

/// Returns the name of the binary for a target.
pub(crate) fn program(triple: &str) -> &'static str {
    match triple.contains("windows") {
        true => "acreta.exe",
        false => "acreta",
    }
}

/// Packs binary and documents into an archive of a folder, and returns a line with sizes and digest. The third-party licences
/// are in that folder already. Archives are a quarter smaller with xz than with gzip; the `tar` of Windows 11 reads it.
pub(crate) fn archive(
    triple: &str,
    binary: &Path,
    dist: &Path,
    level: &str,
) -> Result<String, TaskError> {
    let name = format!("acreta-{VERSION}-{triple}");
    let stage = dist.join("stage");
    let folder = stage.join(&name);
    make(&folder)?;
    let program = program(triple);
    let root = acreta_plugin_build::workspace_root();
    let copy = |from: PathBuf, name: &str| {
        let to = folder.join(name);
        fs::copy(&from, to).map_err(|error| TaskError::at(&from, &error))
    };
    for name in BESIDE {
        copy(root.join(name), name)?;
    }
    copy(dist.join(LICENSES), LICENSES)?;
    copy(binary.to_owned(), program)?;
    make_executable(&folder.join(program))?;
    let packed = dist.join(format!("{name}.tar.xz"));
    pack(&stage, &name, &packed, level)?;
    remove(&stage)?;
    Ok(format!(
        "{}  {name}.tar.xz  {:.1} MB, binary {:.1} MB",
        hex_digest(&bytes(&packed)?),
        megabytes(&packed)?,
        megabytes(binary)?
    ))
}

/// Packs a file or folder with `tar`. Reproducible: independent of this machine's order, owner, time and mask of modes.
pub(crate) fn pack(base: &Path, entry: &str, to: &Path, level: &str) -> Result<(), TaskError> {
    let is_xz = to.extension().is_some_and(|ending| ending == "xz");
    let program = if is_xz { "xz" } else { "gzip -n" };
    run(Command::new("tar")
        .current_dir(base)
        .arg(format!("--use-compress-program={program} {level}"))
        .args(["--create", "--sort=name", "--mtime=@0"])
        .args(["--owner=0", "--group=0", "--numeric-owner"])
        .args(["--mode=u+rw,go-w,a+rX", "--file"])
        .arg(to)
        .arg(entry))
}

fn megabytes(file: &Path) -> Result<f64, TaskError> {
    let metadata = fs::metadata(file).map_err(|error| TaskError::at(file, &error))?;
    Ok(metadata.len() as f64 / 1e6)
}
