//! The text that a passage's vector is made from, and the key that stands for it.

/// What a passage's vector is made from: what it is about, and what it says.
pub(crate) fn text(title: &str, heading: &str, passage: &str) -> String {
    let parts = [title, heading, passage];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

/// Stands for such a text.
pub(crate) fn key(title: &str, heading: &str, passage: &str) -> u64 {
    acreta_text::Fnv::of(text(title, heading, passage))
}
