//! Rejects text that would make a grammar abort or hang. Two scanners, written in C, serialise their state to 1,024
//! bytes and abort if they miscount it; and with endlessly nested brackets, the parser compares whole stacks at every
//! step. Such texts are outlined line by line instead.

use memchr::{memchr, memmem};

use crate::language::Language;

/// Maximum indentation in columns. The Python scanner stores two bytes for each level.
const INDENTATION: usize = 450;

/// Maximum length of a heredoc delimiter. The Ruby scanner stores the length in one byte.
const HEREDOC_WORD: usize = 120;

/// Maximum state of the Ruby scanner if every heredoc and string of a file were open at once.
const SAVED: usize = 1_000;

/// Maximum nesting of brackets.
const BRACKETS: usize = 1_000;

/// Maximum number of `<` without a `>` in one expression.
const ANGLES: usize = 200;

/// Reports whether the text is safe for the grammar of the language.
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

/// Counts brackets everywhere, including strings and comments.
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

/// Counts a tab as eight columns and continues over continued lines, like the scanner.
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

/// Returns the maximum state size of the Ruby scanner for a text; `None` if it would miscount.
fn saved_at_most(text: &[u8]) -> Option<usize> {
    let interpolations = memmem::find_iter(text, b"#{")
        .filter(|start| may_hold_strings(&text[start + 2..]))
        .count();
    // Both lists have a length field, and one string can be open outside of all interpolations.
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

/// Reports whether strings can be open inside an interpolation: not if it closes before anything that could start one.
fn may_hold_strings(inside: &[u8]) -> bool {
    inside
        .iter()
        .find(|byte| b"\"'`{}<%#/?:\n".contains(byte))
        .is_none_or(|byte| *byte != b'}')
}
