//! Which relative paths are let through. Refuses, before the disk is asked, everything that has
//! ever led a sandboxed path astray: `..`, absolute paths, trailing slashes, empty and `.` parts.

use camino::{Utf8Path, Utf8PathBuf};

use crate::{FsError, OperationKind};

/// Whether operations take this path: relative, every part a plain name, no trailing slash.
pub fn is_relative_path(path: &Utf8Path) -> bool {
    problem(path.as_str()).is_none()
}

/// The directory itself, where an operation on a directory takes a path.
pub(crate) const HERE: &str = ".";

/// A path of a file or directory beneath a root.
pub(crate) fn check(path: &Utf8Path) -> Result<&Utf8Path, FsError> {
    match problem(path.as_str()) {
        None => Ok(path),
        Some(reason) => Err(FsError::InvalidPath {
            path: path.to_owned(),
            reason,
        }),
    }
}

/// Joins two checked paths; `.` adds nothing.
pub(crate) fn join(base: &Utf8Path, relative: &Utf8Path) -> Utf8PathBuf {
    match (base.as_str(), relative.as_str()) {
        (_, HERE) => base.to_owned(),
        (HERE, _) => relative.to_owned(),
        _ => base.join(relative),
    }
}

/// The directory that holds a checked path; `.` at the top.
pub(crate) fn parent(path: &Utf8Path) -> &Utf8Path {
    match path.parent() {
        Some(parent) if !parent.as_str().is_empty() => parent,
        _ => Utf8Path::new(HERE),
    }
}

fn problem(path: &str) -> Option<&'static str> {
    if path.is_empty() {
        return Some("is empty");
    }
    if path.contains('\0') {
        return Some("contains a NUL character");
    }
    if cfg!(windows) && path.contains(['\\', ':']) {
        return Some("contains `\\` or `:`");
    }
    if path.starts_with('/') {
        return Some("is absolute");
    }
    if path.ends_with('/') {
        return Some("ends with a slash");
    }
    for part in path.split('/') {
        match part {
            "" => return Some("has an empty part"),
            "." => return Some("has a `.` part"),
            ".." => return Some("has a `..` part"),
            _ => {}
        }
    }
    None
}

/// A path without links and `..`, as the system resolves it. The path must exist.
pub fn canonical(path: &Utf8Path) -> Result<Utf8PathBuf, FsError> {
    path.canonicalize_utf8()
        .map_err(|cause| FsError::new(OperationKind::Read, path.to_owned(), cause))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_relative_paths_pass() {
        for path in ["a", "a/b", "a/b.md", ".hidden", "a..b", "...", "a b/ü"] {
            assert!(check(Utf8Path::new(path)).is_ok(), "{path}");
        }
        for path in [
            "", ".", "..", "/", "/a", "a/", "a//", "a//b", "a/.", "a/./b", "./a", "../a", "a/..",
            "a/../b", "a\0b",
        ] {
            assert!(check(Utf8Path::new(path)).is_err(), "{path:?}");
        }
    }

    #[test]
    fn parents_end_at_the_root() {
        assert_eq!(parent(Utf8Path::new("a/b")), "a");
        assert_eq!(parent(Utf8Path::new("a")), ".");
        assert_eq!(join(Utf8Path::new("."), Utf8Path::new("a")), "a");
        assert_eq!(join(Utf8Path::new("a"), Utf8Path::new(".")), "a");
    }
}
