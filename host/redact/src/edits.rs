//! Encodings in running text: escapes, percent signs, entities, invisible characters, split string literals and lines.
//! All are decoded at once, in windows around the places that break a keyword; plain `
//! ` and `\"` are left to the rules, which accept them at any depth.

use std::ops::Range;

use crate::view::{Unit, View};

/// Context of a rule before and after an encoded place.
const BEFORE: usize = 256;
const AFTER: usize = 384;

/// Maximum distance from a keyword to an encoded place in its secret.
const NEAR: usize = 320;

/// Maximum extension of a window to the end of a word.
const WORD: usize = 2048;

/// Literals that indicate an encoding. Those of less than three bytes are found by [`rare_places`].
pub(crate) const MARKS: &[&str] = &[
    r"\u0",
    r"\u1",
    r"\u2",
    r"\u{",
    r"\x2",
    r"\x3",
    r"\x4",
    r"\x5",
    r"\x6",
    r"\x7",
    r":\/",
    "&#x",
    "&#0",
    "&#1",
    "&#3",
    "&#4",
    "&#5",
    "&#6",
    "&#7",
    "&#8",
    "&#9",
    "&amp;",
    "&quot;",
    "\" +",
    "' +",
    "\"+\"",
    "'+'",
    "\u{200b}",
    "\u{200c}",
    "\u{200d}",
    "\u{200e}",
    "\u{200f}",
    "\u{202a}",
    "\u{202b}",
    "\u{202c}",
    "\u{202d}",
    "\u{202e}",
    "\u{2060}",
    "\u{2061}",
    "\u{2062}",
    "\u{2063}",
    "\u{2064}",
    "\u{2066}",
    "\u{2067}",
    "\u{2068}",
    "\u{2069}",
    "\u{feff}",
    "\u{180e}",
    "=3d",
    "=5f",
    "=2d",
    "=2e",
    "=2f",
    "=2b",
    "=c3=",
    "=c4=",
    "=c5=",
    "=d0=",
    "=d1=",
    "=e2=",
    "uoted-printable",
    "=c2=",
    r"\04",
    r"\05",
    r"\06",
    r"\07",
    r"\10",
    r"\11",
    r"\12",
    r"\13",
    r"\14",
    r"\15",
    r"\16",
    r"\17",
];

/// Escapes a word of another script as JSON writers do.
pub(crate) fn escaped(word: &str) -> String {
    let mut escaped = String::new();
    for character in word.chars() {
        match character.is_ascii() {
            true => escaped.push(character),
            false => escaped.extend(
                character
                    .encode_utf16(&mut [0; 2])
                    .iter()
                    .map(|unit| format!("\\u{unit:04x}")),
            ),
        }
    }
    escaped
}

/// Kinds of characters that an encoded place may hide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// A character of keywords: nothing else shows that one is there.
    Hides,
    /// Another character: it matters only within a secret, and then a keyword is near.
    Parts,
}

/// Returns the kind of character that the encoding at `at` hides, if it is one.
pub(crate) fn mark(bytes: &[u8], at: usize) -> Option<Mark> {
    let (_, plain) = edit(bytes, at)?;
    let within =
        at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || matches!(bytes[at - 1], b'_' | b'-'));
    let is_colour = bytes[at] == 0x1b || matches!(plain, DecodedText::Character('\u{1b}'));
    let hides = match plain {
        _ if is_colour => within,
        _ if is_soft_break(bytes, at) => false,
        DecodedText::Character(it) if !it.is_ascii() && !it.is_alphabetic() => return None,
        DecodedText::Character(it) => it.is_ascii_alphanumeric() || "_-.:/%&\\".contains(it),
        DecodedText::Nothing => true,
    };
    Some(if hides { Mark::Hides } else { Mark::Parts })
}

/// Calls `found` with the places of percent signs, NULs, colours and soft hyphens.
pub(crate) fn rare_places(bytes: &[u8], mut found: impl FnMut(usize)) {
    memchr::memchr3_iter(b'%', 0, 0x1b, bytes).for_each(&mut found);
    memchr::memchr_iter(0xc2, bytes)
        .filter(|at| bytes.get(at + 1) == Some(&0xad))
        .for_each(&mut found);
}

