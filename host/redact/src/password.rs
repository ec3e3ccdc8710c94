//! Classifies a word as a password. The weaker the tie between a word and a name for it, the more the word must look
//! like nothing else.

use crate::blobs::base64;
use crate::common::is_common;
use crate::judge::{
    CODE, NAMES, SENTENCE, is_address, is_code, is_groups, is_identifier, is_named_thing,
    is_placeholder, is_strong, is_variable, mixes_case,
};
use crate::letters::{alternates, is_word};
use crate::vocabulary::is_foreign_name;

/// Reports whether a word that is announced as a password is one rather than a word of the sentence.
pub(crate) fn is_likely_password(word: &str) -> bool {
    word.len() >= 8
        && (is_strong(word) || mixes_signs(word) || is_scrambled(word) || is_groups(word))
        && !is_code(word)
        && !is_snake(word)
        && (!is_named_thing(word) || is_groups(word))
        && !is_address(word)
        && !is_variable(word)
        && !is_placeholder(word)
}

/// Reports whether a word near a word for a password is one, wherever it stands: nothing else looks like it.
pub(crate) fn is_clear_password(word: &str) -> bool {
    let is_plain = word.bytes().all(is_word);
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    digits > 0
        && is_likely_password(word)
        && !is_named(word)
        && !is_file(word)
        && !is_technical(word)
        && !is_encoded_text(word)
        && !is_dated(word)
        && !is_literal(word)
        && !word.contains(['=', '/', ',', ';'])
        && match is_plain {
            // An identifier has digits in one place.
            true => alternates(word) && digits >= 2 && word.len() >= 10 && !reads_as_words(word),
            false => digits >= 2 || mixes_signs(word),
        }
}

/// Reports whether a word on a line after the name is no identifier of code, and no assignment.
pub(crate) fn is_clear_content(word: &str) -> bool {
    let is_hex = word.bytes().all(|it| it.is_ascii_hexdigit());
    !word.trim_end_matches('=').contains('=')
        && (is_hex || !word.bytes().all(is_word) || !reads_as_words(word))
        && !word.contains(".html")
}

/// Reports whether a word that is given as the password is one: also a weak one, or a phrase with hyphens.
pub(crate) fn is_told_password(word: &str) -> bool {
    if word.len() < 8 {
        return false;
    }
    let letters = word.chars().filter(|it| it.is_alphabetic()).count();
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let signs = word
        .bytes()
        .filter(|it| b"!?#$%^&*+~@".contains(it))
        .count();
    if is_literal(word)
        || is_snake(word)
        || is_named(word)
        || is_encoded_text(word)
        || is_code(word)
        || is_file(word)
        || is_technical(word)
        || is_address(word)
        || is_variable(word)
        || is_placeholder(word)
    {
        return false;
    }
    let is_weak = word.chars().count() >= 8
        && letters >= 4
        && (digits >= 2 || (digits == 1 && signs > 0))
        && !word.contains(['/', '=', ',', ';', '_'])
        && !word.starts_with(['.', '-', '#', '@', '~', '$', '%', '&', '+'])
        && !word.starts_with(|it: char| it.is_ascii_digit())
        && !is_dated(word);
    is_likely_password(word)
        || is_foreign_password(word)
        || is_passphrase(word)
        || is_weak
        || (mixes_case(word) && signs > 0 && letters + signs == word.len())
        || is_hyphenated_phrase(word)
}

/// Reports whether a word is base64 of text: whether that is a secret is decided by what it says.
fn is_encoded_text(word: &str) -> bool {
    let digits = word.trim_end_matches('=');
    digits.len() >= 12
        && digits.len() % 4 != 1
        && digits
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || b"+/".contains(&it))
        && base64(digits.as_bytes())
            .iter()
            .all(|it| matches!(it, b' '..=b'~' | b'\n' | b'\r' | b'\t'))
}

/// Reports whether a word is a type or a number of code: `&Type`, `0xC0FE_u32`.
pub(crate) fn is_literal(word: &str) -> bool {
    word.strip_prefix(['&', '*']).is_some_and(is_identifier) || word.starts_with("0x")
}

/// Reports whether a word is an identifier with underscores.
fn is_snake(word: &str) -> bool {
    word.bytes().all(is_word) && word.contains('_') && !alternates(word)
}

/// Reports whether a word of letters and digits contains a word of code or a word for a password itself.
fn is_named(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    word.bytes().all(|it| is_word(it) || it == b'-')
        && !mixes_case(word)
        && [
            "passw", "secret", "token", "user", "config", "value", "param", "field", "string",
            "hash", "auth",
        ]
        .iter()
        .any(|name| lower.contains(name))
        || reads_as_words(word)
            && ["passw", "pass-", "sha", "auth", "hash"]
                .iter()
                .any(|name| lower.contains(name))
        || lower.contains("password")
        || is_foreign_name(word)
}

