//! Tokenizes code and prose. Identifiers are split into their parts and English endings are removed, so that
//! `getUserNames` matches "the user's name".

/// Calls `take` with each word: whole identifiers and their parts, in lower case.
pub(crate) fn words(text: &[u8], mut take: impl FnMut(&[u8])) {
    let mut buffer: Vec<u8> = Vec::with_capacity(64);
    let mut at = 0;
    while at < text.len() {
        let byte = text[at];
        if !is_word(byte) {
            at += 1;
            continue;
        }
        let start = at;
        while at < text.len() && is_word(text[at]) {
            at += 1;
        }
        let word = &text[start..at];
        if word.len() > LONGEST || byte.is_ascii_digit() {
            continue;
        }
        let mut parts = 0;
        each_part(word, |part| {
            parts += 1;
            emit(part, &mut buffer, &mut take);
        });
        if parts > 1 {
            buffer.clear();
            buffer.extend(word.iter().map(u8::to_ascii_lowercase));
            take(&buffer);
        }
    }
}

/// Calls `take` with each part of an identifier, split at underscores and changes of case.
pub(crate) fn each_part<'a>(word: &'a [u8], mut take: impl FnMut(&'a [u8])) {
    let mut start = 0;
    for at in 1..=word.len() {
        let ends = at == word.len()
            || word[at] == b'_'
            || word[at - 1] == b'_'
            || (word[at].is_ascii_uppercase() && !word[at - 1].is_ascii_uppercase())
            || (word[at].is_ascii_uppercase()
                && word.get(at + 1).is_some_and(u8::is_ascii_lowercase))
            || (word[at].is_ascii_digit() != word[at - 1].is_ascii_digit());
        if ends {
            let part = &word[start..at];
            if part.iter().any(|byte| *byte != b'_') {
                take(part);
            }
            start = at;
        }
    }
}

/// Returns the hash by which a word is stored.
pub(crate) fn hash(word: &[u8]) -> u32 {
    xxhash_rust::xxh3::xxh3_64(word) as u32
}

/// Writes the word in lower case without its English ending to `buffer`.
pub(crate) fn stemmed(word: &[u8], buffer: &mut Vec<u8>) {
    buffer.clear();
    buffer.extend(word.iter().map(u8::to_ascii_lowercase));
    for endings in [PLURALS, ENDINGS] {
        for (ending, put, least) in endings {
            if buffer.len() >= *least && buffer.ends_with(ending) {
                buffer.truncate(buffer.len() - ending.len());
                buffer.extend_from_slice(put);
                break;
            }
        }
    }
}

fn emit(part: &[u8], buffer: &mut Vec<u8>, take: &mut impl FnMut(&[u8])) {
    if part.len() < 2 || part[0].is_ascii_digit() {
        return;
    }
    stemmed(part, buffer);
    take(buffer);
}

fn is_word(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_alphanumeric() || byte >= 0x80
}

const LONGEST: usize = 80;

/// A suffix, its replacement, and the minimum length of the word. The first match is applied.
type SuffixRule = (&'static [u8], &'static [u8], usize);

const PLURALS: &[SuffixRule] = &[
    (b"ies", b"y", 5),
    (b"sses", b"ss", 6),
    (b"ss", b"ss", 3),
    (b"us", b"us", 3),
    (b"is", b"is", 3),
    (b"s", b"", 4),
];

const ENDINGS: &[SuffixRule] = &[
    (b"ation", b"at", 7),
    (b"ing", b"", 6),
    (b"ed", b"", 5),
    (b"e", b"", 4),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<String> {
        let mut found = Vec::new();
        words(text.as_bytes(), |word| {
            found.push(String::from_utf8_lossy(word).into_owned());
        });
        found
    }

    #[test]
    fn identifiers_come_apart() {
        let cases: [(&str, &[&str]); 6] = [
            ("getUserNames", &["get", "user", "nam", "getusernames"]),
            ("retry_budget", &["retry", "budget", "retry_budget"]),
            ("HTTPServer", &["http", "server", "httpserver"]),
            ("names named", &["nam", "nam"]),
            ("x 12 3d", &[]),
            ("__init__", &["init"]),
        ];
        for (text, expected) in cases {
            assert_eq!(all(text), expected, "{text}");
        }
    }
}
