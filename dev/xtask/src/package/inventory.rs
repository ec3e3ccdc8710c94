//! The libraries in the binary: their licences as one text, and a bill of materials (CycloneDX 1.6, JSON). Both come from what
//! `cargo metadata` says of the binary and the built-in plugins, for all release targets; build scripts' and tests'
//! libraries are left out. There are no times in them: the same lock file gives the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::process::TaskError;

/// The package of the binary.
const BINARY: &str = "acreta";

/// Libraries of other people, and the binary that they are in.
pub(crate) struct Inventory {
    /// What the binary's manifest says of it.
    pub(crate) description: String,
    version: String,
    license: String,
    libraries: BTreeMap<String, LinkedLibrary>,
    /// Identifiers of the libraries that our crates name.
    direct: BTreeSet<String>,
}

struct LinkedLibrary {
    name: String,
    version: String,
    /// SPDX expression; `None` if the package only has a file.
    license: Option<String>,
    authors: Vec<String>,
    folder: PathBuf,
    /// SHA-256 of the package, from the lock file.
    checksum: Option<String>,
    needs: BTreeSet<String>,
}

impl Inventory {
    /// Reads what `cargo metadata --format-version 1` printed.
    pub(crate) fn of_metadata(text: &str) -> Result<Self, TaskError> {
        let metadata: Value = serde_json::from_str(text)
            .map_err(|error| TaskError(format!("`cargo metadata`: {error}")))?;
        let by_id = |list: &Value| -> BTreeMap<String, Value> {
            let list = list.as_array().into_iter().flatten();
            list.map(|item| (string(&item["id"]), item.clone()))
                .collect()
        };
        let packages = by_id(&metadata["packages"]);
        let nodes = by_id(&metadata["resolve"]["nodes"]);
        let lock = Path::new(&string(&metadata["workspace_root"])).join("Cargo.lock");
        let lock = fs::read_to_string(&lock).map_err(|error| TaskError::at(&lock, &error))?;
        let checksums = checksums(&lock);

        let is_ours = |id: &str| packages.get(id).is_none_or(|it| it["source"].is_null());
        let is_root = |package: &Value| {
            let name = package["name"].as_str().unwrap_or_default();
            let mut plugins = acreta_plugin_build::BUILTIN.iter();
            package["source"].is_null()
                && (name == BINARY || plugins.any(|(_, package)| *package == name))
        };
        let mut waiting: Vec<&String> = packages
            .iter()
            .filter(|(_, package)| is_root(package))
            .map(|(id, _)| id)
            .collect();
        let binary = packages
            .values()
            .find(|package| package["name"] == BINARY)
            .ok_or_else(|| TaskError(format!("`cargo metadata` names no package `{BINARY}`")))?;
        let mut inventory = Self {
            description: string(&binary["description"]),
            version: string(&binary["version"]),
            license: string(&binary["license"]),
            libraries: BTreeMap::new(),
            direct: BTreeSet::new(),
        };
        let mut seen = BTreeSet::new();
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            let (Some(package), Some(node)) = (packages.get(id), nodes.get(id)) else {
                continue;
            };
            let needs: Vec<&String> = linked(node)
                .filter_map(|id| packages.get_key_value(id).map(|(id, _)| id))
                .collect();
            waiting.extend(&needs);
            let needs = needs.into_iter().filter(|id| !is_ours(id));
            let needs = needs.map(|id| reference(&packages[id]));
            match is_ours(id) {
                true => inventory.direct.extend(needs),
                false => {
                    let library = LinkedLibrary::new(package, needs.collect(), &checksums);
                    inventory.libraries.insert(reference(package), library);
                }
            }
        }
        Ok(inventory)
    }

    /// Returns the bill of materials.
    pub(crate) fn sbom(&self) -> String {
        let components: Vec<Value> = self
            .libraries
            .values()
            .map(LinkedLibrary::component)
            .collect();
        let root = format!("pkg:cargo/{BINARY}@{}", self.version);
        let depends = |(id, library): (&String, &LinkedLibrary)| json!({"ref": id, "dependsOn": library.needs});
        let mut dependencies = vec![json!({"ref": root, "dependsOn": self.direct})];
        dependencies.extend(self.libraries.iter().map(depends));
        let bom = json!({
            "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
            "bomFormat": "CycloneDX",
            "specVersion": "1.6",
            "version": 1,
            "metadata": {"component": {
                "type": "application",
                "bom-ref": root,
                "name": BINARY,
                "version": self.version,
                "description": self.description,
                "licenses": [{"expression": self.license}],
                "purl": root,
            }},
            "components": components,
            "dependencies": dependencies,
        });
        format!("{bom:#}\n")
    }

    /// Returns the licences of all libraries. A text that several have stands there once.
    pub(crate) fn licenses(&self) -> Result<String, TaskError> {
        let mut list = format!(
            "acreta {} has code of the following libraries. Their licences are below.\n\n",
            self.version
        );
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for library in self.libraries.values() {
            let name = format!("{} {}", library.name, library.version);
            let license = library.license.as_deref().unwrap_or("see its licence");
            let found = library.texts()?;
            let _ = write!(list, "{name}: {license}");
            if found.is_empty() {
                // What the package itself lacks cannot be quoted.
                let _ = write!(list, " (no file; by {})", library.authors.join(", "));
            }
            list.push('\n');
            for text in found {
                texts.entry(text).or_default().push(name.clone());
            }
        }
        let mut texts: Vec<(Vec<String>, String)> =
            texts.into_iter().map(|(text, of)| (of, text)).collect();
        texts.sort();
        for (of, text) in texts {
            let _ = write!(list, "\n{}\n{}\n\n{text}\n", "=".repeat(80), of.join(", "));
        }
        Ok(list)
    }

    /// Returns how many libraries there are.
    pub(crate) fn len(&self) -> usize {
        self.libraries.len()
    }
}

