//! The known key that a mistyped one most likely means.

use crate::keys::KEYS;

/// `None` when nothing is near enough to be meant.
pub(crate) fn nearest_key(path: &str) -> Option<String> {
    KEYS.iter()
        .map(|entry| filled(entry.path, path))
        .map(|known| (strsim::levenshtein(&known, path), known))
        .min()
        .filter(|(distance, known)| *distance <= known.len().max(path.len()) / 4)
        .map(|(_, known)| known)
}

/// A family's path with the parts of `path` in place of its `<…>`.
fn filled(family: &str, path: &str) -> String {
    let mut parts = path.split('.');
    let filled: Vec<&str> = family
        .split('.')
        .map(|wanted| match parts.next() {
            Some(part) if wanted.starts_with('<') => part,
            _ => wanted,
        })
        .collect();
    filled.join(".")
}
