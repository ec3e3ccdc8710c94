//! Creates the outline of one file, with the parser or line by line. The result depends only on language and bytes, and
//! exists for any input.

use crate::language::Language;
use crate::parsed::parsed;
use crate::{EntryPointKind, Outline, lines};

/// Returns the outline of a file of this language.
pub fn outline(language: Language, text: &[u8]) -> Outline {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let grammar = match language {
        Language::C if is_cpp(text) => Language::Cpp,
        language => language,
    };
    let mut outline = parsed(grammar, text).unwrap_or_else(|| lines::outline(language, text));
    if outline.entry.is_none() && text.starts_with(b"#!") {
        // In Rust `#![…]` is an attribute, not a shebang.
        let is_script = language != Language::Rust || !text.starts_with(b"#![");
        outline.entry = is_script.then_some(EntryPointKind::Script);
    }
    outline
}

/// Guesses whether a header is C++, because the extension does not say.
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
