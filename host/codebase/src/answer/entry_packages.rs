//! Entry points of Python projects and Go modules: scripts named in manifests, and importable packages.

use crate::answer::entry_points::EntryPointFinder;
use crate::answer::toml_lines::{self, TomlLine};
use crate::artifact::aside::is_aside;
use crate::scan::tree::parts;
use crate::scan::walk::joined;

impl EntryPointFinder<'_> {
    pub(crate) fn pyproject(&mut self, folder: &str, text: &str) {
        let mut section = String::new();
        let mut package = None;
        for line in toml_lines::lines(text) {
            match line {
                TomlLine::Section(name) => section = name.to_owned(),
                TomlLine::Pair(key, value) => match section.as_str() {
                    "project.scripts" | "tool.poetry.scripts" | "project.gui-scripts" => {
                        self.python_module(folder, &value, "binary", 100, key);
                    }
                    "project" | "tool.poetry" if key == "name" => package = Some(value),
                    "project" if key.starts_with("scripts.") => {
                        let name = key.trim_start_matches("scripts.").trim_matches('"');
                        self.python_module(folder, &value, "binary", 100, name);
                    }
                    _ => {}
                },
            }
        }
        if let Some(package) = package {
            self.python_package(folder, &package);
        }
    }

    pub(crate) fn setup(&mut self, folder: &str, text: &str) {
        let mut package = None;
        for line in text.lines() {
            let line = line.trim().trim_matches([',', '\'', '"', '[', ']']);
            let Some((key, value)) = line.split_once('=') else {
                continue;
            };
            let value = value.trim().trim_matches([',', '\'', '"', ')']);
            let key = key.trim().trim_matches(['\'', '"']);
            if key == "name" && package.is_none() {
                package = Some(value.to_owned());
            } else if value.contains(':') && !value.contains(' ') && !key.contains(' ') {
                self.python_module(folder, value, "binary", 100, key);
            }
        }
        if let Some(package) = package {
            self.python_package(folder, &package);
        }
    }

    /// Resolves `package.module:function` to a file.
    fn python_module(
        &mut self,
        folder: &str,
        value: &str,
        kind: &'static str,
        weight: i64,
        name: &str,
    ) {
        let module = value
            .split(':')
            .next()
            .unwrap_or_default()
            .replace('.', "/");
        if module.is_empty() {
            return;
        }
        for root in ["", "src/", "lib/"] {
            for ending in [".py", "/__init__.py", "/__main__.py"] {
                let path = joined(folder, &format!("{root}{module}{ending}"));
                if self.put(&path, kind, weight, Some(name.to_owned())) {
                    return;
                }
            }
        }
    }

    fn python_package(&mut self, folder: &str, package: &str) {
        let plain = package.to_ascii_lowercase().replace(['-', '.'], "_");
        let mut is_found = false;
        for root in ["", "src/", "lib/"] {
            let path = joined(folder, &format!("{root}{plain}/__init__.py"));
            is_found |= self.put(&path, "library", 90, Some(package.to_owned()));
            let path = joined(folder, &format!("{root}{plain}/__main__.py"));
            self.put(&path, "main", 95, Some(package.to_owned()));
        }
        if !is_found && let Some(path) = self.largest_package(folder) {
            self.put(&path, "library", 85, Some(package.to_owned()));
        }
    }

    /// Returns the package with the most files, for manifests whose name matches no package.
    fn largest_package(&self, folder: &str) -> Option<String> {
        let is_beneath = |path: &str, folder: &str| {
            folder.is_empty()
                || path
                    .strip_prefix(folder)
                    .is_some_and(|rest| rest.starts_with('/'))
        };
        let roots = ["", "src", "lib"].map(|root| joined(folder, root));
        let paths = || self.material.files.iter().map(|file| file.path.as_str());
        paths()
            .filter(|path| parts(path).1 == "__init__.py" && !is_aside(path))
            .filter(|path| {
                roots
                    .iter()
                    .any(|root| parts(parts(path).0).0 == root.trim_end_matches('/'))
            })
            .max_by_key(|path| {
                let own = parts(path).0;
                paths().filter(|path| is_beneath(path, own)).count()
            })
            .map(ToOwned::to_owned)
    }

    /// Adds the module's program, and for each of its packages the file with the package's name.
    pub(crate) fn go(&mut self, folder: &str, text: &str) {
        self.put(&joined(folder, "main.go"), "binary", 100, None);
        let module = text
            .lines()
            .find_map(|line| line.trim().strip_prefix("module "))
            .map(|module| module.trim().trim_matches('"'))
            .unwrap_or_default();
        let is_version = |part: &&str| {
            part.strip_prefix('v')
                .is_some_and(|rest| rest.parse::<u32>().is_ok())
        };
        let name = module.rsplit('/').find(|part| !is_version(part));
        if let Some(name) = name {
            let path = joined(folder, &format!("{name}.go"));
            self.put(&path, "library", 90, Some(module.to_owned()));
        }
        let packages: Vec<String> = self
            .material
            .files
            .iter()
            .filter(|file| {
                let (own, file) = parts(&file.path);
                let is_internal = own.split('/').any(|part| part == "internal");
                file.strip_suffix(".go")
                    .is_some_and(|stem| stem.eq_ignore_ascii_case(parts(own).1))
                    && !is_internal
                    && (folder.is_empty() || own.starts_with(&format!("{folder}/")))
            })
            .map(|file| file.path.clone())
            .collect();
        for path in packages {
            let package = parts(parts(&path).0).1.to_owned();
            self.put(&path, "library", 72, Some(package));
        }
    }
}
