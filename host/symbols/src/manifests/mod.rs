//! Reading manifests. Each reader adds what it understands to the roots and leaves out the rest.

mod cargo;
mod folders;
mod python;
pub(crate) mod script;

pub(crate) use folders::JAVA_FOLDERS;

use crate::roots::Roots;

pub(crate) type Reader = fn(path: &str, text: &str, roots: &mut Roots);

/// Who reads a manifest of this file name.
pub(crate) fn reader(name: &str) -> Option<Reader> {
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
        // These refer to one another and are read together, by `script::read_configs`.
        name if script::is_config(name) => |_, _, _| {},
        _ => return None,
    })
}
