//! Long runs of base64 or hexadecimal digits, decoded if they are text. A cheap check of a run's start decides;
//! checksums, images and random keys fail it.

use std::ops::Range;

use miniz_oxide::inflate::decompress_to_vec_with_limit;

use crate::letters::is_short_word;
use crate::view::{Unit, View};

/// Shorter runs cannot hold a secret with a recognisable form.
const SHORTEST: usize = 27;

/// In a longer run only the secret is replaced; a shorter run is replaced as a whole.
const WHOLE: usize = 4096;

/// Minimum number of digits on a line of a wrapped run.
const LINE: usize = 40;

/// Number of decoded bytes that are checked for text.
const LOOK: usize = 16;

/// The digits of a run, in order, without the gaps between its lines.
#[derive(Debug)]
pub(crate) struct DigitRun {
    pub(crate) source: Range<usize>,
    lines: Vec<Range<usize>>,
}

/// Calls `found` with every long run of a text.
pub(crate) fn runs(bytes: &[u8], mut found: impl FnMut(Range<usize>)) {
    // A run that starts here reaches at least to `last`: search backwards from there for the first byte that is not a
    // digit.
    let mut from = 0;
    while let Some(window) = bytes[from..].first_chunk::<SHORTEST>() {
        // Most windows have a space or a quote among their last eight bytes.
        let last = window.last_chunk().map_or(0, |it| u64::from_le_bytes(*it));
        let gaps = !((last & !HIGH) + LEAST) | last;
        if gaps & HIGH != 0 {
            from += SHORTEST - (gaps & HIGH).leading_zeros() as usize / 8;
            continue;
        }
        if let Some(gap) = window.iter().rposition(|byte| !DIGITS[usize::from(*byte)]) {
            from += gap + 1;
            continue;
        }
        let end = run_end(bytes, from + SHORTEST);
        // The letter of `
        // ` is not a digit.
        let lead =
            from > 0 && bytes[from - 1] == b'\\' && matches!(bytes[from], b'n' | b'r' | b't');
        let start = from + usize::from(lead);
        if end - start >= SHORTEST {
            found(start..end);
        }
        from = (end + 1).min(bytes.len());
    }
}

/// Returns the end of the digits that start at `from`.
fn run_end(bytes: &[u8], from: usize) -> usize {
    let rest = &bytes[from..];
    // Checks blocks without a branch per byte: images have millions.
    let is_run = |block: &&[u8; 32]| {
        block.iter().fold(true, |all, byte| {
            let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
            // `/` precedes the digits.
            let digit = byte.wrapping_sub(b'/') < 11;
            all & (letter | digit | (*byte == b'+') | (*byte == b'-') | (*byte == b'_'))
        })
    };
    let blocks = rest.as_chunks().0.iter().take_while(is_run).count();
    let tail = rest[32 * blocks..].iter();
    from + 32 * blocks + tail.take_while(|it| DIGITS[usize::from(**it)]).count()
}

/// The high bit of each byte, and the addend that sets it for `+`, the smallest digit, and above.
const HIGH: u64 = 0x8080_8080_8080_8080;
const LEAST: u64 = 0x5555_5555_5555_5555;

/// Digits of base64, of either alphabet.
static DIGITS: [bool; 256] = {
    let mut digits = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        digits[byte] =
            (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'+' | b'/' | b'-' | b'_');
        byte += 1;
    }
    digits
};

/// Reports whether a run with this start may be text. Almost all others fail here.
pub(crate) fn is_promising(digits: &[u8]) -> bool {
    let pair = |index: usize| {
        let digit = |byte: u8| char::from(byte).to_digit(16);
        Some(digit(*digits.get(index)?)? * 16 + digit(*digits.get(index + 1)?)?)
    };
    let is_hex = (0..6).step_by(2).all(|index| {
        pair(index).is_some_and(|byte| byte == 0 || (0x20..0x7f).contains(&byte) || byte == 0x0a)
    });
    is_hex || is_packed(digits) || is_base32(digits) || starts(digits).next().is_some()
}

/// Reports whether base64 starts like compressed data.
fn is_packed(digits: &[u8]) -> bool {
    digits.starts_with(b"H4sI") || matches!(digits, [b'e', b'J' | b'A' | b'N' | b'F', ..])
}

/// Reports whether all digits are base32, and too many for a name.
fn is_base32(digits: &[u8]) -> bool {
    digits.len() >= 32
        && digits
            .iter()
            .all(|it| matches!(it, b'A'..=b'Z' | b'2'..=b'7'))
        && digits.iter().any(u8::is_ascii_digit)
}

