//! Validation and spelling of paths. Rejects, before the disk is accessed, everything that could escape a sandbox:
//! `..`, absolute paths, trailing slashes, empty and `.` components; on Windows also devices, streams and names that
//! the system would normalise. Relative paths returned by this crate use `/` on every system.

use std::borrow::Cow;

use camino::{Utf8Path, Utf8PathBuf};

use crate::{FsError, OperationKind};

/// The system whose naming rules apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NamingRules {
    Unix,
    Windows,
}

const HERE_SYSTEM: NamingRules = if cfg!(windows) {
    NamingRules::Windows
} else {
    NamingRules::Unix
};

/// Reports whether operations accept this path: relative, only plain names, no trailing slash.
pub fn is_relative_path(path: &Utf8Path) -> bool {
    problem(path.as_str(), HERE_SYSTEM).is_none()
}

/// The directory itself, for operations that take the path of a directory.
pub(crate) const HERE: &str = ".";

/// Validates a path of a file or directory beneath a root.
pub(crate) fn check(path: &Utf8Path) -> Result<&Utf8Path, FsError> {
    match problem(path.as_str(), HERE_SYSTEM) {
        None => Ok(path),
        Some(reason) => Err(FsError::InvalidPath {
            path: path.to_owned(),
            reason,
        }),
    }
}

/// Joins two relative paths with `/` on every system, so that paths in files and databases are the same everywhere. `.`
/// and the empty path add nothing.
pub fn join(base: impl AsRef<Utf8Path>, relative: impl AsRef<Utf8Path>) -> Utf8PathBuf {
    let (base, relative) = (base.as_ref(), relative.as_ref());
    match (base.as_str(), relative.as_str()) {
        (_, "" | HERE) => portable(base),
        ("" | HERE, _) => portable(relative),
        (base, relative) => portable(Utf8Path::new(&format!("{base}/{relative}"))),
    }
}

/// Returns a relative path with `/` as separator.
pub fn portable(path: &Utf8Path) -> Utf8PathBuf {
    slashed(path.as_str(), HERE_SYSTEM).as_ref().into()
}

/// Returns an absolute path in the system's normal form: on Windows with `\` only, an upper-case drive letter and no
/// unnecessary `\\?\`. Makes a typed and a resolved spelling of the same path equal.
pub fn native(path: &Utf8Path) -> Utf8PathBuf {
    match HERE_SYSTEM {
        NamingRules::Unix => path.to_owned(),
        NamingRules::Windows => windows(path.as_str()).into(),
    }
}

/// Returns the absolute form of a checked relative path.
pub(crate) fn beneath(root: &Utf8Path, relative: &Utf8Path) -> Utf8PathBuf {
    match relative.as_str() {
        HERE => root.to_owned(),
        _ => native(&root.join(relative)),
    }
}

/// Returns the directory of a checked path; `.` at the top.
pub(crate) fn parent(path: &Utf8Path) -> &Utf8Path {
    match path.parent() {
        Some(parent) if !parent.as_str().is_empty() => parent,
        _ => Utf8Path::new(HERE),
    }
}

/// Reports whether Windows treats a name, with any extension, as a device: `con.md`, `NUL`, `com1.json`.
pub fn is_device_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end_matches(' ');
    match stem.to_ascii_uppercase().as_bytes() {
        b"CON" | b"PRN" | b"AUX" | b"NUL" | b"CONIN$" | b"CONOUT$" => true,
        [b'C', b'O', b'M', number @ ..] | [b'L', b'P', b'T', number @ ..] => {
            matches!(number, [b'0'..=b'9'] | [0xc2, 0xb9 | 0xb2 | 0xb3])
        }
        _ => false,
    }
}

fn problem(path: &str, system: NamingRules) -> Option<&'static str> {
    if path.is_empty() {
        return Some("is empty");
    }
    if path.contains('\0') {
        return Some("contains a NUL character");
    }
    let path = slashed(path, system);
    if path.starts_with('/') {
        return Some("is absolute");
    }
    if path.ends_with('/') {
        return Some("ends with a slash");
    }
    path.split('/').find_map(|part| match part {
        "" => Some("has an empty part"),
        "." => Some("has a `.` part"),
        ".." => Some("has a `..` part"),
        _ if system == NamingRules::Windows => windows_problem(part),
        _ => None,
    })
}

/// Returns the reason why Windows would not treat a component as a plain name.
fn windows_problem(part: &str) -> Option<&'static str> {
    if part.contains(|character| {
        matches!(character, '<' | '>' | ':' | '"' | '|' | '?' | '*') || character < ' '
    }) {
        Some("contains a character that Windows does not allow")
    } else if part.ends_with(['.', ' ']) {
        Some("has a part that ends with a dot or a space")
    } else if is_device_name(part) {
        Some("has a part that is the name of a device")
    } else {
        None
    }
}

fn slashed(path: &str, system: NamingRules) -> Cow<'_, str> {
    match system {
        NamingRules::Windows if path.contains('\\') => Cow::Owned(path.replace('\\', "/")),
        _ => Cow::Borrowed(path),
    }
}

/// Maximum length of a path that every program on Windows accepts without `\\?\`, with room for a short name.
const WINDOWS_PATH_CHARACTERS: usize = 247;