/// Calls `found` with the places where a line of mail continues; only for texts with a mark of mail.
pub(crate) fn soft_breaks(bytes: &[u8], found: impl FnMut(usize)) {
    memchr::memchr_iter(b'=', bytes)
        .filter(|at| is_soft_break(bytes, *at))
        .for_each(found);
}

/// Returns windows of `text` around the `marks` that count, sorted and disjoint. `keywords` are the places of any
/// rule's keywords.
pub(crate) fn windows(
    text: &str,
    marks: &[(usize, Mark)],
    keywords: &[usize],
) -> Vec<Range<usize>> {
    let mut windows: Vec<Range<usize>> = Vec::new();
    let mut next = 0;
    for &(place, mark) in marks {
        if let Some(last) = windows.last_mut()
            && place + AFTER <= last.end
        {
            continue;
        }
        while next < keywords.len() && keywords[next] + NEAR < place {
            next += 1;
        }
        let is_near = keywords.get(next).is_some_and(|at| *at <= place + 12);
        if mark == Mark::Parts && !is_near {
            continue;
        }
        let start = word_start(text, place.saturating_sub(BEFORE));
        let end = word_end(text, place + AFTER);
        match windows.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            _ => windows.push(start..end),
        }
    }
    windows
}

fn word_start(text: &str, at: usize) -> usize {
    let from = at.saturating_sub(WORD);
    let gap = memchr::memrchr3(b' ', b'\n', b'\t', &text.as_bytes()[from..at]);
    text.floor_char_boundary(gap.map_or(from, |gap| from + gap + 1))
}

fn word_end(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    let to = (at + WORD).min(text.len());
    let gap = memchr::memchr3(b' ', b'\n', b'\t', &text.as_bytes()[at..to]);
    text.ceil_char_boundary(gap.map_or(to, |gap| at + gap))
}

/// Decodes a `window` of a text; `None` if nothing was encoded.
pub(crate) fn decoded(text: &str, window: Range<usize>) -> Option<View> {
    let bytes = &text.as_bytes()[..window.end];
    let mut view = View::with_capacity(window.len());
    let mut copied = window.start;
    let mut at = window.start;
    loop {
        let rest = bytes[at..].iter();
        at += rest
            .take_while(|byte| !BEGINS_EDIT[usize::from(**byte)])
            .count();
        if at >= bytes.len() {
            break;
        }
        let Some((end, plain)) = edit(bytes, at) else {
            at += run(bytes, at).max(1);
            continue;
        };
        view.copy(&text[copied..at], copied);
        if let DecodedText::Character(character) = plain {
            let mut buffer = [0; 4];
            view.add(character.encode_utf8(&mut buffer), at..end, Unit::Whole);
        }
        copied = end;
        at = end;
    }
    if copied == window.start {
        return None;
    }
    view.copy(&text[copied..window.end], copied);
    Some(view)
}

/// First bytes of encodings, see [`edit`].
static BEGINS_EDIT: [bool; 256] = {
    let mut begins = [false; 256];
    let bytes = b"\\%&=\"'\0\x1b\xc2\xcd\xe1\xe2\xef";
    let mut index = 0;
    while index < bytes.len() {
        begins[bytes[index] as usize] = true;
        index += 1;
    }
    begins
};

/// Returns the end of the encoding at `at` and its decoded form.
fn edit(bytes: &[u8], at: usize) -> Edit {
    match bytes[at] {
        b'\\' => escape(bytes, at),
        b'%' => percent(bytes, at),
        b'&' => entity(bytes, at),
        b'=' => printable(bytes, at),
        b'"' | b'\'' => joint(bytes, at).map(|end| (end, DecodedText::Nothing)),
        0 => Some((at + 1, DecodedText::Nothing)),
        0x1b => colour(bytes, at),
        0xc2 | 0xcd | 0xe1 | 0xe2 | 0xef => hidden(bytes, at),
        _ => None,
    }
}

enum DecodedText {
    Character(char),
    Nothing,
}

type Edit = Option<(usize, DecodedText)>;

/// Counts the backslashes at `at`.
fn run(bytes: &[u8], at: usize) -> usize {
    bytes[at..]
        .iter()
        .take_while(|byte| **byte == b'\\')
        .count()
}