impl DigitRun {
    /// Builds the run that starts with `first`, including the lines that follow it.
    pub(crate) fn from(bytes: &[u8], first: Range<usize>) -> Self {
        let mut lines = vec![first.clone()];
        let mut end = first.end;
        while end - lines[lines.len() - 1].start >= LINE {
            let Some(start) = next_line(bytes, end) else {
                break;
            };
            let length = bytes[start..].iter().take_while(|byte| is_digit(**byte));
            let length = length.count();
            let full = lines[0].len();
            let line = &bytes[start..start + length];
            let is_word = std::str::from_utf8(line).is_ok_and(is_short_word);
            if length == 0 || length > full || is_word {
                break;
            }
            lines.push(start..start + length);
            end = start + length;
            if length < full {
                break;
            }
        }
        Self {
            source: first.start..end,
            lines,
        }
    }

    /// Returns all texts that the run may encode.
    pub(crate) fn decoded(&self, text: &str) -> Vec<View> {
        let digits: String = self.lines.iter().map(|line| &text[line.clone()]).collect();
        let mut views = Vec::new();
        let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_hex && let Some(bytes) = hex(digits.as_bytes(), 0) {
            views.extend(self.view(&bytes, 0, (1, 2)));
            return views;
        }
        if is_packed(digits.as_bytes())
            && let Some(bytes) = unpacked(&base64(digits.as_bytes()))
        {
            views.extend(self.whole(&bytes));
            return views;
        }
        if is_base32(digits.as_bytes()) {
            views.extend(self.whole(&base32(digits.as_bytes())));
        }
        for start in starts(digits.as_bytes()) {
            let rest = &digits.as_bytes()[start..];
            if looks_text(&base64(&rest[..rest.len().min(2 * LOOK)])) {
                let view = self.view(&base64(rest), start, (3, 4));
                if view.is_some() {
                    views.extend(view);
                    break;
                }
            }
        }
        if let Some(prefix) = digits
            .as_bytes()
            .iter()
            .position(|b| !b.is_ascii_hexdigit())
            && prefix >= 2 * SHORTEST
            && let Some(bytes) = hex(&digits.as_bytes()[..prefix & !1], 0)
        {
            views.extend(self.view(&bytes, 0, (1, 2)));
        }
        views
    }

    /// Returns a view of the whole run, if the bytes are text.
    fn whole(&self, bytes: &[u8]) -> Option<View> {
        let text = String::from_utf8_lossy(bytes);
        mostly_text(&text).then(|| {
            let mut view = View::default();
            view.add(&text, self.source.clone(), Unit::Whole);
            view
        })
    }

    fn view(&self, bytes: &[u8], start: usize, ratio: (usize, usize)) -> Option<View> {
        if !looks_text(&bytes[..bytes.len().min(LOOK)]) {
            return None;
        }
        let wide = bytes.iter().take(LOOK).filter(|byte| **byte == 0).count() >= LOOK / 4;
        if wide || self.lines.len() > 1 || self.source.len() <= WHOLE {
            let bytes: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
            let text = String::from_utf8_lossy(&bytes);
            (mostly_text(&text)).then_some(())?;
            let mut view = View::default();
            view.add(&text, self.source.clone(), Unit::Whole);
            return Some(view);
        }
        // Replaces bytes one by one, so that offsets stay the same.
        let text: String = bytes
            .iter()
            .map(|byte| {
                if byte.is_ascii() {
                    char::from(*byte)
                } else {
                    '?'
                }
            })
            .collect();
        let mut view = View::default();
        let from = self.source.start + start;
        view.add(&text, from..self.source.end, Unit::Ratio(ratio.0, ratio.1));
        Some(view)
    }
}

/// Returns the first digit of the next line, if `end` is the end of a line.
fn next_line(bytes: &[u8], end: usize) -> Option<usize> {
    let mut at = end;
    loop {
        let escapes = bytes[at..].iter().take(16).take_while(|it| **it == b'\\');
        let escapes = escapes.count();
        match bytes.get(at + escapes)? {
            b'n' | b'r' if escapes > 0 => at += escapes + 1,
            b'\n' | b'\r' => at += escapes + 1,
            _ if at == end => return None,
            _ => break,
        }
    }
    let indent = bytes[at..].iter().take(32);
    Some(
        at + indent
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count(),
    )
}

/// Returns the possible starts of text in a run: its first four digits, since the prefix may belong to something else,
/// and the digits after a character that names and paths also contain. Text starts with twelve letters or numbers.
fn starts(digits: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let letters = letters(digits);
    let pairs = letters & letters >> 1;
    let fours = pairs & pairs >> 2;
    let twelves = fours & fours >> 4 & fours >> 8;
    let first = !(letters << 1) | 0b1111;
    let known = (1 << digits.len().min(40)) - 1;
    let mut places = twelves & first & known;
    std::iter::from_fn(move || {
        let at = places.trailing_zeros() as usize;
        places &= places.wrapping_sub(1);
        (at < 64).then_some(at)
    })
    .filter(|at| STARTS[usize::from(digits[*at])] && may_be_text(&digits[*at..]))
}

