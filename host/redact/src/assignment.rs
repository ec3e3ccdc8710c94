//! Values identified by the name before them: in shells, environments, TOML, INI, YAML, properties, JSON, XML and code,
//! as flags and in sentences. Quotes may be escaped to any depth: a value ends with the quote that has as many
//! backslashes as the one it starts with.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::edits::joint;
use crate::letters::is_word;
use crate::names::is_vague;

/// A value assigned to a name.
#[derive(Debug)]
pub(crate) struct Assignment<'a> {
    /// Verbatim, with the words before and after the keyword.
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
    pub(crate) span: Range<usize>,
    pub(crate) form: ValueForm,
}

/// Position of a value relative to its name, which determines how certain it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueForm {
    Quoted,
    /// The rest of the line after the name: YAML, an environment, properties.
    Line,
    /// A part of a connection string, or the text between two tags: never code.
    Part,
    /// A word right after `=`: a command, a URL.
    Tight,
    /// A word after another sign.
    Word,
    /// A word of a sentence, with or without a verb before it.
    Sentence,
    /// The word after `--name`.
    Flag,
    QuotedFlag,
    /// A cell of a table.
    Cell,
}

/// Separator between a name and its value. The groups identify the form.
static SEPARATOR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r#"(?-u)\A(?:"#,
        // `="`, `": "`, `\": \"`, `: String = "`, ` => '`, `'] = `
        r#"(\\*["'`]?[\])]?\s{0,12}(?::\s{0,2}&?(?:'static )?[A-Za-z]{2,12}\s{0,2}=|=>|:=|==?=?|:|=|\?=|!=)(?:\s|\\+[nrt]){0,16})"#,
        // `<password>`
        r#"|(>)"#,
        // `name: X, value: `
        r#"|(\\*["'`]?,?(?:\s|\\+[nrt]){0,24}(?:-\s)?\\*["'`]?(?i:value)\\*["'`]?\s{0,2}[:=]\s{0,4})"#,
        // `variable "x" { default = `
        r#"|(\\*["']\s{0,2}\{[^{}]{0,160}?default\s{0,4}=\s{0,4})"#,
        // `the password is `, `the password for x is `, `the password of x: `
        r#"|((?:\s[^.\n\\=:;!?"'`]{1,60}?)?\s(?:is|was|be|ist|lautet|es|est|é|è|era|jest|är|это|は|to)(?:\s(?:set\sto|now|still|just|currently))?:?\s{1,2}|\s[^.\n\\=:;!?"'`]{1,60}?:\s{1,2})"#,
        // `define('NAME', `, `"--name", `
        r#"|(\\*["'`]\s{0,2},(?:\s|\\+[nrt]){0,40})"#,
        // The value is in quotes: `";s:14:`, `, <<`, `PASSWORD(`, `X') | default(`, `X || `
        r#"|(\\*["'];s:\d{1,4}:|,\s{0,4}<<|\(\s{0,2}|\\*["']\)?\]?\)?\s{0,2}(?:\|\|?|\?\?|or)\s{0,2}(?:default\(\s?)?|\s{0,2}(?:\|\||\?\?)\s{0,2})"#,
        // `<key>X</key><string>`
        r#"|(</(?i:key|name)>(?:\s|\\+[nrt]){0,24}<(?i:string|value)>)"#,
        // `--name `, and the type number of a router's hash: `password 7 `
        r#"|((?:\s|\\+[nt]){1,3}(?:[05789]\s{1,2})?)"#,
        r#")"#,
    ))
    .expect("the tests compile it")
});

impl<'a> Assignment<'a> {
    /// A cell of a table below or next to a name.
    pub(crate) fn cell(name: &'a str, value: &'a str) -> Self {
        Self {
            name,
            value,
            span: 0..0,
            form: ValueForm::Cell,
        }
    }

