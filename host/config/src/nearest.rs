//! The known key that a mistyped one most likely means.

use crate::keys::KEYS;

/// `None` when nothing is near enough to be meant.
pub(crate) fn nearest_key(path: &str) -> Option<String> {
    KEYS.iter()
        .map(|entry| filled(entry.path, path))
        .map(|known| (distance(&known, path), known))
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

/// How many letters must be added, taken away or changed to get from one to the other.
fn distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, letter) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, other) in right.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}
