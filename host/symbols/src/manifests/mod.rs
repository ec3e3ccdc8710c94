//! Reads manifests. Each reader adds what it understands to the roots and ignores the rest. An unreadable manifest is
//! skipped.

mod cargo;
mod folders;
mod python;
mod script;

pub(crate) use folders::JAVA_FOLDERS;

use crate::paths;
use crate::roots::SourceRoots;

/// Maximum size of a manifest.
const LONGEST_MANIFEST: usize = 4 << 20;

type ManifestReader = fn(path: &str, text: &str, roots: &mut SourceRoots);

/// Returns the reader for a manifest of this file name.
fn reader(name: &str) -> Option<ManifestReader> {
    Some(match name {
        "Cargo.toml" => cargo::read,
        "go.mod" => folders::read_go,
        "package.json" => script::read_package,
        "pyproject.toml" => python::read_pyproject,
        "setup.cfg" => python::read_setup_cfg,
        "setup.py" => python::read_setup_py,
        "pom.xml" | "build.gradle" | "build.gradle.kts" => folders::read_java,
        "composer.json" => folders::read_composer,
        name if name.ends_with(".csproj") => folders::read_csproj,
        name if name.ends_with(".gemspec") || name == "Gemfile" => folders::read_gem,
        // These refer to each other and are read together by `script::read_configs`.
        name if script::is_config(name) => |_, _, _| {},
        _ => return None,
    })
}

impl SourceRoots {
    /// Reports whether [`SourceRoots::from_manifests`] uses a file of this path.
    pub fn is_manifest(path: &str) -> bool {
        reader(paths::file_name(path)).is_some()
    }

    /// Reads manifests, given as the path from the repository's root and the text.
    ///
    /// Their order does not matter, and other files are ignored.
    pub fn from_manifests<P: AsRef<str>, T: AsRef<str>>(manifests: &[(P, T)]) -> Self {
        let mut manifests: Vec<(&str, &str)> = manifests
            .iter()
            .map(|(path, text)| (path.as_ref(), text.as_ref()))
            .filter(|(_, text)| text.len() <= LONGEST_MANIFEST)
            .collect();
        manifests.sort_unstable();
        let mut roots = Self::default();
        for (path, text) in &manifests {
            if let Some(read) = reader(paths::file_name(path)) {
                read(path, text, &mut roots);
            }
        }
        script::read_configs(&manifests, &mut roots);
        roots.sort_by_specificity();
        roots
    }
}
