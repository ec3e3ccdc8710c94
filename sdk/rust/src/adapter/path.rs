//! Properties of a session that are taken from its file's path, if the file itself lacks them.

/// Returns the name of a file without its last extension.
pub fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// Lists the folders above a file, nearest first.
pub fn folders(path: &str) -> impl Iterator<Item = &str> {
    path.rsplit('/').skip(1).filter(|name| !name.is_empty())
}

/// Reports whether a file is below a folder with one of these names. Forks of an agent write the same content: only the folder
/// of their program, or the root it is granted as, says whose it is.
pub fn is_below(names: &[&str], path: &str) -> bool {
    folders(path).any(|folder| names.contains(&folder))
}

/// Returns the folder of a file, without a trailing slash.
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or(".", |(parent, _)| parent)
}

/// Returns the path of a `file://` URL; `None` for other URLs.
pub fn of_address(address: &str) -> Option<String> {
    let rest = address.strip_prefix("file://")?;
    let plain = unescape(rest);
    // `file:///c:/work` is `c:/work`.
    let bytes = plain.as_bytes();
    let has_drive = bytes.len() > 2 && bytes[1].is_ascii_alphabetic() && bytes[2] == b':';
    Some(if has_drive {
        plain[1..].to_owned()
    } else {
        plain
    })
}

/// Decodes percent-encoded bytes such as `%20`.
fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, behind @ ..] = rest {
        let escaped = match (first, behind) {
            (b'%', [high, low, ..]) => digit(*high).zip(digit(*low)),
            _ => None,
        };
        match escaped {
            Some((high, low)) => {
                bytes.push(high * 16 + low);
                rest = &rest[3..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn digit(byte: u8) -> Option<u8> {
    let digit = char::from(byte).to_digit(16)?;
    u8::try_from(digit).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_taken_apart() {
        let table = [
            ("/a/b/c.jsonl", "c", vec!["b", "a"], "/a/b"),
            ("c", "c", vec![], "."),
            ("/a/.hidden", ".hidden", vec!["a"], "/a"),
            ("x/store.db", "store", vec!["x"], "x"),
            ("", "", vec![], "."),
        ];
        for (path, expected, above, folder) in table {
            assert_eq!(stem(path), expected, "{path}");
            assert_eq!(folders(path).collect::<Vec<_>>(), above, "{path}");
            assert_eq!(parent(path), folder, "{path}");
            assert_eq!(is_below(&["b"], path), path == "/a/b/c.jsonl", "{path}");
        }
    }

    #[test]
    fn an_address_is_a_path() {
        let table = [
            ("file:///home/mira/a%20b", Some("/home/mira/a b")),
            ("file:///c%3A/work", Some("c:/work")),
            ("file:///c:/work", Some("c:/work")),
            ("file:///100%", Some("/100%")),
            ("file:///%zz%4", Some("/%zz%4")),
            ("file:///%C3%A9", Some("/é")),
            ("vscode-remote://ssh/home", None),
            ("/home", None),
        ];
        for (address, expected) in table {
            assert_eq!(of_address(address).as_deref(), expected, "{address}");
        }
    }
}
