//! Passwords announced by a sentence, in the languages people use with an agent, and those that a sentence says are in
//! base64. The value must look like a password, unlike the words of a sentence.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::blobs::base64;
use crate::judge::{is_foreign_password, is_likely_password, is_named_thing, is_passphrase};
use crate::value::Likeness;
use crate::view::RangeSink;

/// From a word for a password to the value: the rest of the word, a few words, and a verb, a particle or a sign.
static ANNOUNCED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        // Some words and one of the following.
        r#"(?-u)\A[A-Za-z'\x80-\xff]{0,24}?(?:"#,
        r#"(?:(?:[ (]|（)[^\n\\=:;!?"`]{0,72}?|[\x80-\xff]{0,60}?)?(?:"#,
        // Signs, then verbs between spaces, then verbs and particles of languages without spaces.
        r#"\s{0,2}(?:->|=>|(?:[:=]|：|＝|→|—|–)|\s-\s)"#,
        r#"|\s(?:is|ist|lautet|war|wäre|es|est|é|è|era|to|jest|är|er|on|je|este|là|adalah|это|є|olarak|είναι|هي|هو|היא|है|คือ):?\s"#,
        r#"|(?:是|为|為|即|成|成了|到|用的是|は|が|を|는|은|가|이|를|을|คือ|है)"#,
        r#"))"#,
        r#"(?:[\s"'`(]|“|”|„|«|»|「|『|（|＂){0,4}"#,
        r#"((?:[!-~&&[^\\"`'<>]]|[\xc3-\xd6][\x80-\xbf]){6,80})"#,
    ))
    .expect("the tests compile it")
});

/// Finds the value in the sentence around a word for a password.
pub(crate) fn passwords(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let is_password =
        |word: &str| is_likely_password(word) || is_foreign_password(word) || is_passphrase(word);
    announced(text, keyword, is_password).map(found);
}

/// Finds the random value in the sentence around a word for a key or a token.
pub(crate) fn keys(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let is_key =
        |word: &str| word.len() >= 16 && Likeness::Random(3.0).holds(word) && !is_named_thing(word);
    announced(text, keyword, is_key).map(found);
}

/// Finds the word that a sentence announces, if it `is_value`: the next one, or the one after a verb or a sign.
fn announced(
    text: &str,
    keyword: Range<usize>,
    is_value: impl Fn(&str) -> bool,
) -> Option<Range<usize>> {
    let end = text.floor_char_boundary((keyword.end + SENTENCE).min(text.len()));
    let rest = &text[keyword.end..end];
    let value = |from: usize, word: &str| {
        let word = word.trim_end_matches(['.', ',', ';', ':', ')']);
        let start = keyword.end + from;
        is_value(word).then(|| start..start + word.len())
    };
    let name = rest.len() - rest.trim_start_matches(char::is_alphabetic).len();
    let after = rest[name..].trim_start_matches([' ', '\t']);
    let word = after.trim_start_matches(['"', '\'', '`', '“', '„', '«', '(']);
    if after.len() < rest.len() - name {
        let length = word
            .find(|it: char| it.is_whitespace() || it as u32 >= 0x590 || "\\\"`'<>«»".contains(it))
            .unwrap_or(word.len());
        let direct = value(rest.len() - word.len(), &word[..length]);
        if direct.is_some() {
            return direct;
        }
    }
    let captures = ANNOUNCED.captures(rest.as_bytes())?;
    let found = captures.get(1)?.range();
    value(found.start, rest.get(found)?)
}

/// Finds the codes of a list that is announced as recovery codes.
pub(crate) fn codes(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let end = text.floor_char_boundary((keyword.end + 3 * SENTENCE).min(text.len()));
    let is_part = |it: char| it.is_ascii_alphanumeric() || it == '-';
    let mut codes: Vec<Range<usize>> = Vec::new();
    let mut at = keyword.end;
    for piece in text[keyword.end..end].split_inclusive(|it| !is_part(it)) {
        let from = at;
        at += piece.len();
        let word = piece.trim_end_matches(|it| !is_part(it));
        // The letter of `
        // ` is not part of the code.
        let lead = usize::from(text[..from].ends_with('\\') && word.starts_with('n'));
        let word = &word[lead..];
        let digits = word.bytes().filter(u8::is_ascii_digit).count();
        let is_lower = !word.bytes().any(|it| it.is_ascii_uppercase());
        let is_upper = !word.bytes().any(|it| it.is_ascii_lowercase());
        if (8..=24).contains(&word.len())
            && digits >= 2
            && (is_lower || is_upper)
            && !word.starts_with('-')
        {
            codes.push(from + lead..from + lead + word.len());
        }
    }
    // All codes have one length, or they are not codes.
    let alike = codes
        .iter()
        .filter(|code| code.len() == codes[0].len())
        .count();
    if alike >= 4 && alike == codes.len() {
        codes.into_iter().for_each(found);
    }
}

/// Finds passwords in base64 near the word `base64` and a word for a secret.
pub(crate) fn encoded(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let bytes = text.as_bytes();
    let from = text.floor_char_boundary(keyword.start.saturating_sub(SENTENCE));
    let to = text.floor_char_boundary((keyword.end + SENTENCE).min(text.len()));
    let is_digit = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/-_=".contains(byte);
    let mut names_secret = None;
    let mut at = from;
    while at < to {
        let length = bytes[at..to].iter().take_while(|it| is_digit(it)).count();
        // The letter of `
        // ` is not a digit.
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

/// Maximum distance of a sentence from its keyword.
const SENTENCE: usize = 200;

/// Words that mark encoded text as a secret.
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

/// Reports whether base64 digits decode to a password only.
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