/// Returns a bit for each of the first 56 digits that is a letter or a number, the lowest for the first. What comes after
/// the end counts as one.
fn letters(digits: &[u8]) -> u64 {
    let mut near = [b'0'; 56];
    let length = digits.len().min(near.len());
    near[..length].copy_from_slice(&digits[..length]);
    let mut letters = u64::MAX << 56;
    for (index, eight) in near.as_chunks().0.iter().enumerate() {
        let eight = u64::from_le_bytes(*eight);
        // The signs are below the numbers, but for `_`.
        let is_above = eight + 0x5050_5050_5050_5050;
        let is_other = (eight ^ 0x5f5f_5f5f_5f5f_5f5f) + !HIGH;
        let eight = (is_above & is_other & HIGH) >> 7;
        letters |= eight.wrapping_mul(0x0102_0408_1020_4080) >> 56 << (8 * index);
    }
    letters
}

/// Digits that text may start with: all others encode bytes outside of ASCII.
static STARTS: [bool; 256] = {
    let mut starts = [false; 256];
    let digits = b"ACDIJKLMNOPQRSTUVWXYZabcdef";
    let mut index = 0;
    while index < digits.len() {
        starts[digits[index] as usize] = true;
        index += 1;
    }
    starts
};

/// Decodes base64 digits of either alphabet; drops a single remaining digit.
pub(crate) fn base64(digits: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(digits.len() / 4 * 3 + 3);
    for group in digits.chunks(4) {
        let mut bits = 0_u32;
        for digit in group {
            bits = bits << 6 | u32::from(value(*digit));
        }
        bits <<= 6 * (4 - group.len());
        let [_, first, second, third] = bits.to_be_bytes();
        bytes.extend(&[first, second, third][..group.len().saturating_sub(1)]);
    }
    bytes
}

/// Decodes base32 digits.
fn base32(digits: &[u8]) -> Vec<u8> {
    let value = |digit: &u8| match digit {
        b'A'..=b'Z' => digit - b'A',
        _ => digit - b'2' + 26,
    };
    let mut bytes = Vec::with_capacity(digits.len() / 8 * 5 + 5);
    for group in digits.chunks(8) {
        let bits = group
            .iter()
            .fold(0_u64, |bits, digit| bits << 5 | u64::from(value(digit)));
        let bits = bits << (5 * (8 - group.len()));
        bytes.extend(&bits.to_be_bytes()[3..3 + group.len() * 5 / 8]);
    }
    bytes
}

/// Decompresses the start of gzip or zlib data, as far as it is readable.
fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let read = match bytes {
        // Without a name or a comment; the header has ten bytes.
        [0x1f, 0x8b, 8, 0, ..] => decompress_to_vec_with_limit(bytes.get(10..)?, UNPACKED),
        [0x1f, 0x8b, 8, 8, ..] => {
            let name = bytes.get(10..)?.iter().take(256).position(|it| *it == 0)?;
            decompress_to_vec_with_limit(bytes.get(11 + name..)?, UNPACKED)
        }
        [0x78, second, ..] if (0x7800 | u16::from(*second)) % 31 == 0 => {
            decompress_to_vec_with_limit(&bytes[2..], UNPACKED)
        }
        _ => return None,
    };
    let bytes = read.unwrap_or_else(|error| error.output);
    (!bytes.is_empty()).then_some(bytes)
}

/// Maximum decompressed bytes of one run.
const UNPACKED: usize = 1 << 16;

fn hex(digits: &[u8], from: usize) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    digits[from..]
        .chunks_exact(2)
        .map(|pair| u8::try_from(digit(pair[0])? * 16 + digit(pair[1])?).ok())
        .collect()
}

/// Checks the first group alone, which almost all binary data fails.
fn may_be_text(digits: &[u8]) -> bool {
    let Some(group) = digits.first_chunk::<4>() else {
        return false;
    };
    let bits = group
        .iter()
        .fold(0_u32, |bits, digit| bits << 6 | u32::from(value(*digit)));
    let [_, bytes @ ..] = bits.to_be_bytes();
    bytes
        .iter()
        .all(|byte| matches!(byte, 0 | b'\t' | b'\n' | b'\r' | b' '..=b'~'))
}

/// Reports whether the first bytes are text in UTF-8 or UTF-16.
fn looks_text(bytes: &[u8]) -> bool {
    let bytes = &bytes[..bytes.len().min(LOOK)];
    let wide = bytes.len() >= 8
        && bytes
            .chunks_exact(2)
            .all(|pair| (pair[0] == 0) != (pair[1] == 0));
    bytes.len() >= 8
        && bytes.iter().all(|byte| {
            (0x20..0x7f).contains(byte)
                || matches!(byte, b'\t' | b'\n' | b'\r')
                || (wide && *byte == 0)
        })
}

fn mostly_text(text: &str) -> bool {
    let odd = text.chars().filter(|it| {
        *it == char::REPLACEMENT_CHARACTER || (it.is_control() && !it.is_whitespace())
    });
    odd.count() * 16 <= text.chars().count()
}

fn is_digit(byte: u8) -> bool {
    DIGITS[usize::from(byte)]
}

fn value(digit: u8) -> u8 {
    match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' | b'-' => 62,
        _ => 63,
    }
}
