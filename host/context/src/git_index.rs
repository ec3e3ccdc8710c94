//! Which paths a repository's index holds. They belong to the project even where an ignore rule
//! covers them. An index of a form not known here is as good as none.

/// A path in the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tracked {
    /// From the root of the repository.
    pub(crate) path: String,
    /// A commit of another repository: a submodule.
    pub(crate) is_submodule: bool,
}

/// Bytes of everything before the object id of an entry.
const STAT_BYTES: usize = 40;
const SUBMODULE: u32 = 0o160_000;
const DIRECTORY: u32 = 0o040_000;

/// The entries of an index, versions 2 to 4. `hash_bytes` is 20, or 32 in a SHA-256 repository.
pub(crate) fn parse(bytes: &[u8], hash_bytes: usize) -> Option<Vec<Tracked>> {
    if bytes.get(..4)? != b"DIRC" {
        return None;
    }
    let version = number(bytes, 4)?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let count = number(bytes, 8)? as usize;
    let mut tracked = Vec::with_capacity(count.min(bytes.len() / 64));
    let mut at = 12;
    let mut path: Vec<u8> = Vec::new();
    for _ in 0..count {
        let start = at;
        let mode = number(bytes, start + 24)?;
        at = start + STAT_BYTES + hash_bytes;
        let flags = u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?);
        at += 2;
        if version >= 3 && flags & 0x4000 != 0 {
            at += 2;
        }
        if version == 4 {
            let (drop, read) = offset(bytes.get(at..)?)?;
            at += read;
            path.truncate(path.len().checked_sub(drop)?);
        } else {
            path.clear();
        }
        let length = bytes.get(at..)?.iter().position(|byte| *byte == 0)?;
        path.extend_from_slice(&bytes[at..at + length]);
        at += length + 1;
        if version < 4 {
            // Padded with zeros to a multiple of eight, one of which ends the name.
            at = start + (at - start).next_multiple_of(8);
        }
        if mode & 0o170_000 == DIRECTORY {
            continue;
        }
        if let Ok(path) = std::str::from_utf8(&path) {
            tracked.push(Tracked {
                path: path.to_owned(),
                is_submodule: mode & 0o170_000 == SUBMODULE,
            });
        }
    }
    Some(tracked)
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// Git's offset encoding: seven bits a byte, and one added for each that follows.
fn offset(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = 0usize;
    for (index, byte) in bytes.iter().enumerate().take(9) {
        value = value.checked_shl(7)? | usize::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            return Some((value, index + 1));
        }
        value = value.checked_add(1)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(path: &str, mode: u32) -> Vec<u8> {
        let mut bytes = vec![0; 24];
        bytes.extend(mode.to_be_bytes());
        bytes.extend([0; 12 + 20]);
        bytes.extend((path.len() as u16).to_be_bytes());
        bytes.extend(path.as_bytes());
        let padded = (bytes.len() + 1).next_multiple_of(8);
        bytes.resize(padded, 0);
        bytes
    }

    #[test]
    fn entries_are_read_and_damage_is_none() {
        let mut bytes = b"DIRC\0\0\0\x02\0\0\0\x02".to_vec();
        bytes.extend(entry("a/b.rs", 0o100_644));
        bytes.extend(entry("library", 0o160_000));
        let tracked = parse(&bytes, 20).expect("it is an index");
        let paths: Vec<_> = tracked
            .iter()
            .map(|entry| (entry.path.as_str(), entry.is_submodule))
            .collect();
        assert_eq!(paths, [("a/b.rs", false), ("library", true)]);
        for end in 0..bytes.len() - 8 {
            assert_eq!(parse(&bytes[..end], 20), None, "cut at {end}");
        }
        assert_eq!(parse(b"nonsense", 20), None);
    }

    #[test]
    fn offsets_are_as_git_writes_them() {
        assert_eq!(offset(&[5]), Some((5, 1)));
        assert_eq!(offset(&[0x80, 0]), Some((128, 2)));
        assert_eq!(offset(&[0x80, 0x7f]), Some((255, 2)));
        assert_eq!(offset(&[0x80]), None);
    }
}