/// Reports whether a word is four or more words that hyphens or dots join.
pub(crate) fn is_hyphenated_phrase(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['-', '.']).collect();
    let lower = word.to_lowercase();
    (4..=10).contains(&parts.len())
        && word.len() >= 18
        && parts
            .iter()
            .all(|part| part.chars().count() >= 2 && part.chars().all(char::is_lowercase))
        && !parts
            .iter()
            .any(|part| SENTENCE.contains(part) || part.len() > 14)
        && !NAMES.iter().any(|name| lower.contains(name))
}

/// Reports whether a word ends like the name of a file or a host.
pub(crate) fn is_file(word: &str) -> bool {
    word.rsplit_once('.').is_some_and(|(_, end)| {
        (1..=5).contains(&end.len()) && end.bytes().all(|it| it.is_ascii_lowercase())
    })
}

/// Reports whether a word is a version, a date or a time: numbers with signs between them, and few letters.
pub(crate) fn is_dated(word: &str) -> bool {
    let mut parts = word.split(['-', '.', ':', '_', '+']);
    let is_number = |part: &str| {
        let digits = part
            .trim_start_matches(['v', 'V', 'T'])
            .trim_end_matches('Z');
        !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit())
    };
    parts.any(is_number) && word.contains(['-', '.', ':', '+'])
}

/// Reports whether a word is the name of an algorithm, a format or a product with its number.
pub(crate) fn is_technical(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let stem = lower.trim_start_matches(|it: char| !it.is_ascii_alphabetic());
    TECHNICAL.iter().any(|name| {
        stem.strip_prefix(name)
            .is_some_and(|rest| rest.starts_with(|it: char| it.is_ascii_digit() || it == '-'))
    })
}

const TECHNICAL: &[&str] = &[
    "aes", "argon", "base", "blake", "chapter", "cve", "des", "ecdsa", "ed", "es", "gpt", "hmac",
    "hs", "http", "iso", "issue", "line", "md", "node", "oauth", "page", "pbkdf", "php", "pkcs",
    "port", "postgres", "python", "rfc", "rs", "rsa", "secp", "section", "sha", "step", "tls",
    "utf", "version", "win", "windows", "x",
];

/// Reports whether the letters of a word are mostly sequences of words.
pub(crate) fn reads_as_words(word: &str) -> bool {
    let letters = word
        .as_bytes()
        .windows(3)
        .filter(|it| it.iter().all(u8::is_ascii_alphabetic));
    let (mut all, mut common) = (0, 0);
    for three in letters {
        all += 1;
        common += usize::from(is_common(three));
    }
    common * 3 >= all && all > 0
}

/// Reports whether upper and lower case alternate as in no name.
pub(crate) fn is_scrambled(word: &str) -> bool {
    word.bytes().all(|it| it.is_ascii_alphabetic()) && mixes_case(word) && alternates(word)
}

/// Reports whether a word that a sentence gives as the password is one in another script: letters, a digit, and a sign
/// or a capital.
pub(crate) fn is_foreign_password(word: &str) -> bool {
    let has = |test: fn(char) -> bool| word.chars().any(test);
    !word.is_ascii()
        && word.chars().count() >= 8
        && word
            .chars()
            .all(|it| it.is_ascii() || (it.is_alphabetic() && (it as u32) < 0x590))
        && has(char::is_alphabetic)
        && has(|it| it.is_ascii_digit())
        && (has(|it| it.is_ascii_punctuation()) || has(char::is_uppercase))
        && !word.contains(CODE)
        && !word.contains("://")
}

/// Reports whether a word is a passphrase: three or more words and a number.
pub(crate) fn is_passphrase(word: &str) -> bool {
    let parts: Vec<&str> = word.split(['-', '.', '_']).collect();
    let words = parts.iter().filter(|part| {
        let letters = part.trim_end_matches(|it: char| it.is_ascii_digit());
        letters.len() >= 4 && letters.bytes().all(|it| it.is_ascii_alphabetic())
    });
    let lower = word.to_ascii_lowercase();
    words.count() >= 3
        && word.ends_with(|it: char| it.is_ascii_digit())
        && word
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || b"-._".contains(&it))
        && !NAMES.iter().any(|name| lower.contains(name))
}

/// Reports whether a word has a letter, a digit and a sign that words and names do not contain.
fn mixes_signs(word: &str) -> bool {
    let inner = word.trim_end_matches(['!', '?', '%', '*']);
    let has = |test: fn(&u8) -> bool| inner.as_bytes().iter().any(test);
    has(u8::is_ascii_alphabetic)
        && has(u8::is_ascii_digit)
        && inner.contains(['!', '?', '#', '$', '%', '^', '&', '*', '+', '~'])
        && !inner.contains('=')
        && !word.starts_with(CODE)
        && !word.starts_with('$')
}
