//! The outline of a text as the parser reads it.

use crate::language::Language;
use crate::{Outline, bodies, grammars, guard, parse, walk};

/// Files longer than this are read line by line.
const PARSED_LENGTH: usize = 1 << 20;

/// Reports whether the parser gets through the whole of a text. It says nothing that an outline does not
/// say better; the time that outlines take is measured against it.
pub fn parses(language: Language, text: &[u8]) -> bool {
    text.len() <= PARSED_LENGTH
        && guard::is_harmless(language, text)
        && parse::parse(language, text).is_some()
}

/// `None` when the text is not for the parser, or the parser gives up.
pub(crate) fn parsed(language: Language, text: &[u8]) -> Option<Outline> {
    if text.len() > PARSED_LENGTH || !guard::is_harmless(language, text) {
        return None;
    }
    let text = bodies::hidden(language, text);
    let tree = parse::parse(language, &text)?;
    Some(walk::walk(&tree, &text, grammars::rules(language)))
}
