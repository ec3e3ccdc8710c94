//! Normalises one line of an error, so that the same error is recognised again: numbers, paths, hashes, times and
//! addresses become marks, words stay.

/// Normalises a line of output.
pub fn normalise(line: &str) -> String {
    let line = without_escapes(line);
    let line = line
        .rsplit('\r')
        .find(|part| !part.trim().is_empty())
        .unwrap_or("");
    let mut shown = String::new();
    let mut rest = line.trim();
    while let Some(first) = rest.chars().next() {
        if is_separator(first) {
            push_separator(&mut shown, first);
            rest = &rest[first.len_utf8()..];
        } else {
            let end = rest.find(is_separator).unwrap_or(rest.len());
            atom(&rest[..end], &mut shown);
            rest = &rest[end..];
        }
        if shown.len() > LONGEST {
            break;
        }
    }
    acreta_text::head(shown.trim(), LONGEST).to_owned()
}

const LONGEST: usize = 300;

/// Removes terminal escape codes.
pub(crate) fn without_escapes(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\u{1b}' {
            plain.push(character);
            continue;
        }
        match characters.next() {
            Some('[') => {
                while characters
                    .next()
                    .is_some_and(|next| !next.is_ascii_alphabetic())
                {}
            }
            Some(']') => {
                while characters
                    .next()
                    .is_some_and(|next| !matches!(next, '\u{7}' | '\\'))
                {}
            }
            _ => {}
        }
    }
    plain
}

fn is_separator(character: char) -> bool {
    character.is_whitespace() || "\"'`()[]{}<>,;|=‘’“”│┃".contains(character)
}

fn push_separator(shown: &mut String, separator: char) {
    let separator = match separator {
        '"' | '`' | '‘' | '’' | '“' | '”' => '\'',
        space if space.is_whitespace() => ' ',
        other => other,
    };
    let repeats = matches!(separator, ' ' | '\'');
    if !(repeats && shown.ends_with(separator)) {
        shown.push(separator);
    }
}

fn atom(atom: &str, shown: &mut String) {
    let bare = atom.trim_end_matches([':', '.', '!', '?']);
    let end = &atom[bare.len()..];
    let end = if end.starts_with(':') { ":" } else { "" };
    if bare.contains("://") {
        shown.push_str("<url>");
    } else if is_path(bare) {
        shown.push_str("<path>");
    } else if is_hash(bare) {
        shown.push_str("<hash>");
    } else if is_length_of_time(bare) {
        shown.push_str("<time>");
    } else {
        with_numbers_marked(bare, shown);
    }
    shown.push_str(end);
}

fn is_path(atom: &str) -> bool {
    let place = without_position(atom);
    if place.len() < atom.len() && has_extension(place) {
        return true;
    }
    let mut characters = place.chars();
    let drive = characters
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && characters.next() == Some(':')
        && matches!(characters.next(), Some('\\' | '/'));
    let has_name = place.contains(|one: char| one.is_alphanumeric());
    // `@scope/name` is the name of a package; a slash between two words is a slash.
    let is_named = place.starts_with('@') || SLASHED.contains(&place.to_lowercase().as_str());
    drive || (has_name && !is_named && place.contains(['/', '\\']))
}

const SLASHED: &[&str] = &[
    "and/or",
    "i/o",
    "n/a",
    "client/server",
    "read/write",
    "input/output",
];

/// Removes a trailing `:line:column`.
fn without_position(atom: &str) -> &str {
    let mut place = atom;
    while let Some((before, digits)) = place.rsplit_once(':') {
        if digits.is_empty()
            || !digits
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'-')
        {
            break;
        }
        place = before;
    }
    place
}

fn has_extension(place: &str) -> bool {
    place.rsplit_once('.').is_some_and(|(name, extension)| {
        !name.is_empty()
            && (1..=5).contains(&extension.len())
            && extension.starts_with(|first: char| first.is_ascii_alphabetic())
            && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

fn is_hash(atom: &str) -> bool {
    let digits = atom.strip_prefix("0x").or(atom.strip_prefix("0X"));
    let least = if digits.is_some() { 1 } else { 7 };
    let body = digits.unwrap_or(atom);
    let is_hex = body
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let count = body.bytes().filter(u8::is_ascii_hexdigit).count();
    let has_both = body.bytes().any(|byte| byte.is_ascii_digit())
        && body.bytes().any(|byte| byte.is_ascii_alphabetic());
    is_hex && count >= least && (digits.is_some() || has_both)
}

fn is_length_of_time(atom: &str) -> bool {
    let unit = atom.trim_start_matches(|one: char| one.is_ascii_digit() || one == '.');
    unit.len() < atom.len()
        && matches!(
            unit,
            "ms" | "s" | "sec" | "m" | "min" | "µs" | "us" | "ns" | "h"
        )
}

/// Replaces digits by `#`, unless they are part of a name, as in `TS2322`, `E0433` or `python3`.
fn with_numbers_marked(atom: &str, shown: &mut String) {
    let mut characters = atom.chars().peekable();
    let mut before = ' ';
    let mut is_version = false;
    while let Some(character) = characters.next() {
        let follows_letter = before.is_alphabetic() && !is_version;
        if character.is_ascii_digit() && !follows_letter {
            if !shown.ends_with('#') {
                shown.push('#');
            }
            // `1.2.3`, `12:30:45`, `2026-01-02T03`: one number.
            while let Some(next) = characters.peek() {
                let goes_on = next.is_ascii_digit()
                    || matches!(next, '.' | ':' | '-' | '+' | 'T' | 'Z' | '%');
                if !goes_on {
                    break;
                }
                characters.next();
            }
            before = '#';
            continue;
        }
        if character.is_ascii_digit() {
            shown.push(character);
            // The rest of the number in the name.
            while let Some(next) = characters.next_if(char::is_ascii_digit) {
                shown.push(next);
            }
            before = '0';
            continue;
        }
        is_version = matches!(character, 'v' | 'V')
            && !before.is_alphanumeric()
            && characters.peek().is_some_and(char::is_ascii_digit);
        if !is_version {
            shown.push(character);
        }
        before = character;
    }
}
