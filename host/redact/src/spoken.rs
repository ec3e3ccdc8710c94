//! Passwords that a sentence announces, in the languages people write to an agent in, and those that a
//! sentence says are in base64. The value must look like a password: words of the sentence never do.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use crate::blobs::base64;
use crate::judge::is_likely_password;

type Found<'a> = &'a mut dyn FnMut(Range<usize>);

/// From a word for a password to the value. Between them stand the rest of the word, a few words, and a
/// verb, a particle or a sign.
static ANNOUNCED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        // Nothing but a space, or some words and one of the following.
        r#"\A[\p{L}\p{M}']{0,12}?(?:[ \t]{1,2}|"#,
        r#"(?:[ （(][^\n\\=:：;!?"`。！？；]{0,60}?|[^\x00-\x7f\n。！？；：]{0,20}?)?(?:"#,
        // Signs, then verbs between spaces, then verbs and particles of languages without spaces.
        r#"\s{0,2}(?:->|=>|[:：=＝→—–]|\s-\s)"#,
        r#"|\s(?:is|ist|lautet|war|wäre|es|est|é|è|era|to|jest|är|er|on|je|este|là|adalah|это|є|olarak|είναι|هي|هو|היא|है|คือ):?\s"#,
        r#"|(?:是|为|為|即|成|成了|到|用的是|は|が|を|는|은|가|이|를|을|คือ|है)"#,
        r#"))"#,
        r#"[\s"'`“”„«»「『（(＂]{0,4}"#,
        r#"([!-~&&[^\\"`'<>]]{6,80})"#,
    ))
    .expect("the tests compile it")
});

/// The value that the sentence around a word for a password gives.
pub(crate) fn passwords(text: &str, keyword: Range<usize>, found: Found<'_>) {
    let end = text.floor_char_boundary((keyword.end + SENTENCE).min(text.len()));
    if let Some(value) = ANNOUNCED
        .captures(&text[keyword.end..end])
        .and_then(|captures| captures.get(1))
    {
        let word = value.as_str().trim_end_matches(['.', ',', ';', ':', ')']);
        if is_likely_password(word) {
            let start = keyword.end + value.start();
            found(start..start + word.len());
        }
    }
}

/// Passwords in base64, where the word `base64` and one for a secret stand near.
pub(crate) fn encoded(text: &str, keyword: Range<usize>, found: Found<'_>) {
    let bytes = text.as_bytes();
    let from = text.floor_char_boundary(keyword.start.saturating_sub(SENTENCE));
    let to = text.floor_char_boundary((keyword.end + SENTENCE).min(text.len()));
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_=".contains(byte);
    let mut names_secret = None;
    let mut at = from;
    while at < to {
        let length = bytes[at..to].iter().take_while(|it| is_digit(it)).count();
        // The letter of `\n` is no digit.
        let lead = at > 0 && bytes[at - 1] == b'\\' && matches!(bytes[at], b'n' | b'r' | b't');
        let span = at + usize::from(lead)..at + length;
        at += length.max(1);
        let is_cut = span.start == from && from > 0 || span.end == to && to < bytes.len();
        if !(12..=80).contains(&span.len()) || is_cut || !holds_password(&text[span.clone()]) {
            continue;
        }
        if *names_secret.get_or_insert_with(|| {
            let near = text[from..to].to_lowercase();
            SECRETS.iter().any(|word| near.contains(word))
        }) {
            found(span);
        }
    }
}

/// How far a sentence reaches from its keyword.
const SENTENCE: usize = 200;

/// Words that say that something encoded is a secret.
const SECRETS: &[&str] = &[
    "passw",
    "passphrase",
    "passcode",
    "mot de passe",
    "kennwort",
    "contrase",
    "senha",
    "hasło",
    "wachtwoord",
    "lösenord",
    "şifre",
    "парол",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "비밀번호",
    "secret",
    "credential",
    "login",
    "pwd",
];

/// Tells whether base64 digits are those of a password and no more.
fn holds_password(digits: &str) -> bool {
    let digits = digits.trim_end_matches('=');
    if digits.len() % 4 == 1 || digits.contains('=') {
        return false;
    }
    String::from_utf8(base64(digits.as_bytes())).is_ok_and(|text| {
        let text = text.trim_end_matches(['\n', '\r']);
        text.bytes().all(|byte| byte.is_ascii_graphic()) && is_likely_password(text)
    })
}
