//! The files of `.acreta` in a commit, as git lists them: which of them are memory, which are left alone, and which
//! make the commit unusable. Names come from the remote and are hostile until they were checked here.

use std::collections::BTreeSet;

use acreta_fs::{LOCAL_PARTS, PROJECT_FOLDER, is_relative_path};
use camino::{Utf8Path, Utf8PathBuf};

/// An entry of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TreeEntry {
    pub(crate) mode: String,
    pub(crate) object: String,
    /// From the top of the repository.
    pub(crate) path: Vec<u8>,
}

/// A regular file of memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MemoryFile {
    pub(crate) mode: String,
    pub(crate) object: String,
    /// Relative to `.acreta`.
    pub(crate) path: Utf8PathBuf,
}

/// The part of a commit that lies in `.acreta`.
#[derive(Debug, Clone, Default)]
pub(crate) struct MemoryTree {
    pub(crate) files: Vec<MemoryFile>,
    /// Links, submodules, files of one machine, and names that this system cannot have: never written to disk, and in
    /// the next commit as they are.
    pub(crate) kept: Vec<TreeEntry>,
}

/// A path that makes a commit unusable.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Unusable {
    pub(crate) path: String,
    pub(crate) reason: &'static str,
}

/// The most files that are checked out.
pub(crate) const MOST_FILES: usize = 200_000;

/// The most files beside `.acreta` that are checked out.
const MOST_BESIDE: usize = 4_000;

const LINK: &str = "120000";
const SUBMODULE: &str = "160000";
/// The mode of a folder in a tree.
pub(crate) const FOLDER: &str = "040000";

impl MemoryTree {
    /// Sorts the entries of `git ls-tree -r`.
    pub(crate) fn of(entries: Vec<TreeEntry>) -> Result<Self, Unusable> {
        let mut tree = Self::default();
        for entry in entries {
            let unusable = |reason| Unusable {
                path: acreta_text::visible(&String::from_utf8_lossy(&entry.path)),
                reason,
            };
            let Some(inside) = entry.path.strip_prefix(PREFIX) else {
                return Err(unusable("is not a folder"));
            };
            if inside.split(|byte| *byte == b'/').any(leaves_the_tree) {
                return Err(unusable("is a name that git itself refuses"));
            }
            if tree.files.len() + tree.kept.len() >= MOST_FILES {
                return Err(unusable("is one file too many: there are over 200000"));
            }
            match memory_path(inside, &entry.mode) {
                Some(path) => tree.files.push(MemoryFile {
                    path,
                    mode: entry.mode,
                    object: entry.object,
                }),
                None => tree.kept.push(entry),
            }
        }
        Ok(tree)
    }
}

const PREFIX: &[u8] = b".acreta/";

/// Reports whether a path relative to `.acreta` belongs to one machine and is not committed.
pub(crate) fn is_local(path: &Utf8Path) -> bool {
    LOCAL_PARTS
        .iter()
        .any(|part| path.starts_with(part.trim_end_matches('/')))
}

fn memory_path(inside: &[u8], mode: &str) -> Option<Utf8PathBuf> {
    if matches!(mode, LINK | SUBMODULE) {
        return None;
    }
    let path = Utf8Path::new(std::str::from_utf8(inside).ok()?);
    // A path with a line break would be two in lists of paths.
    let plain = is_relative_path(path) && !path.as_str().contains(char::is_control);
    (plain && !is_local(path)).then(|| path.to_owned())
}

fn leaves_the_tree(name: &[u8]) -> bool {
    matches!(name, b"" | b"." | b"..") || name.eq_ignore_ascii_case(b".git")
}

/// Returns the regular files among these entries that are wanted, with their paths from the top of the repository. Names
/// that git itself refuses are left out.
pub(crate) fn wanted(
    entries: Vec<TreeEntry>,
    is_wanted: impl Fn(&Utf8Path) -> bool,
) -> Vec<MemoryFile> {
    let files = entries.into_iter().filter_map(|entry| {
        let leaves = entry.path.split(|byte| *byte == b'/').any(leaves_the_tree);
        let path = memory_path(&entry.path, &entry.mode).filter(|_| !leaves)?;
        is_wanted(&path).then_some(MemoryFile {
            path,
            mode: entry.mode,
            object: entry.object,
        })
    });
    files.take(MOST_BESIDE).collect()
}

/// Parses the output of `git ls-tree -z`; `None` if it is not such a list.
pub(crate) fn parse(output: &[u8]) -> Option<Vec<TreeEntry>> {
    let records = output.split(|byte| *byte == 0);
    records
        .filter(|record| !record.is_empty())
        .map(|record| {
            let tab = record.iter().position(|byte| *byte == b'\t')?;
            let mut words = std::str::from_utf8(&record[..tab]).ok()?.split(' ');
            let (mode, _kind, object) = (words.next()?, words.next()?, words.next()?);
            crate::id::is_object_id(object).then(|| TreeEntry {
                mode: mode.to_owned(),
                object: object.to_owned(),
                path: record[tab + 1..].to_vec(),
            })
        })
        .collect()
}

