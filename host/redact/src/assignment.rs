//! Values identified by the name before them: in shells, environments, TOML, INI, YAML, properties, JSON, XML and code,
//! as flags and in sentences. Quotes may be escaped to any depth: a value ends with the quote that has as many
//! backslashes as the one it starts with.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::LazyLock;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};

use crate::extent::{
    Reach, changed, ends_line, four_groups, next_line, quoted, starts_line, unquoted,
};
use crate::letters::is_word;
use crate::names::is_ambiguous_password_name;

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

/// Separators between a name and its value, in order of precedence. Their indices identify the form.
const SEPARATORS: [&str; 9] = [
    // `="`, `": "`, `\": \"`, `: String = "`, ` => '`, `'] = `
    r#"(?:\[\d{0,5}\]|\\*["'`]?[\])]?)\s{0,12}(?::\s{0,2}&?(?:'static )?[A-Za-z]{2,12}\s{0,2}=|=>|:=|==?=?|:|=|\?=|!=)\*{0,2}(?:\s|\\+[nrt]){0,16}"#,
    // `<password>`
    r#"\\*["']?(?:\s[A-Za-z:.-]{1,24}=\\*["'][^"'<>\\]{0,40}\\*["']){0,3}\s?>(?:\s{0,12}<(?i:value|string)>)?"#,
    // `name: X, value: `
    r#"\\*["'`]?,?(?:\s|\\+[nrt]){0,24}(?:\\*["'][A-Za-z]{1,16}\\*["']\s?:\s?\\*["'][A-Za-z]{1,24}\\*["'],(?:\s|\\+[nrt]){0,24})?(?:-\s)?\\*["'`]?(?i:(?:parameter|default|option|string|secure|plain|setting)?_?value)\\*["'`]?\s{0,2}[:=]\s{0,4}"#,
    // `variable "x" { default = `
    r#"\\*["']\s{0,2}\{[^{}]{0,160}?default\s{0,4}=\s{0,4}"#,
    // `the password is `, `the password for x is `, `the password of x: `
    r#"(?:\s[^.\n\\=:;!?"'`]{1,60}?)?\s(?:is|was|be|ist|lautet|es|est|é|è|era|jest|är|это|は|to)(?:\s(?:set\sto|now|still|just|currently))?:?\s{1,2}|\s[^.\n\\=:;!?"'`]{1,60}?:\s{1,2}"#,
    // `define('NAME', `, `"--name", `
    r#"\\*["'`]\s{0,2},(?:\s|\\+[nrt]){0,40}"#,
    // The value is in quotes: `";s:14:`, `, <<`, `PASSWORD(`, `X') | default(`, `X || `
    r#"\\*["'];s:\d{1,4}:|,\s{0,4}<<|\(\s{0,2}|\\*["']\)?\]?\)?\s{0,2}(?:\|\|?|\?\?|or)\s{0,2}(?:default\(\s?)?|\s{0,2}(?:\|\||\?\?)\s{0,2}"#,
    // `<key>X</key><string>`
    r"</(?i:key|name)>(?:\s|\\+[nrt]){0,24}<(?i:string|value)>",
    // `--name `, and the type number of a router's hash: `password 7 `
    r"(?:\s|\\+[nt]){1,3}(?:[05789]\s{1,2})?",
];

/// All of [`SEPARATORS`]. A name occurs often, and captures would take a second and slower pass.
static SEPARATOR: LazyLock<DFA> = LazyLock::new(|| {
    DFA::builder()
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .thompson(thompson::Config::new().utf8(false))
        .build_many(&SEPARATORS)
        .expect("the tests compile them")
});

thread_local! {
    static CACHE: RefCell<Cache> = RefCell::new(SEPARATOR.create_cache());
}

/// Returns the form and the length of the separator at the start of a text.
fn separator(bytes: &[u8]) -> Option<(usize, usize)> {
    let stars = bytes.iter().take(2).take_while(|it| **it == b'*').count();
    let input = Input::new(&bytes[stars..]).anchored(Anchored::Yes);
    CACHE.with_borrow_mut(|cache| {
        // Fails only where a cache is given up, which is not configured.
        let found = SEPARATOR.try_search_fwd(cache, &input).ok().flatten()?;
        Some((found.pattern().as_usize(), stars + found.offset()))
    })
}

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

    /// The default of a name within an expansion of a shell, as a word of code.
    pub(crate) fn default(text: &'a str, name: &Range<usize>, value: Range<usize>) -> Option<Self> {
        Self::new(text, text.get(name.clone())?, value, ValueForm::Word)
    }

    /// Reads what is assigned to the name at `name`.
    pub(crate) fn at(text: &'a str, name: &Range<usize>) -> Option<Self> {
        let bytes = text.as_bytes();
        let (start, end) = (name.start, name.end);
        let name = text.get(name.clone())?;
        // After a vague name and a space, the next word is not a value.
        let next = bytes[end..].iter().take(13).find(|byte| **byte != b' ');
        if is_ambiguous_password_name(name)
            && bytes[end] == b' '
            && !matches!(next, Some(b'=' | b':' | b'?'))
        {
            return None;
        }
        let (way, length) = separator(&bytes[end..])?;
        let separator = text.get(end..end + length)?;
        let is_flag = name.starts_with('-');
        let before = &bytes[..start];
        match way {
            1 if !in_tag(before) => return None,
            5 if !is_flag && !calls(before) => return None,
            4 | 6 | 8 if !is_flag && is_ambiguous_password_name(name) => return None,
            _ => {}
        }
        let mut from = end + separator.len();
        // A path of code: `Password::new`.
        if separator == ":" && bytes.get(from) == Some(&b':') {
            return None;
        }
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

    /// Returns the value that replaces this one: `"old" -> "new"`.
    pub(crate) fn replacement(&self, text: &'a str) -> Option<Self> {
        let end = text.floor_char_boundary((self.span.end + 24).min(text.len()));
        let rest = text[self.span.end..end].trim_start_matches(['\\', '"', '\'', '`', ' ']);
        let next = ["->", "=>", "→", "~>", "⇒"]
            .iter()
            .find_map(|it| rest.strip_prefix(it))?;
        let from = end - next.trim_start_matches(' ').len();
        if let Some(span) = quoted(text, from) {
            return Self::new(text, self.name, span, self.form);
        }
        let length = unquoted(&text.as_bytes()[from..], Reach::Line);
        Self::new(text, self.name, from..from + length, self.form)
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
    let is_end = b"\\\"'`]) \t\r\n:=,>?!|;(<*".contains(&after) || is_array(&bytes[end..]);
    is_end.then(|| name_start(text, keyword.start)..end)
}

/// Reports whether an array is declared and assigned here: `[] =`, `[32] =`.
fn is_array(bytes: &[u8]) -> bool {
    let Some(size) = bytes.strip_prefix(b"[") else {
        return false;
    };
    let digits = size.iter().take(5).take_while(|it| it.is_ascii_digit());
    let digits = digits.count();
    size[digits..].starts_with(b"] =") || size[digits..].starts_with(b"]=")
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

/// Reports whether a tag is open before a name.
fn in_tag(before: &[u8]) -> bool {
    let near = &before[before.len().saturating_sub(80)..];
    let open = memchr::memrchr2(b'<', b'>', near);
    open.is_some_and(|at| {
        let tag = &near[at..];
        let names = [b"name=", b"Name=", b" key="];
        tag[0] == b'<'
            && (tag.len() <= 2
                || names
                    .iter()
                    .any(|it| memchr::memmem::find(tag, *it).is_some()))
    })
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
