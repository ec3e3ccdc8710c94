//! Splits text into paragraphs, list items and headings. Every block is a slice of its text; code blocks, tables and
//! rules are left out.

/// Position of a sentence in its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextPosition {
    Prose,
    Item,
    Heading,
    /// Prose or item that ends with a colon and introduces what follows.
    Lead,
}

/// A paragraph, list item or heading.
pub(crate) struct Block<'a> {
    /// Verbatim, without marks and surrounding space.
    pub(crate) text: &'a str,
    /// Never [`TextPosition::Lead`], which applies to sentences only.
    pub(crate) place: TextPosition,
}

/// The blocks of a text, in order; a wrapped line joins the one before it.
pub(crate) struct Blocks<'a> {
    text: &'a str,
    lines: std::str::SplitInclusive<'a, char>,
    /// Offset of the next line in `text`.
    offset: usize,
    in_code: bool,
    /// The open paragraph as a byte range of `text`.
    open: Option<(usize, usize, TextPosition)>,
    /// A heading that ended the block before it.
    heading: Option<Block<'a>>,
}

impl<'a> Blocks<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        Self {
            text,
            lines: text.split_inclusive('\n'),
            offset: 0,
            in_code: false,
            open: None,
            heading: None,
        }
    }

    /// Ends the open paragraph.
    fn close(&mut self) -> Option<Block<'a>> {
        let (start, end, place) = self.open.take()?;
        let text = self.text[start..end].trim();
        (!text.is_empty()).then_some(Block { text, place })
    }

    /// Adds a line, and returns the block that it ends.
    fn take(&mut self, line: &'a str) -> Option<Block<'a>> {
        let start = self.offset;
        self.offset += line.len();
        let trimmed = line.trim();
        if trimmed.starts_with("```") {
            self.in_code = !self.in_code;
            return self.close();
        }
        if self.in_code || trimmed.is_empty() || is_furniture(trimmed) {
            return self.close();
        }
        let lead = start + (line.len() - line.trim_start().len());
        let end = lead + trimmed.len();
        if let Some(heading) = heading(trimmed) {
            self.heading = Some(Block {
                text: heading,
                place: TextPosition::Heading,
            });
            return self.close();
        }
        let mark = list_mark(trimmed);
        if mark == 0
            && let Some((_, open_end, _)) = self.open.as_mut()
            && continues(&self.text[..*open_end], trimmed)
        {
            *open_end = end;
            return None;
        }
        let closed = self.close();
        let place = if mark > 0 {
            TextPosition::Item
        } else {
            TextPosition::Prose
        };
        self.open = Some((lead + mark, end, place));
        closed
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Block<'a>;

    fn next(&mut self) -> Option<Block<'a>> {
        loop {
            if let Some(heading) = self.heading.take() {
                return Some(heading);
            }
            let Some(line) = self.lines.next() else {
                return self.close();
            };
            if let Some(block) = self.take(line) {
                return Some(block);
            }
        }
    }
}

/// Returns the title of a line that is a heading or entirely bold.
fn heading(line: &str) -> Option<&str> {
    let title = line.trim_start_matches('#');
    if title.len() < line.len() && title.starts_with(' ') {
        return Some(title.trim_start());
    }
    is_bold_line(line).then_some(line)
}

/// Reports whether a line continues the paragraph that ends with `before`: a wrapped line, not a new one.
fn continues(before: &str, line: &str) -> bool {
    let ended = before.ends_with(['.', '!', '?', ':', ';']);
    let last_line = before.rsplit('\n').next().unwrap_or(before);
    !ended
        && (50..=110).contains(&last_line.trim().len())
        && line.starts_with(|first: char| first.is_lowercase())
}

/// Returns the length in bytes of the list mark (`- `, `* `, `3. `, `[ ] `) that opens a line.
pub(crate) fn list_mark(line: &str) -> usize {
    let bytes = line.as_bytes();
    for mark in ["- [ ] ", "- [x] ", "- ", "* ", "• ", "– ", "+ "] {
        if line.starts_with(mark) {
            return mark.len();
        }
    }
    let digits = bytes
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if (1..=2).contains(&digits)
        && matches!(bytes.get(digits), Some(b'.' | b')'))
        && bytes.get(digits + 1) == Some(&b' ')
    {
        return digits + 2;
    }
    0
}

/// Reports whether a line is a table row, a rule, a block quote or markup.
fn is_furniture(line: &str) -> bool {
    line.starts_with('|')
        || line.starts_with('>')
        || line.starts_with("<")
        || line.chars().all(|character| !character.is_alphanumeric())
}

fn is_bold_line(line: &str) -> bool {
    let inner = line.trim_end_matches(':');
    inner.len() > 4
        && inner.len() < 90
        && inner.starts_with("**")
        && inner.ends_with("**")
        && !inner[2..inner.len() - 2].contains("**")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_the_block_before_it_or_joins_it() {
        use TextPosition::{Heading, Item, Prose};
        let wrapped =
            "a long first line of a paragraph that was wrapped by hand\n  and its second line";
        let cases: &[(&str, &[(&str, TextPosition)])] = &[
            ("one\ntwo", &[("one", Prose), ("two", Prose)]),
            (
                "text\n## Title \nmore",
                &[("text", Prose), ("Title", Heading), ("more", Prose)],
            ),
            (
                "# A\n**B:**\n3) c",
                &[("A", Heading), ("**B:**", Heading), ("c", Item)],
            ),
            (wrapped, &[(wrapped, Prose)]),
            ("- a\n---\n| b |\n> c\n<d>", &[("a", Item)]),
            ("#tag\n```\ncode", &[("#tag", Prose)]),
            ("", &[]),
        ];
        for (text, expected) in cases {
            let found: Vec<_> = Blocks::of(text)
                .map(|block| (block.text, block.place))
                .collect();
            assert_eq!(&found, expected, "{text}");
        }
    }
}
