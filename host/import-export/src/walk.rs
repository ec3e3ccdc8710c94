//! Turns blocks into notes: a bullet with the blocks under it is a note, numbered steps are one, the prose of a section
//! is one. Headings and the text that introduces a list are their context.

use crate::blocks::{BlockKind, MarkdownBlock};
use crate::reading::ReadingOptions;
use crate::sink::NoteSink;
use crate::split::{ClassOf, CutSource, Frame, Key, TextPiece, make_notes};
use crate::table::{cells, is_ruler, row_text};
use crate::text::{cleaned, in_one_line, title_of, without_links};
use crate::trivial::{TOO_LITTLE, is_tree, trivial, trivial_heading};
use crate::wording::NoteClass;

pub(crate) fn walk(blocks: &[MarkdownBlock], reading: &ReadingOptions, sink: &mut NoteSink<'_>) {
    let mut walk = Walk {
        reading,
        sink,
        headings: Vec::new(),
        refused: None,
        group: Vec::new(),
        shape: PieceShape::Prose,
        lead: None,
        margin: 0,
        steps: 0,
    };
    let mut columns: Option<Vec<String>> = None;
    for (index, block) in blocks.iter().enumerate() {
        if block.kind != BlockKind::TableRow {
            columns = None;
            walk.block(block);
            continue;
        }
        let row = cells(&walk.sink.source()[block.range.clone()]);
        let next = blocks
            .get(index + 1)
            .filter(|next| next.kind == BlockKind::TableRow);
        let is_ruled = next.is_some_and(|next| is_ruler(&walk.sink.source()[next.range.clone()]));
        if is_ruled && columns.is_none() {
            columns = Some(row);
        } else if !is_ruler(&walk.sink.source()[block.range.clone()]) {
            walk.row(block, &row, columns.as_deref().unwrap_or_default());
        }
    }
    walk.flush();
}

/// Relation of the current pieces to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PieceShape {
    Prose,
    /// A bullet and the blocks under it.
    Point,
    Steps,
    /// Code under a heading, without words.
    Code,
}

struct Walk<'a, 'source> {
    reading: &'a ReadingOptions,
    sink: &'a mut NoteSink<'source>,
    headings: Vec<(u8, String)>,
    /// The level of a heading under which nothing is a note, and the reason.
    refused: Option<(u8, &'static str)>,
    group: Vec<TextPiece>,
    shape: PieceShape,
    /// Text before a list that ends in a colon.
    lead: Option<String>,
    /// Columns before the items of the current list.
    margin: usize,
    /// Number of steps of the current numbered list.
    steps: u64,
}

impl Walk<'_, '_> {
    fn block(&mut self, block: &MarkdownBlock) {
        if let BlockKind::Heading { level } = block.kind {
            return self.heading(level, block);
        }
        if let Some((_, reason)) = self.refused {
            return self.skip(block, reason);
        }
        match block.kind {
            BlockKind::Heading { .. } | BlockKind::TableRow => {}
            BlockKind::Rule => self.flush(),
            BlockKind::Comment => self.skip(block, "is an HTML comment"),
            BlockKind::OpenComment => {
                self.skip(
                    block,
                    "is an HTML comment that is not closed; it runs to the end",
                );
            }
            BlockKind::Tag => self.skip(block, "is an HTML tag"),
            BlockKind::Code => self.code(block),
            BlockKind::OpenCode => {
                self.skip(
                    block,
                    "is a code block that is not closed; it runs to the end",
                );
            }
            BlockKind::Paragraph => self.paragraph(block),
            BlockKind::Bullet | BlockKind::Step => self.item(block),
        }
    }

    fn heading(&mut self, level: u8, block: &MarkdownBlock) {
        self.flush();
        self.lead = None;
        if self.refused.is_some_and(|(refused, _)| level <= refused) {
            self.refused = None;
        }
        let text = self.text(block);
        let text = without_links(acreta_text::head(&text, 400)).replace("**", "");
        let text = text.trim_end_matches('#').trim().trim_end_matches(':');
        self.headings.retain(|(above, _)| *above < level);
        self.headings.push((level, text.to_owned()));
        if self.refused.is_none()
            && let Some(reason) = trivial_heading(text)
        {
            self.refused = Some((level, reason));
            self.skip(block, reason);
        }
    }

