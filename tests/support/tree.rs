//! A folder's whole content as a value: names, kinds, link targets, bytes.

use std::collections::BTreeMap;
use std::path::Path;

use sha2::{Digest, Sha256};

pub(crate) type Tree = BTreeMap<String, String>;

/// Returns everything under `root` except paths that start with one of `without`.
pub(crate) fn tree(root: &Path, without: &[&str]) -> Tree {
    let mut tree = Tree::new();
    collect(root, "", without, &mut tree);
    tree
}

fn collect(root: &Path, relative: &str, without: &[&str], tree: &mut Tree) {
    let folder = root.join(relative);
    let Ok(entries) = std::fs::read_dir(&folder) else {
        return;
    };
    for entry in entries {
        let entry = entry.unwrap();
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if relative.is_empty() {
            name
        } else {
            format!("{relative}/{name}")
        };
        if without.iter().any(|prefix| path.starts_with(prefix)) {
            continue;
        }
        let kind = entry.file_type().unwrap();
        let what = if kind.is_symlink() {
            format!(
                "link to {}",
                std::fs::read_link(entry.path()).unwrap().display()
            )
        } else if kind.is_dir() {
            collect(root, &path, without, tree);
            "directory".to_owned()
        } else if !kind.is_file() {
            "special".to_owned()
        } else {
            let bytes = std::fs::read(entry.path()).unwrap();
            Sha256::digest(bytes)
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect()
        };
        tree.insert(path, what);
    }
}
