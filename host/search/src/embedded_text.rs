//! The text that a passage's vector is made from, and the key that stands for it.

/// What a passage's vector is made from: what it is about, and what it says.
pub(crate) fn text(title: &str, passage: &str) -> String {
    if title.is_empty() {
        passage.to_owned()
    } else {
        format!("{title}\n{passage}")
    }
}

/// Stands for such a text.
pub(crate) fn key(title: &str, passage: &str) -> u64 {
    acreta_text::Fnv::of(text(title, passage))
}
