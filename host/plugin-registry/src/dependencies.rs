//! Dependencies inside a component, so that a scanner knows what a plugin was built from: the custom section `.dep-v0`
//! in the format of `cargo auditable`, which `wasm-tools metadata show` and vulnerability scanners read.
//!
//! The section is zlib-compressed JSON: `{"packages": [{"name", "version", "source", "kind"?, "dependencies"?, "root"?}]}`.
//! `dependencies` are indices of `packages`, and exactly one package is the root: the plugin. Versions are semantic
//! versions, because readers refuse a list with any other.
//!
//! This module reads and writes the section, and makes the list from what package managers say; it runs none of them.

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use semver::Version;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

/// Name of the custom section.
pub const DEPENDENCIES_SECTION: &str = ".dep-v0";

/// Maximum size of the JSON, the limit of other readers.
const JSON_BYTES: usize = 2 * 1024 * 1024;

/// Compression level: the list is small.
const LEVEL: u8 = 6;

/// One package that a component was built from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependency {
    pub name: String,
    /// A semantic version.
    pub version: String,
    /// `crates.io`, `git`, `local`, `registry`, `npm` or `pypi`.
    pub source: String,
    #[serde(default, skip_serializing_if = "DependencyKind::is_runtime")]
    pub kind: DependencyKind,
    /// Indices of the packages that this one uses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dependencies: Vec<usize>,
    /// The plugin itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub root: bool,
}

