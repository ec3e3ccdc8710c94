//! Counts how many manifests of a repository depend on each package. A library that many packages use is a more likely
//! entry point.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::answer::toml_lines::{self, TomlLine};
use crate::scan::tree::parts;

/// Counts the manifests that depend on each package.
pub(crate) fn count(manifests: &[(String, String)]) -> BTreeMap<String, u32> {
    let mut counts = BTreeMap::new();
    for (path, text) in manifests {
        let names = match parts(path).1 {
            "Cargo.toml" => cargo(text),
            "package.json" => package_json(text),
            _ => BTreeSet::new(),
        };
        for name in names {
            *counts.entry(name).or_default() += 1;
        }
    }
    counts
}

fn cargo(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut is_listing = false;
    for line in toml_lines::lines(text) {
        match line {
            // `[dependencies.name]` declares one dependency.
            TomlLine::Section(section) => {
                is_listing = section.ends_with("dependencies") && !section.starts_with("workspace");
                if let Some((kind, name)) = section.rsplit_once('.')
                    && kind.ends_with("dependencies")
                    && kind != "workspace.dependencies"
                {
                    names.insert(name.to_owned());
                }
            }
            TomlLine::Pair(key, _) if is_listing => {
                names.insert(key.split('.').next().unwrap_or(key).to_owned());
            }
            TomlLine::Pair(..) => {}
        }
    }
    names
}

fn package_json(text: &str) -> BTreeSet<String> {
    let manifest: Value = serde_json::from_str(text).unwrap_or_default();
    ["dependencies", "devDependencies", "peerDependencies"]
        .iter()
        .filter_map(|key| manifest.get(key).and_then(Value::as_object))
        .flat_map(|listed| listed.keys().cloned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_are_counted_once_for_each_name() {
        let manifests = [
            (
                "a/Cargo.toml",
                "[dependencies]\ncore.workspace = true\nserde = \"1\"\n[dev-dependencies]\ncore = \"1\"\n",
            ),
            (
                "Cargo.toml",
                "[workspace.dependencies]\ncore = { path = \"core\" }\n",
            ),
            ("b/Cargo.toml", "[dependencies.core]\npath = \"../core\"\n"),
            (
                "web/package.json",
                r#"{"dependencies":{"@x/core":"*"},"peerDependencies":{"@x/core":"*"}}"#,
            ),
            ("web/broken/package.json", "{"),
        ];
        let manifests = manifests.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let counts = count(&manifests);
        assert_eq!(counts.get("core"), Some(&2));
        assert_eq!(counts.get("serde"), Some(&1));
        assert_eq!(counts.get("@x/core"), Some(&1));
    }
}
