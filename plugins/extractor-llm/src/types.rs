//! The allowed types of candidates, from the host's registry, and tags for search.

use crate::MemoryType;

/// The allowed types of candidates.
#[derive(Debug)]
pub(crate) struct Types<'a>(Vec<&'a MemoryType>);

impl<'a> Types<'a> {
    pub(crate) fn of(registry: &'a [MemoryType]) -> Self {
        // A summary is written separately, not proposed.
        let extractable = registry.iter().filter(|entry| entry.name != "summary");
        Self(extractable.collect())
    }

    pub(crate) fn names(&self) -> Vec<&'a str> {
        self.0.iter().map(|entry| entry.name.as_str()).collect()
    }

    /// Returns all kinds, and the empty one.
    pub(crate) fn kinds(&self) -> Vec<&'a str> {
        let kinds = self.0.iter().flat_map(|entry| entry.kinds.iter());
        std::iter::once("")
            .chain(kinds.map(String::as_str))
            .collect()
    }

    /// Returns the kind if the type allows it; `None` if type or kind are unknown.
    pub(crate) fn fit(&self, category: &str, kind: &str) -> Option<&'a str> {
        let entry = self.0.iter().find(|entry| entry.name == category)?;
        if entry.kinds.is_empty() {
            return Some("");
        }
        let found = entry.kinds.iter().find(|known| *known == kind)?;
        Some(found.as_str())
    }

    /// Renders the table for a prompt.
    pub(crate) fn table(&self) -> String {
        let mut table = String::new();
        for entry in &self.0 {
            table.push_str(&format!("- `{}`: {}", entry.name, entry.definition));
            if entry.kinds.is_empty() {
                table.push_str(" Its `kind` is empty.");
            } else {
                table.push_str(&format!(
                    " Its `kind` is one of: {}.",
                    entry.kinds.join(", ")
                ));
            }
            table.push_str(&format!(" Example: {}\n", entry.example));
        }
        table.truncate(table.trim_end().len());
        table
    }
}

/// Returns a few short tags: text in backticks, and names with a special character.
pub(crate) fn tags(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (index, piece) in text.split('`').enumerate() {
        for word in piece.split_whitespace() {
            let word = word.trim_matches(|edge: char| !edge.is_ascii_alphanumeric());
            let word = word.rsplit('/').next().unwrap_or(word);
            let inner = word.find(['.', '_', '-']).is_some_and(|at| at > 0);
            let is_name = (index % 2 == 1 || inner)
                && (2..=24).contains(&word.len())
                && word.is_ascii()
                && word.starts_with(|first: char| first.is_ascii_alphabetic())
                && word.chars().all(|character| {
                    character.is_ascii_alphanumeric() || "-_.".contains(character)
                });
            let tag = word.to_lowercase();
            if is_name && !found.contains(&tag) {
                found.push(tag);
                if found.len() == MOST_TAGS {
                    return found;
                }
            }
        }
    }
    found
}

const MOST_TAGS: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_names() {
        assert_eq!(
            tags("Run `cargo test` in src/main.rs with --test-threads=1, not fast."),
            ["cargo", "test", "main.rs"]
        );
    }
}
