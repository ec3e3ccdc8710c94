//! Reading one session of a chat history, to the header of the next or the end of the file.
//!
//! Blocks carry no mark of their end. The last one is told as it stands; when the file then grows
//! and the block with it, the cursor is refused, so that no step ever tells something else than the
//! whole would.

use std::fs::File;
use std::io::{Seek, SeekFrom};

use acreta_sdk::adapter::calls::Calls;
use acreta_sdk::adapter::{Cursor, Failure, Place, Session, Sink, Teller, cursor, failure, glance};
use acreta_sdk::lines::{self, LineReader};
use serde::{Deserialize, Serialize};

use crate::block::{Author, Block, Voices};
use crate::line::{Line, tokens};
use crate::sections::start_of;

/// What a later read has to know of an earlier one.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    /// Whose block was told last and may still go on.
    open: Option<Author>,
    /// Whether a blank line stands before the cursor. Only behind one does a session begin.
    is_after_blank: bool,
    console: Console,
    voices: Voices,
}

/// Whether the console is in the middle of a message. Only the first line of one has a mark, and
/// only the last ends in two spaces; a version that never writes those is taken at its marks.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Console {
    has_endings: bool,
    is_speaking: bool,
}

impl Console {
    /// Whether a line is a part of the message before it.
    fn holds(&self, kind: Line<'_>) -> bool {
        self.is_speaking && !matches!(kind, Line::Person(_))
    }

    /// Takes note of a line by this author.
    fn hear(&mut self, author: Author, line: &[u8]) {
        let is_ended = line.ends_with(b"  ");
        self.has_endings |= author == Author::Console && is_ended;
        self.is_speaking = author == Author::Console && self.has_endings && !is_ended;
    }
}

/// Emits the events of `session` from `from` on and returns where it stopped.
pub(crate) fn read(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let mut file = glance::open(&session.path)?;
    let state: State = cursor::resume(&mut file, from)?;
    let start = match from.offset {
        0 => start_of(session, &mut file)?,
        offset => offset,
    };
    let mut reader = Reader {
        state,
        teller: Teller::new(sink, Calls::default()),
        block: None,
    };
    let offset = reader.lines(&mut file, start)?;
    let Reader { state, teller, .. } = reader;
    teller.finish()?;
    cursor::stop(&mut file, offset, &state)
}

struct Reader<'s, S> {
    state: State,
    teller: Teller<'s, S>,
    /// What was read and not told yet.
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
                let place = Place::new("", line.start, line.end, None);
                let message = "unfinished at the end of the file, left for the next read";
                self.teller.diagnose(&place, message);
                break;
            }
            let kind = Line::of(line.bytes);
            let is_header = matches!(kind, Line::Started(_));
            if is_header && self.state.is_after_blank {
                self.close(None)?;
                return Ok(offset);
            }
            // The session's own header says nothing more.
            if !(is_header && line.start == start) {
                self.line(kind, &line)?;
            }
            self.state.is_after_blank = kind == Line::Blank;
            offset = line.next;
        }
        let open = self.block.as_ref().map(|block| block.author);
        self.close(None)?;
        self.state.open = open.or(self.state.open);
        Ok(offset)
    }

    fn line(&mut self, kind: Line<'_>, line: &lines::Line<'_>) -> Result<(), Failure> {
        if line.oversized {
            let place = Place::new("", line.start, line.end, None);
            self.teller.diagnose(&place, "the line is too long");
            return self.close(None);
        }
        if self.goes_on(kind) {
            return Err(failure::invalid_cursor("what was told last has grown"));
        }
        let before = self.block.as_ref().map(|block| block.author);
        let (author, text) = match kind {
            _ if self.state.console.holds(kind) => (Author::Console, line.bytes.trim_ascii_end()),
            Line::Person(text) => (Author::Person, text),
            Line::Console(text) => (Author::Console, text),
            Line::Blank => return self.blank(line.end),
            _ if before == Some(Author::Console) => (Author::Console, line.bytes),
            _ => (Author::Agent, line.bytes),
        };
        self.state.console.hear(author, line.bytes);
        match &mut self.block {
            Some(block) if block.author == author && block.has_room_for(text) => {
                block.push(text, line.end);
            }
            _ => {
                self.close(tokens(text).filter(|_| author == Author::Console))?;
                self.block = Some(Block::new(author, text, line.start, line.end));
            }
        }
        Ok(())
    }

    /// A blank line ends every block but the agent's.
    fn blank(&mut self, end: u64) -> Result<(), Failure> {
        match &mut self.block {
            Some(block) if block.author == Author::Agent => {
                block.push(b"", end);
                Ok(())
            }
            _ => self.close(None),
        }
    }

    /// Whether a line is a part of the block that an earlier read told last.
    fn goes_on(&mut self, kind: Line<'_>) -> bool {
        let goes_on = match (self.state.open, kind) {
            (Some(Author::Console), kind) if self.state.console.holds(kind) => true,
            (Some(Author::Agent), Line::Blank) => return false,
            (Some(Author::Person), Line::Person(_)) => true,
            (Some(Author::Console), Line::Console(_) | Line::Agent(_)) => true,
            (Some(Author::Agent), Line::Agent(_)) => true,
            // The tokens of a reply stand behind it and are told with it.
            (Some(Author::Agent), Line::Console(text)) => tokens(text).is_some(),
            _ => false,
        };
        self.state.open = None;
        goes_on
    }

    fn close(&mut self, tokens: Option<(u64, u64)>) -> Result<(), Failure> {
        match self.block.take() {
            Some(block) => self.state.voices.tell(&mut self.teller, block, tokens),
            None => Ok(()),
        }
    }
}
