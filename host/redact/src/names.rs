//! Says what a name tells about the value it stands for: a password, something about a secret, something public.

use crate::value::is_word;

/// Tells whether a word of the name is one for a password.
pub(crate) fn names_password(name: &str) -> bool {
    words(name).any(|word| {
        let word = word.trim_end_matches(|it: char| it.is_ascii_digit());
        // `passed`, `passing`, `passes`
        if word.len() > 4
            && word.len() < 8
            && word.is_ascii()
            && !PASSWORD.contains(&word)
            && !is_passwd(word)
        {
            return false;
        }
        let word = word.to_lowercase();
        PASSWORD.contains(&word.as_str())
            || ["password", "passwd", "passphrase", "passwort"]
                .iter()
                .any(|end| word.ends_with(end) || word.starts_with(end))
    })
}

fn is_passwd(word: &str) -> bool {
    ["passwd", "passe"]
        .iter()
        .any(|it| word.eq_ignore_ascii_case(it))
}

/// Tells whether a name says other things too: the outcome of a test, a directory.
pub(crate) fn is_vague(name: &str) -> bool {
    ["pass", "pwd", "pw", "psk"].contains(&name.to_ascii_lowercase().as_str())
}

const PASSWORD: &[&str] = &[
    "pass",
    "passcode",
    "passe",
    "pwd",
    "pw",
    "psk",
    "kennwort",
    "contraseña",
    "contrasena",
    "senha",
    "пароль",
    "密码",
    "パスワード",
    "mdp",
    "hasło",
    "lösenord",
    "wachtwoord",
    "şifre",
    "비밀번호",
    "密碼",
    "口令",
];

/// Tells whether a name is of something that is shown to everybody.
pub(crate) fn is_public(name: &str) -> bool {
    words(name).any(|word| {
        PUBLIC
            .iter()
            .any(|public| word.eq_ignore_ascii_case(public))
    })
}

const PUBLIC: &[&str] = &[
    "public",
    "pub",
    "publishable",
    "cache",
    "primary",
    "foreign",
    "sort",
    "partition",
    "idempotency",
    "object",
    "sitekey",
    "anon",
    "csrf",
    "xsrf",
    "react",
    "query",
    "lookup",
    "dedupe",
    "dedup",
    "page",
    "continuation",
    "cursor",
    "max",
    "min",
    "num",
    "hot",
    "row",
    "translation",
    "i18n",
    "shortcut",
    "key_id",
    "input",
    "output",
    "cached",
    "reasoning",
    "total",
    "prompt",
    "completion",
    "usage",
];

/// The words of a name: between signs, and where a capital follows a small letter.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(['_', '-', '.']).flat_map(|part| {
        let bytes = part.as_bytes();
        let mut from = 0;
        let mut words = Vec::new();
        for at in 1..bytes.len() {
            if bytes[at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase() {
                words.push(&part[from..at]);
                from = at;
            }
        }
        words.push(&part[from..]);
        words
    })
}

/// Tells whether the name that `head` starts with is of something about a secret: its last word says so.
pub(crate) fn names_no_secret(head: &str) -> bool {
    let end = head.bytes().position(|byte| !is_word(byte) && byte != b'-');
    let name = &head[..end.unwrap_or(head.len())];
    let camel = |index: usize| {
        let bytes = name.as_bytes();
        bytes[index].is_ascii_uppercase() && index > 0 && bytes[index - 1].is_ascii_lowercase()
    };
    let start = (0..name.len()).rev().find(|index| camel(*index));
    let word = &name[start.unwrap_or(0)..];
    let word = word
        .rsplit(['_', '-'])
        .next()
        .unwrap_or(word)
        .to_ascii_lowercase();
    ABOUT.contains(&word.as_str())
        || word
            .strip_suffix('s')
            .is_some_and(|word| ABOUT.contains(&word))
}

const ABOUT: &[&str] = &[
    "algorithm",
    "arn",
    "budget",
    "class",
    "count",
    "digest",
    "endpoint",
    "env",
    "expiration",
    "expires",
    "expiry",
    "enabled",
    "field",
    "file",
    "format",
    "hash",
    "header",
    "hint",
    "id",
    "index",
    "label",
    "len",
    "length",
    "limit",
    "max",
    "message",
    "min",
    "mode",
    "name",
    "path",
    "pattern",
    "policy",
    "prefix",
    "ref",
    "rate",
    "regex",
    "required",
    "requirement",
    "requirements",
    "reset",
    "rotation",
    "sha256",
    "size",
    "source",
    "status",
    "ttl",
    "type",
    "uri",
    "url",
    "usage",
    "var",
    "version",
];