    fn paragraph(&mut self, block: &MarkdownBlock) {
        let Some(piece) = self.piece(block) else {
            return;
        };
        let under_item = block.indent >= self.margin + 2
            && matches!(self.shape, PieceShape::Point | PieceShape::Steps)
            && !self.group.is_empty();
        if !under_item {
            if self.shape != PieceShape::Prose {
                self.flush();
                self.lead = None;
            }
            self.shape = PieceShape::Prose;
        }
        self.group.push(piece);
    }

    fn item(&mut self, block: &MarkdownBlock) {
        let in_list =
            matches!(self.shape, PieceShape::Point | PieceShape::Steps) && !self.group.is_empty();
        if !in_list {
            if self.shape == PieceShape::Prose
                && let Some(last) = self
                    .group
                    .pop_if(|last| last.text.ends_with(':') && last.code.is_none())
            {
                self.lead = Some(last.text.trim_end_matches(':').to_owned());
            }
            self.flush();
            self.margin = block.indent;
        }
        let shape = match block.kind {
            BlockKind::Step => PieceShape::Steps,
            _ => PieceShape::Point,
        };
        let nested = in_list && block.indent >= self.margin + 2;
        let mut piece = self.words(block);
        if let Some(reason) = (self.reading.refuses)(&piece.text)
            // A single word over a list is its subject: see `flush`.
            && (nested || reason != TOO_LITTLE)
        {
            if !nested {
                // The blocks under an item that is not a note may be notes.
                self.flush();
            }
            return self.skip(block, reason);
        }
        if !nested {
            if shape == PieceShape::Point || self.shape != PieceShape::Steps {
                self.flush();
            }
            self.margin = block.indent;
            self.shape = shape;
        }
        if nested {
            let deeper = (block.indent - self.margin) / 2 - 1;
            piece.text = format!("{}- {}", "  ".repeat(deeper.min(3)), piece.text);
        } else if shape == PieceShape::Steps {
            self.steps += 1;
            piece.text = format!("{}. {}", self.steps, piece.text);
        }
        self.group.push(piece);
    }

    fn code(&mut self, block: &MarkdownBlock) {
        let code = cleaned(&self.sink.source()[block.range.clone()]);
        if is_tree(acreta_text::head(&code, 4_000)) {
            return self.skip(block, "is a file tree");
        }
        // A block at the margin is not the bullet's, unless the bullet announces it.
        let apart = self.shape == PieceShape::Point
            && block.indent < self.margin + 2
            && self
                .group
                .last()
                .is_some_and(|last| !last.text.ends_with(':'));
        if apart {
            self.flush();
        }
        if let Some(last) = self.group.last_mut() {
            match &mut last.code {
                Some(before) => {
                    before.push('\n');
                    before.push_str(&code);
                }
                None => last.code = Some(code),
            }
            last.range.end = block.range.end;
            return;
        }
        let about = self
            .lead
            .clone()
            .or_else(|| self.headings.last().map(|(_, text)| text.clone()));
        let Some(about) = about.filter(|about| !about.is_empty()) else {
            return self.skip(block, "is code without a word about it");
        };
        self.shape = PieceShape::Code;
        self.group.push(TextPiece {
            text: format!("{about}:"),
            code: Some(code),
            range: block.range.clone(),
            line: block.line,
            passage: CutSource::Text,
        });
        self.flush();
    }

    /// Adds a row of a table, each cell under its column's name.
    fn row(&mut self, block: &MarkdownBlock, row: &[String], columns: &[String]) {
        self.flush();
        self.lead = None;
        if let Some((_, reason)) = self.refused {
            return self.skip(block, reason);
        }
        let text = row_text(row, columns);
        if let Some(reason) = (self.reading.refuses)(&text) {
            return self.skip(block, reason);
        }
        self.shape = PieceShape::Point;
        self.group.push(TextPiece {
            text,
            code: None,
            range: block.range.clone(),
            line: block.line,
            passage: CutSource::Text,
        });
        self.flush();
    }

    /// Returns the words of a block, unless they are trivial.
    fn piece(&mut self, block: &MarkdownBlock) -> Option<TextPiece> {
        let piece = self.words(block);
        if let Some(reason) = (self.reading.refuses)(&piece.text) {
            self.skip(block, reason);
            return None;
        }
        Some(piece)
    }

