//! Secrets that a person chose, by their form: for text that becomes memory, where one word too few costs little and a
//! password would stay for years.
//!
//! A word counts if its letters, digits and signs mix as in no name: what people name has its digits in one place, at
//! the end of a word or as a number of its own, and none of the signs that passwords are asked to have. In the line of
//! a word for a password a name with a number is enough.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::judge::{CODE, is_address, is_placeholder, is_strong, is_variable, mixes_case};
use crate::letters::{CharacterKind, alternates, is_uuid, is_word};
use crate::nearby::{Word, Words};
use crate::password::{
    is_clear_password, is_dated, is_file, is_foreign_password, is_hyphenated_phrase, is_literal,
    is_technical, reads_as_words,
};
use crate::view::RangeSink;
use crate::vocabulary::{FOREIGN, starts_word};

/// Id of the rule.
pub(crate) const RULE: &str = "chosen-secret";

/// Minimum length of a chosen secret, and of one in the line of a name for it.
const LENGTH: usize = 8;
const NAMED_LENGTH: usize = 6;

/// Maximum length of a word that is judged; a longer one is data.
const LONGEST: usize = 128;

/// Words for a password.
static NAMES: LazyLock<Regex> = LazyLock::new(|| {
    let words = [
        "passw",
        "passphrase",
        "passcode",
        "pwd",
        "de passe",
        "palavra-passe",
    ];
    let words = words.iter().chain(FOREIGN).map(|word| regex::escape(word));
    let words: Vec<String> = words.collect();
    Regex::new(&format!("(?i){}", words.join("|"))).expect("escaped words")
});

/// Finds all chosen secrets of a text.
pub(crate) fn find(text: &str, found: RangeSink<'_>) {
    let mut start = 0;
    let mut is_introduced = false;
    for line in text.split_inclusive('\n') {
        let names: Vec<Range<usize>> = NAMES
            .find_iter(line)
            .map(|name| name.range())
            .filter(|name| starts_word(line, name.start, &line[name.clone()]))
            .collect();
        let is_named = is_introduced || !names.is_empty();
        if is_named
            || line
                .bytes()
                .any(|it| it.is_ascii_digit() || SIGNS.contains(&it))
        {
            find_in_line(line, is_named, &names, &mut |span| {
                found(start + span.start..start + span.end);
            });
        }
        if !line.trim().is_empty() {
            is_introduced = !names.is_empty() && line.trim_end().ends_with([':', '：']);
        }
        start += line.len();
    }
}

/// `names` are the words for a password in the line; `is_named` holds as well if the line before introduces it.
fn find_in_line(line: &str, is_named: bool, names: &[Range<usize>], found: RangeSink<'_>) {
    for word in Words::new(line, 0..line.len()) {
        if !word.is_value || word.is_code || word.text.starts_with("redacted:") {
            continue;
        }
        let Some(value) = value(&word, line) else {
            continue;
        };
        let at = word.start + word.text.find(value).unwrap_or(0);
        let is_apart = |name: &Range<usize>| name.end <= at || at + value.len() <= name.start;
        if is_chosen(value) || (is_named && names.iter().all(is_apart) && is_named_secret(value)) {
            found(at..at + value.len());
        }
    }
}

/// Returns the word without the signs of its sentence; `None` for what is no word: a path, an address, an assignment.
fn value<'a>(word: &Word<'a>, line: &str) -> Option<&'a str> {
    let value = word
        .text
        .trim_start_matches([':', ',', ';', '-', '*', '_', '!']);
    let value = value.trim_end_matches(['.', ',', ';', ':', '*', '…', '-', '_']);
    let value = match value.rsplit_once(['!', '?']) {
        // A sign of the sentence, unless the rest needs it to be one.
        Some((inner, "")) if !inner.bytes().any(|it| SIGNS.contains(&it)) && !is_strong(inner) => {
            inner
        }
        _ => value,
    };
    let goes_on = line[word.start + word.text.len()..].starts_with(['\\', '/']);
    (!goes_on && value.len() >= NAMED_LENGTH && value.len() <= LONGEST).then_some(value)
}

/// Signs that passwords are asked to have and names do not contain.
const SIGNS: &[u8] = b"!?#$%^&*+~@";

