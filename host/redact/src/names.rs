//! Interprets the name of a value: a password, a property of a secret, something public.

use crate::letters::is_word;

/// Reports whether a word of the name means a password.
pub(crate) fn names_password(name: &str) -> bool {
    let mut previous = "";
    words(name).any(|word| {
        let before = std::mem::replace(&mut previous, word);
        // `singlePass`, `by_pass`
        if word.eq_ignore_ascii_case("pass")
            && PASS_MEANS_ROUND
                .iter()
                .any(|it| before.eq_ignore_ascii_case(it))
        {
            return false;
        }
        let word = word
            .trim_end_matches(|it: char| it.is_ascii_digit())
            .to_lowercase();
        PASSWORD.contains(&word.as_str())
            || ["password", "passwd", "passphrase", "passwort"]
                .iter()
                .any(|end| word.ends_with(end) || word.starts_with(end))
            || (word.len() > 8
                && word.ends_with("pass")
                && !word.ends_with("compass")
                && !word.ends_with("bypass"))
    })
}

/// Reports whether a name has other meanings too: the outcome of a test, a directory.
pub(crate) fn is_ambiguous_password_name(name: &str) -> bool {
    ["pass", "pwd", "pw", "psk"]
        .iter()
        .any(|vague| name.eq_ignore_ascii_case(vague))
}

const PASSWORD: &[&str] = &[
    "pass", "passcode", "passe", "pwd", "pw", "psk", "rootpw", "setuser",
];

/// Words before `pass` that make it a round or a way.
const PASS_MEANS_ROUND: &[&str] = &[
    "one", "two", "single", "multi", "first", "second", "last", "render", "by", "opt", "no",
];

/// Reports whether a name belongs to something public.
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
    "subkey",
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
    "input",
    "output",
    "cached",
    "reasoning",
    "total",
    "prompt",
    "completion",
    "usage",
];

/// Reports whether a name is the name of an id; `sendgrid` is not.
pub(crate) fn is_id(name: &str) -> bool {
    let end = name.len().saturating_sub(2);
    let others = [
        "grid", "plaid", "paid", "valid", "void", "fluid", "solid", "roid",
    ];
    name.as_bytes()[end..].eq_ignore_ascii_case(b"id")
        && !others.iter().any(|other| {
            let end = name.len().checked_sub(other.len());
            end.is_some_and(|end| name.as_bytes()[end..].eq_ignore_ascii_case(other.as_bytes()))
        })
}

/// Reports whether values under this name may look random without being secret: an id, a checksum, a title, a font. Most
/// words count within longer ones too: `sha` in `sha256sum`, and in `shared`.
pub(crate) fn may_name_public_random(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    is_id(name)
        || words(name)
            .any(|word| word.eq_ignore_ascii_case("id") || word.eq_ignore_ascii_case("ids"))
        || IDENTIFYING.iter().any(|word| lower.contains(word))
        || is_public(name)
}

const IDENTIFYING: &[&str] = &[
    "hash",
    "sum",
    "digest",
    "sha",
    "md5",
    "etag",
    "integrity",
    "revision",
    "commit",
    "cursor",
    "build",
    "version",
    "fingerprint",
    "thumbprint",
    "public",
    "pubkey",
    "cert",
    "class",
    "src",
    "href",
    "url",
    "uri",
    "path",
    "file",
    "image",
    "img",
    "data",
    "content",
    "opaque",
    "nonce",
    "challenge",
    "trace",
    "span",
    "websocket",
    "address",
    "owner",
    "mint",
    "account",
    "wallet",
    "receiver",
    "sender",
    "peer",
    "node",
    "name",
    "title",
    "label",
    "text",
    "body",
    "message",
    "encrypted",
    "cipher",
    "uuid",
    "guid",
    "signature",
    "proof",
    "vapid",
    "sitekey",
    "anon",
    "client",
    "project",
    "folder",
    "document",
    "doc",
    "sheet",
    "video",
    "playlist",
    "tag",
    "rev",
    "state",
    "diff",
    "base64",
    "decode",
    "encode",
    "assert",
    "expect",
    "fixture",
    "snapshot",
    "icon",
    "font",
    "wasm",
    "sri",
    "hmr",
    "chunk",
    "ssh-",
];

