//! Reads one session of a chat history, to the header of the next or the end of the file.
//!
//! Blocks have no end mark. The last one is emitted as it is; if the file then grows and the block with it, the cursor
//! is refused, so that reading in steps emits the same events as reading at once.
//!
//! A heading of level four is a prompt only in the form and at the place in which aider writes one: each line ends in two
//! spaces, and a blank line stands before the first. Answers have such headings, too; after an answer, aider writes the
//! tokens and other messages before it asks again, unless the person stopped it:
//!
//! ```text
//! #### use tabs            the first prompt
//! > ^C again to exit       the person stops the answer; aider writes this before it
//!
//! Sure, these ar           the answer, then always two blank lines
//!
//!
//! #### no, use spaces      a prompt
//!
//! The guide says:
//!
//! #### Never push          the answer's: no message of the console is before it
//! ```
//!
//! Within a fence of the answer nothing is a prompt.
//!
//! An answer that repeats aider's messages and spaces to the letter cannot be told from them.

use std::fs::File;
use std::io::{Seek, SeekFrom};

use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::{
    Cursor, EventWriter, Failure, RecordSpan, Session, Sink, Tokens, cursor, failure, file_probe,
};
use acreta_sdk::lines::{self, LineReader};
use serde::{Deserialize, Serialize};

use crate::block::{Block, BlockAuthor, Voices};
use crate::line::{Line, tokens};
use crate::sections::start_of;

/// State that one read passes to the next.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    /// Author of the last emitted block, which may still continue.
    open: Option<BlockAuthor>,
    /// Number of blank lines that precede the cursor. A session begins only after one.
    blank_lines: u32,
    /// Author of the last line that is not blank.
    last: Option<BlockAuthor>,
    /// The person stopped the agent after the last prompt.
    is_interrupted: bool,
    /// A line of the session was read: a header below it is not the session's own.
    #[serde(default)]
    is_begun: bool,
    /// Backticks of the fence that the answer opened: what follows is in it, whatever its form.
    #[serde(default)]
    fence: Option<usize>,
    console: Console,
    voices: Voices,
}

/// Whether the console is inside a message. Only the first line of a message has a mark, and only the last ends in two
/// spaces; for versions that never write those, only the marks count.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Console {
    has_endings: bool,
    is_speaking: bool,
}

impl Console {
    /// Notes a line by this author.
    fn hear(&mut self, author: BlockAuthor, line: &[u8]) {
        let is_ended = line.ends_with(b"  ");
        self.has_endings |= author == BlockAuthor::Console && is_ended;
        self.is_speaking = author == BlockAuthor::Console && self.has_endings && !is_ended;
    }
}

/// Emits the events of `session` from `from` on and returns the cursor at which it stopped.
pub(crate) fn read(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let mut file = file_probe::open(&session.path)?;
    let state: State = cursor::resume(&mut file, from)?;
    let start = match from.offset {
        0 => start_of(session, &mut file)?,
        offset => offset,
    };
    let mut reader = Reader {
        state,
        event_writer: EventWriter::new(sink, Calls::default()),
        block: None,
    };
    let offset = reader.lines(&mut file, start)?;
    let Reader {
        state,
        event_writer,
        ..
    } = reader;
    event_writer.finish()?;
    cursor::stop(&mut file, offset, &state)
}

struct Reader<'s, S> {
    state: State,
    event_writer: EventWriter<'s, S>,
    /// The block that was read but not emitted yet.
    block: Option<Block>,
}

