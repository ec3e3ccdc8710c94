//! Text without the insides of functions. An outline tells nothing of them but what they import,
//! and a parser spends most of its time there. Lines keep their numbers: what is left out leaves its
//! line ends behind, and a body still ends where it ended.

use std::borrow::Cow;

use crate::language::Language;

/// The text as far as its outline needs it. What this file cannot follow stays whole.
pub(crate) fn hidden(language: Language, text: &[u8]) -> Cow<'_, [u8]> {
    match language {
        Language::Python => python(text).map_or(Cow::Borrowed(text), Cow::Owned),
        _ => Cow::Borrowed(text),
    }
}

/// `None` when a string or a bracket is not closed.
fn python(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 2);
    let mut body: Option<Body> = None;
    // The columns of a `def` whose body comes next.
    let mut opened: Option<usize> = None;
    let mut rest = text;
    while !rest.is_empty() {
        let line = Line::read(rest)?;
        let (bytes, after) = rest.split_at(line.bytes);
        rest = after;
        if line.is_blank {
            // A comment may stand anywhere, and belongs where the grammar says it does.
            out.extend_from_slice(bytes);
            continue;
        }
        if let Some(columns) = opened.take()
            && line.columns > columns
        {
            body = Some(Body {
                columns,
                indentation: bytes[..line.indentation].to_vec(),
                last: None,
            });
        }
        if let Some(open) = body.take_if(|body| line.columns <= body.columns) {
            open.close(&mut out);
        }
        match &mut body {
            Some(body) => body.take(bytes, &line, &mut out),
            None => {
                if line.starts == Start::Function {
                    opened = Some(line.columns);
                }
                out.extend_from_slice(bytes);
            }
        }
    }
    if let Some(open) = body {
        open.close(&mut out);
    }
    Some(out)
}

/// The inside of a function whose lines are left out.
struct Body {
    /// Of the `def`.
    columns: usize,
    /// What its first line begins with.
    indentation: Vec<u8>,
    /// Where the last line that was left out ends, if it is the last statement so far.
    last: Option<usize>,
}

impl Body {
    fn take(&mut self, bytes: &[u8], line: &Line, out: &mut Vec<u8>) {
        if line.has_import {
            // At one depth: what it is nested in is left out.
            out.extend_from_slice(&self.indentation);
            let start = line.import_at.unwrap_or(line.indentation);
            out.extend_from_slice(&bytes[start..]);
            self.last = None;
            return;
        }
        let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
        let is_ended = bytes.ends_with(b"\n");
        out.extend(std::iter::repeat_n(b'\n', ends));
        self.last = Some(out.len() - usize::from(is_ended));
    }

