//! Looks for what memories name in the files of a checkout. Only a repository knows which files belong to it; without
//! one, nothing is reported.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use acreta_fs::{Directory, NoFaults};
use acreta_git::GitRepository;
use acreta_pipeline::{References, Repository, Sighting};
use camino::{Utf8Path, Utf8PathBuf};

pub struct Checkout {
    pub root: Utf8PathBuf,
}

/// Returns the name of a project's repository: that of its remote, which all clones share, or else that of its folder.
pub fn name(root: &Utf8Path) -> String {
    let remote = GitRepository::at(root)
        .ok()
        .and_then(|git| git.remote_url());
    let remote = remote.as_deref().and_then(name_in_url);
    let folder = root.file_name().unwrap_or("project");
    remote.unwrap_or(folder).to_owned()
}

/// Returns the last part of a URL that is not a user name, password or host.
fn name_in_url(url: &str) -> Option<&str> {
    let path = url.trim_end_matches(['/', '\\']);
    let name = &path[path.rfind(['/', '\\', ':'])? + 1..];
    let name = name.strip_suffix(".git").unwrap_or(name);
    let is_plain = |one: char| one.is_alphanumeric() || matches!(one, '.' | '-' | '_' | ' ');
    (!name.is_empty() && name.chars().all(is_plain)).then_some(name)
}

/// Maximum size of a source file; larger files are data.
const FILE_BYTES: u64 = 1024 * 1024;

/// Maximum bytes that are searched for symbols.
const ALL_BYTES: u64 = 512 * 1024 * 1024;

/// Maximum number of commits that are searched for removed paths.
const COMMITS: u64 = 5_000;

impl Repository for Checkout {
    fn look(&self, wanted: &References) -> Option<Sighting> {
        let git = GitRepository::at(&self.root).ok()?;
        let files = git.files(user_ignore_file().as_deref()).ok()?;
        let names = PathsByName::of(files.iter().map(String::as_str));
        let present: BTreeSet<String> = wanted
            .paths
            .iter()
            .filter(|path| names.has(path))
            .chain(self.symbols(&files, &wanted.symbols).iter())
            .cloned()
            .collect();
        let is_missing = |path: &&String| !present.contains(*path);
        let missing: Vec<&String> = wanted.paths.iter().filter(is_missing).collect();
        let deleted = if missing.is_empty() {
            BTreeSet::new()
        } else {
            let deleted = git.removed_paths(COMMITS);
            let deleted = PathsByName::of(deleted.iter().map(String::as_str));
            missing
                .into_iter()
                .filter(|path| deleted.has(path))
                .cloned()
                .collect()
        };
        Some(Sighting { present, deleted })
    }
}

impl Checkout {
    /// Returns those of the symbols that occur in some file.
    fn symbols(&self, files: &[String], wanted: &BTreeSet<String>) -> BTreeSet<String> {
        let mut left: HashSet<&str> = wanted.iter().map(String::as_str).collect();
        let mut found = BTreeSet::new();
        let mut read = 0;
        let Ok(root) = Directory::open(&self.root, NoFaults::shared()) else {
            return found;
        };
        // Memory itself names these symbols, so it does not count.
        let sources = files.iter().filter(|file| !file.starts_with(".acreta/"));
        for file in sources {
            if left.is_empty() || read > ALL_BYTES {
                break;
            }
            let Ok(bytes) = root.read(file, FILE_BYTES) else {
                continue;
            };
            read += bytes.len() as u64;
            let text = String::from_utf8_lossy(&bytes);
            let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
            for word in text.split(|character: char| !is_part(character)) {
                if left.remove(word) {
                    found.insert(word.to_owned());
                }
            }
        }
        found
    }
}

/// Paths by their last part.
struct PathsByName<'a>(BTreeMap<&'a str, Vec<&'a str>>);

impl<'a> PathsByName<'a> {
    fn of(paths: impl Iterator<Item = &'a str>) -> Self {
        let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for path in paths {
            // Folders are known by the files in them.
            for (end, _) in path.match_indices('/').chain([(path.len(), "")]) {
                let path = &path[..end];
                let known = names.entry(last_part(path)).or_default();
                if known.last() != Some(&path) {
                    known.push(path);
                }
            }
        }
        Self(names)
    }

    /// Returns whether some path is this one, or ends with it.
    fn has(&self, wanted: &str) -> bool {
        let known = self.0.get(last_part(wanted));
        known.is_some_and(|paths| paths.iter().any(|path| ends_with(path, wanted)))
    }
}

/// Returns whether a path is another, or ends with all parts of it.
pub fn ends_with(path: &str, end: &str) -> bool {
    path.strip_suffix(end)
        .is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the user's own ignore file (`core.excludesFile` of their settings, not of a repository's).
pub(crate) fn user_ignore_file() -> Option<Utf8PathBuf> {
    ignore::gitignore::gitconfig_excludes_path()
        .and_then(|file| Utf8PathBuf::from_path_buf(file).ok())
        .filter(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_is_named_by_its_address() {
        let table = [
            ("https://example.com/team/harbour.git", Some("harbour")),
            ("git@example.com:team/harbour.git", Some("harbour")),
            ("git@example.com:harbour", Some("harbour")),
            ("/srv/git/harbour.git/", Some("harbour")),
            ("C:\\git\\harbour", Some("harbour")),
            ("harbour", None),
            ("https://user:secret@example.com", None),
            ("", None),
        ];
        for (url, expected) in table {
            assert_eq!(name_in_url(url), expected, "{url}");
        }
    }

    #[test]
    fn paths_are_known_whole_and_by_their_end() {
        let names = PathsByName::of(["host/store/src/load.rs", "README.md"].into_iter());
        for known in [
            "host/store/src/load.rs",
            "src/load.rs",
            "load.rs",
            "host/store",
            "store/src",
            "README.md",
        ] {
            assert!(names.has(known), "{known}");
        }
        for unknown in ["oad.rs", "host/stor", "store/src/loa", "host/README.md"] {
            assert!(!names.has(unknown), "{unknown}");
        }
    }
}
