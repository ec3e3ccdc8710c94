//! Reads the outline of one file: by the parser, or line by line where that is no text for it.
//! It is a function of language and bytes alone, and always there, however broken the bytes are.

use crate::language::Language;
use crate::parsed::parsed;
use crate::{EntryKind, Outline, lines};

/// The outline of a file of this language.
pub fn outline(language: Language, text: &[u8]) -> Outline {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let grammar = match language {
        Language::C if is_cpp(text) => Language::Cpp,
        language => language,
    };
    let mut outline = parsed(grammar, text).unwrap_or_else(|| lines::outline(language, text));
    if outline.entry.is_none() && text.starts_with(b"#!") {
        // In Rust `#![…]` opens an attribute.
        let is_script = language != Language::Rust || !text.starts_with(b"#![");
        outline.entry = is_script.then_some(EntryKind::Script);
    }
    outline
}

/// A header does not say which of the two languages it is in.
fn is_cpp(text: &[u8]) -> bool {
    const STARTS: &[&[u8]] = &[
        b"class ",
        b"namespace ",
        b"template ",
        b"template<",
        b"public:",
        b"using ",
    ];
    text.split(|byte| *byte == b'\n').any(|line| {
        let line = line.trim_ascii_start();
        STARTS.iter().any(|start| line.starts_with(start))
    })
}
