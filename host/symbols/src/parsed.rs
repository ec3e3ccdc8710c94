//! Outline of a text by means of the parser.

use crate::language::Language;
use crate::{Outline, bodies, grammars, guard, parse, walk};

/// Maximum size of a file that is parsed; longer ones are read line by line.
const PARSED_LENGTH: usize = 1 << 20;

/// Reports whether the parser completes a text. Used as a baseline when measuring the time of outlines.
pub fn parses(language: Language, text: &[u8]) -> bool {
    text.len() <= PARSED_LENGTH
        && guard::is_harmless(language, text)
        && parse::parse(language, text).is_some()
}

/// Returns `None` if the text is not suitable for the parser, or the parser gives up.
pub(crate) fn parsed(language: Language, text: &[u8]) -> Option<Outline> {
    if text.len() > PARSED_LENGTH || !guard::is_harmless(language, text) {
        return None;
    }
    let text = bodies::hidden(language, text);
    let tree = parse::parse(language, &text)?;
    Some(walk::walk(&tree, &text, grammars::rules(language)))
}
