//! Entry points of programs and libraries, from manifests, naming conventions and the code itself, in this order of
//! precedence.

use std::collections::{BTreeMap, BTreeSet};

use acreta_symbols::EntryPointKind;
use serde_json::Value;

use crate::answer::depended;
use crate::answer::material::SliceInput;
use crate::answer::response::EntryPoint;
use crate::answer::toml_lines::{self, TomlLine};
use crate::artifact::aside::is_aside;
use crate::scan::tree::parts;
use crate::scan::walk::joined;

/// Returns the entry points, highest weight first.
pub(crate) fn find(material: &SliceInput<'_>, most: usize) -> Vec<EntryPoint> {
    let mut finding = EntryPointFinder {
        material,
        depended: depended::count(material.manifests),
        found: BTreeMap::new(),
    };
    for (path, text) in material.manifests {
        let (folder, name) = parts(path);
        match name {
            "Cargo.toml" => finding.cargo(folder, text),
            "package.json" => finding.package_json(folder, text),
            "pyproject.toml" => finding.pyproject(folder, text),
            "setup.cfg" | "setup.py" => finding.setup(folder, text),
            "composer.json" => finding.composer(folder, text),
            "go.mod" => finding.go(folder, text),
            _ => {}
        }
    }
    finding.by_code();
    let mut entries: Vec<(i64, EntryPoint)> = finding
        .found
        .into_iter()
        .map(|(path, (weight, kind, name))| {
            let kind = kind.to_owned();
            (weight, EntryPoint { path, kind, name })
        })
        .collect();
    entries.sort_by(|left, right| {
        right
            .0
            .cmp(&left.0)
            .then_with(|| left.1.path.cmp(&right.1.path))
    });
    // A program that several packages declare is one program: duplicates go to the end.
    let mut seen = BTreeSet::new();
    let (mut entries, others): (Vec<EntryPoint>, Vec<EntryPoint>) = entries
        .into_iter()
        .map(|(_, entry)| entry)
        .partition(|entry| {
            entry.kind != "binary" || entry.name.is_none() || seen.insert(entry.name.clone())
        });
    entries.extend(others);
    entries.truncate(most);
    entries
}

pub(crate) struct EntryPointFinder<'a> {
    pub(crate) material: &'a SliceInput<'a>,
    /// Number of manifests that depend on each package.
    depended: BTreeMap<String, u32>,
    found: BTreeMap<String, (i64, &'static str, Option<String>)>,
}

