//! Forms of found values: how random one is, and whether it starts where a token may start.

use crate::blobs::base64;
use crate::judge::{
    CODE, is_code, is_default, is_named_thing, is_placeholder, is_strong, is_variable,
};
use crate::letters::{alternates, entropy, is_uuid, is_word};

/// Condition on the text before a keyword for its rule to be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    Anything,
    /// No letter, digit or `_`: the keyword starts a word.
    WordStart,
    /// As `WordStart`, and no `-` either: for tokens that may contain one, so that a long run is
    /// looked at once and not at each of its dashes.
    RunStart,
    /// At least this many digits.
    Digits(usize),
}

impl Before {
    pub(crate) fn holds(self, text: &[u8], at: usize) -> bool {
        match self {
            Before::Anything => true,
            Before::WordStart => starts_token(text, at, is_word),
            Before::RunStart => starts_token(text, at, |byte| is_word(byte) || byte == b'-'),
            Before::Digits(least) => {
                at >= least && text[at - least..at].iter().all(u8::is_ascii_digit)
            }
        }
    }
}

/// Reports whether a value must look random, and by which measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Likeness {
    /// The pattern says enough.
    Any,
    /// At least this many bits per byte (Shannon).
    Entropy(f64),
    /// A digit, this entropy, and kinds of characters that alternate as names never do.
    Random(f64),
    /// A letter and a digit or sign, and not one of the words people put in place of a password.
    Password,
    /// Anything but such a word, a variable or an expression.
    Phrase,
    /// As forms ask of a password, and no path, name or expression.
    Strong,
    /// Base64 of a name, a colon and a password.
    Login,
}

impl Likeness {
    pub(crate) fn holds(self, value: &str) -> bool {
        match self {
            Likeness::Any => true,
            Likeness::Entropy(least) => entropy(value) >= least,
            Likeness::Random(least) => {
                value.bytes().any(|byte| byte.is_ascii_digit())
                    && entropy(value) >= least
                    && alternates(value)
                    && !is_uuid(value)
                    && !is_placeholder(value)
            }
            Likeness::Password => {
                value.bytes().any(|byte| byte.is_ascii_alphabetic())
                    && value.bytes().any(|byte| !byte.is_ascii_alphabetic())
                    && entropy(value) >= 2.5
                    && (!value.contains(CODE) || is_strong(value))
                    && !is_uuid(value)
                    && !is_placeholder(value)
            }
            Likeness::Phrase => {
                !is_placeholder(value)
                    && !is_default(value)
                    && !is_variable(value)
                    && value.len() >= 3
            }
            Likeness::Strong => {
                let value = value.trim_end_matches(['.', ',', ')', ';']);
                is_strong(value)
                    && !is_placeholder(value)
                    && !is_variable(value)
                    && !is_code(value)
                    && !is_named_thing(value)
            }
            Likeness::Login => {
                let login = base64(value.trim_end_matches('=').as_bytes());
                let printed = login
                    .iter()
                    .all(|byte| (b' '..=b'~').contains(byte) || *byte >= 0x80);
                printed && login.len() >= 5 && login[1..].contains(&b':')
            }
        }
    }
}

/// Reports whether a token may start at `at`: what stands before does not belong to it, or is the end of an
/// escape (`\n`, `%3D`, a terminal's colour) that only looks as if it did.
fn starts_token(text: &[u8], at: usize, belongs: impl Fn(u8) -> bool) -> bool {
    let Some(&last) = at.checked_sub(1).and_then(|index| text.get(index)) else {
        return true;
    };
    if !belongs(last) {
        return true;
    }
    let before = &text[..at];
    let escape = matches!(before, [.., b'\\', b'n' | b'r' | b't' | b'f' | b'b']);
    let percent = matches!(before, [.., b'%', high, low] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit());
    escape || percent || (last == b'm' && ends_colour(&before[..at - 1]))
}

/// Reports whether `text` ends in `[` and up to twelve digits and semicolons: a colour without its `m`.
fn ends_colour(text: &[u8]) -> bool {
    text.iter()
        .rev()
        .take(13)
        .find(|byte| !byte.is_ascii_digit() && **byte != b';')
        == Some(&b'[')
}

/// Reports whether a byte occurs before the first space, quote or backslash.
pub(crate) fn has_in_word(text: &[u8], byte: u8) -> bool {
    let word = text.iter().take(400);
    word.take_while(|it| it.is_ascii_graphic() && !b"\"'`<>\\".contains(it) || !it.is_ascii())
        .any(|it| *it == byte)
}

/// Reports whether the next 240 bytes have this many letters, numbers, dashes and underscores in a row.
pub(crate) fn has_run(text: &[u8], length: usize) -> bool {
    let near = &text[..text.len().min(240)];
    let mut from = 0;
    // The last byte of a place that is none excludes all places before it.
    while let Some(place) = near.get(from..from + length) {
        match place.iter().rposition(|it| !is_word(*it) && *it != b'-') {
            Some(gap) => from += gap + 1,
            None => return true,
        }
    }
    false
}