/// Returns the lines that `git update-index -z --index-info` reads: files at their place beneath `.acreta`, and what is
/// kept. The error is a kept path that a file would replace, or lie in.
pub(crate) fn index_lines(files: &[MemoryFile], kept: &[TreeEntry]) -> Result<Vec<u8>, String> {
    let mut lines = Vec::new();
    let mut line = |mode: &str, object: &str, path: &[u8]| {
        lines.extend_from_slice(format!("{mode} {object}\t").as_bytes());
        lines.extend_from_slice(path);
        lines.push(0);
    };
    let taken: BTreeSet<Vec<u8>> = kept.iter().map(|entry| entry.path.clone()).collect();
    for file in files {
        let path = format!("{PROJECT_FOLDER}/{}", file.path);
        let path = path.as_bytes();
        if let Some(met) = met(&taken, path) {
            return Err(acreta_text::visible(&String::from_utf8_lossy(met)));
        }
        line(&file.mode, &file.object, path);
    }
    for entry in kept {
        line(&entry.mode, &entry.object, &entry.path);
    }
    Ok(lines)
}

/// Returns the taken path that equals `path`, is a folder of it, or lies in it.
fn met<'a>(taken: &'a BTreeSet<Vec<u8>>, path: &[u8]) -> Option<&'a [u8]> {
    let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    let mut above = slashes.map(|(at, _)| &path[..at]);
    let beneath = [path, b"/"].concat();
    if let Some(found) = taken
        .get(path)
        .or_else(|| above.find_map(|folder| taken.get(folder)))
    {
        return Some(found);
    }
    let next = taken.range(beneath.clone()..).next()?;
    next.starts_with(&beneath).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OBJECT: &str = "28ce6a8b26aa170e1de65536fe8abe1832bd3242";

    fn entry(mode: &str, path: &str) -> TreeEntry {
        TreeEntry {
            mode: mode.into(),
            object: OBJECT.into(),
            path: path.into(),
        }
    }

    #[test]
    fn entries_are_memory_or_kept_or_refused() {
        let cases = [
            ("100644", ".acreta/memory/a.md", "file"),
            ("100755", ".acreta/memory/a.md", "file"),
            ("100644", ".acreta/.gitignore", "file"),
            ("100644", ".acreta/meta/lock.json", "file"),
            ("120000", ".acreta/memory/a.md", "kept"),
            ("160000", ".acreta/library", "kept"),
            ("100644", ".acreta/index/segment", "kept"),
            ("100644", ".acreta/meta/lock", "kept"),
            ("100644", ".acreta/meta/commit/1", "kept"),
            ("100644", ".acreta/a\nb", "kept"),
            ("120000", ".acreta", "refused"),
            ("160000", ".acreta", "refused"),
            ("100644", ".acreta", "refused"),
            ("100644", ".acreta/../../etc/passwd", "refused"),
            ("100644", ".acreta/.git/hooks/pre-push", "refused"),
            ("100644", ".acreta/x/.GIT", "refused"),
            ("100644", ".acreta//etc/passwd", "refused"),
            ("100644", ".acreta/./a", "refused"),
        ];
        for (mode, path, expected) in cases {
            let found = match MemoryTree::of(vec![entry(mode, path)]) {
                Ok(tree) if tree.files.len() == 1 => "file",
                Ok(_) => "kept",
                Err(_) => "refused",
            };
            assert_eq!(found, expected, "{mode} {path}");
        }
        let bytes = TreeEntry {
            path: b".acreta/\xff".to_vec(),
            ..entry("100644", "")
        };
        assert_eq!(MemoryTree::of(vec![bytes]).unwrap().kept.len(), 1);
    }

    #[test]
    fn lists_are_parsed() {
        let output =
            format!("100644 blob {OBJECT}\t.acreta/a\0120000 blob {OBJECT}\t.acreta/b c\td\0");
        let entries = parse(output.as_bytes()).unwrap();
        assert_eq!(entries.len(), 2);
        assert_eq!(entries[1].path, b".acreta/b c\td");
        assert_eq!(parse(b""), Some(Vec::new()));
        assert_eq!(parse(b"nonsense"), None);
        assert_eq!(parse(b"100644 blob 12\tx\0"), None);
    }

    #[test]
    fn a_file_does_not_replace_what_is_kept() {
        let file = |path: &str| MemoryFile {
            mode: "100644".into(),
            object: OBJECT.into(),
            path: path.into(),
        };
        let link = [entry("120000", ".acreta/memory")];
        assert!(index_lines(&[file("memory/a.md")], &link).is_err());
        assert!(index_lines(&[file("memory")], &link).is_err());
        assert!(index_lines(&[file("memory.md")], &link).is_ok());
        let inside = [entry("120000", ".acreta/memory/link")];
        assert!(index_lines(&[file("memory")], &inside).is_err());
        assert!(index_lines(&[file("memory/link.md")], &inside).is_ok());
    }
}