impl EntryPointFinder<'_> {
    /// Adds a path if the file exists and the new weight exceeds the one recorded so far.
    pub(crate) fn put(
        &mut self,
        path: &str,
        kind: &'static str,
        weight: i64,
        name: Option<String>,
    ) -> bool {
        let path = normal(path);
        let Some(index) = self.index(&path) else {
            return false;
        };
        let depth = path.matches('/').count() as i64;
        let aside = if is_aside(&path) { 60 } else { 0 };
        let churn = self.material.churn.get(index);
        let changes = churn.map_or(0, |churn| churn.changes);
        // Files that change often weigh more; logarithmic, so the first changes count most.
        let life = f64::from(changes + 1).log2() * 4.0;
        let used = match (kind, &name) {
            ("library", Some(name)) => self.depended.get(name).copied().unwrap_or(0),
            _ => 0,
        };
        let used = (f64::from(used + 1).log2() * 6.0).min(24.0);
        let weight = weight - 4 * depth - aside + life as i64 + used as i64;
        let is_better = self
            .found
            .get(&path)
            .is_none_or(|(known, ..)| *known < weight);
        if is_better {
            self.found.insert(path, (weight, kind, name));
        }
        true
    }

    fn index(&self, path: &str) -> Option<usize> {
        self.material
            .files
            .binary_search_by(|file| parts(&file.path).cmp(&parts(path)))
            .ok()
    }

    fn cargo(&mut self, folder: &str, text: &str) {
        let mut package = None;
        let mut section = String::new();
        let mut bin: (Option<String>, Option<String>) = (None, None);
        let mut bins = Vec::new();
        for line in toml_lines::lines(text) {
            match line {
                TomlLine::Section(name) => {
                    bins.push(std::mem::take(&mut bin));
                    section = name.to_owned();
                }
                TomlLine::Pair(key, value) => match (section.as_str(), key) {
                    ("package", "name") => package = Some(value),
                    ("bin", "name") => bin.0 = Some(value),
                    ("bin", "path") => bin.1 = Some(value),
                    ("lib", "path") => {
                        self.put(&joined(folder, &value), "library", 90, package.clone());
                    }
                    _ => {}
                },
            }
        }
        bins.push(bin);
        for (name, path) in bins {
            match (name, path) {
                (name, Some(path)) => {
                    self.put(&joined(folder, &path), "binary", 100, name);
                }
                (Some(name), None) => {
                    let own = joined(folder, &format!("src/bin/{name}.rs"));
                    if !self.put(&own, "binary", 100, Some(name.clone())) {
                        self.put(&joined(folder, "src/main.rs"), "binary", 100, Some(name));
                    }
                }
                (None, None) => {}
            }
        }
        if package.is_some() {
            self.put(
                &joined(folder, "src/main.rs"),
                "binary",
                98,
                package.clone(),
            );
            self.put(&joined(folder, "src/lib.rs"), "library", 88, package);
        }
    }

    fn package_json(&mut self, folder: &str, text: &str) {
        let Ok(manifest) = serde_json::from_str::<Value>(text) else {
            return;
        };
        let name = manifest
            .get("name")
            .and_then(Value::as_str)
            .map(ToOwned::to_owned);
        match manifest.get("bin") {
            Some(Value::String(path)) => {
                self.script_file(folder, path, "binary", 100, name.clone());
            }
            Some(Value::Object(all)) => {
                for (command, path) in all {
                    if let Some(path) = path.as_str() {
                        self.script_file(folder, path, "binary", 100, Some(command.clone()));
                    }
                }
            }
            _ => {}
        }
        for key in ["source", "module", "main", "browser", "types"] {
            if let Some(path) = manifest.get(key).and_then(Value::as_str)
                && self.script_file(folder, path, "library", 90, name.clone())
            {
                break;
            }
        }
        if let Some(scripts) = manifest.get("scripts").and_then(Value::as_object) {
            for key in ["start", "serve", "dev"] {
                let words = scripts.get(key).and_then(Value::as_str).unwrap_or_default();
                for word in words.split_whitespace() {
                    if word.contains('.') {
                        self.script_file(folder, word, "script", 70, Some(key.to_owned()));
                    }
                }
            }
        }
        if name.is_some() {
            for path in ["src/index", "src/main", "index", "lib/index"] {
                self.script_file(folder, path, "library", 80, name.clone());
            }
        }
    }

    /// Adds a JavaScript path, or the source file it is built from.
    fn script_file(
        &mut self,
        folder: &str,
        path: &str,
        kind: &'static str,
        weight: i64,
        name: Option<String>,
    ) -> bool {
        let path = path.trim_start_matches("./");
        let stem = path
            .strip_suffix(".d.ts")
            .or_else(|| path.rsplit_once('.').map(|(stem, _)| stem))
            .unwrap_or(path);
        let mut candidates = vec![path.to_owned()];
        let in_source = stem
            .split_once('/')
            .filter(|(first, _)| matches!(*first, "dist" | "build" | "lib" | "out" | "esm" | "cjs"))
            .map(|(_, rest)| rest.rsplit('/').next().unwrap_or(rest).to_owned());
        for stem in [
            Some(stem.to_owned()),
            in_source.map(|rest| format!("src/{rest}")),
        ]
        .into_iter()
        .flatten()
        {
            for ending in ["ts", "tsx", "mts", "js", "jsx", "mjs", "cjs"] {
                candidates.push(format!("{stem}.{ending}"));
            }
            candidates.push(format!("{stem}/index.ts"));
            candidates.push(format!("{stem}/index.js"));
        }
        candidates
            .iter()
            .any(|candidate| self.put(&joined(folder, candidate), kind, weight, name.clone()))
    }

    fn composer(&mut self, folder: &str, text: &str) {
        let Ok(manifest) = serde_json::from_str::<Value>(text) else {
            return;
        };
        let paths = manifest.get("bin").and_then(Value::as_array);
        for path in paths.into_iter().flatten().filter_map(Value::as_str) {
            self.put(&joined(folder, path), "binary", 100, None);
        }
        for path in ["public/index.php", "index.php", "artisan"] {
            self.put(&joined(folder, path), "server", 80, None);
        }
    }

    /// Adds entry points found in the code itself.
    fn by_code(&mut self) {
        let entries: Vec<(String, EntryPointKind)> = self
            .material
            .entries
            .iter()
            .map(|(index, kind)| (self.material.files[*index as usize].path.clone(), *kind))
            .collect();
        for (path, kind) in entries {
            let name = parts(&path).1;
            let is_script = matches!(kind, EntryPointKind::Script);
            let weight = match (kind, name) {
                (_, "__main__.py" | "manage.py" | "main.py" | "app.py" | "server.py") => 75,
                (EntryPointKind::Main, _) => 70,
                (EntryPointKind::Server, _) => 65,
                (EntryPointKind::Script, _) => 35,
            };
            let under_command = parts(&path).0.split('/').any(|part| part == "cmd");
            let weight = if under_command { weight + 12 } else { weight };
            let name = if is_script { "script" } else { kind.name() };
            self.put(&path, name, weight, None);
        }
    }
}

/// Returns the path without `.` and `..` components.
fn normal(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                kept.pop();
            }
            part => kept.push(part),
        }
    }
    kept.join("/")
}
