//! The grammar of names: ids (which name sidecars) and memory files. A valid name is safe as one component of a path
//! on every system.

/// Maximum length of a memory's file name.
pub const NAME_BYTES: usize = 120;

/// Reports whether a file name has the form `<YYYYMMDD>[-<HHMMSS>]-<slug>.md`.
pub fn is_memory_name(name: &str) -> bool {
    let Some(stem) = name.strip_suffix(".md") else {
        return false;
    };
    let mut parts = stem.split('-');
    let is_date = parts
        .next()
        .is_some_and(|date| date.len() == 8 && date.bytes().all(|byte| byte.is_ascii_digit()));
    let mut rest = parts.peekable();
    name.len() <= NAME_BYTES
        && is_date
        && rest.peek().is_some()
        && rest.all(|part| !part.is_empty() && part.bytes().all(is_slug_byte))
}

/// Reports whether a text is a valid memory id: 1 to 64 ASCII letters, digits, `-` and `_`, not starting with `-`.
pub fn is_id(id: &str) -> bool {
    (1..=64).contains(&id.len())
        && !id.starts_with('-')
        && !acreta_fs::is_device_name(id)
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

/// Reports whether a text can name a run's folder.
pub(crate) fn is_run_id(id: &str) -> bool {
    (1..=128).contains(&id.len())
        && !id.starts_with(['.', '-'])
        && id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// Returns the first of `x.md`, `x-2.md`, `x-3.md`, … that is not taken.
pub fn unique_name(taken: impl Fn(&str) -> bool, name: &str) -> String {
    if !taken(name) {
        return name.to_owned();
    }
    let (stem, extension) = match name.rfind('.') {
        Some(dot) if dot > 0 => name.split_at(dot),
        _ => (name, ""),
    };
    let mut number: u64 = 2;
    loop {
        let candidate = format!("{stem}-{number}{extension}");
        if !taken(&candidate) {
            return candidate;
        }
        number += 1;
    }
}

/// Minimum number of characters shown of an id.
pub const SHORT_ID: usize = 8;

/// Returns the distinctive part of an id: the random part of a ULID, or the whole of any other id. A ULID begins with
/// a time, which memories of one day share.
pub fn telling_part(id: &str) -> &str {
    const ULID: usize = 26;
    const TIME: usize = 10;
    match id.len() == ULID && id.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        true => &id[TIME..],
        false => id,
    }
}

/// Appends the short form of a memory's id to a file name, so that no two memories get the same name.
pub fn name_with_id(name: &str, id: &str) -> String {
    let part = telling_part(id).to_lowercase();
    let part = &part[..part.len().min(SHORT_ID)];
    let stem = name.strip_suffix(".md").unwrap_or(name);
    let room = NAME_BYTES.saturating_sub(part.len() + "-.md".len());
    let stem = acreta_text::head(stem, room).trim_end_matches('-');
    format!("{stem}-{part}.md")
}

fn is_slug_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_names_follow_the_grammar() {
        let longest = format!("20260101-{}.md", "a".repeat(NAME_BYTES - 12));
        for name in [
            "20260101-use-sqlite.md",
            "20260101-123456-what-happened.md",
            "20260101-x.md",
            "20260101-123456.md",
            longest.as_str(),
        ] {
            assert!(is_memory_name(name), "{name}");
        }
        let too_long = format!("20260101-{}.md", "a".repeat(NAME_BYTES - 11));
        for name in [
            "",
            ".md",
            "20260101.md",
            "20260101-.md",
            "2026010-x.md",
            "20260101-x-.md",
            "20260101--x.md",
            "20260101-X.md",
            "20260101-x.MD",
            "20260101-x.md ",
            "20260101-x",
            "20260101-ü.md",
            "20260101-a/b.md",
            "20260101-a.b.md",
            "../20260101-x.md",
            "２0260101-x.md",
            too_long.as_str(),
        ] {
            assert!(!is_memory_name(name), "{name}");
        }
    }

    #[test]
    fn ids_are_one_plain_path_part() {
        for id in ["01J9ZK3V8Q0000000000000000", "a", "a_b-c"] {
            assert!(is_id(id), "{id}");
        }
        let long = "a".repeat(65);
        for id in [
            "",
            ".",
            "..",
            "a/b",
            "a.b",
            "-a",
            "a b",
            "ä",
            "a\0",
            "con",
            "NUL",
            "com1",
            long.as_str(),
        ] {
            assert!(!is_id(id), "{id}");
        }
    }

    #[test]
    fn a_taken_name_gets_the_next_number() {
        let cases: [(&[&str], &str, &str); 4] = [
            (&[], "x.md", "x.md"),
            (&["x.md"], "x.md", "x-2.md"),
            (&["x.md", "x-2.md"], "x.md", "x-3.md"),
            (&["x"], "x", "x-2"),
        ];
        for (taken, name, expected) in cases {
            assert_eq!(unique_name(|name| taken.contains(&name), name), expected);
        }
    }
}
