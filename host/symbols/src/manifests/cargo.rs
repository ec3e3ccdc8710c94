//! `Cargo.toml`: the name of a crate and the root files of its targets.

use toml_edit::{DocumentMut, Item};

use crate::paths;
use crate::roots::{RustCrate, SourceRoots};

pub(super) fn read(path: &str, text: &str, roots: &mut SourceRoots) {
    let Ok(manifest) = text.parse::<DocumentMut>() else {
        return;
    };
    let Some(package) = text_at(manifest.get("package"), "name") else {
        return;
    };
    let folder = paths::folder(path);
    let library = manifest.get("lib");
    let name = text_at(library, "name").unwrap_or(package);
    let place = |file: &str| paths::join(folder, file);
    let Some(library) = place(text_at(library, "path").unwrap_or("src/lib.rs")) else {
        return;
    };
    let targets = ["bin", "test", "example", "bench"]
        .iter()
        .filter_map(|kind| manifest.get(kind)?.as_array_of_tables())
        .flatten()
        .filter_map(|target| place(target.get("path")?.as_str()?))
        .collect();
    roots.crates.push(RustCrate {
        name: name.replace('-', "_"),
        folder: folder.to_owned(),
        library,
        targets,
    });
}

fn text_at<'item>(table: Option<&'item Item>, key: &str) -> Option<&'item str> {
    table?.get(key)?.as_str()
}
