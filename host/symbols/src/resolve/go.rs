//! Resolves Go imports. A package is a folder, represented by the file of the same name or else the first file that is
//! not a test.

use super::{ImportSite, inside};
use crate::outline::ImportKind;
use crate::paths;

pub(super) fn resolve(site: &ImportSite<'_>) -> Option<String> {
    let path = site.import.path.as_str();
    if site.import.kind == ImportKind::Relative {
        return package(site, &paths::join(paths::folder(site.from), path)?);
    }
    site.roots.go_modules.iter().find_map(|module| {
        let rest = path.strip_prefix(module.path.as_str())?;
        if !rest.is_empty() && !rest.starts_with('/') {
            return None;
        }
        package(site, &inside(&module.folder, rest.trim_start_matches('/')))
    })
}

fn package(site: &ImportSite<'_>, folder: &str) -> Option<String> {
    let name = paths::file_name(folder);
    for candidate in [name, "doc", "main"] {
        let path = inside(folder, &format!("{candidate}.go"));
        if !candidate.is_empty() && site.files.contains(&path) {
            return Some(path);
        }
    }
    let mut files = site.files.files_in(folder);
    files.sort_unstable();
    files
        .into_iter()
        .find(|file| file.ends_with(".go") && !file.ends_with("_test.go"))
}
