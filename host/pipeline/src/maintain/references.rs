//! Names in a memory that can be looked up in a repository: files, folders and symbols. A name is only a candidate
//! until it is found.

use std::collections::BTreeSet;

/// Names worth looking up, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct References {
    /// Relative paths, or the last component of one.
    pub paths: BTreeSet<String>,
    pub symbols: BTreeSet<String>,
}

/// Shorter identifiers are treated as ordinary words.
const SYMBOL_CHARACTERS: usize = 4;

/// Longest extension of a file name.
const EXTENSION_CHARACTERS: usize = 6;

impl References {
    /// Extracts the names in a memory's text: paths anywhere, symbols only in code marks.
    pub fn of(title: &str, body: &str) -> Self {
        let mut references = Self::default();
        let text = format!("{title}\n{body}");
        for (index, piece) in text.split('`').enumerate() {
            let is_code = index % 2 == 1;
            for word in piece.split(|character: char| {
                character.is_whitespace() || matches!(character, '"' | '(' | ')' | ',' | ';')
            }) {
                if let Some(path) = path(word) {
                    references.paths.insert(path.to_owned());
                } else if is_code && let Some(symbol) = symbol(word) {
                    references.symbols.insert(symbol.to_owned());
                }
            }
        }
        references
    }

    pub fn extend(&mut self, other: &References) {
        self.paths.extend(other.paths.iter().cloned());
        self.symbols.extend(other.symbols.iter().cloned());
    }

    pub fn is_empty(&self) -> bool {
        self.paths.is_empty() && self.symbols.is_empty()
    }

    /// Returns all names, sorted, as stored in a memory's state.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        let mut names: Vec<&String> = self.paths.union(&self.symbols).collect();
        names.sort_unstable();
        names.into_iter()
    }
}

/// Parses a word as a relative path: with a slash, or with an extension.
fn path(word: &str) -> Option<&str> {
    let word = word.trim_start_matches("./");
    let word = word.trim_end_matches(['.', ':', '!', '?', '\'', '’', ']', '}', '>']);
    // `file.rs:12:5` is a position in a file.
    let word = match word.split_once(':') {
        Some((file, place)) if place.starts_with(|first: char| first.is_ascii_digit()) => file,
        Some(_) => return None,
        None => word,
    };
    let word = word.trim_end_matches('/');
    let plain = |character: char| character.is_alphanumeric() || "/._-+@".contains(character);
    if word.is_empty() || !word.chars().all(plain) || word.starts_with(['/', '-', '@', '.', '+']) {
        return (word.starts_with('.') && word.contains('/') && word.chars().all(plain))
            .then_some(word)
            .filter(|word| !word.split('/').any(|part| part == ".."));
    }
    if word.split('/').any(|part| part.is_empty() || part == "..") {
        return None;
    }
    let name = word.rsplit('/').next().unwrap_or(word);
    let has_extension = name.rsplit_once('.').is_some_and(|(stem, extension)| {
        // Excludes `e.g` and the like.
        stem.len() > 1
            && (1..=EXTENSION_CHARACTERS).contains(&extension.len())
            && extension.starts_with(|first: char| first.is_ascii_alphabetic())
            && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    (word.contains('/') || has_extension).then_some(word)
}

/// Parses a word as an identifier that is not an ordinary word: it has an underscore or an inner capital, or is
/// called.
fn symbol(word: &str) -> Option<&str> {
    let word = word.trim_end_matches(['.', ':', '!', '?', '<', '>', '[', ']', '{', '}', '&']);
    let word = word.trim_start_matches(['&', '*', '!', '#', '[', '<']);
    let name = word.rsplit([':', '.', '>']).next()?;
    let is_identifier = name.len() >= SYMBOL_CHARACTERS
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let inner_capital = name
        .chars()
        .skip(1)
        .any(|character| character.is_ascii_uppercase())
        && name.chars().any(|character| character.is_ascii_lowercase());
    (is_identifier && (name.contains('_') || inner_capital)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_symbols_are_told_from_words() {
        let cases: &[(&str, &[&str], &[&str])] = &[
            ("Run `cargo test` in host/store.", &["host/store"], &[]),
            (
                "see src/queue.rs:42 and Cargo.toml",
                &["src/queue.rs", "Cargo.toml"],
                &[],
            ),
            (
                "`TraceReader::read_page` and `max_bytes`",
                &[],
                &["read_page", "max_bytes"],
            ),
            ("https://example.com/a/b is a page", &[], &[]),
            ("never ../outside/x.rs nor /etc/passwd nor ~/x/y", &[], &[]),
            (
                "`.github/workflows/ci.yml` runs it",
                &[".github/workflows/ci.yml"],
                &[],
            ),
            ("plain words and e.g. 3.14 or v1.2.3", &[], &[]),
            ("`PendingTrace`, `run()`, `retry`", &[], &["PendingTrace"]),
        ];
        for (text, paths, symbols) in cases {
            let found = References::of(text, "");
            let expected = References {
                paths: paths.iter().map(|path| (*path).to_owned()).collect(),
                symbols: symbols.iter().map(|name| (*name).to_owned()).collect(),
            };
            assert_eq!(found, expected, "{text}");
        }
    }
}
