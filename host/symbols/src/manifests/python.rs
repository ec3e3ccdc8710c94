//! Python manifests: the root folders of packages. These always include the folder of a manifest, and `src` beside it.

use toml_edit::{DocumentMut, Item};

use crate::paths;
use crate::roots::SourceRoots;

pub(super) fn read_pyproject(path: &str, text: &str, roots: &mut SourceRoots) {
    add_usual(path, roots);
    let Ok(manifest) = text.parse::<DocumentMut>() else {
        return;
    };
    let at = |keys: &[&str]| {
        keys.iter()
            .try_fold(manifest.as_item(), |item, key| item.get(key))
    };
    let setuptools = at(&["tool", "setuptools", "packages", "find", "where"]);
    for folder in setuptools.and_then(Item::as_array).into_iter().flatten() {
        add(path, folder.as_str(), roots);
    }
    let directory = at(&["tool", "setuptools", "package-dir", ""]);
    add(path, directory.and_then(Item::as_str), roots);
    let poetry = at(&["tool", "poetry", "packages"]);
    for package in poetry.and_then(Item::as_array).into_iter().flatten() {
        let from = package
            .as_inline_table()
            .and_then(|table| table.get("from"));
        add(path, from.and_then(|from| from.as_str()), roots);
    }
    let maturin = at(&["tool", "maturin", "python-source"]);
    add(path, maturin.and_then(Item::as_str), roots);
}

/// Reads `package_dir` with `= src` in the same line or the next.
pub(super) fn read_setup_cfg(path: &str, text: &str, roots: &mut SourceRoots) {
    add_usual(path, roots);
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        let value = match (key.trim(), value.trim()) {
            ("package_dir", "") => lines.peek().copied().unwrap_or_default().trim(),
            ("package_dir" | "where", value) => value,
            _ => continue,
        };
        add(path, Some(value.trim_start_matches('=').trim()), roots);
    }
}

/// Finds `package_dir={"": "src"}` and `find_packages("src")` by their keywords.
pub(super) fn read_setup_py(path: &str, text: &str, roots: &mut SourceRoots) {
    add_usual(path, roots);
    for call in ["package_dir", "find_packages(", "find_namespace_packages("] {
        for (position, _) in text.match_indices(call) {
            let rest = &text[position + call.len()..];
            let end = rest.find([')', '}', '\n']).unwrap_or(rest.len());
            let folder = rest[..end]
                .split(['"', '\''])
                .skip(1)
                .step_by(2)
                .find(|quoted| !quoted.is_empty());
            add(path, folder, roots);
        }
    }
}

fn add_usual(path: &str, roots: &mut SourceRoots) {
    add(path, Some("."), roots);
    add(path, Some("src"), roots);
}

fn add(path: &str, folder: Option<&str>, roots: &mut SourceRoots) {
    let joined = folder.and_then(|folder| paths::join(paths::folder(path), folder));
    roots.python.extend(joined);
}
