//! Components with their prompts, as they are embedded: one, or all of them in a folder.

use std::fs;
use std::path::{Path, PathBuf};

use crate::prompts::with_prompts;
use crate::{BUILTIN, BuildError, GuestBuild};

/// Builds every built-in component and writes it to `folder` as `<plugin id>.wasm`, where [`GUESTS_DIR_VARIABLE`] finds
/// it. Builds of several targets then compile the components once. `progress` is called after each component with the
/// number of components that are done.
///
/// [`GUESTS_DIR_VARIABLE`]: crate::GUESTS_DIR_VARIABLE
pub fn prebuild(
    build: &GuestBuild,
    folder: &Path,
    mut progress: impl FnMut(usize),
) -> Result<(), BuildError> {
    fs::create_dir_all(folder).map_err(|cause| BuildError::Io {
        path: folder.to_owned(),
        cause,
    })?;
    let mut done = 0;
    build_builtin(build, &mut || {
        done += 1;
        progress(done);
    })?;
    for (plugin, package) in BUILTIN {
        let path = folder.join(plugin).with_extension("wasm");
        let bytes = shipped(build, package)?;
        // Rewriting a file would make every binary stale.
        if fs::read(&path).is_ok_and(|known| known == bytes) {
            continue;
        }
        write(path, &bytes)?;
    }
    Ok(())
}

pub(crate) fn build_builtin(build: &GuestBuild, built: &mut dyn FnMut()) -> Result<(), BuildError> {
    crate::ensure_target()?;
    let packages: Vec<&str> = BUILTIN.iter().map(|(_, package)| *package).collect();
    build.build_all(&packages, built)
}

/// Reads a component that was built, and adds its prompts.
pub(crate) fn shipped(build: &GuestBuild, package: &str) -> Result<Vec<u8>, BuildError> {
    let plugin = build.workspace_root.join("plugins").join(package);
    with_prompts(read(build.component(package)?)?, &plugin.join("prompts"))
}

pub(crate) fn read(path: PathBuf) -> Result<Vec<u8>, BuildError> {
    fs::read(&path).map_err(|cause| BuildError::Io { path, cause })
}

#[expect(
    clippy::disallowed_methods,
    reason = "cargo runs a build script again when its output is lost"
)]
pub(crate) fn write(path: PathBuf, bytes: &[u8]) -> Result<(), BuildError> {
    fs::write(&path, bytes).map_err(|cause| BuildError::Io { path, cause })
}
