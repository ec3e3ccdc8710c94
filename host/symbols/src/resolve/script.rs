//! Resolves JavaScript and TypeScript specifiers: relative files, mapped paths, packages of the workspace.

use super::{ImportSite, inside};
use crate::outline::ImportKind;
use crate::paths;
use crate::roots::ScriptPackage;

pub(super) fn resolve(site: &ImportSite<'_>) -> Option<String> {
    let path = site
        .import
        .path
        .split(['?', '#'])
        .next()
        .unwrap_or_default();
    match site.import.kind {
        ImportKind::Relative => file(site, &paths::join(paths::folder(site.from), path)?),
        ImportKind::System => None,
        ImportKind::Absolute => rewritten(site, path)
            .or_else(|| workspace_package(site, path))
            .or_else(|| usual_alias(site, path)),
    }
}

/// Finds a file by its path with or without extension, or the index of a folder.
fn file(site: &ImportSite<'_>, path: &str) -> Option<String> {
    if site.files.contains(path) {
        return Some(path.to_owned());
    }
    // TypeScript imports name the compiled file.
    for (compiled, sources) in COMPILED {
        if let Some(stem) = path.strip_suffix(compiled) {
            let found = sources
                .iter()
                .find_map(|source| site.existing(format!("{stem}{source}")));
            if found.is_some() {
                return found;
            }
        }
    }
    let with_extension = ENDINGS
        .iter()
        .find_map(|ending| site.existing(format!("{path}{ending}")));
    with_extension.or_else(|| {
        ENDINGS
            .iter()
            .find_map(|ending| site.existing(inside(path, &format!("index{ending}"))))
    })
}

const COMPILED: &[(&str, &[&str])] = &[
    (".js", &[".ts", ".tsx", ".d.ts"]),
    (".jsx", &[".tsx"]),
    (".mjs", &[".mts"]),
    (".cjs", &[".cts"]),
];

const ENDINGS: &[&str] = &[
    ".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.ts", ".vue", ".svelte",
    ".json",
];

/// Applies `paths` and `baseUrl` of the configs above the importing file, nearest first.
fn rewritten(site: &ImportSite<'_>, path: &str) -> Option<String> {
    let configs = site.roots.script_paths.iter();
    configs
        .filter(|config| paths::is_under(site.from, &config.folder))
        .find_map(|config| {
            let by_pattern = config.patterns.iter().find_map(|(pattern, targets)| {
                let middle = matched(pattern, path)?;
                targets
                    .iter()
                    .find_map(|target| file(site, &target.replacen('*', middle, 1)))
            });
            by_pattern.or_else(|| file(site, &inside(config.base.as_deref()?, path)))
        })
}

/// Returns the text that the `*` of a pattern matches.
fn matched<'path>(pattern: &str, path: &'path str) -> Option<&'path str> {
    match pattern.split_once('*') {
        Some((before, after)) => path.strip_prefix(before)?.strip_suffix(after),
        None => (pattern == path).then_some(""),
    }
}

fn workspace_package(site: &ImportSite<'_>, path: &str) -> Option<String> {
    let package = site.roots.script_packages.iter().find(|package| {
        path == package.name || paths::is_under(path, &package.name) && !package.name.is_empty()
    })?;
    let rest = path[package.name.len()..].trim_start_matches('/');
    if rest.is_empty() {
        return package_entry(site, package);
    }
    ["", "src", "lib"].iter().find_map(|folder| {
        let folder = paths::join(&package.folder, folder)?;
        file(site, &inside(&folder, rest))
    })
}

/// Finds the entry file of a package. The manifest may name a build output; then the sources are searched.
fn package_entry(site: &ImportSite<'_>, package: &ScriptPackage) -> Option<String> {
    let named = package
        .entries
        .iter()
        .find_map(|entry| file(site, &paths::join(&package.folder, entry)?));
    named.or_else(|| {
        ["src/index", "index", "lib/index", "src/main"]
            .iter()
            .find_map(|entry| file(site, &inside(&package.folder, entry)))
    })
}

/// Resolves `@/` and `~/` to the source folder, for projects without a mapping in their config.
fn usual_alias(site: &ImportSite<'_>, path: &str) -> Option<String> {
    let rest = path
        .strip_prefix("@/")
        .or_else(|| path.strip_prefix("~/"))?;
    paths::ancestors(paths::folder(site.from))
        .find_map(|folder| file(site, &inside(&inside(folder, "src"), rest)))
}
