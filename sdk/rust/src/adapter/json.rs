//! Navigates JSON text without building values: skipping a field costs only a search for its closing quote or bracket.
//!
//! Reads everything that `serde_json` accepts in the same way. The reverse does not hold: damage inside a skipped value
//! goes unnoticed, on purpose. Nothing recurses, so depth costs no stack.

use std::borrow::Cow;

use memchr::memchr;

/// Reason why a value could not be read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The text ended between two tokens; a following line may continue it.
    Ended,
    /// The text ended inside a string; no following line can continue it.
    EndedInString,
    /// Something else was expected at this byte.
    Unexpected(usize),
}

/// A value that was located but not decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value<'a> {
    Text(Text<'a>),
    /// With its braces.
    Object(&'a [u8]),
    /// With its brackets.
    List(&'a [u8]),
    /// A number, `true`, `false` or `null`.
    Scalar(&'a [u8]),
}

impl<'a> Value<'a> {
    pub fn text(self) -> Option<Text<'a>> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn is_true(self) -> bool {
        self == Value::Scalar(b"true")
    }

    /// Returns a whole number; `None` for other values.
    pub fn number(self) -> Option<u64> {
        match self {
            Value::Scalar(digits) => std::str::from_utf8(digits).ok()?.parse().ok(),
            _ => None,
        }
    }

    /// Returns a number that is not negative; `None` for other values.
    pub fn decimal(self) -> Option<f64> {
        let Value::Scalar(digits) = self else {
            return None;
        };
        let number: f64 = std::str::from_utf8(digits).ok()?.parse().ok()?;
        (number.is_finite() && number >= 0.0).then_some(number)
    }

    /// Returns the text of one field; `None` if the field is missing or not a string.
    pub fn text_of(self, name: &str) -> Option<Text<'a>> {
        self.field(name).and_then(Value::text)
    }

    /// Returns the value's source text; a string comes without its quotes.
    pub fn raw(self) -> &'a [u8] {
        match self {
            Value::Text(text) => text.raw,
            Value::Object(raw) | Value::List(raw) | Value::Scalar(raw) => raw,
        }
    }

    /// Returns the value of one field; `None` if this is not an object or has no such field.
    pub fn field(self, name: &str) -> Option<Value<'a>> {
        let [found] = self.fields([name]);
        found
    }

    /// Returns the values of several fields, found in one pass.
    pub fn fields<const N: usize>(self, names: [&str; N]) -> [Option<Value<'a>>; N] {
        let mut found = [None; N];
        let Value::Object(raw) = self else {
            return found;
        };
        let scanned = Scanner::new(raw).each_field(|scanner, key| {
            let value = scanner.value()?;
            if let Some(place) = names.iter().position(|name| name.as_bytes() == key) {
                found[place] = Some(value);
            }
            Ok(())
        });
        match scanned {
            Ok(()) => found,
            Err(_) => [None; N],
        }
    }

    /// Returns the elements up to the first damaged one; empty if this is not a list.
    pub fn elements(self) -> Vec<Value<'a>> {
        let mut elements = Vec::new();
        if let Value::List(raw) = self {
            // A list that was located has balanced brackets; damaged elements are left out.
            let _damaged = Scanner::new(raw).each_element(|scanner| {
                elements.push(scanner.value()?);
                Ok(())
            });
        }
        elements
    }
}

/// A string as it is written between its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Text<'a> {
    pub raw: &'a [u8],
}

impl<'a> Text<'a> {
    /// Decodes the text and reports whether characters had to be replaced: bytes that are not UTF-8, invalid escapes,
    /// unpaired surrogates.
    pub fn decode(self) -> (Cow<'a, str>, bool) {
        if !self.is_escaped() {
            return match std::str::from_utf8(self.raw) {
                Ok(text) => (Cow::Borrowed(text), false),
                Err(_) => (String::from_utf8_lossy(self.raw), true),
            };
        }
        let (plain, damaged) = unescape(self.raw);
        match String::from_utf8(plain) {
            Ok(text) => (Cow::Owned(text), damaged),
            // Escapes are whole characters before and after decoding: the same bytes are damaged.
            Err(error) => {
                let text = String::from_utf8_lossy(error.as_bytes());
                (Cow::Owned(text.into_owned()), true)
            }
        }
    }

