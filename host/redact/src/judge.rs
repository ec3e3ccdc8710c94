//! Classifies a value: a password, or something that is never a secret: variables, expressions, names and placeholders.

use crate::letters::{CharacterKind, is_word};

/// Reports whether a word is an email address.
pub(crate) fn is_address(word: &str) -> bool {
    word.split_once('@').is_some_and(|(_, host)| {
        host.contains('.')
            && host
                .bytes()
                .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || b".-".contains(&it))
    })
}

/// Reports whether a value refers to the secret: `$X`, `${X}`, `{{ x }}`, `<x>`, `%X%`.
pub(crate) fn is_variable(value: &str) -> bool {
    let value = value.trim_start_matches('\\');
    value.starts_with("${")
        || value.starts_with("$(")
        || value.starts_with("{{")
        || value.starts_with("#{")
        || (value.starts_with('<') && !value.starts_with("<~"))
        || (value.starts_with('%') && value.ends_with('%'))
        || (value.starts_with('%') && value.len() <= 3)
        || value.strip_prefix('$').is_some_and(is_identifier)
        || [
            "process.env",
            "os.environ",
            "os.getenv",
            "env.",
            "env(",
            "vault:",
            "secrets.",
            "self.",
            "this.",
        ]
        .iter()
        .any(|start| value.starts_with(start))
}

pub(crate) fn is_identifier(value: &str) -> bool {
    let mut bytes = value.bytes();
    bytes
        .next()
        .is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(is_word)
}

/// Reports whether a part is an identifier as people choose them: with digits only at its end.
fn is_name(part: &str) -> bool {
    let letters = part.trim_end_matches(|it: char| it.is_ascii_digit());
    is_identifier(part) && !letters.bytes().any(|byte| byte.is_ascii_digit())
}

/// Reports whether a value is an expression or a name rather than a text.
pub(crate) fn is_code(value: &str) -> bool {
    if value.contains(CODE) || value.contains("::") || value.contains("->") || value.contains("://")
    {
        return true;
    }
    if value.contains(['!', '@', '#', '$', '%', '^', '*'])
        && value.contains(|it: char| it.is_ascii_digit())
    {
        return false;
    }
    let parts = value
        .trim_start_matches(['*', '&', '!', '@', ':'])
        .trim_end_matches(['?', '!', ':', '.']);
    let is_names = parts.split(['.', '/']).all(is_name);
    is_names && {
        let lower = parts.to_ascii_lowercase();
        lower.contains('.')
            || lower.contains('/')
            || (lower.contains('_') && !lower.bytes().any(|byte| byte.is_ascii_digit()))
            || NAMES.iter().any(|name| lower.contains(name))
    }
}

/// Words in names of password variables.
pub(crate) const NAMES: &[&str] = &[
    "passw", "pwd", "secret", "token", "user", "config", "value", "input", "param", "field",
    "string", "text", "env", "cred", "key", "auth", "login", "opts", "args", "prop", "hash",
    "type", "form", "data",
];

/// Reports whether a word of a sentence is a path, a URL, a version or a date rather than a secret.
pub(crate) fn is_named_thing(value: &str) -> bool {
    value.contains('/')
        || value.contains("--")
        || value.starts_with(['.', '-', '#', '@', '~'])
        || value.bytes().filter(|byte| *byte == b'.').count() > 1
        || value.split(['-', '_', '.', ':']).all(is_plain_part)
}

/// Reports whether a part of a value is a word, a number, or a word and a number after it.
fn is_plain_part(part: &str) -> bool {
    let word = part.trim_end_matches(|it: char| it.is_ascii_digit());
    word.bytes().all(|byte| byte.is_ascii_lowercase())
        || word.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Reports whether capitals occur within a lower-case word, unlike in names.
pub(crate) fn mixes_case(value: &str) -> bool {
    let capitals = value.bytes().skip(1).filter(u8::is_ascii_uppercase).count();
    let small = value.bytes().filter(u8::is_ascii_lowercase).count();
    capitals >= 3 && small >= 3
}

/// Reports whether lower-case letters alone may be a password: long, and not a word that usually follows such a name.
pub(crate) fn is_word_password(value: &str) -> bool {
    value.len() >= 8
        && value.bytes().all(|byte| byte.is_ascii_lowercase())
        && !WORDS.contains(&value)
}

const WORDS: &[&str] = &[
    "required",
    "optional",
    "password",
    "passwords",
    "disabled",
    "enabled",
    "undefined",
    "unchanged",
    "incorrect",
    "protected",
    "encrypted",
    "plaintext",
    "database",
    "username",
    "sensitive",
    "provided",
    "validation",
    "authentication",
    "parameter",
    "argument",
    "rejected",
    "accepted",
    "confirmation",
    "security",
    "credential",
    "credentials",
    "interactive",
    "keychain",
    "keyring",
    "generated",
    "anything",
    "whatever",
    "something",
    "nothing",
    "protection",
    "prompted",
    "configured",
    "forgotten",
    "defaults",
    "administrator",
    "wordlist",
    "redacted",
];

/// Reports whether a value is several words that are not a sentence.
pub(crate) fn is_phrase(value: &str) -> bool {
    let words: Vec<&str> = value.split([' ', '-']).collect();
    (4..=24).contains(&words.len())
        && words.iter().all(|word| {
            (2..=12).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_lowercase())
        })
        && !words.iter().any(|word| SENTENCE.contains(word))
}

/// Reports whether a value is the four groups of four letters of an application password.
pub(crate) fn is_groups(value: &str) -> bool {
    let groups: Vec<&str> = value.split([' ', '-']).collect();
    groups.len() == 4
        && groups
            .iter()
            .all(|it| it.len() == 4 && it.bytes().all(|byte| byte.is_ascii_lowercase()))
}

pub(crate) const SENTENCE: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "by", "can", "enter", "for", "from", "has", "have",
    "in", "is", "it", "long", "must", "not", "of", "on", "or", "password", "please", "reset",
    "the", "this", "to", "too", "was", "with", "you", "your",
];

pub(crate) fn is_default(value: &str) -> bool {
    DEFAULTS.iter().any(|word| value.eq_ignore_ascii_case(word))
}

/// Characters that occur in code and templates more often than in passwords.
pub(crate) const CODE: [char; 9] = ['(', ')', '<', '>', '[', ']', '{', '}', '|'];

/// Reports whether a value meets the usual password requirements, and does not start like code.
pub(crate) fn is_strong(value: &str) -> bool {
    let has = |kind| {
        value
            .bytes()
            .filter_map(CharacterKind::of)
            .any(|known| known == kind)
    };
    has(CharacterKind::Small)
        && has(CharacterKind::Capital)
        && has(CharacterKind::Digit)
        && !value.starts_with(CODE)
        && !value.starts_with('$')
}

/// Reports whether a value is a placeholder for a secret.
pub(crate) fn is_placeholder(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|word| value.contains(word))
}

const PLACEHOLDERS: &[&str] = &[
    "***",
    "...",
    "changeme",
    "change_me",
    "change-me",
    "dummy",
    "example",
    "foobar",
    "insert",
    "not-a-",
    "placeholder",
    "redacted",
    "replace",
    "sample",
    "secret_here",
    "secret-here",
    "todo",
    "xxxx",
    "your-",
    "your_",
];

/// Passwords that documentation and local databases use.
const DEFAULTS: &[&str] = &[
    "guest", "mysql", "pass", "passwd", "password", "postgres", "pwd", "root", "secret", "token",
];