/// Any number of backslashes and `u0041`, `u{41}`, `x41`, `101`, `/` or the end of a line.
fn escape(bytes: &[u8], at: usize) -> Edit {
    let count = run(bytes, at);
    let kind = at + count;
    let digits = |from: usize, length: usize, radix: u32| -> Option<u32> {
        let digits = std::str::from_utf8(bytes.get(from..from + length)?).ok()?;
        (!digits.starts_with('+'))
            .then(|| u32::from_str_radix(digits, radix).ok())
            .flatten()
    };
    match bytes.get(kind)? {
        b'u' if bytes.get(kind + 1) == Some(&b'{') => {
            let length = bytes[kind + 2..]
                .iter()
                .take(7)
                .position(|byte| *byte == b'}')?;
            let end = kind + 3 + length;
            plain(digits(kind + 2, length, 16)?, end)
        }
        b'u' => plain(digits(kind + 1, 4, 16)?, kind + 5),
        b'x' => plain(digits(kind + 1, 2, 16)?, kind + 3),
        b'0'..=b'3' => plain(digits(kind, 3, 8)?, kind + 3),
        b'/' => Some((kind + 1, DecodedText::Character('/'))),
        b'\n' if count % 2 == 1 => Some((indented(bytes, kind + 1), DecodedText::Nothing)),
        b'\r' if count % 2 == 1 && bytes.get(kind + 1) == Some(&b'\n') => {
            Some((indented(bytes, kind + 2), DecodedText::Nothing))
        }
        // A backslash at the end of a line, within a JSON text.
        b'n' if count >= 3 => Some((indented(bytes, kind + 1), DecodedText::Nothing)),
        _ => None,
    }
}

/// Returns a decoded character, if it matters to rules; drops an invisible one.
fn plain(code: u32, end: usize) -> Edit {
    match char::from_u32(code)? {
        '\0' => Some((end, DecodedText::Nothing)),
        '\u{1b}' => Some((end, DecodedText::Character('\u{1b}'))),
        character if is_hidden(character) => Some((end, DecodedText::Nothing)),
        character @ ('\t' | '\n' | '\r' | ' '..='~' | '\u{a0}'..) => {
            Some((end, DecodedText::Character(character)))
        }
        _ => None,
    }
}

fn indented(bytes: &[u8], from: usize) -> usize {
    let indent = bytes[from..]
        .iter()
        .take(64)
        .take_while(|byte| matches!(byte, b' ' | b'\t'));
    from + indent.count()
}

fn percent(bytes: &[u8], at: usize) -> Edit {
    let digit = |index: usize| {
        let digit = char::from(*bytes.get(index)?).to_digit(16)?;
        Some(digit)
    };
    plain(digit(at + 1)? * 16 + digit(at + 2)?, at + 3)
}

/// Quoted-printable: `=5F`, and a soft line break.
fn printable(bytes: &[u8], at: usize) -> Edit {
    let soft = |length: usize| {
        (is_long(&bytes[..at]) && is_mail(bytes, at)).then_some((at + length, DecodedText::Nothing))
    };
    match bytes.get(at + 1..)? {
        [b'\n', ..] => soft(2),
        [b'\r', b'\n', ..] => soft(3),
        [b'\\', b'n', ..] => soft(3),
        [b'\\', b'r', b'\\', b'n', ..] => soft(5),
        // Punctuation only: letters and digits are not encoded in this way.
        [high @ b'2'..=b'7', low @ (b'0'..=b'9' | b'A'..=b'F'), ..] => {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let code = digit(*high)? * 16 + digit(*low)?;
            let is_sign = char::from_u32(code)?.is_ascii_punctuation();
            is_sign.then(|| plain(code, at + 3)).flatten()
        }
        _ => None,
    }
}

/// Reports whether the `=` at `at` is a soft line break of quoted-printable.
fn is_soft_break(bytes: &[u8], at: usize) -> bool {
    bytes[at] == b'=' && matches!(bytes.get(at + 1), Some(b'\n' | b'\r' | b'\\'))
}

/// Reports whether a line has the length at which mail programs break it: a short one ends with a name without a value.
fn is_long(line: &[u8]) -> bool {
    let end = &line[line.len().saturating_sub(SOFT)..];
    end.len() == SOFT && !end.contains(&b'\n') && !end.windows(2).any(|it| it == b"\\n")
}

/// Minimum length of a broken line.
const SOFT: usize = 56;

