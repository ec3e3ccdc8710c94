//! Random values by their place alone: assigned to any name, or in a header. Names of things that are random and public
//! keep their values.

use std::ops::Range;

use crate::judge::is_placeholder;
use crate::letters::{CharacterKind, alternates, entropy, is_uuid};
use crate::names::{is_id, may_name_public_random};
use crate::password::reads_as_words;

/// Maximum length of a value; a longer one is data.
const LONGEST: usize = 100;

/// Maximum distance of the name.
const BACK: usize = 72;

/// Returns the value whose digits are `run`, if it is random and assigned.
pub(crate) fn assigned(text: &str, run: &Range<usize>) -> Option<Range<usize>> {
    let digits = &text.as_bytes()[run.clone()];
    let before = run.start.checked_sub(1).map(|at| text.as_bytes()[at]);
    let is_path = || digits.contains(&b'/') && digits[..8].iter().all(|it| !it.is_ascii_digit());
    if run.len() > LONGEST
        || !before.is_some_and(|it| b"\"'` =:".contains(&it))
        || (digits[8] == b'-' && digits[13] == b'-')
        || is_path()
    {
        return None;
    }
    // The name first: nearly all values in sessions are ids.
    let head = &text[text.ceil_char_boundary(run.start.saturating_sub(BACK))..run.start];
    let name = name_before(head)?;
    let is_name =
        name.len() >= 3 && name.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
    let value = &text[run.clone()];
    if !is_name || is_id(name) || !is_random(value) || may_name_public_random(name) {
        return None;
    }
    let pads = text[run.end..].bytes().take(2).take_while(|it| *it == b'=');
    let span = run.start..run.end + pads.count();
    // A name of a file, or a part of something longer.
    let after = &text.as_bytes()[span.end..];
    let goes_on = matches!(after, [b'.' | b':' | b'@' | b'%' | b'~', next, ..] if next.is_ascii_alphanumeric());
    (!goes_on).then_some(span)
}

/// Reports whether a value has letters of both cases and digits in no order that a name has.
fn is_random(value: &str) -> bool {
    let has = |kind| {
        value
            .bytes()
            .filter_map(CharacterKind::of)
            .any(|it| it == kind)
    };
    let prefix = value.bytes().take_while(u8::is_ascii_lowercase).count();
    // Ids have the kind of the thing before them.
    let is_id =
        (2..=10).contains(&prefix) && matches!(value.as_bytes().get(prefix), Some(b'_' | b'-'));
    has(CharacterKind::Small)
        && has(CharacterKind::Capital)
        && has(CharacterKind::Digit)
        && !is_id
        && alternates(value)
        && entropy(value) >= 3.8
        && !value.starts_with(['/', '-'])
        && !value.starts_with("_Z")
        && !value.get(..36).is_some_and(is_uuid)
        && !is_placeholder(value)
        && !reads_as_words(value)
}

/// Returns the name to which the value after `head` is assigned: `name=`, `"name": "`, `Name: Scheme `.
fn name_before(head: &str) -> Option<&str> {
    let signs = ['"', '\'', '`', '\\', ' '];
    let mut rest = head;
    let quoted = rest.trim_end_matches(['"', '\'', '`', '\\']);
    // The letter before a literal: `b'`.
    if quoted.len() < rest.len() {
        let prefix = quoted.strip_suffix(['b', 'r', 'u', '$', '@']);
        rest = prefix
            .filter(|it| it.ends_with([' ', '=']))
            .unwrap_or(quoted);
    }
    rest = rest.trim_end_matches(signs);
    if rest.ends_with(|it: char| it.is_ascii_alphabetic()) {
        let schemes = [
            "Bearer", "bearer", "Token", "token", "Basic", "ApiKey", "Key",
        ];
        let scheme = schemes.iter().find_map(|it| rest.strip_suffix(it))?;
        rest = scheme.trim_end_matches(signs);
    }
    let rest = rest
        .strip_suffix("=>")
        .or_else(|| rest.strip_suffix(":="))
        .or_else(|| rest.strip_suffix(['=', ':']))?;
    // A comparison, a path of code, or a part of an address.
    let word = rest.rsplit(' ').next().unwrap_or(rest);
    if rest.ends_with([':', '=', '!', '<', '>', '?', '/'])
        || (word.contains("://") && !word.contains('?'))
    {
        return None;
    }
    let rest = rest.trim_end_matches(['"', '\'', '`', '\\', ' ', ']', ')', '*']);
    let name = last_name(rest);
    // The type is between the name and the value: `NAME: &str = `.
    let before = rest[..rest.len() - name.len()].trim_end_matches(['&', ' ']);
    match before.strip_suffix(':') {
        Some(before) if ["str", "string", "String"].contains(&name) => Some(last_name(before)),
        _ => Some(name),
    }
}

/// Returns the name at the end of a text.
fn last_name(text: &str) -> &str {
    let is_part = |it: &u8| it.is_ascii_alphanumeric() || b"_-.".contains(it);
    let length = text.bytes().rev().take_while(is_part).count();
    &text[text.len() - length..]
}
