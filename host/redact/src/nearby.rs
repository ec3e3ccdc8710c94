//! Passwords near a word for one, in any language and layout: after a verb or a sign, in quotes, on the next lines, in
//! a cell, before the word. The closer the place ties a value to its name, the weaker the value may be.

use std::ops::Range;

use crate::files::is_content;
use crate::judge::{is_code, is_named_thing};
use crate::letters::is_word;
use crate::password::{is_clear_content, is_clear_password, is_literal, is_told_password};
use crate::value::Likeness;
use crate::view::RangeSink;
use crate::vocabulary::COPULAS;
use crate::work;

/// Maximum distance of a value from its name, in bytes and in words, and the number of lines after the name's.
const REACH: usize = 200;
const WORDS: usize = 14;
const LINES: usize = 3;

/// Looks that a value must have: told by its place, anywhere on the line, alone on a following line.
pub(crate) struct Looks {
    told: fn(&str) -> bool,
    clear: fn(&str) -> bool,
    alone: fn(&str) -> bool,
}

pub(crate) const PASSWORD: Looks = Looks {
    told: is_told_password,
    clear: is_clear_password,
    alone: |word| is_content(word) && is_clear_content(word),
};

/// Keys are random everywhere.
pub(crate) const KEY: Looks = Looks {
    told: |word| word.len() >= 16 && Likeness::Random(3.0).holds(word) && is_clear_key(word),
    clear: |word| word.len() >= 20 && Likeness::Random(3.2).holds(word) && is_clear_key(word),
    alone: |word| word.len() >= 20 && Likeness::Random(3.0).holds(word) && is_clear_key(word),
};

fn is_clear_key(word: &str) -> bool {
    // The fingerprint of a public key.
    if word.len() == 40
        && word
            .bytes()
            .all(|it| matches!(it, b'0'..=b'9' | b'A'..=b'F'))
    {
        return false;
    }
    !is_literal(word)
        && !is_named_thing(word)
        && !is_code(word)
        && is_clear_content(word)
        && !word.contains(['(', '='])
}

/// Finds the value of the name that ends at `from`: the first word that its place and its looks make one, and the next
/// one if an arrow or a preposition leads there.
pub(crate) fn after(text: &str, from: usize, looks: &Looks, found: RangeSink<'_>) {
    let end = text.floor_char_boundary((from + REACH).min(text.len()));
    if is_empty(&text[from..end]) {
        return;
    }
    work::did(end - from);
    let (mut previous, mut label) = ("", "");
    let mut is_changed = false;
    let mut count = 0;
    for word in Words::new(text, from..end) {
        if word.text.starts_with("redacted:") || word.line > LINES {
            return;
        }
        if is_changed && !leads(word.text) && !leads(previous) {
            return;
        }
        if !word.is_value || word.is_sign() {
            previous = word.text;
            count += usize::from(!word.is_sign());
            if !word.is_sign() {
                label = word.text;
            }
            continue;
        }
        if count > WORDS && word.line == 0 {
            previous = word.text;
            continue;
        }
        let is_next = count == 0 && word.line == 0;
        let is_told = word.line == 0
            && (is_next || tells(previous) || (word.is_quoted && count <= 4))
            || is_changed && leads(previous);
        // In a file of JSON lines the next line is another event.
        if word.line > 0 && text[..word.start].ends_with("{\"") {
            return;
        }
        let value = match word.is_code || is_identified(label) {
            true => "",
            false => word.value(),
        };
        let is_value = match word.line {
            _ if is_told => (looks.told)(value),
            0 => (looks.clear)(value),
            _ if word.is_alone => (looks.alone)(value),
            _ => {
                (word.is_quoted || previous.ends_with(':'))
                    && (looks.clear)(value)
                    && is_clear_content(value)
            }
        };
        if is_value {
            let start = word.start + word.text.rfind(value).unwrap_or(0);
            found(start..start + value.len());
            is_changed = true;
        } else if ends_sentence(word.text) && word.line == 0 {
            // Only the next lines may still have the value.
            count = WORDS;
        }
        previous = word.text;
        label = word.text;
        count += 1;
    }
}