impl<S: Sink> Reader<'_, S> {
    /// Reads lines from `start` to the end of the session, and returns where that is.
    fn lines(&mut self, file: &mut File, start: u64) -> Result<u64, Failure> {
        file.seek(SeekFrom::Start(start))
            .map_err(|error| failure::io(&error))?;
        let mut lines = LineReader::new(file, start);
        let mut offset = start;
        while let Some(line) = lines.next_line().map_err(|error| failure::io(&error))? {
            if !line.terminated {
                let place = RecordSpan::new("", line.start, line.end, None);
                let message = "unfinished at the end of the file, left for the next read";
                self.event_writer.diagnose(&place, message);
                break;
            }
            let kind = match Line::of(line.bytes) {
                Line::Person(_) if !self.is_prompt(line.bytes) => Line::Agent(line.bytes),
                kind => kind,
            };
            let is_header = matches!(kind, Line::Started(_));
            if is_header && self.state.blank_lines > 0 {
                self.close(None)?;
                return Ok(offset);
            }
            // The session's own header emits nothing.
            if !is_header || self.state.is_begun {
                self.line(kind, &line)?;
            }
            self.state.is_begun = true;
            self.state.blank_lines = match kind {
                Line::Blank => self.state.blank_lines + 1,
                _ => 0,
            };
            offset = line.next;
        }
        let open = self.block.as_ref().map(|block| block.author);
        self.close(None)?;
        self.state.open = open.or(self.state.open);
        Ok(offset)
    }

    /// Reports whether a line with the mark of a prompt is one.
    fn is_prompt(&self, line: &[u8]) -> bool {
        if self.state.console.is_speaking || !line.ends_with(b"  ") {
            return false;
        }
        // An answer that the person stopped may leave its fence open.
        if self.state.fence.is_some() && !self.state.is_interrupted {
            return false;
        }
        match (self.state.last, self.state.blank_lines) {
            (last, 0) => last == Some(BlockAuthor::Person),
            (Some(BlockAuthor::Agent), blank_lines) => {
                blank_lines == 2 && self.state.is_interrupted
            }
            _ => true,
        }
    }

    fn line(&mut self, kind: Line<'_>, line: &lines::Line<'_>) -> Result<(), Failure> {
        if line.oversized {
            let place = RecordSpan::new("", line.start, line.end, None);
            self.event_writer.diagnose(&place, "the line is too long");
            return self.close(None);
        }
        if self.goes_on(kind) {
            return Err(failure::invalid_cursor("what was told last has grown"));
        }
        let before = self.block.as_ref().map(|block| block.author);
        let (author, text) = match kind {
            _ if self.state.console.is_speaking => {
                (BlockAuthor::Console, line.bytes.trim_ascii_end())
            }
            Line::Person(text) => (BlockAuthor::Person, text),
            Line::Console(text) => (BlockAuthor::Console, text),
            Line::Blank => return self.blank(line.end),
            _ if before == Some(BlockAuthor::Console) => (BlockAuthor::Console, line.bytes),
            _ => (BlockAuthor::Agent, line.bytes),
        };
        self.state.console.hear(author, line.bytes);
        self.state.last = Some(author);
        self.state.fence = match author {
            BlockAuthor::Person => None,
            _ => fence(self.state.fence, line.bytes),
        };
        self.state.is_interrupted = match author {
            BlockAuthor::Person => false,
            BlockAuthor::Console => self.state.is_interrupted || text.starts_with(b"^C"),
            BlockAuthor::Agent => self.state.is_interrupted,
        };
        match &mut self.block {
            Some(block) if block.author == author && block.has_room_for(text) => {
                block.push(text, line.end);
            }
            _ => {
                self.close(tokens(text).filter(|_| author == BlockAuthor::Console))?;
                self.block = Some(Block::new(author, text, line.start, line.end));
            }
        }
        Ok(())
    }

    /// A blank line ends every block except the agent's.
    fn blank(&mut self, end: u64) -> Result<(), Failure> {
        match &mut self.block {
            Some(block) if block.author == BlockAuthor::Agent => {
                block.push(b"", end);
                Ok(())
            }
            _ => self.close(None),
        }
    }

    /// Reports whether a line continues the block that an earlier read emitted last.
    fn goes_on(&mut self, kind: Line<'_>) -> bool {
        let goes_on = match (self.state.open, kind) {
            (Some(BlockAuthor::Console), _) if self.state.console.is_speaking => true,
            (Some(BlockAuthor::Agent), Line::Blank) => return false,
            (Some(BlockAuthor::Person), Line::Person(_)) => true,
            (Some(BlockAuthor::Console), Line::Console(_) | Line::Agent(_)) => true,
            (Some(BlockAuthor::Agent), Line::Agent(_)) => true,
            // The tokens of a reply come after it and are emitted with it.
            (Some(BlockAuthor::Agent), Line::Console(text)) => tokens(text).is_some(),
            _ => false,
        };
        self.state.open = None;
        goes_on
    }

    fn close(&mut self, tokens: Option<Tokens>) -> Result<(), Failure> {
        match self.block.take() {
            Some(block) => self
                .state
                .voices
                .emit(&mut self.event_writer, block, tokens),
            None => Ok(()),
        }
    }
}

/// Returns the fence in which the next line is.
fn fence(open: Option<usize>, line: &[u8]) -> Option<usize> {
    let line = line.trim_ascii();
    let ticks = line.iter().take_while(|byte| **byte == b'`').count();
    match open {
        _ if ticks < 3 => open,
        None => Some(ticks),
        Some(opened) if ticks >= opened && ticks == line.len() => None,
        open => open,
    }
}
