//! Credentials as arguments of calls: `connect('host', 'user', 'password')`, `jwt.sign(claims, "key")`. They have no
//! name, so a literal must look like a password or a key.

use std::ops::Range;

use crate::judge::{is_named_thing, is_placeholder, is_variable};
use crate::password::is_likely_password;
use crate::value::Likeness;
use crate::view::RangeSink;
use crate::work;

/// Maximum bytes and number of a call's arguments.
const LONGEST: usize = 480;
const ARGUMENTS: usize = 8;

/// Checks the literals of the call whose opening bracket ends `keyword`.
pub(crate) fn arguments(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let bytes = text.as_bytes();
    let limit = (keyword.end + LONGEST).min(bytes.len());
    work::did(limit - keyword.end);
    let (mut at, mut argument, mut depth) = (keyword.end, 0, 0_usize);
    while at < limit && argument < ARGUMENTS {
        match bytes[at] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => match depth.checked_sub(1) {
                Some(outer) => depth = outer,
                None => return,
            },
            b',' => argument += 1,
            b';' | b'<' => return,
            quote @ (b'"' | b'\'' | b'`') => {
                let length = bytes[at + 1..limit]
                    .iter()
                    .position(|it| *it == quote || *it == b'\n');
                let Some(length) = length.filter(|it| bytes[at + 1 + it] == quote) else {
                    return;
                };
                let end = at + 1 + length;
                let inner = text[at + 1..end].trim_end_matches('\\');
                if is_credential(inner, argument) {
                    found(at + 1..at + 1 + inner.len());
                }
                at = end;
            }
            _ => {}
        }
        at += 1;
    }
}

/// Reports whether a literal is a credential. The first argument of most calls is a host or a name: it must be random.
fn is_credential(value: &str, argument: usize) -> bool {
    if !value.bytes().all(|it| it.is_ascii_graphic()) || is_variable(value) || is_placeholder(value)
    {
        return false;
    }
    let digits = value.strip_prefix("0x").unwrap_or(value);
    let is_hex = digits.len() >= 32 && digits.bytes().all(|it| it.is_ascii_hexdigit());
    let is_random = value.len() >= 24
        && Likeness::Random(3.2).holds(value)
        && !is_named_thing(value)
        && value
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || b"+/=_-".contains(&it));
    match argument {
        0 => digits.len() == 64 && is_hex || is_random && value.len() >= 40,
        _ => {
            is_hex && Likeness::Random(2.8).holds(digits) || is_random || is_likely_password(value)
        }
    }
}