/// Reports whether the word before a value is a name of something that is no secret.
fn is_identified(label: &str) -> bool {
    let label = label.trim_end_matches([':', '=']);
    label.len() <= 24
        && !label.contains('/')
        && (label.ends_with("id") || label.ends_with("Id") || label.ends_with("ID"))
}

/// Finds a value before the name that starts at `to`: `X is the password`, `X als Passwort`.
pub(crate) fn before(text: &str, to: usize, found: RangeSink<'_>) {
    let from = text.ceil_char_boundary(to.saturating_sub(REACH / 2));
    let line = text[from..to].rfind('\n').map_or(from, |at| from + at + 1);
    work::did(to - line);
    // The first word may be cut.
    let words: Vec<Word<'_>> = Words::new(text, line..to).collect();
    let between = words.iter().rev().take(4);
    let between = between
        .take_while(|word| LINKS.contains(&word.text))
        .count();
    if let Some(word) = words.len().checked_sub(between + 1).map(|at| &words[at])
        && between > 0
        && word.is_value
        && (words.len() > between + 1 || line == 0 || from != line)
        && is_told_password(word.text)
        && (is_clear_password(word.text) || !word.text.bytes().all(is_word))
    {
        found(word.start..word.start + word.text.len());
    }
}

/// Words between a value and the name after it.
const LINKS: &[&str] = &[
    "is", "as", "the", "its", "my", "our", "your", "this", "was", "ist", "als", "das", "est", "le",
    "la", "comme", "es", "como", "è", "il", "come", "é", "jako", "jest", "je", "som", "är", "er",
    "on", "olarak", "как", "это", "—", "-",
];

/// Reports whether a name has an empty value: `""`, or the end of the line after `=`.
fn is_empty(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['"', '\'', '`', '\\', ' ']);
    let Some(value) = rest.strip_prefix([':', '=']) else {
        return false;
    };
    let inner = value.trim_start_matches(['\\', ' ']);
    let is_assigned = rest.starts_with('=');
    (is_assigned
        && (value.is_empty() || value.starts_with(['\n', '\r']) || value.starts_with("\\n")))
        || inner.starts_with("\"\"")
        || inner.starts_with("''")
        || inner.starts_with("\"\\\"")
        || value.starts_with(':')
}

/// Reports whether the word before a value says that it is one.
fn tells(previous: &str) -> bool {
    previous.ends_with([':', '：', '＝', '→'])
        || COPULAS.contains(&previous)
        || PARTICLES.iter().any(|it| previous.ends_with(it))
}

/// Ends of words before a value, in languages without spaces or with endings.
const PARTICLES: &[&str] = &[
    "是",
    "为",
    "為",
    "即",
    "成",
    "成了",
    "到",
    "用",
    "は",
    "が",
    "を",
    "는",
    "은",
    "가",
    "이",
    "를",
    "을",
    "คือ",
    "เป็น",
];

/// Reports whether a word leads from an old value to the new one.
fn leads(word: &str) -> bool {
    const WAYS: &[&str] = &[
        "->", "=>", "→", "~>", "⇒", "to", "into", "auf", "zu", "in", "à", "en", "a", "para", "na",
        "naar", "till", "til", "на", "into:", "|", "改为", "から",
    ];
    WAYS.contains(&word)
}

fn ends_sentence(word: &str) -> bool {
    word.ends_with('.') && word.len() > 3
}

/// A word of a text, or the text between two quotes without space.
#[derive(Debug)]
pub(crate) struct Word<'a> {
    pub(crate) text: &'a str,
    pub(crate) start: usize,
    /// Number of line breaks before it; empty lines count as one.
    line: usize,
    /// Characters that a password may have.
    pub(crate) is_value: bool,
    /// Right between quotes.
    is_quoted: bool,
    /// Alone on its line.
    is_alone: bool,
    /// Called, or a path of code.
    pub(crate) is_code: bool,
}

impl<'a> Word<'a> {
    fn is_sign(&self) -> bool {
        !self.text.contains(char::is_alphanumeric)
    }