/// Reports whether a name is `key` and no word before it makes it secret: true for `sort key`, false for `server key`.
/// `head` is the text up to the end of the name.
pub(crate) fn is_unqualified(head: &str, name: &str) -> bool {
    if !name.eq_ignore_ascii_case("key") {
        return false;
    }
    let before = head[..head.len() - name.len()].trim_end_matches(' ');
    let start = before
        .bytes()
        .rev()
        .take(24)
        .take_while(u8::is_ascii_alphabetic)
        .count();
    let word = before[before.len() - start..].to_ascii_lowercase();
    !QUALIFIERS.contains(&word.as_str())
}

/// Words that make a key a secret one.
const QUALIFIERS: &[&str] = &[
    "access",
    "account",
    "admin",
    "api",
    "app",
    "application",
    "auth",
    "client",
    "consumer",
    "deploy",
    "encryption",
    "integration",
    "license",
    "live",
    "master",
    "merchant",
    "private",
    "product",
    "project",
    "recovery",
    "registration",
    "root",
    "secret",
    "server",
    "service",
    "session",
    "setup",
    "shared",
    "signing",
    "storage",
    "subscription",
    "webhook",
    "write",
];

/// Splits a name into words: at punctuation, and before a capital after a small letter.
fn words(name: &str) -> impl Iterator<Item = &str> {
    let mut rest = name;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let bytes = rest.as_bytes();
        let is_sign = |byte: u8| matches!(byte, b'_' | b'-' | b'.');
        let end = (1..bytes.len())
            .find(|at| {
                is_sign(bytes[*at])
                    || (bytes[*at].is_ascii_uppercase() && bytes[at - 1].is_ascii_lowercase())
            })
            .unwrap_or(bytes.len());
        let word = rest[..end].trim_start_matches(['_', '-', '.']);
        rest = &rest[end..];
        Some(word)
    })
}

/// Reports whether the name at the start of `head` is a property of a secret (its length, path, expiry), according to its
/// last word.
pub(crate) fn names_secret_property(head: &str) -> bool {
    let end = head.bytes().position(|byte| !is_word(byte) && byte != b'-');
    let name = &head[..end.unwrap_or(head.len())];
    let camel = |index: usize| {
        let bytes = name.as_bytes();
        bytes[index].is_ascii_uppercase() && index > 0 && bytes[index - 1].is_ascii_lowercase()
    };
    let start = (0..name.len()).rev().find(|index| camel(*index));
    let word = &name[start.unwrap_or(0)..];
    let word = word.rsplit(['_', '-']).next().unwrap_or(word);
    // The only id that is a secret.
    if word.eq_ignore_ascii_case("id") {
        let is_sign = |it: char| matches!(it, '_' | '-');
        let joined = name.replace(is_sign, "").to_ascii_lowercase();
        if joined.ends_with("secretid") {
            return false;
        }
    }
    let Some(first) = word.bytes().next().map(|it| it.to_ascii_lowercase()) else {
        return false;
    };
    let singular = word.strip_suffix(['s', 'S']).unwrap_or(word);
    ABOUT
        .iter()
        .filter(|about| about.as_bytes()[0] == first)
        .any(|about| word.eq_ignore_ascii_case(about) || singular.eq_ignore_ascii_case(about))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_passwords_and_of_their_properties() {
        for name in ["dbpasswd", "mpasswd", "rootPassword2", "mysqlpass", "pass"] {
            assert!(names_password(name), "{name}");
        }
        for name in ["passed", "passing", "singlePass", "by_pass", "compass"] {
            assert!(!names_password(name), "{name}");
        }
        for name in ["secretId", "secret-id", "secret_id", "token"] {
            assert!(!names_secret_property(name), "{name}");
        }
        for name in ["secret_length", "tokenCount", "key_id"] {
            assert!(names_secret_property(name), "{name}");
        }
    }
}