    /// Reads what is assigned to the name at `name`.
    pub(crate) fn at(text: &'a str, name: &Range<usize>) -> Option<Self> {
        let bytes = text.as_bytes();
        let (start, end) = (name.start, name.end);
        let name = text.get(name.clone())?;
        // After a vague name and a space, the next word is not a value.
        let next = bytes[end..].iter().take(13).find(|byte| **byte != b' ');
        if is_vague(name) && bytes[end] == b' ' && !matches!(next, Some(b'=' | b':' | b'?')) {
            return None;
        }
        let captures = SEPARATOR.captures(&bytes[end..])?;
        let way = captures.iter().skip(1).position(|group| group.is_some())?;
        let separator = text.get(end..end + captures.get(0)?.end())?;
        let is_flag = name.starts_with('-');
        let before = &bytes[..start];
        match way {
            1 if !before.ends_with(b"<") => return None,
            5 if !is_flag && !calls(before) => return None,
            4 | 6 | 8 if !is_flag && is_vague(name) => return None,
            _ => {}
        }
        let mut from = end + separator.len();
        if let Some(span) = changed(text, from) {
            return Self::new(text, name, span, ValueForm::Line);
        }
        // Erlang's byte strings.
        from += 2 * usize::from(text[from..].starts_with("<<\""));
        let is_tight = separator == "=" && way == 0;
        if let Some(span) = quoted(text, from) {
            let form = match is_flag {
                true => ValueForm::QuotedFlag,
                false => ValueForm::Quoted,
            };
            return Self::new(text, name, span, form);
        }
        if way == 6 {
            return None;
        }
        // An unquoted value is on the line of its name, or alone on the next.
        if way == 0
            && let Some(span) = next_line(text, end, from)
        {
            return Self::new(text, name, span, ValueForm::Sentence);
        }
        // A router's hash.
        if way == 8 && separator.trim().len() == 1 {
            let length = unquoted(&bytes[from..], Reach::Line);
            let is_hash = length >= 8
                && text[from..from + length]
                    .bytes()
                    .any(|it| it.is_ascii_digit());
            return is_hash.then(|| Self::new(text, name, from..from + length, ValueForm::Line))?;
        }
        let breaks = separator.contains(['\n', '\r'])
            || separator.contains("\\n")
            || separator.contains("\\r");
        if breaks && !matches!(way, 2 | 7) {
            return None;
        }
        // A call is not a value.
        let word = unquoted(&bytes[from..], Reach::Word);
        if bytes.get(from + word) == Some(&b'(') && text[from..from + word].bytes().all(is_word) {
            return None;
        }
        let is_line = (way == 2) || (way == 0 && starts_line(before, true) && !is_flag);
        if is_line && let Some(groups) = four_groups(&bytes[from..]) {
            return Self::new(text, name, from..from + groups, ValueForm::Line);
        }
        let length = unquoted(&bytes[from..], Reach::Line);
        if is_line && ends_line(&bytes[from + length..]) {
            let value = text.get(from..from + length)?.trim_end_matches([',', ';']);
            return Self::new(text, name, from..from + value.len(), ValueForm::Line);
        }
        let is_part = is_tight && before.trim_ascii_end().ends_with(b";");
        let length = unquoted(
            &bytes[from..],
            match way {
                1 | 7 => Reach::Tag,
                _ if is_part => Reach::Part,
                _ => Reach::Word,
            },
        );
        let form = match way {
            _ if is_flag => ValueForm::Flag,
            1 | 7 => ValueForm::Part,
            _ if is_part => ValueForm::Part,
            4 | 8 => ValueForm::Sentence,
            _ if is_tight => ValueForm::Tight,
            _ => ValueForm::Word,
        };
        Self::new(text, name, from..from + length, form)
    }

    fn new(text: &'a str, name: &'a str, span: Range<usize>, form: ValueForm) -> Option<Self> {
        let value = text.get(span.clone())?;
        (!value.is_empty()).then_some(Self {
            name,
            value,
            span,
            form,
        })
    }
}

/// Returns the name that contains a keyword, if a value may be assigned to it there.
pub(crate) fn named(text: &str, keyword: Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let signs = text[keyword.clone()].bytes().rev();
    let signs = signs.take_while(|it| !it.is_ascii_alphanumeric() && it.is_ascii());
    let keyword = keyword.start..keyword.end - signs.count();
    let rest = text[keyword.end..].chars().take(40);
    let rest = rest.take_while(|it| it.is_alphanumeric() || matches!(it, '_' | '-'));
    let end = keyword.end + rest.map(char::len_utf8).sum::<usize>();
    let after = *bytes.get(end)?;
    (b"\\\"'`]) \t\r\n:=,>?!|;(<*".contains(&after)).then(|| name_start(text, keyword.start)..end)
}