    /// Decodes without reporting damage: for names and ids.
    pub fn lossy(self) -> Cow<'a, str> {
        self.decode().0
    }

    fn is_escaped(self) -> bool {
        memchr(b'\\', self.raw).is_some()
    }

    pub fn is(self, other: &str) -> bool {
        self.raw == other.as_bytes() || (self.is_escaped() && self.lossy() == other)
    }
}

/// Number of bytes that are copied at once.
const BLOCK: usize = 16;

/// Decodes escapes and reports whether some were invalid. In source code an escape follows every few dozen bytes: there
/// blocks of fixed size, copied beyond the next backslash, cost less than a search and a copy for each piece.
fn unescape(raw: &[u8]) -> (Vec<u8>, bool) {
    let mut plain = Vec::with_capacity(raw.len() + BLOCK);
    let mut damaged = false;
    let mut rest = raw;
    loop {
        let at = match rest.first_chunk::<BLOCK>() {
            Some(block) => {
                plain.extend_from_slice(block);
                let Some(at) = first_backslash(block) else {
                    rest = &rest[BLOCK..];
                    continue;
                };
                plain.truncate(plain.len() - BLOCK + at);
                at
            }
            None => {
                let end = rest.iter().position(|byte| *byte == b'\\');
                plain.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
                match end {
                    Some(at) => at,
                    None => return (plain, damaged),
                }
            }
        };
        let (byte, length) = match rest.get(at + 1) {
            Some(b'n') => (b'\n', 2),
            Some(byte @ (b'"' | b'\\' | b'/')) => (*byte, 2),
            Some(b't') => (b'\t', 2),
            Some(b'r') => (b'\r', 2),
            Some(b'b') => (b'\x08', 2),
            Some(b'f') => (b'\x0c', 2),
            other => {
                let (character, length) = match other {
                    Some(b'u') => unicode_escape(&rest[at..]),
                    // Not an escape: the backslash is replaced, the following text stays.
                    _ => (None, 1),
                };
                damaged |= character.is_none();
                let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
                plain.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                rest = &rest[at + length..];
                continue;
            }
        };
        plain.push(byte);
        rest = &rest[at + length..];
    }
}

/// Finds the first backslash. Looks at eight bytes at once: a byte that becomes zero borrows from its high bit.
fn first_backslash(block: &[u8; BLOCK]) -> Option<usize> {
    const LOW: u64 = u64::from_le_bytes([1; 8]);
    let (words, _) = block.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let zero = u64::from_le_bytes(*word) ^ (LOW * b'\\' as u64);
        let found = zero.wrapping_sub(LOW) & !zero & (LOW << 7);
        if found != 0 {
            return Some(8 * number + found.trailing_zeros() as usize / 8);
        }
    }
    None
}

/// Decodes the `\uXXXX` at the start of `raw`; returns the character and the number of bytes read.
fn unicode_escape(raw: &[u8]) -> (Option<char>, usize) {
    let Some(first) = hexadecimal(raw) else {
        return (None, 1);
    };
    if let Some(character) = char::from_u32(first) {
        return (Some(character), 6);
    }
    let second = raw.get(6..).and_then(hexadecimal);
    match (first, second) {
        (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => {
            let scalar = 0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00);
            (char::from_u32(scalar), 12)
        }
        _ => (None, 6),
    }
}

fn hexadecimal(escape: &[u8]) -> Option<u32> {
    let digits = escape.strip_prefix(b"\\u")?.get(..4)?;
    let digit = |value, digit: &u8| Some(value * 16 + char::from(*digit).to_digit(16)?);
    digits.iter().try_fold(0, digit)
}