/// Reports whether the text around `at` is quoted-printable: base64 also has `=` at the end of a line.
fn is_mail(bytes: &[u8], at: usize) -> bool {
    let around = &bytes[at.saturating_sub(1024)..(at + 512).min(bytes.len())];
    let is_encoded = |it: &[u8]| {
        it.starts_with(b"=3D")
            || matches!(
                it,
                [b'=', b'C'..=b'F', _, b'=', b'8'..=b'9' | b'A' | b'B', _]
            )
    };
    around.windows(6).any(is_encoded) || memchr::memmem::find(around, b"uoted-printable").is_some()
}

fn entity(bytes: &[u8], at: usize) -> Edit {
    let length = bytes[at..].iter().take(10).position(|byte| *byte == b';')?;
    let name = std::str::from_utf8(&bytes[at + 1..at + length]).ok()?;
    let end = at + length + 1;
    let code = match name {
        "amp" => '&'.into(),
        "quot" => '"'.into(),
        "apos" => '\''.into(),
        "lt" => '<'.into(),
        "gt" => '>'.into(),
        "shy" => return Some((end, DecodedText::Nothing)),
        _ => {
            let number = name.strip_prefix('#')?;
            match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            }
        }
    };
    plain(code, end)
}

/// Matches the joint of two parts of a literal: `" + "`, `' . '`, `" \⏎ "`, also across lines.
pub(crate) fn joint(bytes: &[u8], at: usize) -> Option<usize> {
    let quote = bytes[at];
    let escapes = bytes[..at].iter().rev().take_while(|byte| **byte == b'\\');
    let escapes = escapes.take(8).count();
    let mut index = at + 1;
    let mut breaks = 0;
    let mut signs = 0;
    for _ in 0..64 {
        match bytes.get(index)? {
            b' ' | b'\t' => index += 1,
            b'\r' | b'\n' => {
                breaks += 1;
                index += 1;
            }
            b'+' | b'.' | b'&' | b'~' => {
                signs += 1;
                index += 1;
            }
            b'\\' => {
                let count = run(bytes, index);
                match bytes.get(index + count)? {
                    b'n' | b'r' => {
                        breaks += 1;
                        index += count + 1;
                    }
                    b'\n' => {
                        breaks += 1;
                        index += count + 1;
                    }
                    next if *next == quote && count == escapes => break,
                    _ => return None,
                }
            }
            next if *next == quote => break,
            _ => return None,
        }
    }
    index += run(bytes, index);
    // `""` is an empty text and `"a" "b"` are two: an operator joins them, or the end of a line.
    let joins = (signs == 1 || signs == 2) || (signs == 0 && breaks == 1);
    (joins && bytes.get(index) == Some(&quote)).then_some(index + 1)
}

/// Returns the start of the next literal's text after the quote at `quote`: in a sum or in a list.
pub(crate) fn next_literal(bytes: &[u8], quote: usize) -> Option<usize> {
    if let Some(end) = joint(bytes, quote) {
        return Some(end);
    }
    let rest = bytes.get(quote + 1..)?;
    let mut comma = false;
    for (index, byte) in rest.iter().take(48).enumerate() {
        match byte {
            b',' if !comma => comma = true,
            b' ' | b'\t' | b'\n' | b'\r' | b'\\' => {}
            b'n' if index > 0 && rest[index - 1] == b'\\' => {}
            byte if comma && *byte == bytes[quote] => return Some(quote + 2 + index),
            _ => return None,
        }
    }
    None
}

/// A terminal's colour: `ESC [ 0 1 ; 3 1 m`.
fn colour(bytes: &[u8], at: usize) -> Edit {
    (bytes.get(at + 1) == Some(&b'[')).then_some(())?;
    let length = bytes[at + 2..]
        .iter()
        .take(16)
        .position(|byte| byte.is_ascii_alphabetic())?;
    Some((at + 3 + length, DecodedText::Nothing))
}

fn hidden(bytes: &[u8], at: usize) -> Edit {
    let length = if bytes[at] < 0xe0 { 2 } else { 3 };
    let text = std::str::from_utf8(bytes.get(at..at + length)?).ok()?;
    is_hidden(text.chars().next()?).then_some((at + length, DecodedText::Nothing))
}

/// Zero-width characters that may be hidden within a token.
fn is_hidden(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{34f}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}'
            | '\u{2066}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
    )
}
