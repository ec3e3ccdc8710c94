//! Secrets identified by the name before them: decides whether a value assigned to such a name is a secret. Weak
//! passwords are accepted by their position.

use std::ops::Range;

use crate::assignment::{Assignment, ValueForm, is_number, named};
use crate::extent::{Expansion, expansion};
use crate::judge::{
    is_code, is_default, is_groups, is_named_thing, is_phrase, is_placeholder, is_strong,
    is_variable, is_word_password, mixes_case,
};
use crate::letters::{alternates, entropy, is_uuid};
use crate::names::{
    is_ambiguous_password_name, is_public, is_unqualified, may_name_public_random, names_password,
    names_secret_property,
};
use crate::password::{
    is_clear_password, is_foreign_password, is_likely_password, is_literal, is_passphrase,
    is_scrambled, reads_as_words,
};
use crate::value::Likeness;
use crate::view::RangeSink;
use crate::vocabulary::{is_label, starts_word};
use crate::{nearby, pieces, tables};

/// Finds passwords, which may be weak: assigned to a name, in a table, or near the name.
pub(crate) fn passwords(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let keyword = keyword.start + usize::from(text[keyword.clone()].starts_with(' '))..keyword.end;
    let Some(name) = named(text, keyword) else {
        return;
    };
    let named = &text[name.clone()];
    if is_number(&text.as_bytes()[name.end..])
        || !names_password(named)
        || names_secret_property(named)
    {
        return;
    }
    if assigned_password(text, &name, found) || is_verb(named) {
        return;
    }
    pieces::joined(text, name.end, &is_clear_password, found);
    nearby::after(text, name.end, &nearby::PASSWORD, found);
    nearby::before(text, name.start, found);
}

/// Finds passwords by a word of another language, also in scripts where a name has no end.
pub(crate) fn foreign_passwords(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    if !starts_word(text, keyword.start, &text[keyword.clone()]) {
        return;
    }
    let rest = text[keyword.end..].chars();
    let rest = rest
        .take(24)
        .take_while(|it| it.is_alphabetic() && (*it as u32) < 0xe00);
    let end = keyword.end + rest.map(char::len_utf8).sum::<usize>();
    // A word is not part of a random one.
    if text[keyword.clone()].is_ascii() && text[end..].starts_with(|it: char| it.is_ascii_digit()) {
        return;
    }
    if let Some(name) = named(text, keyword.clone()).filter(|name| name.end <= end)
        && (names_secret_property(&text[name.clone()]) || assigned_password(text, &name, found))
    {
        return;
    }
    nearby::after(text, end, &nearby::PASSWORD, found);
    nearby::before(text, keyword.start, found);
}

/// Finds the random value near a word for a key or a token of another language.
pub(crate) fn foreign_keys(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    if starts_word(text, keyword.start, &text[keyword.clone()]) {
        let rest = text[keyword.end..].chars().take(24);
        let rest = rest.take_while(|it| it.is_alphabetic() && (*it as u32) < 0xe00);
        let end = keyword.end + rest.map(char::len_utf8).sum::<usize>();
        nearby::after(text, end, &nearby::KEY, found);
    }
}

/// Reports whether a name is the outcome of a test, a directory, or a verb: `PASS`, `PWD`, `pass_through`.
fn is_verb(name: &str) -> bool {
    name.eq_ignore_ascii_case("pass")
        || name == "PWD"
        || name
            .get(..5)
            .is_some_and(|it| it.eq_ignore_ascii_case("pass_"))
}

/// Finds a password that is assigned to a name, and the one that replaces it.
fn assigned_password(text: &str, name: &Range<usize>, found: RangeSink<'_>) -> bool {
    let named = &text[name.clone()];
    if let Some(expansion) = expansion(text, name) {
        default_of(text, name, expansion, &password_like, found);
        return true;
    }
    let assignment = Assignment::at(text, name);
    if let Some(assignment) =
        assignment.filter(|it| it.form != ValueForm::Sentence || password_like(it))
    {
        if is_ambiguous_password_name(named) && !is_sure(&assignment) || !password_like(&assignment)
        {
            // The value is something else, and what follows is not its.
            return is_other(&assignment);
        }
        if let Some(next) = assignment.replacement(text)
            && password_like(&next)
        {
            found(next.span);
        }
        found(assignment.span);
        return true;
    }
    let mut is_found = false;
    if !is_ambiguous_password_name(named) {
        tables::values(
            text,
            name,
            &|value| password_like(&Assignment::cell(named, value)),
            &mut |span| {
                is_found = true;
                found(span);
            },
        );
    }
    is_found
}

