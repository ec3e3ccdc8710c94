//! Removes function bodies from a text before parsing. An outline needs only the imports in them, and a parser spends
//! most of its time there. Line numbers and the ends of bodies are preserved.

use std::borrow::Cow;

use crate::language::Language;

/// Returns the text that is needed for an outline. Returns it unchanged if it cannot be scanned.
pub(crate) fn hidden(language: Language, text: &[u8]) -> Cow<'_, [u8]> {
    match language {
        Language::Python => python(text).map_or(Cow::Borrowed(text), Cow::Owned),
        _ => Cow::Borrowed(text),
    }
}

/// Returns `None` if a string or a bracket is not closed.
fn python(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 2);
    let mut body: Option<Body> = None;
    // Indentation of a `def` whose body comes next.
    let mut opened: Option<usize> = None;
    let mut rest = text;
    while !rest.is_empty() {
        let line = LogicalLine::read(rest)?;
        let (bytes, after) = rest.split_at(line.bytes);
        rest = after;
        if line.is_blank {
            // A comment may be anywhere; the grammar decides where it belongs.
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
                if line.starts == LineStart::Function {
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

/// A function body whose lines are being removed.
struct Body {
    /// Indentation of the `def`.
    columns: usize,
    /// Indentation of the body's first line.
    indentation: Vec<u8>,
    /// End of the last removed line, if it is the last statement so far.
    last: Option<usize>,
}

impl Body {
    fn take(&mut self, bytes: &[u8], line: &LogicalLine, out: &mut Vec<u8>) {
        if line.has_import {
            // At one depth: the enclosing statements are removed.
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

    /// Adds a placeholder statement: a body needs one, and ends with its last one.
    fn close(self, out: &mut Vec<u8>) {
        if let Some(at) = self.last {
            let statement = self.indentation.iter().copied().chain(*b"0");
            out.splice(at..at, statement);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineStart {
    Function,
    Other,
}

/// A logical line, which continues inside brackets and strings and after a backslash.
struct LogicalLine {
    bytes: usize,
    /// Bytes before its first word.
    indentation: usize,
    /// Indentation in columns; a tab extends to the next multiple of eight.
    columns: usize,
    /// Empty, or a comment.
    is_blank: bool,
    starts: LineStart,
    has_import: bool,
    /// Start of an import that follows something else on the line.
    import_at: Option<usize>,
}

impl LogicalLine {
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
            starts: LineStart::Other,
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
            [b'd', b'e', b'f', b' ' | b'\t', ..] => LineStart::Function,
            [b'a', b's', b'y', b'n', b'c', b' ', after @ ..]
                if after.trim_ascii_start().starts_with(b"def ") =>
            {
                LineStart::Function
            }
            _ => LineStart::Other,
        };
        line.scan(text)?;
        Some(line)
    }

    /// Finds the end of the line, and imports on the way.
    fn scan(&mut self, text: &[u8]) -> Option<()> {
        let mut depth = 0_usize;
        let mut at = self.indentation;
        // Start of the current simple statement.
        let mut statement = at;
        while let Some(byte) = text.get(at) {
            match byte {
                b'\n' if depth == 0 => {
                    self.bytes = at + 1;
                    return Some(());
                }
                b'#' => {
                    // Up to its line end, which is handled next.
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

/// Returns the length of the string at the start of a text; `None` if it is not closed.
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

    /// Sources that a line scanner could misread.
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