impl std::fmt::Display for Dependency {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            name,
            version,
            source,
            ..
        } = self;
        write!(formatter, "{name} {version} ({source})")?;
        match self.kind {
            DependencyKind::Runtime => Ok(()),
            DependencyKind::Build => formatter.write_str(", to build it"),
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DependencyKind {
    /// Part of the component.
    #[default]
    Runtime,
    /// Used to build it: build scripts, macros, tools.
    Build,
}

impl DependencyKind {
    fn is_runtime(&self) -> bool {
        *self == Self::Runtime
    }
}

#[derive(Serialize, Deserialize)]
struct Packages {
    packages: Vec<Dependency>,
}

/// Returns the bytes of the section. The same list gives the same bytes.
pub(crate) fn write(packages: &[Dependency]) -> Vec<u8> {
    let packages = packages.to_vec();
    let json = serde_json::to_vec(&Packages { packages }).unwrap_or_default();
    compress_to_vec_zlib(&json, LEVEL)
}

/// Reads the section; `None` if it is not a list of packages.
pub(crate) fn read(section: &[u8]) -> Option<Vec<Dependency>> {
    let json = decompress_to_vec_zlib_with_limit(section, JSON_BYTES).ok()?;
    let Packages { packages } = serde_json::from_slice(&json).ok()?;
    let is_valid = |one: &Dependency| {
        let mut indices = one.dependencies.iter();
        indices.all(|index| *index < packages.len()) && Version::parse(&one.version).is_ok()
    };
    packages.iter().all(is_valid).then_some(packages)
}

/// Makes the list from `cargo tree --prefix depth --format ' {p}'`, once with all edges that make the component, and once
/// with those alone that end up in it. The lock file itself names more: what tests and unused features would need.
///
/// A line is the depth and the package: `2 serde v1.0.229 (proc-macro) (*)`. A package with `(*)` was listed before, with
/// what it uses.
pub fn from_cargo_tree(all: &str, runtime: &str) -> Vec<Dependency> {
    let mut packages = packages_of_tree(runtime, DependencyKind::Runtime);
    // Whatever is new in the larger tree only builds the component.
    let mut indices = Vec::new();
    let larger = packages_of_tree(all, DependencyKind::Build);
    for one in &larger {
        let is_same = |other: &Dependency| {
            (&other.name, &other.version, &other.source) == (&one.name, &one.version, &one.source)
        };
        indices.push(packages.iter().position(is_same).unwrap_or_else(|| {
            packages.push(Dependency {
                dependencies: Vec::new(),
                ..one.clone()
            });
            packages.len() - 1
        }));
    }
    for (one, index) in larger.iter().zip(&indices) {
        let known = &mut packages[*index].dependencies;
        known.extend(one.dependencies.iter().map(|index| indices[*index]));
        known.sort_unstable();
        known.dedup();
    }
    packages
}

fn packages_of_tree(tree: &str, kind: DependencyKind) -> Vec<Dependency> {
    let mut packages: Vec<Dependency> = Vec::new();
    // The packages from the root to the line.
    let mut path: Vec<usize> = Vec::new();
    for line in tree.lines() {
        let mut words = line.splitn(4, ' ');
        let (Some(depth), Some(name), Some(version)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        let (Ok(depth), Some(version)) = (depth.parse::<usize>(), version.strip_prefix('v')) else {
            continue;
        };
        let source = match words.next().unwrap_or_default() {
            rest if rest.contains("://") => "git",
            rest if rest.starts_with("(registry ") => "registry",
            rest if rest.contains(['/', '\\']) => "local",
            _ => "crates.io",
        };
        let found = packages
            .iter()
            .position(|one| one.name == name && one.version == version && one.source == source);
        let index = found.unwrap_or(packages.len());
        if found.is_none() {
            packages.push(package(name, version, source, kind));
            packages[index].root = depth == 0;
        }
        path.truncate(depth);
        if let Some(user) = path.last()
            && !packages[*user].dependencies.contains(&index)
        {
            packages[*user].dependencies.push(index);
        }
        path.push(index);
    }
    packages
}

/// Makes the list from npm's `package-lock.json`; what only development needs builds the component.
pub fn from_npm(lock: &str, root: (&str, &str)) -> Option<Vec<Dependency>> {
    let lock: Json = serde_json::from_str(lock).ok()?;
    let listed = lock.get("packages")?.as_object()?.iter();
    let packages = listed.filter_map(|(path, one)| {
        // The root has no path, and a link leads to another entry.
        let (_, name) = path.rsplit_once("node_modules/")?;
        let version = one.get("version")?.as_str()?;
        let is_set = |key: &str| one.get(key).and_then(Json::as_bool).unwrap_or(false);
        let kind = match is_set("dev") || is_set("devOptional") {
            true => DependencyKind::Build,
            false => DependencyKind::Runtime,
        };
        Some(package(name, version, "npm", kind))
    });
    Some(with_root(packages.collect(), root))
}

/// Makes the list from pip's `requirements.txt`. What is not pinned has the version `0.0.0+unpinned`.
pub fn from_pip(requirements: &str, root: (&str, &str)) -> Vec<Dependency> {
    let lines = requirements.lines().map(|line| {
        let line = line.split(" #").next().unwrap_or_default();
        line.split(';').next().unwrap_or_default().trim()
    });
    // `-r`, `--hash` and comments name no package.
    let lines = lines.filter(|line| line.starts_with(|first: char| first.is_ascii_alphanumeric()));
    let packages = lines.map(|line| {
        let end = |one: char| !one.is_ascii_alphanumeric() && !"-_.".contains(one);
        let name = line.split(end).next().unwrap_or_default();
        let pinned = line.split_once("==").map(|(_, version)| version.trim());
        let pinned = pinned.and_then(|version| version.split([' ', ',', '\\']).next());
        package(
            name,
            pinned.unwrap_or("unpinned"),
            "pypi",
            DependencyKind::Runtime,
        )
    });
    with_root(packages.collect(), root)
}

/// Adds the plugin, which uses all packages.
fn with_root(mut packages: Vec<Dependency>, (name, version): (&str, &str)) -> Vec<Dependency> {
    packages.sort_by(|left, right| (&left.name, &left.version).cmp(&(&right.name, &right.version)));
    packages.dedup();
    let dependencies = (0..packages.len()).collect();
    packages.push(Dependency {
        root: true,
        dependencies,
        ..package(name, version, "local", DependencyKind::Runtime)
    });
    packages
}

fn package(name: &str, version: &str, source: &str, kind: DependencyKind) -> Dependency {
    Dependency {
        name: name.to_owned(),
        version: semantic(version),
        source: source.to_owned(),
        kind,
        dependencies: Vec::new(),
        root: false,
    }
}

/// Returns a semantic version: its own, or the leading numbers with the whole text after a `+` (`2.0.0+2.0.post1`).
fn semantic(version: &str) -> String {
    if Version::parse(version).is_ok() {
        return version.to_owned();
    }
    let mut numbers = version
        .split('.')
        .map_while(|part| part.parse::<u64>().ok());
    let mut number = || numbers.next().unwrap_or(0);
    let (major, minor, patch) = (number(), number(), number());
    let is_valid = |one: char| one.is_ascii_alphanumeric() || one == '.';
    let text: String = version
        .chars()
        .map(|one| if is_valid(one) { one } else { '-' })
        .collect();
    let plain = format!("{major}.{minor}.{patch}");
    let whole = format!("{plain}+{text}");
    match Version::parse(&whole) {
        Ok(_) => whole,
        Err(_) => plain,
    }
}
