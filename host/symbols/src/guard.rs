//! Keeps text from the grammars that would stop the process or hold it up.
//! Two scanners, written in C, save their state in 1,024 bytes and abort when they miscount what
//! they put there; and where brackets are nested without end, the parser compares whole stacks at
//! every step. Such texts are recognised here and read line by line.

use memchr::{memchr, memmem};

use crate::language::Language;

/// Columns of indentation. The Python scanner saves two bytes for each level of it.
const INDENTATION: usize = 450;

/// Bytes in the word that ends a heredoc. The Ruby scanner saves the length of one in a byte.
const HEREDOC_WORD: usize = 120;

/// What the Ruby scanner would save if every heredoc and every string of a file were open at once.
const SAVED: usize = 1_000;

/// Brackets inside one another.
const BRACKETS: usize = 1_000;

/// `<` without a `>` in one expression.
const ANGLES: usize = 200;

/// Whether the grammar of the language can be trusted with the text.
pub(crate) fn is_harmless(language: Language, text: &[u8]) -> bool {
    if !is_shallow(text) {
        return false;
    }
    match language {
        Language::Python => deepest_indentation(text) < INDENTATION,
        Language::Ruby => saved_at_most(text).is_some_and(|saved| saved < SAVED),
        _ => true,
    }
}

/// Counts brackets wherever they stand, in strings and comments too.
fn is_shallow(text: &[u8]) -> bool {
    let mut depth = 0_usize;
    let mut angles = 0_usize;
    for byte in text {
        match byte {
            b'(' | b'[' | b'{' => {
                depth += 1;
                angles = 0;
                if depth > BRACKETS {
                    return false;
                }
            }
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                angles = 0;
            }
            b';' => angles = 0,
            b'<' => {
                angles += 1;
                if angles > ANGLES {
                    return false;
                }
            }
            b'>' => angles = angles.saturating_sub(1),
            _ => {}
        }
    }
    true
}

/// A tab counts for eight columns and a continued line goes on counting, as in the scanner.
fn deepest_indentation(text: &[u8]) -> usize {
    let mut deepest = 0;
    let mut columns = 0;
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b' ' => columns += 1,
            b'\t' => columns += 8,
            b'\r' | b'\x0C' => {}
            b'\n' => columns = 0,
            b'\\' if matches!(rest, [b'\n', ..] | [b'\r', b'\n', ..]) => {
                rest = &rest[if rest[0] == b'\r' { 2 } else { 1 }..];
            }
            _ => {
                columns = 0;
                rest = memchr(b'\n', rest).map_or(&[][..], |end| &rest[end..]);
            }
        }
        deepest = deepest.max(columns);
    }
    deepest
}

/// The most bytes that the Ruby scanner saves for a text; `None` where it would miscount.
fn saved_at_most(text: &[u8]) -> Option<usize> {
    let interpolations = memmem::find_iter(text, b"#{")
        .filter(|start| may_hold_strings(&text[start + 2..]))
        .count();
    // Both lists have a length, and one string can be open outside of all interpolations.
    let mut saved = 7 + 5 * interpolations;
    for start in memmem::find_iter(text, b"<<") {
        let word = match &text[start + 2..] {
            [b'-' | b'~', word @ ..] => word,
            word => word,
        };
        let length = match word {
            [quote @ (b'"' | b'\'' | b'`'), word @ ..] => memchr(*quote, word)?,
            word => word
                .iter()
                .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_' || **byte >= 0x80)
                .take(HEREDOC_WORD + 1)
                .count(),
        };
        if length > HEREDOC_WORD {
            return None;
        }
        if length > 0 {
            saved += 4 + length;
        }
    }
    Some(saved)
}

/// Whether strings can be open inside of an interpolation: not if it is closed before anything that
/// could begin one.
fn may_hold_strings(inside: &[u8]) -> bool {
    inside
        .iter()
        .find(|byte| b"\"'`{}<%#/?:\n".contains(byte))
        .is_none_or(|byte| *byte != b'}')
}
