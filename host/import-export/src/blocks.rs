//! Splits markdown into blocks, each with its range in the source. Not complete CommonMark, but the constructs that
//! notes use, in one pass; every text gives blocks.

use std::ops::Range;

/// A part of a text on its own lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MarkdownBlock {
    pub(crate) kind: BlockKind,
    /// Bytes of the source, without the end of its last line.
    pub(crate) range: Range<usize>,
    /// From 1.
    pub(crate) line: u64,
    /// Columns of white space before it.
    pub(crate) indent: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// The range has only the words.
    Heading {
        level: u8,
    },
    Paragraph,
    /// The range starts after the marker.
    Bullet,
    /// The range starts after the number.
    Step,
    /// Including its fences, if it has any.
    Code,
    /// An unclosed fence; it extends to the end.
    OpenCode,
    TableRow,
    Rule,
    Comment,
    /// An unclosed comment; it extends to the end.
    OpenComment,
    /// Lines of tags alone.
    Tag,
}

/// Splits `source[from..]` into blocks, in order.
pub(crate) fn blocks(source: &str, from: usize) -> Vec<MarkdownBlock> {
    let mut parser = Parser {
        blocks: Vec::new(),
        open: None,
        in_list: false,
    };
    let first = 1 + newlines(&source[..from]);
    let mut start = from;
    for (number, line) in (first..).zip(source[from..].split_inclusive('\n')) {
        parser.line(SourceLine::new(line, start, number));
        start += line.len();
    }
    parser.close();
    parser.blocks
}

pub(crate) fn newlines(text: &str) -> u64 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u64
}

/// A line and its range.
#[derive(Clone, Copy)]
struct SourceLine<'a> {
    /// Without white space around it.
    text: &'a str,
    /// Start and end of `text` in the source.
    start: usize,
    end: usize,
    number: u64,
    indent: usize,
}

impl<'a> SourceLine<'a> {
    fn new(line: &'a str, start: usize, number: u64) -> Self {
        let blank = |character: char| character.is_whitespace() || character == '\u{feff}';
        let text = line.trim_start_matches(blank);
        let start = start + line.len() - text.len();
        let mut indent = 0;
        for character in line.chars().take_while(|character| blank(*character)) {
            match character {
                '\t' => indent += 4 - indent % 4,
                ' ' => indent += 1,
                _ => {}
            }
        }
        let text = text.trim_end();
        Self {
            text,
            start,
            end: start + text.len(),
            number,
            indent,
        }
    }
}

/// A block whose end is not reached yet.
struct OpenBlock {
    block: MarkdownBlock,
    /// The condition that ends it.
    until: Until,
    lines: u64,
}

enum Until {
    /// A blank line or another block.
    Gap,
    /// A line that is not indented.
    Outdent,
    Fence {
        character: char,
        length: usize,
    },
    CommentEnd,
}

struct Parser {
    blocks: Vec<MarkdownBlock>,
    open: Option<OpenBlock>,
    /// No text at the margin since the last list item.
    in_list: bool,
}

impl Parser {
    fn line(&mut self, line: SourceLine<'_>) {
        if self.is_inside(&line) {
            return;
        }
        if line.text.is_empty() {
            return self.close();
        }
        if let Some((character, length)) = fence(line.text) {
            let until = Until::Fence { character, length };
            self.begin(BlockKind::OpenCode, line, line.start, until);
        } else if line.text.starts_with("<!--") && !line.text.contains("-->") {
            self.begin(BlockKind::OpenComment, line, line.start, Until::CommentEnd);
        } else if line.text.starts_with("<!--") && line.text.ends_with("-->") {
            self.single(BlockKind::Comment, line, line.start);
        } else if let Some((level, words)) = heading(line.text) {
            self.in_list = false;
            self.single(BlockKind::Heading { level }, line, line.start + words);
        } else if let Some(level) = self.underline(&line) {
            self.underlined(level);
        } else if is_rule(line.text) {
            self.single(BlockKind::Rule, line, line.start);
        } else if let Some((kind, words)) = self.item(&line) {
            self.in_list = true;
            self.begin(kind, line, line.start + words, Until::Gap);
        } else if line.text.starts_with('|') {
            self.single(BlockKind::TableRow, line, line.start);
        } else if is_tag(line.text) {
            self.single(BlockKind::Tag, line, line.start);
        } else {
            self.words(line);
        }
    }

    /// Reports whether the line belongs to an open fence or comment.
    fn is_inside(&mut self, line: &SourceLine<'_>) -> bool {
        let Some(open) = &mut self.open else {
            return false;
        };
        let closed = match open.until {
            Until::Gap | Until::Outdent => return false,
            Until::Fence { character, length } => {
                line.text.len() >= length && line.text.chars().all(|other| other == character)
            }
            Until::CommentEnd => line.text.contains("-->"),
        };
        open.block.range.end = line.end.max(open.block.range.end);
        if closed {
            open.block.kind = match open.until {
                Until::CommentEnd => BlockKind::Comment,
                _ => BlockKind::Code,
            };
            self.close();
        }
        true
    }

