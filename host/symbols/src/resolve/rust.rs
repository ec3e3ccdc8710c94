//! Resolves Rust paths. The longest prefix that is a module file is used; the rest is an item of that file.

use super::{ImportSite, inside};
use crate::outline::ImportKind;
use crate::paths;

pub(super) fn resolve(site: &ImportSite<'_>) -> Option<String> {
    let path = site.import.path.as_str();
    if site.import.kind == ImportKind::System {
        return None;
    }
    if path.starts_with("./") {
        let path = paths::join(paths::folder(site.from), path)?;
        return site.existing(path);
    }
    let parts: Vec<&str> = path.split("::").filter(|part| *part != "*").collect();
    let (first, rest) = parts.split_first()?;
    match *first {
        "crate" => module(site, &crate_folder(site), rest).or_else(|| crate_file(site)),
        "self" => module(site, &module_folder(site.from), rest),
        "super" => {
            let supers = rest.iter().take_while(|part| **part == "super").count();
            let mut folder = module_folder(site.from);
            for _ in 0..=supers {
                folder = paths::folder(&folder).to_owned();
            }
            module(site, &folder, &rest[supers..]).or_else(|| module_file(site, &folder))
        }
        name => other_crate(site, name, rest)
            .or_else(|| module(site, &module_folder(site.from), &parts)),
    }
}

fn other_crate(site: &ImportSite<'_>, name: &str, rest: &[&str]) -> Option<String> {
    let known = site.roots.crates.iter().find(|known| known.name == name)?;
    module(site, paths::folder(&known.library), rest)
        .or_else(|| site.existing(known.library.clone()))
}

/// Returns the file of the longest module path that has one.
fn module(site: &ImportSite<'_>, folder: &str, parts: &[&str]) -> Option<String> {
    (1..=parts.len()).rev().find_map(|length| {
        let path = inside(folder, &parts[..length].join("/"));
        site.existing(format!("{path}.rs"))
            .or_else(|| site.existing(format!("{path}/mod.rs")))
    })
}

/// Returns the folder of the modules declared in a file.
fn module_folder(file: &str) -> String {
    let folder = paths::folder(file);
    match paths::stem(file) {
        "mod" | "lib" | "main" => folder.to_owned(),
        stem => inside(folder, stem),
    }
}

/// Returns the file that declares the modules of a folder.
fn module_file(site: &ImportSite<'_>, folder: &str) -> Option<String> {
    let candidates = [
        format!("{folder}.rs"),
        inside(folder, "mod.rs"),
        inside(folder, "lib.rs"),
        inside(folder, "main.rs"),
    ];
    candidates
        .into_iter()
        .find_map(|candidate| site.existing(candidate))
}

/// Returns the folder of the root file of the importing file's crate.
fn crate_folder(site: &ImportSite<'_>) -> String {
    let owner = site
        .roots
        .crates
        .iter()
        .filter(|known| paths::is_under(site.from, &known.folder))
        .max_by_key(|known| known.folder.len());
    if let Some(owner) = owner {
        if owner.targets.iter().any(|target| target == site.from) {
            return paths::folder(site.from).to_owned();
        }
        let library = paths::folder(&owner.library);
        if !library.is_empty()
            && paths::is_under(site.from, library)
            && site.files.contains(&owner.library)
        {
            return library.to_owned();
        }
    }
    let limit = owner.map_or("", |owner| owner.folder.as_str());
    let own = paths::folder(site.from);
    let rooted = paths::ancestors(own)
        .take_while(|folder| paths::is_under(folder, limit) || *folder == limit)
        .find(|folder| {
            ["lib.rs", "main.rs"]
                .iter()
                .any(|root| site.files.contains(&inside(folder, root)))
        });
    // A test, a bench or an example is the root of its own crate.
    rooted.unwrap_or(own).to_owned()
}

fn crate_file(site: &ImportSite<'_>) -> Option<String> {
    let folder = crate_folder(site);
    let library = site
        .roots
        .crates
        .iter()
        .map(|known| &known.library)
        .find(|library| paths::folder(library) == folder && site.files.contains(library));
    if let Some(library) = library {
        return Some(library.clone());
    }
    ["lib.rs", "main.rs"]
        .iter()
        .find_map(|root| site.existing(inside(&folder, root)))
}