/// Finds the default of a name in an expansion: a plain word is none, and neither is a message.
fn default_of(
    text: &str,
    name: &Range<usize>,
    expansion: Expansion,
    is_secret: &dyn Fn(&Assignment<'_>) -> bool,
    found: RangeSink<'_>,
) {
    if let Expansion::Default(span) = expansion
        && let Some(assignment) = Assignment::default(text, name, span)
        && is_secret(&assignment)
    {
        found(assignment.span);
    }
}

/// Finds keys, tokens and other secrets, which are random.
pub(crate) fn secrets(text: &str, keyword: Range<usize>, found: &mut dyn FnMut(Range<usize>)) {
    let Some(name) = named(text, keyword.clone()) else {
        return;
    };
    let named = &text[name.clone()];
    let is_number = is_number(&text.as_bytes()[name.end..]);
    if is_number && !is_key(named) || is_public(named) || names_secret_property(named) {
        return;
    }
    if let Some(expansion) = expansion(text, &name) {
        return default_of(text, &name, expansion, &secret_like, found);
    }
    if is_key(named) {
        pieces::bytes(text, name.end, found);
        if is_number {
            return;
        }
    }
    if is_unqualified(&text[..name.end], named) {
        return;
    }
    match Assignment::at(text, &name) {
        Some(assignment) if secret_like(&assignment) => {
            if let Some(next) = assignment.replacement(text)
                && secret_like(&next)
            {
                found(next.span);
            }
            found(assignment.span);
        }
        assignment => {
            let is_value = |value: &str| secret_like(&Assignment::cell(named, value));
            tables::values(text, &name, &is_value, found);
            if !assignment.is_some_and(|it| is_other(&it)) {
                pieces::joined(text, name.end, &is_value, found);
                // `api key`: two words are a sentence.
                if text[keyword].trim_end_matches([' ', '=']).contains(' ') {
                    nearby::after(text, name.end, &nearby::KEY, found);
                }
            }
        }
    }
}

/// Reports whether a name is one of a key, whose bytes may be a list.
fn is_key(name: &str) -> bool {
    let ends_with = |end: &&str| {
        let start = name.len().checked_sub(end.len());
        start.is_some_and(|at| name.as_bytes()[at..].eq_ignore_ascii_case(end.as_bytes()))
    };
    ["key", "secret", "seed", "keypair", "psk"]
        .iter()
        .any(ends_with)
}

/// Finds values of unambiguous names, such as npm's `_authToken`: anything except a variable.
pub(crate) fn certain(text: &str, keyword: Range<usize>, found: &mut dyn FnMut(Range<usize>)) {
    if let Some(name) = named(text, keyword)
        && let Some(assignment) = Assignment::at(text, &name)
        && assignment.value.len() >= 8
        && !is_variable(assignment.value)
        && !is_placeholder(assignment.value)
    {
        found(assignment.span);
    }
}

/// Reports whether an assignment is complete, whatever its value.
fn is_other(assignment: &Assignment<'_>) -> bool {
    use ValueForm::{Flag, Part, Quoted, QuotedFlag, Tight};
    // A sentence may have quotes around something else.
    let is_one = !assignment.value.contains(char::is_whitespace);
    (is_one && matches!(assignment.form, Quoted | Tight | Part | Flag | QuotedFlag))
        || is_variable(assignment.value)
}

/// Reports whether a value of such a name is not a path, a number or another name.
fn is_sure(assignment: &Assignment<'_>) -> bool {
    let value = assignment.value;
    let is_path = value.starts_with(['/', '~', '.', '$']) || value.contains('/');
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    !is_path
        && has_letter
        && (has_digit
            || matches!(
                assignment.form,
                ValueForm::Quoted | ValueForm::Tight | ValueForm::Part
            ))
        && (!value.contains('_') || alternates(value))
}

/// Reports whether a value assigned to a password's name is one.
fn password_like(assignment: &Assignment<'_>) -> bool {
    let value = assignment.value;
    if value.len() < 4
        || is_variable(value)
        || is_placeholder(value)
        || is_default(value)
        || is_label(value)
        || is_literal(value)
    {
        return false;
    }
    let has = |test: fn(&u8) -> bool| value.as_bytes().iter().any(test);
    let letter = has(u8::is_ascii_alphabetic);
    let digit = has(u8::is_ascii_digit);
    let sign = value
        .bytes()
        .any(|byte| byte.is_ascii_punctuation() && !matches!(byte, b'_' | b'-' | b'.'));
    let mixed = alternates(value) || mixes_case(value);
    if value.contains(char::is_whitespace) {
        return matches!(assignment.form, ValueForm::Quoted | ValueForm::Line)
            && (is_phrase(value) || is_groups(value));
    }
    if is_groups(value) {
        return true;
    }
    let sure = digit || sign || mixed || !value.is_ascii();
    match assignment.form {
        ValueForm::QuotedFlag => !is_code(value) || is_strong(value),
        ValueForm::Flag => {
            !value.starts_with('-') && !is_code(value) && (sure || is_word_password(value))
        }
        ValueForm::Quoted => {
            value.len() >= 6
                && (!is_code(value) || is_strong(value))
                && (sure || is_word_password(value))
        }
        ValueForm::Line => {
            (value.len() >= 6 || (digit && letter))
                && (!is_code(value) || is_strong(value))
                && (sure || is_word_password(value))
        }
        ValueForm::Part => sure || is_word_password(value),
        ValueForm::Tight => {
            value.len() >= 4
                && !is_code(value)
                && (digit || sign || mixed || is_word_password(value))
        }
        ValueForm::Sentence => {
            let word = value.trim_end_matches(['.', ',']);
            is_likely_password(word)
                || is_foreign_password(word)
                || is_passphrase(word)
                || (word.len() >= 15 && is_word_password(word))
        }
        ValueForm::Cell => {
            value.len() >= 6
                && (letter && digit || is_scrambled(value))
                && !value.starts_with('/')
                && !value.ends_with(':')
                && (!is_code(value) || is_strong(value))
        }
        ValueForm::Word => {
            value.len() >= 6 && letter && !is_code(value) && (digit || sign || mixed)
        }
    }
}

/// Reports whether a value assigned to a secret's name is one.
fn secret_like(assignment: &Assignment<'_>) -> bool {
    let value = assignment.value;
    let is_number = value.starts_with("0x") && value.contains('_');
    if value.len() < 12 || value.contains(char::is_whitespace) || is_variable(value) || is_number {
        return false;
    }
    let value = value.strip_prefix("base64:").unwrap_or(value);
    if is_fingerprint(assignment.name, value) {
        return false;
    }
    if assignment.form == ValueForm::Sentence {
        return value.len() >= 24
            && Likeness::Random(3.2).holds(value)
            && !is_code(value)
            && !is_named_thing(value);
    }
    if is_uuid(value) {
        return assignment.form != ValueForm::Sentence && names_uuid(assignment.name);
    }
    let is_short = value.len() < 16;
    if is_short && !matches!(assignment.form, ValueForm::Flag | ValueForm::QuotedFlag) {
        return is_chosen(assignment.name) && is_likely_password(value);
    }
    Likeness::Random(2.8).holds(value) && !is_code(value)
        || is_scramble(value)
        || (value.len() >= 20 && is_scrambled(value) && assignment.form != ValueForm::Cell)
}

/// Finds the key that a sentence gives, whatever kind of key it is: `the REST key is X`. Only a value with letters of
/// both cases and digits, in no order that a name has.
pub(crate) fn told_key(text: &str, keyword: Range<usize>, found: RangeSink<'_>) {
    let before = text[..keyword.start].trim_end_matches([' ', '_', '-']);
    let start = before.bytes().rev().take(24);
    let start = start.take_while(u8::is_ascii_alphanumeric).count();
    let qualifier = &before[before.len() - start..];
    if is_public(qualifier) || names_secret_property(qualifier) || may_name_public_random(qualifier)
    {
        return;
    }
    let rest = &text[keyword.end..];
    let rest = rest.trim_start_matches([' ', ':', '"', '\'', '`', '*', '\\']);
    let from = text.len() - rest.len();
    if from > keyword.end + 8 {
        return;
    }
    let end = rest
        .bytes()
        .take(100)
        .take_while(|it| it.is_ascii_graphic() && !b"\"'`\\<>()[]{}|".contains(it))
        .count();
    let value = rest[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', '*']);
    if is_key_of_sentence(value) && !is_code(value) && !is_named_thing(value) {
        found(from..from + value.len());
    }
}

/// Reports whether a word of a sentence can only be a key: three kinds of characters, mixed.
fn is_key_of_sentence(word: &str) -> bool {
    word.len() >= 16
        && is_strong(word)
        && mixes_case(word)
        && Likeness::Random(3.5).holds(word)
        && !reads_as_words(word)
        && !word.contains(['(', '/', ',', ';', '@'])
        && !word.trim_end_matches('=').contains('=')
}

/// Reports whether a secret of such a name may be chosen by a person.
fn is_chosen(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["secret", "passkey", "authcode"]
        .iter()
        .any(|it| name.ends_with(it))
}

/// Reports whether a value is the fingerprint of a public key: its name says so, and it is all hexadecimal.
fn is_fingerprint(name: &str, value: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let names = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let is_hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_capital = !value.bytes().any(|byte| byte.is_ascii_lowercase());
    is_hex
        && matches!(value.len(), 16 | 32 | 40 | 64)
        && !names(&["secret", "token", "private", "api", "auth", "encrypt"])
        && (names(&["fingerprint", "thumbprint", "fpr"])
            || (is_capital && value.len() == 40 && name == "key")
            || (is_capital && names(&["gpg", "pgp", "signingkey", "signing_key", "signing-key"])))
}

/// Reports whether a name belongs to a secret that may be a UUID.
fn names_uuid(name: &str) -> bool {
    let name = name.to_ascii_lowercase().replace(['-', '.'], "_");
    [
        "token",
        "secret",
        "apikey",
        "api_key",
        "access_key",
        "secret_key",
        "auth_key",
        "license_key",
        "secret_id",
    ]
    .iter()
    .any(|end| name.ends_with(end))
}

/// Reports whether a value is random with punctuation, like keys generated by frameworks.
fn is_scramble(value: &str) -> bool {
    let signs = value.bytes().filter(u8::is_ascii_punctuation).count();
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    value.len() >= 20
        && value.is_ascii()
        && signs >= 3
        && (digits >= 2 || signs >= 6 && mixes_case(value))
        && entropy(value) >= 3.8
        && !is_placeholder(value)
        && !value.contains("://")
        && !value.contains(['(', ')']) | (signs >= 8)
        && alternates(value)
}
