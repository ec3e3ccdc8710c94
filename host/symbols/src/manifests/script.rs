//! `package.json` and `tsconfig.json`: packages of a workspace, and path mappings.

use serde_json::Value;

use crate::paths;
use crate::roots::{ScriptPackage, ScriptPaths, SourceRoots};

pub(super) fn read_package(path: &str, text: &str, roots: &mut SourceRoots) {
    let Ok(manifest) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let Some(name) = manifest.get("name").and_then(Value::as_str) else {
        return;
    };
    let mut entries = Vec::new();
    for key in ["source", "module", "main", "types"] {
        entries.extend(manifest.get(key).and_then(Value::as_str));
    }
    if let Some(exports) = manifest.get("exports") {
        let root = exports.get(".").unwrap_or(exports);
        entries.extend(root.as_str());
        for key in ["source", "import", "default", "require", "types"] {
            entries.extend(root.get(key).and_then(Value::as_str));
        }
    }
    roots.script_packages.push(ScriptPackage {
        name: name.to_owned(),
        folder: paths::folder(path).to_owned(),
        entries: entries.into_iter().map(str::to_owned).collect(),
    });
}

/// `tsconfig.json`, `tsconfig.base.json`, `jsconfig.json`, …
pub(super) fn is_config(name: &str) -> bool {
    (name.starts_with("tsconfig") || name.starts_with("jsconfig")) && name.ends_with(".json")
}

/// Reads compiler settings, each with the configs it extends.
pub(super) fn read_configs(manifests: &[(&str, &str)], roots: &mut SourceRoots) {
    for (path, _) in manifests {
        if !is_config(paths::file_name(path)) {
            continue;
        }
        let mut found = ScriptPaths {
            folder: paths::folder(path).to_owned(),
            base: None,
            patterns: Vec::new(),
        };
        extend(manifests, path, &mut found);
        if found.base.is_some() || !found.patterns.is_empty() {
            roots.script_paths.push(found);
        }
    }
}

/// Fills in missing settings from a config and from those it extends.
fn extend(manifests: &[(&str, &str)], path: &str, found: &mut ScriptPaths) {
    const LONGEST_CHAIN: usize = 8;
    let mut next = Some(path.to_owned());
    for _ in 0..LONGEST_CHAIN {
        let Some(path) = next.take() else { return };
        let position = manifests.binary_search_by(|(known, _)| (*known).cmp(path.as_str()));
        let Ok(position) = position else { return };
        let Ok(config) = serde_json::from_str::<Value>(&plain_json(manifests[position].1)) else {
            return;
        };
        let folder = paths::folder(&path);
        add_options(config.get("compilerOptions"), folder, found);
        if let Some(extended) = config.get("extends").and_then(Value::as_str) {
            let file = if extended.ends_with(".json") {
                extended.to_owned()
            } else {
                format!("{extended}.json")
            };
            next = paths::join(folder, &file);
        }
    }
}

fn add_options(options: Option<&Value>, folder: &str, found: &mut ScriptPaths) {
    let base = options
        .and_then(|options| options.get("baseUrl"))
        .and_then(Value::as_str)
        .and_then(|base| paths::join(folder, base));
    if found.patterns.is_empty()
        && let Some(written) = options.and_then(|options| options.get("paths")?.as_object())
    {
        let from = base.as_deref().unwrap_or(folder);
        for (pattern, targets) in written {
            let targets = targets
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|target| paths::join(from, target.as_str()?))
                .collect();
            found.patterns.push((pattern.clone(), targets));
        }
        // The longest prefix before the `*` wins.
        found
            .patterns
            .sort_by_key(|(pattern, _)| std::cmp::Reverse(pattern.find('*').unwrap_or(usize::MAX)));
    }
    found.base = found.base.take().or(base);
}

/// Removes comments and trailing commas from JSON, as compilers do.
fn plain_json(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.trim_start_matches('\u{feff}');
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '"' => {
                let end = string_end(rest);
                plain.push_str(&rest[..end]);
                end
            }
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '}' | ']' => {
                let kept = plain.trim_end();
                let kept = kept.strip_suffix(',').unwrap_or(kept).len();
                plain.truncate(kept);
                plain.push(first);
                1
            }
            other => {
                plain.push(other);
                other.len_utf8()
            }
        };
        rest = &rest[taken..];
    }
    plain
}

/// Returns the end of the string that starts here.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (position, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return position + 1,
            _ => {}
        }
    }
    text.len()
}