/// Reports whether a word is a secret wherever it stands.
fn is_chosen(word: &str) -> bool {
    word.len() >= LENGTH
        && !is_other(word)
        && !is_snake(word)
        && (is_clear_password(word)
            || is_random(word)
            || is_joined(word)
            || is_parted(word)
            || is_foreign_password(word))
}

/// Reports whether letters of both cases and digits mix in a short word as in no name.
fn is_random(word: &str) -> bool {
    let places = word
        .as_bytes()
        .windows(2)
        .filter(|it| !it[0].is_ascii_digit() && it[1].is_ascii_digit())
        .count()
        + usize::from(word.starts_with(|it: char| it.is_ascii_digit()));
    word.bytes().all(|it| it.is_ascii_alphanumeric())
        && is_strong(word)
        && places >= 2
        && alternates(word)
        && !reads_as_words(word)
}

/// Reports whether a word is made of capitalised words and a number, joined by hyphens, points or underscores.
fn is_joined(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['-', '.', '_']).collect();
    let is_name = |part: &&&str| {
        part.len() >= 4
            && part.starts_with(|it: char| it.is_ascii_uppercase())
            && part[1..].bytes().all(|it| it.is_ascii_lowercase())
    };
    let is_number = |part: &&&str| {
        (2..=6).contains(&part.len())
            && part.bytes().all(|it| it.is_ascii_digit())
            && !is_year(part)
    };
    let (names, numbers) = (
        parts.iter().filter(is_name).count(),
        parts.iter().filter(is_number).count(),
    );
    names >= 2 && numbers == 1 && names + numbers == parts.len()
}

/// Reports whether a number of two or more digits parts a word of small letters: `deniz41yildizi`.
fn is_parted(word: &str) -> bool {
    let is_small = |part: &str| part.len() >= 4 && part.bytes().all(|it| it.is_ascii_lowercase());
    let before = word.trim_end_matches(|it: char| it.is_ascii_lowercase());
    let name = before.trim_end_matches(|it: char| it.is_ascii_digit());
    before.len() - name.len() >= 2
        && is_small(&word[before.len()..])
        && is_small(&name.to_ascii_lowercase())
        && !name.bytes().skip(1).any(|it| it.is_ascii_uppercase())
}

fn is_year(part: &str) -> bool {
    part.len() == 4 && (part.starts_with("19") || part.starts_with("20"))
}

/// Reports whether a word in the line of a name for a password is one: letters and a digit, or a sign within.
fn is_named_secret(word: &str) -> bool {
    let letters = word.chars().filter(|it| it.is_alphabetic()).count();
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let inner = word.trim_end_matches(|it: char| it.is_ascii_punctuation());
    let signs = inner.bytes().filter(|it| SIGNS.contains(it)).count();
    !is_other(word)
        && (digits >= 2 || !is_snake(word))
        && ((letters >= 3 && digits > 0 && !is_amount(word))
            || (letters >= 3 && signs > 0 && !word.ends_with(['!', '?']))
            || (mixes_case(word) && alternates(word) && word.bytes().all(is_word))
            || is_hyphenated_phrase(word))
}

/// Reports whether a word is a number with its unit: `30min`, `200k`, `4x`.
fn is_amount(word: &str) -> bool {
    let unit =
        word.trim_start_matches(|it: char| it.is_ascii_digit() || matches!(it, '.' | '-' | '_'));
    word.len() > unit.len() && unit.bytes().all(|it| it.is_ascii_alphabetic()) && unit.len() <= 7
}

/// Reports whether a word is no secret by its form: a path, a name of code, a version, a hash, an address.
fn is_other(word: &str) -> bool {
    ends_in_uuid(word)
        || is_hex(word)
        || is_address(word)
        || is_variable(word)
        || is_placeholder(word)
        || is_literal(word)
        || is_file(word.split('#').next().unwrap_or(word))
        || is_technical(word)
        || is_versioned(word)
        || is_date(word)
        || is_constant(word)
        || word.contains(CODE)
        || word.contains(['/', '=', ',', ';', '\\', ':'])
        || word.contains("--")
        || word.contains("?.")
        || word.starts_with("U+")
        || is_issue(word)
        || is_camel(word)
        || is_part_number(word)
        || is_sum(word)
        || word.starts_with("GHSA-")
        || word.bytes().filter(u8::is_ascii_alphabetic).count() < 3
        || word.starts_with(['-', '.', '@', '#', '$', '&', '%', '~', '+'])
}