    /// Handles a line that starts no special block.
    fn words(&mut self, line: SourceLine<'_>) {
        if let Some(open) = &mut self.open {
            let goes_on = match open.until {
                Until::Outdent => line.indent >= 4,
                _ => true,
            };
            if goes_on {
                open.block.range.end = line.end;
                open.lines += 1;
                return;
            }
        }
        if line.indent == 0 {
            self.in_list = false;
        }
        if line.indent >= 4 && !self.in_list {
            self.begin(BlockKind::Code, line, line.start, Until::Outdent);
        } else {
            self.begin(BlockKind::Paragraph, line, line.start, Until::Gap);
        }
    }

    /// Returns the level of the heading that this line makes of the paragraph before it.
    fn underline(&self, line: &SourceLine<'_>) -> Option<u8> {
        let open = self.open.as_ref()?;
        if open.block.kind != BlockKind::Paragraph || line.text.len() < 2 {
            return None;
        }
        if line.text.bytes().all(|byte| byte == b'=') {
            Some(1)
        } else if line.text.bytes().all(|byte| byte == b'-') && open.lines == 1 {
            Some(2)
        } else {
            None
        }
    }

    fn underlined(&mut self, level: u8) {
        if let Some(open) = &mut self.open {
            open.block.kind = BlockKind::Heading { level };
        }
        self.in_list = false;
        self.close();
    }

    fn item(&self, line: &SourceLine<'_>) -> Option<(BlockKind, usize)> {
        let (kind, words) = marker(line.text)?;
        let inside_prose = self
            .open
            .as_ref()
            .is_some_and(|open| open.block.kind == BlockKind::Paragraph);
        // A year at the start of a line is not a list; a first step is.
        let starts = kind != BlockKind::Step
            || !inside_prose
            || ["1.", "1)"]
                .iter()
                .any(|first| line.text.starts_with(first));
        starts.then_some((kind, words))
    }

    fn single(&mut self, kind: BlockKind, line: SourceLine<'_>, start: usize) {
        self.begin(kind, line, start, Until::Gap);
        self.close();
    }

    fn begin(&mut self, kind: BlockKind, line: SourceLine<'_>, start: usize, until: Until) {
        self.close();
        self.open = Some(OpenBlock {
            block: MarkdownBlock {
                kind,
                range: start..line.end.max(start),
                line: line.number,
                indent: line.indent,
            },
            until,
            lines: 1,
        });
    }

    fn close(&mut self) {
        self.blocks.extend(self.open.take().map(|open| open.block));
    }
}

fn fence(text: &str) -> Option<(char, usize)> {
    let character = text
        .chars()
        .next()
        .filter(|first| matches!(first, '`' | '~'))?;
    let length = text.chars().take_while(|other| *other == character).count();
    // ```` ```word``` ```` on one line is inline code.
    let is_fence = length >= 3 && !(character == '`' && text[length..].contains('`'));
    is_fence.then_some((character, length))
}

/// Returns the level of a heading and the start of its words.
fn heading(text: &str) -> Option<(u8, usize)> {
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    let rest = &text[level..];
    let is_heading =
        (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with(char::is_whitespace));
    let words = text.len() - rest.trim_start().len();
    is_heading.then_some((level as u8, words))
}

/// Returns the kind of a list item and the start of its words.
fn marker(text: &str) -> Option<(BlockKind, usize)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (kind, length) = match digits {
        0 if text.starts_with(['-', '*', '+', '•']) => (
            BlockKind::Bullet,
            text.chars().next().map_or(0, char::len_utf8),
        ),
        1..=9 if text[digits..].starts_with(['.', ')']) => (BlockKind::Step, digits + 1),
        _ => return None,
    };
    let rest = &text[length..];
    let words = text.len() - rest.trim_start().len();
    (rest.is_empty() || rest.starts_with(char::is_whitespace)).then_some((kind, words))
}

fn is_rule(text: &str) -> bool {
    ['-', '*', '_'].into_iter().any(|mark| {
        let mut marks = 0;
        text.chars().all(|character| {
            marks += usize::from(character == mark);
            character == mark || character == ' '
        }) && marks >= 3
    })
}

fn is_tag(text: &str) -> bool {
    let inside = text
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'));
    inside.is_some_and(|inside| {
        let name = inside.strip_prefix('/').unwrap_or(inside);
        name.starts_with(|first: char| first.is_ascii_alphabetic())
            && !inside.contains("://")
            // A single tag, or tags around nothing: text between two tags is text.
            && acreta_text::head(inside, 400)
                .split('>')
                .skip(1)
                .all(|between| between.trim_start().starts_with('<') || between.is_empty())
    })
}