impl LinkedLibrary {
    fn new(
        package: &Value,
        needs: BTreeSet<String>,
        checksums: &BTreeMap<(&str, &str), &str>,
    ) -> Self {
        let (name, version) = (string(&package["name"]), string(&package["version"]));
        // An older spelling of `OR`.
        let spelled = |text: &str| text.replace(" / ", "/").replace('/', " OR ");
        let authors = package["authors"].as_array().into_iter().flatten();
        let manifest = PathBuf::from(string(&package["manifest_path"]));
        Self {
            checksum: checksums
                .get(&(name.as_str(), version.as_str()))
                .map(|sum| (*sum).to_owned()),
            name,
            version,
            license: package["license"].as_str().map(spelled),
            authors: authors.map(string).collect(),
            folder: manifest.parent().unwrap_or(&manifest).to_owned(),
            needs,
        }
    }

    fn component(&self) -> Value {
        let id = format!("pkg:cargo/{}@{}", self.name, self.version);
        let mut component = json!({
            "type": "library",
            "bom-ref": id,
            "name": self.name,
            "version": self.version,
            "purl": id,
        });
        if let Some(license) = &self.license {
            component["licenses"] = json!([{"expression": license}]);
        }
        if let Some(checksum) = &self.checksum {
            component["hashes"] = json!([{"alg": "SHA-256", "content": checksum}]);
        }
        component
    }

    /// Returns the texts of its licence files, in the order of their names.
    fn texts(&self) -> Result<Vec<String>, TaskError> {
        let failed = |error: std::io::Error| TaskError::at(&self.folder, &error);
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let name = name.to_uppercase();
            let starts = [
                "LICENSE",
                "LICENCE",
                "COPYING",
                "COPYRIGHT",
                "NOTICE",
                "UNLICENSE",
            ];
            if path.is_file() && starts.iter().any(|start| name.starts_with(start)) {
                files.push(path);
            }
        }
        files.sort();
        let text = |path: &PathBuf| {
            let bytes = fs::read(path).map_err(|error| TaskError::at(path, &error))?;
            let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
            Ok(text.trim().to_owned())
        };
        files.iter().map(text).collect()
    }
}

/// Returns the packages that a package is linked with.
fn linked(node: &Value) -> impl Iterator<Item = &str> {
    let is_normal = |dependency: &&Value| {
        let mut kinds = dependency["dep_kinds"].as_array().into_iter().flatten();
        kinds.any(|kind| kind["kind"].is_null())
    };
    let dependencies = node["deps"].as_array().into_iter().flatten();
    dependencies
        .filter(is_normal)
        .filter_map(|dependency| dependency["pkg"].as_str())
}

fn reference(package: &Value) -> String {
    let (name, version) = (string(&package["name"]), string(&package["version"]));
    format!("pkg:cargo/{name}@{version}")
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Returns the checksums of a lock file, by name and version.
fn checksums(lock: &str) -> BTreeMap<(&str, &str), &str> {
    let mut checksums = BTreeMap::new();
    let (mut name, mut version) = ("", "");
    for line in lock.lines() {
        let Some((key, value)) = line.split_once(" = ") else {
            continue;
        };
        let value = value.trim_matches('"');
        match key {
            "name" => name = value,
            "version" => version = value,
            "checksum" => {
                checksums.insert((name, version), value);
            }
            _ => (),
        }
    }
    checksums
}