    /// Returns the word without the signs of the sentence, and without a name before a colon.
    fn value(&self) -> &'a str {
        let word = self
            .text
            .trim_start_matches([':', '=', ',', ';', '>', '：']);
        let inner = word.trim_end_matches(['.', ',', ';', ':', '，', '。']);
        // `root:X`
        if let Some((name, value)) = inner.split_once(':')
            && (self.line > 0 || value.len() >= 8)
            && !name.is_empty()
            && name.len() <= 24
            && !value.contains("//")
            && name
                .bytes()
                .all(|it| it.is_ascii_alphanumeric() || b"_.-".contains(&it))
        {
            return value;
        }
        inner
    }
}

/// The words of a part of a text.
pub(crate) struct Words<'a> {
    text: &'a str,
    at: usize,
    end: usize,
    line: usize,
}

impl<'a> Words<'a> {
    pub(crate) fn new(text: &'a str, span: Range<usize>) -> Self {
        Self {
            text,
            at: span.start,
            end: span.end,
            line: 0,
        }
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        let mut is_quoted = false;
        let mut breaks = 0;
        loop {
            let rest = &self.text[self.at..self.end];
            let gap = gap(rest)?;
            match gap {
                Gap::None => break,
                Gap::Break(length) => {
                    breaks = 1;
                    self.at += length;
                    is_quoted = false;
                }
                Gap::Quote(length) => {
                    self.at += length;
                    is_quoted = true;
                }
                Gap::Space(length) => {
                    self.at += length;
                    is_quoted = false;
                }
            }
        }
        self.line += breaks;
        let rest = &self.text[self.at..self.end];
        let is_value = rest.chars().next().is_some_and(is_part);
        let length = rest
            .char_indices()
            .find(|(at, it)| {
                is_part(*it) != is_value || !matches!(gap(&rest[*at..]), Some(Gap::None))
            })
            .map_or(rest.len(), |(at, _)| at);
        let start = self.at;
        self.at += length;
        let next = gap(&self.text[self.at..self.end]);
        let is_cut = self.at == self.end && self.end < self.text.len();
        let rest = &self.text[self.at..self.end];
        Some(Word {
            is_code: rest.starts_with('(') || self.text[start..self.at].contains("::"),
            text: &self.text[start..self.at],
            start,
            line: self.line,
            is_value: is_value && !is_cut,
            is_quoted: is_quoted && closes(rest),
            is_alone: breaks > 0
                && !is_quoted
                && matches!(next, None | Some(Gap::Break(_) | Gap::Quote(_))),
        })
    }
}

/// Reports whether a quote follows, also after a line break within a literal.
fn closes(rest: &str) -> bool {
    match gap(rest) {
        Some(Gap::Quote(_)) => true,
        Some(Gap::Break(length)) if rest.starts_with('\\') => {
            matches!(gap(&rest[length..]), Some(Gap::Quote(_)))
        }
        _ => false,
    }
}

/// Text between words.
enum Gap {
    None,
    Space(usize),
    Quote(usize),
    Break(usize),
}

/// Returns the gap at the start of a text; `None` at its end.
fn gap(text: &str) -> Option<Gap> {
    let first = text.chars().next()?;
    Some(match first {
        '\n' | '\r' => Gap::Break(1),
        '\\' => {
            let count = text.len() - text.trim_start_matches('\\').len();
            match text.as_bytes().get(count) {
                Some(b'n' | b'r') => Gap::Break(count + 1),
                Some(b't') => Gap::Space(count + 1),
                Some(b'"' | b'\'' | b'`') => Gap::Quote(count + 1),
                _ => Gap::Space(count),
            }
        }
        '"' | '\'' | '`' | '“' | '”' | '„' | '«' | '»' | '「' | '」' | '『' | '』' | '‘' | '’'
        | '＂' => Gap::Quote(first.len_utf8()),
        '(' | ')' | '[' | ']' | '{' | '}' | '<' | '|' | '（' | '）' | '，' | '。' | '、' => {
            Gap::Space(first.len_utf8())
        }
        '*' if text.starts_with("**") => Gap::Space(2),
        _ if first.is_whitespace() => Gap::Space(first.len_utf8()),
        _ => Gap::None,
    })
}

/// Reports whether a character may be part of a password: ASCII, or a letter of an alphabet.
fn is_part(it: char) -> bool {
    it.is_ascii_graphic() || (it.is_alphabetic() && (it as u32) < 0x590)
}