    fn words(&self, block: &MarkdownBlock) -> TextPiece {
        TextPiece {
            text: self.text(block),
            code: None,
            range: block.range.clone(),
            line: block.line,
            passage: CutSource::Source,
        }
    }

    fn text(&self, block: &MarkdownBlock) -> String {
        in_one_line(&self.sink.source()[block.range.clone()])
    }

    fn skip(&mut self, block: &MarkdownBlock, reason: &str) {
        let what = &self.sink.source()[block.range.clone()];
        self.sink.skip(block.line, what, reason);
    }

    /// Makes notes from the current pieces.
    fn flush(&mut self) {
        let pieces = std::mem::take(&mut self.group);
        self.steps = 0;
        let Some(first) = pieces.first() else {
            return;
        };
        let mut frame = self.frame();
        match self.shape {
            PieceShape::Prose => frame.lead = None,
            PieceShape::Point => return self.flush_point(pieces, frame),
            PieceShape::Steps => {
                frame.separator = "\n";
                frame.class = ClassOf::Given(NoteClass::PROCEDURE);
                // The subject of steps is their introduction, not the first step.
                frame.title = frame.lead.as_deref().map(title_of);
            }
            PieceShape::Code => {
                frame.lead = None;
                if first.code.as_deref().is_some_and(is_shell) {
                    frame.class = ClassOf::Given(NoteClass::PROCEDURE);
                }
            }
        }
        make_notes(pieces, &frame, self.sink);
    }

    /// Makes notes from a bullet and the blocks under it: one note if it fits, else the bullet and then the rest.
    fn flush_point(&mut self, mut pieces: Vec<TextPiece>, mut frame: Frame) {
        frame.separator = "\n";
        let first = pieces[0].clone();
        let is_subject = trivial(&first.text) == Some(TOO_LITTLE)
            || (pieces.len() > 1 && first.text.ends_with(':'));
        if !is_subject && (pieces.len() == 1 || frame.fits(&pieces)) {
            return make_notes(pieces, &frame, self.sink);
        }
        if pieces.len() == 1 && first.code.is_none() {
            return self.sink.skip(first.line, &first.text, TOO_LITTLE);
        }
        let subject = first.text.trim_end_matches(':');
        if is_subject {
            let under = pieces.get(1).map_or("", |piece| piece.text.as_str());
            let title = format!("{subject}: {}", under.trim_start_matches(['-', ' ']));
            frame.title = Some(title_of(&title));
            if frame.fits(&pieces) {
                return make_notes(pieces, &frame, self.sink);
            }
            frame.title = None;
        }
        let rest = pieces.split_off(1);
        if !is_subject || first.code.is_some() {
            make_notes(pieces, &frame, self.sink);
        }
        let above = title_of(subject);
        frame.lead = Some(match frame.lead {
            Some(lead) => format!("{lead} / {above}"),
            None => above,
        });
        make_notes(rest, &frame, self.sink);
    }

    fn frame(&self) -> Frame {
        let headings = self.headings.iter().map(|(_, text)| text);
        let names = self.reading.subject.iter().chain(headings);
        let mut path: Vec<String> = names
            .filter(|name| !self.reading.is_own_name(name))
            .cloned()
            .collect();
        path.dedup();
        Frame {
            path,
            lead: self.lead.clone(),
            title: None,
            class: ClassOf::Wording(self.reading.otherwise),
            tags: self.reading.tags.clone(),
            confidence: None,
            created_ms: self.reading.created_ms,
            key: match &self.reading.key {
                Some(key) => Key::Document(key.clone()),
                None => Key::None,
            },
            separator: "\n\n",
        }
    }
}

/// Reports whether a code block holds commands, according to its fence.
fn is_shell(code: &str) -> bool {
    let first = code.lines().next().unwrap_or("");
    let language = first.trim_start_matches(['`', '~']).trim().to_lowercase();
    let shells = [
        "",
        "sh",
        "bash",
        "shell",
        "zsh",
        "fish",
        "console",
        "terminal",
        "powershell",
        "cmd",
    ];
    first.starts_with(['`', '~']) && shells.contains(&language.as_str())
}
