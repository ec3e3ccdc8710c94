//! YAML scalars on one line. Every YAML 1.2 parser reads a string back unchanged, and 1.1 parsers read it as a string
//! too: it is plain if that is safe, else in double quotes.

use std::fmt::Write;

use acreta_text::is_hidden;

/// Renders a string as a scalar, valid as a value and inside a flow list.
pub(crate) fn string(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        push_escaped(&mut quoted, character);
    }
    quoted.push('"');
    quoted
}

/// `[one, two]`
pub(crate) fn list(items: &[String]) -> String {
    let items: Vec<String> = items.iter().map(|item| string(item)).collect();
    format!("[{}]", items.join(", "))
}

/// Renders a number from 0 to 1 with one or two decimals; NaN is 0.
pub(crate) fn share(number: f32) -> String {
    // Not `clamp`, which keeps a negative zero.
    let number = if number > 0.0 { number.min(1.0) } else { 0.0 };
    let text = format!("{number:.2}");
    match text.strip_suffix('0') {
        Some(shorter) => shorter.to_owned(),
        None => text,
    }
}

/// Words that some parser reads as a boolean, null, or a number.
const RESERVED: &[&str] = &[
    "false", "inf", "infinity", "n", "nan", "no", "null", "off", "on", "true", "y", "yes",
];

fn is_plain(text: &str) -> bool {
    let Some(first) = text.chars().next() else {
        return false;
    };
    let starts_well = if first.is_ascii_digit() {
        is_never_a_number(text)
    } else {
        first.is_alphabetic()
    };
    starts_well
        && !text.ends_with(' ')
        && text.chars().all(is_plain_character)
        && !RESERVED.contains(&text.to_lowercase().as_str())
}

/// Reports whether a text has only letters and digits, among them a letter that occurs in no number of any base and in
/// no date.
fn is_never_a_number(text: &str) -> bool {
    let is_telling = |character: char| matches!(character.to_ascii_lowercase(), 'g'..='n' | 'p'..='s' | 'u'..='w');
    text.chars()
        .all(|character| character.is_ascii_alphanumeric())
        && text.chars().any(is_telling)
}

/// Not `?`, which older parsers take for an indicator inside a flow list.
fn is_plain_character(character: char) -> bool {
    character.is_alphanumeric() || " !$%&'()*+-./;<=>@^_`|~".contains(character)
}

fn push_escaped(quoted: &mut String, character: char) {
    match character {
        '"' => quoted.push_str("\\\""),
        '\\' => quoted.push_str("\\\\"),
        '\n' => quoted.push_str("\\n"),
        '\r' => quoted.push_str("\\r"),
        '\t' => quoted.push_str("\\t"),
        other if !is_printable(other) => {
            let code = u32::from(other);
            let written = if code <= 0xffff {
                write!(quoted, "\\u{code:04x}")
            } else {
                write!(quoted, "\\U{code:08x}")
            };
            debug_assert!(written.is_ok(), "a string takes everything");
        }
        other => quoted.push(other),
    }
}

/// Reports whether a character needs no escape: visible, allowed by YAML, not a line break.
fn is_printable(character: char) -> bool {
    let is_break = matches!(character, '\u{85}' | '\u{2028}' | '\u{2029}');
    let is_no_character = u32::from(character) & 0xfffe == 0xfffe;
    let is_odd_space = character != ' ' && character.is_whitespace();
    !(is_break || is_no_character || is_odd_space || is_hidden(character))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn read(yaml: &str) -> Value {
        serde_saphyr::from_str(yaml).unwrap_or_else(|error| panic!("{yaml}: {error}"))
    }

    #[test]
    fn harmless_strings_are_plain_and_others_quoted() {
        let cases = [
            ("Use SQLite, not Postgres", r#""Use SQLite, not Postgres""#),
            ("Use SQLite not Postgres", "Use SQLite not Postgres"),
            ("Don't panic (ever)", "Don't panic (ever)"),
            ("claude/7f3a-11", "claude/7f3a-11"),
            ("Überraschung in 日本", "Überraschung in 日本"),
            ("01JMHXK2V0Z3N4P5Q6R7S8T9VW", "01JMHXK2V0Z3N4P5Q6R7S8T9VW"),
            (
                "01234567890123456789012E45",
                r#""01234567890123456789012E45""#,
            ),
            ("", r#""""#),
            ("a: b", r#""a: b""#),
            ("a #b", r##""a #b""##),
            ("- a", r#""- a""#),
            ("why?", r#""why?""#),
            ("---", r#""---""#),
            ("yes", r#""yes""#),
            ("No", r#""No""#),
            ("NULL", r#""NULL""#),
            ("1e3", r#""1e3""#),
            ("0x1F", r#""0x1F""#),
            ("0b11", r#""0b11""#),
            ("1_000", r#""1_000""#),
            ("12:30", r#""12:30""#),
            ("2026-02-20", r#""2026-02-20""#),
            (".inf", r#"".inf""#),
            ("~", r#""~""#),
            ("[a]", r#""[a]""#),
            ("{a}", r#""{a}""#),
            ("\"quoted\"", r#""\"quoted\"""#),
            ("back\\slash", r#""back\\slash""#),
            (" padded ", r#"" padded ""#),
            ("tab\there", r#""tab\there""#),
            ("line\nbreak\r\n", r#""line\nbreak\r\n""#),
            ("bell\u{7}", r#""bell\u0007""#),
            ("sep\u{2028}\u{85}", r#""sep\u2028\u0085""#),
            ("bidi\u{202e}", r#""bidi\u202e""#),
            ("tag\u{e0041}", r#""tag\U000e0041""#),
            ("hard\u{a0}space\u{a0}", r#""hard\u00a0space\u00a0""#),
            ("no\u{fffe}", r#""no\ufffe""#),
            ("😀", r#""😀""#),
        ];
        for (text, expected) in cases {
            assert_eq!(string(text), expected);
            assert_eq!(read(&string(text)), json!(text));
        }
    }

    #[test]
    fn shares_have_at_most_two_decimals() {
        let cases = [
            (0.8, "0.8"),
            (0.856, "0.86"),
            (0.999, "1.0"),
            (1.0, "1.0"),
            (0.0, "0.0"),
            (0.05, "0.05"),
            (7.0, "1.0"),
            (-0.0, "0.0"),
            (f32::NAN, "0.0"),
            (f32::INFINITY, "1.0"),
        ];
        for (number, expected) in cases {
            assert_eq!(share(number), expected);
        }
    }

    proptest! {
        #[test]
        fn any_string_is_read_back(text in any::<String>()) {
            prop_assert_eq!(read(&format!("key: {}", string(&text))), json!({ "key": text }));
        }

        #[test]
        fn number_like_strings_stay_strings(text in "[-+.0-9a-fA-FxXoObB_eETZ: ]{1,12}") {
            prop_assert_eq!(read(&format!("key: {}", string(&text))), json!({ "key": text }));
        }

        #[test]
        fn indicators_are_harmless(text in r##"[-a-z?:,\[\]{}#&*!|>'"%@` \t]{0,12}"##) {
            prop_assert_eq!(read(&format!("key: {}", string(&text))), json!({ "key": text }));
        }

        #[test]
        fn any_list_is_read_back(items in proptest::collection::vec(any::<String>(), 0..5)) {
            prop_assert_eq!(read(&format!("key: {}", list(&items))), json!({ "key": items }));
        }
    }
}
