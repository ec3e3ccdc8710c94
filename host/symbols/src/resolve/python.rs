//! Resolves Python modules. The longest prefix of a dotted path that is a file is the module; the rest is a name in it.

use super::{ImportSite, inside};
use crate::outline::ImportKind;
use crate::paths;

pub(super) fn resolve(site: &ImportSite<'_>) -> Option<String> {
    let path = site.import.path.as_str();
    let dots = path.len() - path.trim_start_matches('.').len();
    let parts: Vec<&str> = path[dots..]
        .split('.')
        .filter(|part| !part.is_empty() && *part != "*")
        .collect();
    if dots > 0 {
        return relative(site, dots, &parts);
    }
    if parts.is_empty() {
        return None;
    }
    let package = package_root(site);
    let roots = site.roots.python.iter().map(String::as_str);
    let found = [package, "", "src"]
        .into_iter()
        .chain(roots)
        .find_map(|root| module(site, root, &parts));
    if found.is_some() || site.import.kind == ImportKind::System {
        return found;
    }
    // A script imports files beside it, and a tree may have roots that no manifest declares.
    module(site, paths::folder(site.from), &parts).or_else(|| by_suffix(site, &parts))
}

fn relative(site: &ImportSite<'_>, dots: usize, parts: &[&str]) -> Option<String> {
    let mut folder = paths::folder(site.from);
    for _ in 1..dots {
        if folder.is_empty() {
            return None;
        }
        folder = paths::folder(folder);
    }
    module(site, folder, parts).or_else(|| site.existing(inside(folder, "__init__.py")))
}

fn module(site: &ImportSite<'_>, root: &str, parts: &[&str]) -> Option<String> {
    (1..=parts.len()).rev().find_map(|length| {
        let path = inside(root, &parts[..length].join("/"));
        ENDINGS
            .iter()
            .find_map(|ending| site.existing(format!("{path}{ending}")))
    })
}

const ENDINGS: &[&str] = &[".py", "/__init__.py", ".pyi", "/__init__.pyi"];

/// Requires two components: one alone would match too much.
fn by_suffix(site: &ImportSite<'_>, parts: &[&str]) -> Option<String> {
    (2..=parts.len()).rev().find_map(|length| {
        let path = parts[..length].join("/");
        ENDINGS[..2]
            .iter()
            .find_map(|ending| site.files.find_suffix(&format!("/{path}{ending}")))
    })
}

/// Returns the folder that contains the outermost package of the importing file.
fn package_root<'a>(site: &ImportSite<'a>) -> &'a str {
    paths::ancestors(paths::folder(site.from))
        .find(|folder| !site.files.contains(&inside(folder, "__init__.py")))
        .unwrap_or("")
}