/// A cursor over JSON text.
#[derive(Debug)]
pub struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// Returns the number of bytes read.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Skips white space and returns the next byte; `None` at the end.
    pub fn peek(&mut self) -> Option<u8> {
        while let Some(&byte) = self.text.get(self.at) {
            if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                return Some(byte);
            }
            self.at += 1;
        }
        None
    }

    /// Skips zero bytes, which a crash may leave in a file; returns their number.
    pub fn skip_zeroes(&mut self) -> usize {
        let zeroes = self.text[self.at..]
            .iter()
            .take_while(|&&byte| byte == 0)
            .count();
        self.at += zeroes;
        zeroes
    }

    /// Reads an object; `visit` gets each key and must read exactly one value.
    pub fn each_field(
        &mut self,
        mut visit: impl FnMut(&mut Self, &[u8]) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.expect(b'{')?;
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(());
        }
        loop {
            self.expect(b'"')?;
            let key = self.string_behind_quote()?;
            self.expect(b':')?;
            if key.is_escaped() {
                visit(self, key.lossy().as_bytes())?;
            } else {
                visit(self, key.raw)?;
            }
            if self.close_or_comma(b'}')? {
                return Ok(());
            }
        }
    }

    /// Reads a list; `visit` must read exactly one value.
    pub fn each_element(
        &mut self,
        mut visit: impl FnMut(&mut Self) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.expect(b'[')?;
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(());
        }
        loop {
            visit(self)?;
            if self.close_or_comma(b']')? {
                return Ok(());
            }
        }
    }

    /// Reads one value of any kind.
    pub fn value(&mut self) -> Result<Value<'a>, Fault> {
        let first = self.peek().ok_or(Fault::Ended)?;
        let start = self.at;
        match first {
            b'"' => {
                self.at += 1;
                self.string_behind_quote().map(Value::Text)
            }
            b'{' | b'[' => {
                self.skip_nested()?;
                let raw = &self.text[start..self.at];
                Ok(if first == b'{' {
                    Value::Object(raw)
                } else {
                    Value::List(raw)
                })
            }
            b'0'..=b'9' | b'-' | b't' | b'f' | b'n' => {
                let rest = &self.text[start..];
                let length = rest.iter().take_while(|byte| is_scalar(**byte)).count();
                self.at += length;
                Ok(Value::Scalar(&rest[..length]))
            }
            _ => Err(Fault::Unexpected(start)),
        }
    }

    /// Reads one object; anything else is unexpected.
    pub fn object(&mut self) -> Result<Value<'a>, Fault> {
        match self.peek() {
            Some(b'{') => self.value(),
            Some(_) => Err(Fault::Unexpected(self.at)),
            None => Err(Fault::Ended),
        }
    }

    /// Moves past the end of the object or list that starts here.
    fn skip_nested(&mut self) -> Result<(), Fault> {
        let mut depth = 0_usize;
        while let Some(&byte) = self.text.get(self.at) {
            self.at += 1;
            match byte {
                b'"' => {
                    self.string_behind_quote()?;
                }
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
        Err(Fault::Ended)
    }

    /// Reads a string whose opening quote was read. Searches for quotes only, which are far rarer than backslashes: a
    /// quote ends the string unless an odd number of backslashes precedes it.
    fn string_behind_quote(&mut self) -> Result<Text<'a>, Fault> {
        let start = self.at;
        while let Some(found) = memchr(b'"', &self.text[self.at..]) {
            let quote = self.at + found;
            let raw = &self.text[start..quote];
            let backslashes = raw.iter().rev().take_while(|&&byte| byte == b'\\').count();
            self.at = quote + 1;
            if backslashes % 2 == 0 {
                return Ok(Text { raw });
            }
        }
        self.at = self.text.len();
        Err(Fault::EndedInString)
    }

    fn expect(&mut self, byte: u8) -> Result<(), Fault> {
        match self.peek() {
            Some(found) if found == byte => {
                self.at += 1;
                Ok(())
            }
            Some(_) => Err(Fault::Unexpected(self.at)),
            None => Err(Fault::Ended),
        }
    }

    /// Reads the end of a container (`true`) or a comma (`false`).
    fn close_or_comma(&mut self, close: u8) -> Result<bool, Fault> {
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                Ok(false)
            }
            Some(found) if found == close => {
                self.at += 1;
                Ok(true)
            }
            Some(_) => Err(Fault::Unexpected(self.at)),
            None => Err(Fault::Ended),
        }
    }
}

fn is_scalar(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// Removes the white space between the tokens of JSON text.
pub fn compact(raw: &[u8]) -> Vec<u8> {
    let mut compacted = Vec::with_capacity(raw.len());
    let mut scanner = Scanner::new(raw);
    // Start of what is not copied yet.
    let mut start = 0;
    loop {
        let end = scanner.at;
        let next = scanner.peek();
        if scanner.at > end || next.is_none() {
            compacted.extend_from_slice(&raw[start..end]);
            start = scanner.at;
        }
        match next {
            None => return compacted,
            Some(byte) => {
                scanner.at += 1;
                if byte == b'"' {
                    // An unterminated string reaches to the end, and so does the copy.
                    let _open = scanner.string_behind_quote();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