/// Reports whether only a number follows: token counts occur in every session.
pub(crate) fn is_number(bytes: &[u8]) -> bool {
    let signs = bytes.iter().take(24);
    let signs = signs.take_while(|byte| b"\\\"':= ".contains(byte)).count();
    let digits = bytes[signs..].iter().take(12);
    let digits = digits.take_while(|byte| byte.is_ascii_digit()).count();
    // A router writes the type of the hash before it.
    let rest = bytes.get(signs + digits + 1..).unwrap_or_default();
    let is_kind = digits == 1
        && bytes.get(signs + digits) == Some(&b' ')
        && rest
            .iter()
            .take(8)
            .filter(|it| it.is_ascii_graphic())
            .count()
            == 8
        && rest.iter().take(8).any(u8::is_ascii_digit);
    !is_kind
        && signs > 0
        && digits > 0
        && matches!(
            bytes.get(signs + digits),
            Some(b',' | b'}' | b' ' | b'\n') | None
        )
        && !bytes[..signs].ends_with(b"\"")
}

/// Returns the start of the name that contains a keyword.
fn name_start(text: &str, keyword: usize) -> usize {
    let bytes = text.as_bytes();
    let length: usize = text[..keyword]
        .chars()
        .rev()
        .take(48)
        .take_while(|it| it.is_alphanumeric() || matches!(it, '_' | '-' | '.'))
        .map(char::len_utf8)
        .sum();
    let start = keyword - length;
    // The letter of `
    // ` is not part of a name.
    let escaped =
        length > 0 && start > 0 && bytes[start - 1] == b'\\' && bytes[start].is_ascii_alphabetic();
    start + usize::from(escaped)
}

/// Reports whether the name is an argument of a call that sets it: `define('X', `, `setenv("X", `.
fn calls(before: &[u8]) -> bool {
    let end = before.iter().rev().take(10);
    let signs = end
        .take_while(|byte| matches!(byte, b'\\' | b'"' | b'\'' | b'`' | b' ' | b'('))
        .count();
    let before = &before[..before.len() - signs];
    [
        "define",
        "setenv",
        "putenv",
        "put",
        "set",
        "setproperty",
        "header",
        "append",
        "environ",
        "config",
        "env",
        "get",
        "fetch",
        "default",
    ]
    .iter()
    .any(|call| {
        before.len() >= call.len()
            && before[before.len() - call.len()..].eq_ignore_ascii_case(call.as_bytes())
    })
}

/// Reports whether a name starts its line, apart from prefixes that settings files allow.
fn starts_line(before: &[u8], commands: bool) -> bool {
    let mut rest = before;
    for _ in 0..48 {
        match rest {
            [] | [.., b'\n' | b'\r'] => return true,
            // A line number.
            [.., b'n' | b'r'] if rest.len() >= 2 && rest[rest.len() - 2] == b'\\' => return true,
            [
                ..,
                b' ' | b'\t' | b'-' | b'+' | b'>' | b'#' | b'"' | b'\'' | b'`' | b'.',
            ] => {
                rest = &rest[..rest.len() - 1];
            }
            [.., b'\\', b't'] => rest = &rest[..rest.len() - 2],
            [head @ .., 0xe2, 0x86, 0x92] => rest = head,
            [head @ .., digit] if digit.is_ascii_digit() => rest = head,
            [head @ .., b'\\'] => rest = head,
            _ => break,
        }
    }
    let words: [&[u8]; 8] = [
        b"export",
        b"set",
        b"ENV",
        b"ARG",
        b"local",
        b"setx",
        b"declare -x",
        b"Environment=",
    ];
    let mut heads = words.iter().filter_map(|word| rest.strip_suffix(*word));
    commands && heads.any(|head| starts_line(head, false))
}

/// Reports whether a line ends here, apart from space and a comment.
fn ends_line(after: &[u8]) -> bool {
    let space = after
        .iter()
        .take(8)
        .take_while(|it| matches!(it, b' ' | b'\t'));
    let space = space.count();
    match &after[space..] {
        [] | [b'\n' | b'\r' | b'\\' | b'"', ..] => true,
        [b'#', ..] => space > 0,
        _ => false,
    }
}