fn windows(path: &str) -> String {
    let mut path = path.replace('/', "\\");
    let plain = path
        .strip_prefix(r"\\?\")
        .map(|rest| match rest.strip_prefix(r"UNC\") {
            Some(share) => format!(r"\\{share}"),
            None => rest.to_owned(),
        });
    if let Some(plain) = plain {
        let is_drive =
            matches!(plain.as_bytes(), [letter, b':', b'\\', ..] if letter.is_ascii_alphabetic());
        let parts = plain.get(2..).unwrap_or_default().split('\\');
        let is_plain = parts
            .filter(|part| !part.is_empty())
            .all(|part| windows_problem(part).is_none() && !matches!(part, "." | ".."));
        if (is_drive || plain.starts_with(r"\\"))
            && is_plain
            && plain.encode_utf16().count() <= WINDOWS_PATH_CHARACTERS
        {
            path = plain;
        }
    }
    if path.as_bytes().get(1) == Some(&b':') {
        path[..1].make_ascii_uppercase();
    }
    path
}

/// Resolves links and `..`, in the form of [`native`]. The path must exist.
pub fn canonical(path: &Utf8Path) -> Result<Utf8PathBuf, FsError> {
    path.canonicalize_utf8()
        .map(|path| native(&path))
        .map_err(|cause| FsError::new(OperationKind::Read, path.to_owned(), cause))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_relative_paths_pass() {
        let refused_everywhere = [
            "", ".", "..", "/", "/a", "a/", "a//", "a//b", "a/.", "a/./b", "./a", "../a", "a/..",
            "a/../b", "a\0b",
        ];
        for system in [NamingRules::Unix, NamingRules::Windows] {
            for path in [
                "a",
                "a/b",
                "a/b.md",
                ".hidden",
                "a..b",
                "a b/ü",
                "console.md",
                "com10",
            ] {
                assert_eq!(problem(path, system), None, "{path} on {system:?}");
            }
            for path in refused_everywhere {
                assert!(problem(path, system).is_some(), "{path:?} on {system:?}");
            }
        }
    }

    #[test]
    fn windows_has_two_separators_and_more_refusals() {
        for path in [r"a\b", r"a\b/c.md", r"decisions\20260101-x.md"] {
            assert_eq!(problem(path, NamingRules::Windows), None, "{path}");
        }
        for path in [
            r"a\..\b",
            r"..\a",
            r"a\..",
            r"a\.\b",
            r"a\\b",
            r"a/\b",
            r"\a",
            r"a\",
            r"\\server\share\a",
            r"\\?\C:\a",
            r"C:\a",
            "C:a",
            "a:stream",
            "a/b:c",
            "a./b",
            "a /b",
            "... ",
            ".. /a",
            "a/.. ",
            "...",
            "con",
            "CON.md",
            "a/nul.json",
            r"aux\b",
            "Com1.txt",
            "lpt9",
            "com¹",
            "con .md",
            "a?b",
            "a*b",
            "a<b",
            "a|b",
            "a\"b",
            "a\tb",
            "conin$",
        ] {
            assert!(problem(path, NamingRules::Windows).is_some(), "{path:?}");
        }
        for path in [r"a\..\b", "a:b", "con", "a.", "a?"] {
            assert_eq!(problem(path, NamingRules::Unix), None, "{path}");
        }
    }

    #[test]
    fn paths_of_windows_have_one_spelling() {
        let long = format!(r"\\?\C:\{}", "a".repeat(300));
        let table = [
            (r"\\?\C:\proj", r"C:\proj"),
            (r"\\?\c:\proj\.acreta", r"C:\proj\.acreta"),
            (r"c:/Users/ann/proj", r"C:\Users\ann\proj"),
            (r"C:\Users/ann\x.jsonl", r"C:\Users\ann\x.jsonl"),
            (r"\\?\UNC\server\share\a", r"\\server\share\a"),
            (r"//server/share/a", r"\\server\share\a"),
            (r"\\?\C:\", r"C:\"),
            // Without the prefix these would name something else.
            (r"\\?\C:\a\con", r"\\?\C:\a\con"),
            (r"\\?\C:\a.", r"\\?\C:\a."),
            (r"\\?\C:\a\..", r"\\?\C:\a\.."),
            (r"\\?\Volume{1}\a", r"\\?\Volume{1}\a"),
            (&long, &long),
        ];
        for (path, expected) in table {
            assert_eq!(windows(path), expected, "{path}");
        }
    }

    #[test]
    fn relative_paths_are_joined_with_slashes() {
        let table = [
            (".", "a", "a"),
            ("a", ".", "a"),
            ("", "a", "a"),
            ("a", "", "a"),
            ("a", "b", "a/b"),
            ("a/b", "c/d.md", "a/b/c/d.md"),
        ];
        for (base, relative, expected) in table {
            assert_eq!(
                join(base, relative).as_str(),
                expected,
                "{base} + {relative}"
            );
        }
        assert_eq!(slashed(r"a\b/c", NamingRules::Windows), "a/b/c");
        assert_eq!(slashed(r"a\b/c", NamingRules::Unix), r"a\b/c");
    }

    #[test]
    fn parents_end_at_the_root() {
        assert_eq!(parent(Utf8Path::new("a/b")), "a");
        assert_eq!(parent(Utf8Path::new("a")), ".");
    }
}
