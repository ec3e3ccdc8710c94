//! The text that is embedded for a passage, and the key of its vector.

/// Returns the text to embed: title, headings and the passage itself.
pub(crate) fn text(title: &str, heading: &str, passage: &str) -> String {
    let parts = [title, heading, passage];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}

/// Returns a hash of that text.
pub(crate) fn key(title: &str, heading: &str, passage: &str) -> u64 {
    acreta_text::Fnv::of(text(title, heading, passage))
}