/// Returns the length of four groups of four letters, if a line consists of them.
fn four_groups(bytes: &[u8]) -> Option<usize> {
    let groups = bytes.get(..19)?;
    let fits = |(at, byte): (usize, &u8)| match at % 5 {
        4 => *byte == b' ',
        _ => byte.is_ascii_lowercase(),
    };
    (groups.iter().enumerate().all(fits) && ends_line(&bytes[19..])).then_some(19)
}

/// Returns the old value, or else the new one, in a word diff: `[-old-]{+new+}`.
fn changed(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = &text[from..text.floor_char_boundary((from + 512).min(text.len()))];
    let inner = |open: usize, close: &str| {
        let length = rest[open..].find(close)?;
        let value = &rest[open..open + length];
        let is_one = !value.is_empty() && !value.contains(char::is_whitespace);
        (is_one && !value.contains("[redacted")).then_some(from + open..from + open + length)
    };
    if !rest.starts_with("[-") && !rest.starts_with("{+") {
        return None;
    }
    let old = rest.starts_with("[-").then(|| inner(2, "-]")).flatten();
    old.or_else(|| inner(rest.find("{+")? + 2, "+}"))
}

/// Returns the value on the line after a name and a colon, if it is alone there.
fn next_line(text: &str, name: usize, from: usize) -> Option<Range<usize>> {
    let separator = &text[name..from];
    let breaks = separator.matches('\n').count() + separator.matches("\\n").count();
    let is_label = separator
        .trim_start_matches(['"', '*', '`'])
        .starts_with(':');
    if breaks != 1 || !is_label || separator.contains('"') {
        return None;
    }
    let bytes = text.as_bytes();
    let length = unquoted(&bytes[from..], Reach::Line);
    (length >= 8 && ends_line(&bytes[from + length..])).then_some(from..from + length)
}

/// End of an unquoted value.
#[derive(Clone, Copy)]
enum Reach {
    /// To the next space.
    Line,
    /// To the next part of a connection string.
    Part,
    /// To the next tag.
    Tag,
    /// To any character that ends a word of code or of a command.
    Word,
}

fn unquoted(bytes: &[u8], reach: Reach) -> usize {
    let ends: &[u8] = match reach {
        Reach::Line => b"\\\"",
        Reach::Part => b"\\\"';",
        Reach::Tag => b"\\\"<",
        Reach::Word => b"\\\"'`,;&<>()[]{}|",
    };
    bytes
        .iter()
        .take(1000)
        .take_while(|byte| (byte.is_ascii_graphic() && !ends.contains(byte)) || !byte.is_ascii())
        .count()
}

/// Returns the text between the quote at `from` and its closing quote.
fn quoted(text: &str, from: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    // `b"`, `$'`, `@"`
    let prefix = usize::from(matches!(
        bytes.get(from)?,
        b'b' | b'r' | b'u' | b'f' | b'$' | b'@' | b'L' | b'N'
    ));
    let at = from + prefix;
    let depth = bytes[at..]
        .iter()
        .take(32)
        .take_while(|it| **it == b'\\')
        .count();
    let quote = *bytes.get(at + depth)?;
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let start = at + depth + 1;
    let mut index = start;
    let limit = (start + 1000).min(bytes.len());
    while index < limit {
        match bytes[index] {
            b'\\' => {
                let count = bytes[index..].iter().take_while(|it| **it == b'\\').count();
                if count <= depth && bytes.get(index + count) == Some(&quote) {
                    match joint(bytes, index + count).or_else(|| requoted(bytes, index + count)) {
                        Some(end) => index = end,
                        None => return Some(start..index),
                    }
                } else {
                    index += count + 1;
                }
            }
            b'\n' | b'\r' => return None,
            byte if byte == quote => match joint(bytes, index).or_else(|| requoted(bytes, index)) {
                Some(end) => index = end,
                None => return Some(start..index),
            },
            _ => index += 1,
        }
    }
    None
}

/// Returns the offset at which a shell text continues after the quote at `at`, if a quote is part of it: `'it'"'"'s'`,
/// `'it'\\''s'`.
fn requoted(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes[at] != b'\'' {
        return None;
    }
    let forms: [&[u8]; 4] = [b"'\"'\"'", b"'\\\"'\\\"'", b"'\\''", b"'\\\\''"];
    let form = forms.iter().find(|form| bytes[at..].starts_with(form))?;
    Some(at + form.len())
}
