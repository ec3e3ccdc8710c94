//! Finds the known key that a mistyped one most likely means.

use crate::keys::KEYS;

/// Returns `None` if no key is close enough.
pub(crate) fn nearest_key(path: &str) -> Option<String> {
    KEYS.iter()
        .map(|entry| filled(entry.path, path))
        .map(|known| (strsim::levenshtein(&known, path), known))
        .min()
        .filter(|(distance, known)| *distance <= known.len().max(path.len()) / 4)
        .map(|(_, known)| known)
}

/// Returns a family's path with its `<…>` replaced by the parts of `path`.
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
