//! Spellings of one directory. Windows ignores case and the kind of separators, and its shells and subsystems name its
//! drives differently. All functions are pure and give the same result on every system.

use camino::{Utf8Path, Utf8PathBuf};

use crate::Platform;

/// Returns true if two paths name one location. Case and separators matter, except in Windows paths.
pub(super) fn is_same_place(left: &str, right: &str) -> bool {
    left == right || (is_windows(left) && is_windows(right) && folded(left) == folded(right))
}

/// Returns true if a path has a drive letter or names a share.
pub(super) fn is_windows(path: &str) -> bool {
    drive(path).is_some() || path.starts_with(r"\\")
}

/// Returns the spellings of a path that programs may have hashed: VS Code writes drive letters in lower case.
pub(super) fn hashed_spellings(path: &str) -> Vec<String> {
    match drive(path) {
        None => vec![path.to_owned()],
        Some((letter, rest)) => vec![
            format!("{}:{rest}", letter.to_ascii_uppercase()),
            format!("{}:{rest}", letter.to_ascii_lowercase()),
        ],
    }
}

/// Translates a directory of another subsystem of the same machine: on Windows the paths of Git Bash (`/c/work`),
/// Cygwin and WSL (`/mnt/c/work`), in WSL those of Windows (`C:\work`, `\\wsl$\Ubuntu\home`).
pub fn other_spelling(directory: &Utf8Path, platform: Platform) -> Option<Utf8PathBuf> {
    let path = directory.as_str();
    match platform {
        Platform::MacOs => None,
        Platform::Windows => {
            let mounts = ["/mnt/", "/cygdrive/", "/"];
            let (letter, rest) = mounts.iter().find_map(|mount| {
                let inside = path.strip_prefix(mount)?;
                let (letter, rest) = inside.split_once('/').unwrap_or((inside, ""));
                let is_drive =
                    letter.len() == 1 && letter.bytes().all(|byte| byte.is_ascii_alphabetic());
                is_drive.then_some((letter, rest))
            })?;
            let rest = rest.replace('/', "\\");
            Some(format!("{}:\\{rest}", letter.to_ascii_uppercase()).into())
        }
        Platform::Linux => {
            let slashed = path.replace('\\', "/");
            for share in ["//wsl$/", "//wsl.localhost/"] {
                if let Some(rest) = slashed.strip_prefix(share) {
                    let (_distribution, inside) = rest.split_once('/')?;
                    return Some(format!("/{inside}").into());
                }
            }
            let (letter, rest) = drive(&slashed)?;
            Some(format!("/mnt/{}{rest}", letter.to_ascii_lowercase()).into())
        }
    }
}

/// Splits `C:\work` or `C:/work` into drive letter and rest, which begins with the separator.
fn drive(path: &str) -> Option<(char, &str)> {
    match path.as_bytes() {
        [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic() => {
            Some((char::from(*letter), &path[2..]))
        }
        _ => None,
    }
}

fn folded(path: &str) -> String {
    let path = path.replace('/', "\\").to_lowercase();
    path.trim_end_matches('\\').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_windows_have_many_spellings() {
        let table = [
            (r"C:\Work\Ledger", r"c:\work\ledger", true),
            (r"C:\Work\Ledger", "c:/work/ledger/", true),
            (r"\\Server\Share\a", r"\\server\share\A", true),
            (r"C:\work", r"D:\work", false),
            ("/home/Ann", "/home/ann", false),
            ("/home/ann", "/home/ann", true),
            (r"C:\ÄRGER", r"c:\ärger", true),
        ];
        for (left, right, expected) in table {
            assert_eq!(is_same_place(left, right), expected, "{left} {right}");
        }
    }

    #[test]
    fn drives_have_a_name_in_every_subsystem() {
        let table = [
            (Platform::Windows, "/mnt/c/Work/a b", Some(r"C:\Work\a b")),
            (Platform::Windows, "/c/work", Some(r"C:\work")),
            (Platform::Windows, "/cygdrive/d/x", Some(r"D:\x")),
            (Platform::Windows, "/mnt/c", Some(r"C:\")),
            (Platform::Windows, "/home/ann", None),
            (Platform::Windows, r"C:\work", None),
            (Platform::Linux, r"C:\Work\a", Some("/mnt/c/Work/a")),
            (Platform::Linux, "d:/x", Some("/mnt/d/x")),
            (
                Platform::Linux,
                r"\\wsl$\Ubuntu\home\ann",
                Some("/home/ann"),
            ),
            (Platform::Linux, r"\\wsl.localhost\Debian\srv", Some("/srv")),
            (Platform::Linux, "/home/ann", None),
            (Platform::Linux, r"\\server\share\a", None),
            (Platform::MacOs, r"C:\work", None),
        ];
        for (platform, directory, expected) in table {
            let found = other_spelling(Utf8Path::new(directory), platform);
            assert_eq!(
                found.as_deref().map(Utf8Path::as_str),
                expected,
                "{directory}"
            );
        }
    }

    #[test]
    fn a_drive_letter_is_hashed_in_both_cases() {
        assert_eq!(hashed_spellings(r"c:\a"), [r"C:\a", r"c:\a"]);
        assert_eq!(hashed_spellings("/a"), ["/a"]);
    }
}