    /// A body has a statement, and ends with its last one.
    fn close(self, out: &mut Vec<u8>) {
        if let Some(at) = self.last {
            let statement = self.indentation.iter().copied().chain(*b"0");
            out.splice(at..at, statement);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    Function,
    Other,
}

/// A logical line: it goes on inside of brackets and strings and after a backslash.
struct Line {
    bytes: usize,
    /// Bytes before its first word.
    indentation: usize,
    /// The same in columns, a tab up to the next eighth.
    columns: usize,
    /// Nothing, or a comment.
    is_blank: bool,
    starts: Start,
    has_import: bool,
    /// Where an import begins that stands behind something else.
    import_at: Option<usize>,
}

impl Line {
    fn read(text: &[u8]) -> Option<Self> {
        let mut columns = 0;
        let mut indentation = 0;
        for byte in text {
            match byte {
                b' ' => columns += 1,
                b'\t' => columns = (columns / 8 + 1) * 8,
                b'\x0C' => columns = 0,
                _ => break,
            }
            indentation += 1;
        }
        let mut line = Self {
            bytes: text.len(),
            indentation,
            columns,
            is_blank: false,
            starts: Start::Other,
            has_import: false,
            import_at: None,
        };
        let code = &text[indentation..];
        if let [b'#' | b'\n' | b'\r', ..] | [] = code {
            line.is_blank = true;
            line.bytes = indentation + end_of_line(code);
            return Some(line);
        }
        line.starts = match code {
            [b'd', b'e', b'f', b' ' | b'\t', ..] => Start::Function,
            [b'a', b's', b'y', b'n', b'c', b' ', after @ ..]
                if after.trim_ascii_start().starts_with(b"def ") =>
            {
                Start::Function
            }
            _ => Start::Other,
        };
        line.scan(text)?;
        Some(line)
    }

    /// Finds the end of the line, and imports on the way.
    fn scan(&mut self, text: &[u8]) -> Option<()> {
        let mut depth = 0_usize;
        let mut at = self.indentation;
        // Where a simple statement begins.
        let mut statement = at;
        while let Some(byte) = text.get(at) {
            match byte {
                b'\n' if depth == 0 => {
                    self.bytes = at + 1;
                    return Some(());
                }
                b'#' => {
                    // Up to its line end, which is looked at next.
                    at += end_of_line(&text[at..]);
                    at -= usize::from(text[at - 1] == b'\n');
                    continue;
                }
                b'\\' => {
                    at += if text[at + 1..].starts_with(b"\r\n") {
                        2
                    } else {
                        1
                    }
                }
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth = depth.checked_sub(1)?,
                b'\'' | b'"' => {
                    at += string_length(&text[at..])?;
                    continue;
                }
                b';' | b':' if depth == 0 => statement = at + 1,
                byte if is_word(*byte) => {
                    let length = text[at..].iter().take_while(|byte| is_word(**byte)).count();
                    if &text[at..at + length] == b"import" && !self.has_import {
                        self.has_import = true;
                        let blank = text[statement..].iter();
                        let blank = blank.take_while(|byte| matches!(**byte, b' ' | b'\t'));
                        self.import_at = Some(statement + blank.count());
                    }
                    at += length;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        self.bytes = text.len();
        (depth == 0).then_some(())
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

fn end_of_line(text: &[u8]) -> usize {
    memchr::memchr(b'\n', text).map_or(text.len(), |at| at + 1)
}

/// How long the string is that a text begins with; `None` when it is not closed.
fn string_length(text: &[u8]) -> Option<usize> {
    let quote = *text.first()?;
    let is_long = text.starts_with(&[quote; 3]);
    let mut at = if is_long { 3 } else { 1 };
    loop {
        at += memchr::memchr3(quote, b'\\', b'\n', text.get(at..)?)?;
        match text[at] {
            b'\\' => {
                at += if text[at + 1..].starts_with(b"\r\n") {
                    3
                } else {
                    2
                }
            }
            b'\n' if is_long => at += 1,
            b'\n' => return None,
            _ if !is_long => return Some(at + 1),
            _ if text[at..].starts_with(&[quote; 3]) => return Some(at + 3),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::Outline;
    use crate::{grammars, parse, walk};

    fn whole(language: Language, text: &[u8]) -> Option<Outline> {
        let tree = parse::parse(language, text)?;
        Some(walk::walk(&tree, text, grammars::rules(language)))
    }

    /// Sources that a scan by lines could misread.
    const SOURCES: &[&str] = &[
        "def a(x,\n      y):\n    \"\"\"Doc\ndef not_one():\n    \"\"\"\n    return x\n\nclass B:\n    def c(self): return 1\n    async def d(self):\n        import e, f.g\n        if e:\n            from . import (h,\n    i)\n        return [\n 1]\n    # last\nJ = 1\n",
        "if True:\n\tdef a():\n\t\treturn '''\n'''\n\tdef b():\n\t        pass\nelse:\n    def a():\n        try: import c\n        except E: import d; x = 1\n",
        "def a():\n    def b():\n        import c\n    class D:\n        def e(self): pass\n    return b # import f\n\n\n    # far\n# out\ndef g(): pass\n",
        "def a():\n    x = 'it\\'s' \\\n  + r\"\\\\\" # \"\n    y = {'import': \"import z\"}\n@b\ndef c():\r\n    return 1\r\n\r\ndef d():\r\n    '''e\r\n'''",
        "def a():\n    return f\"{x['y']}\"\ndef test_b():\n    assert a()\nif __name__ == '__main__':\n    a()",
        "class A:\n    def b(self):\n        # only a comment before\n        ...\n    C = 1\n    def d(self):\n        pass\n        # and after\n\n        # twice\n    e = 2\n",
    ];

    #[test]
    fn an_outline_is_the_same_without_bodies() {
        for source in SOURCES {
            let text = source.as_bytes();
            let hidden = hidden(Language::Python, text);
            assert!(matches!(hidden, Cow::Owned(_)), "{source}");
            let lines = |text: &[u8]| text.iter().filter(|byte| **byte == b'\n').count();
            assert_eq!(lines(&hidden), lines(text), "{source}");
            let all = whole(Language::Python, text);
            assert!(all.is_some(), "{source}");
            assert_eq!(whole(Language::Python, &hidden), all, "{source}");
        }
    }

    #[test]
    fn what_cannot_be_followed_stays_whole() {
        for source in [
            "def a():\n    return (1\n",
            "def a():\n    x = 'y\n",
            "a = )\n",
            "x = \"\"\"y",
        ] {
            let hidden = hidden(Language::Python, source.as_bytes());
            assert_eq!(&*hidden, source.as_bytes(), "{source}");
        }
    }

    #[test]
    fn statements_of_bodies_are_gone() {
        let text = b"def a(b):\n    secret = 1\n    return secret\n";
        let hidden = hidden(Language::Python, text);
        assert_eq!(&*hidden, b"def a(b):\n\n    0\n");
    }
}