/// Reports whether a word is a project with the number of an issue: `acreta#35`.
fn is_issue(word: &str) -> bool {
    word.split_once('#').is_some_and(|(project, number)| {
        number.bytes().all(|it| it.is_ascii_digit())
            && project
                .bytes()
                .all(|it| it.is_ascii_lowercase() || it == b'-')
    })
}

/// Reports whether a word is an identifier in camel case with digits at its end: `NonZeroU64`.
fn is_camel(word: &str) -> bool {
    let letters = word.trim_end_matches(|it: char| it.is_ascii_digit());
    let humps = letters.split(|it: char| it.is_ascii_uppercase());
    letters.bytes().all(|it| it.is_ascii_alphabetic())
        && humps.filter(|hump| hump.len() >= 2).count() >= 2
}

/// Reports whether a word is the number of a part, nearly all of it in capitals: `STM32F411CEUx`.
fn is_part_number(word: &str) -> bool {
    word.bytes().all(|it| it.is_ascii_alphanumeric())
        && word.bytes().filter(u8::is_ascii_lowercase).count() < 2
        && word.bytes().filter(u8::is_ascii_uppercase).count() > 2
}

/// Reports whether a word is a sum of names or amounts: `AVX2+BMI1`, `200ms+300ms`.
fn is_sum(word: &str) -> bool {
    let is_name = |part: &str| {
        let letters = part.trim_end_matches(|it: char| it.is_ascii_digit());
        is_amount(part) || letters.bytes().all(|it| it.is_ascii_alphabetic())
    };
    word.contains('+') && word.split('+').all(is_name)
}

fn ends_in_uuid(word: &str) -> bool {
    let at = word.len().saturating_sub(36);
    word.get(at..).is_some_and(is_uuid)
}

fn is_hex(word: &str) -> bool {
    word.split(['-', '.']).all(|part| {
        part.bytes().all(|it| it.is_ascii_hexdigit())
            && !part.bytes().any(|it| it.is_ascii_uppercase())
            || part
                .bytes()
                .all(|it| it.is_ascii_digit() || matches!(it, b'A'..=b'F'))
    })
}

/// Reports whether a word is a thing with its version: `serde@1.0`, `v1.2.3-rc1`, `gpt-5.1-codex`, `node:20-alpine`.
fn is_versioned(word: &str) -> bool {
    let is_digit = |it: Option<char>| it.is_some_and(|it| it.is_ascii_digit());
    word.match_indices(['.', '@', '~', '^', '+'])
        .any(|(at, sign)| {
            is_digit(word[at + 1..].chars().next())
                && (sign != "." || is_digit(word[..at].chars().next_back()))
                && (sign != "+" || is_digit(word[..at].chars().next_back()))
                && (sign == "." || !word[at + 1..].contains(|it: char| it.is_ascii_alphabetic()))
        })
}

/// Reports whether a word is a date or a time, also with more behind it.
fn is_date(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['-', '_', 'T', 'Z', '.', '+']).collect();
    let is_number = |part: &&&str| !part.is_empty() && part.bytes().all(|it| it.is_ascii_digit());
    parts.iter().filter(is_number).count() >= 2
        && is_dated(word)
        && parts
            .iter()
            .filter(is_number)
            .any(|part| is_year(part) || part.len() == 8)
}

/// Reports whether a word is a name in capitals: `MAX_2FA_TRIES`, `CVE-2024-1234`.
fn is_constant(word: &str) -> bool {
    word.bytes().all(|it| {
        it.is_ascii_uppercase() || it.is_ascii_digit() || matches!(it, b'_' | b'-' | b'.')
    }) && word.contains(['_', '-'])
}

/// Reports whether a word is an identifier with underscores and without capitals: `test_2fa_reset`.
fn is_snake(word: &str) -> bool {
    word.contains('_')
        && word
            .bytes()
            .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
        && word
            .bytes()
            .filter_map(CharacterKind::of)
            .any(|it| it == CharacterKind::Small)
}
