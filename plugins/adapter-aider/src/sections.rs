//! Finds the sessions of a chat history in one pass over the file.
//!
//! A session extends from its header to the next one. Its id is its start time, so it stays the same while the file
//! grows.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Seek, SeekFrom};

use acreta_sdk::adapter::calls::hash;
use acreta_sdk::adapter::{Failure, Session, attr, failure, file_probe};
use acreta_sdk::lines::LineReader;

use crate::line::{Line, Stamp, model, version};

/// Beginning of a transcript that may quote a chat history.
const FOREIGN: &[u8] = b"<!-- ";

/// Attribute with the offset of a session in its file: saves a search on reading.
const OFFSET: &str = "offset";

/// Lists the sessions in a file; empty if it is not aider's.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let mut ids = Ids::default();
    let sections = sections(file_probe::open(path)?)?;
    let sessions = sections.into_iter().map(|section| Session {
        id: ids.next(&section.id),
        agent: crate::AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: None,
        parent: None,
        started_ms: section.at_ms,
        updated_ms: None,
        revision: format!("{}:{:016x}", section.end - section.start, section.content),
        attrs: section.attrs(),
    });
    Ok(sessions.collect())
}

/// Returns the offset of a session in its file.
pub(crate) fn start_of(session: &Session, file: &mut File) -> Result<u64, Failure> {
    let hint = session.attrs.iter().find(|(key, _)| key == OFFSET);
    let hint = hint.and_then(|(_, value)| value.parse().ok());
    if let Some(offset) = hint
        && starts_at(session, offset, file)?
    {
        return Ok(offset);
    }
    file.seek(SeekFrom::Start(0))
        .map_err(|error| failure::io(&error))?;
    let mut ids = Ids::default();
    for section in sections(&*file)? {
        if ids.next(&section.id) == session.id {
            return Ok(section.start);
        }
    }
    Err(failure::unreadable(
        "the session is no longer in the chat history",
    ))
}

/// Reports whether the header of this session is at the offset.
fn starts_at(session: &Session, offset: u64, file: &mut File) -> Result<bool, Failure> {
    file.seek(SeekFrom::Start(offset))
        .map_err(|error| failure::io(&error))?;
    let mut lines = LineReader::new(&*file, offset);
    let line = lines.next_line().map_err(|error| failure::io(&error))?;
    let Some(Line::Started(stamp)) = line.map(|line| Line::of(line.bytes)) else {
        return Ok(false);
    };
    let rest = session.id.strip_prefix(&stamp.id());
    Ok(rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-')))
}

/// Numbers the sessions that started in the same second.
#[derive(Default)]
struct Ids(HashMap<String, usize>);

impl Ids {
    fn next(&mut self, id: &str) -> String {
        let count = self.0.entry(id.to_owned()).or_default();
        *count += 1;
        match *count {
            1 => id.to_owned(),
            further => format!("{id}-{further}"),
        }
    }
}

/// One session, before it is read.
struct Section {
    id: String,
    at_ms: Option<u64>,
    start: u64,
    /// Offset after its last line that is not blank.
    end: u64,
    version: Option<String>,
    model: Option<String>,
    /// The person or the agent said something.
    has_words: bool,
    /// A hash of its lines that are not blank.
    content: u64,
}

impl Section {
    fn new(id: String, at_ms: Option<u64>, start: u64) -> Self {
        Self {
            id,
            at_ms,
            start,
            end: start,
            version: None,
            model: None,
            has_words: false,
            content: 0,
        }
    }

    fn see(&mut self, line: Line<'_>, bytes: &[u8], end: u64) {
        match line {
            Line::Blank => return,
            Line::Started(_) => {}
            Line::Person(_) | Line::Agent(_) => self.has_words = true,
            Line::Console(text) => {
                self.version = self.version.take().or_else(|| version(text));
                self.model = self.model.take().or_else(|| model(text));
            }
        }
        self.content = self.content.rotate_left(7) ^ hash(bytes);
        self.end = end;
    }

    fn attrs(self) -> Vec<(String, String)> {
        let mut attrs = vec![
            attr("local_time", "true"),
            attr(OFFSET, self.start.to_string()),
        ];
        attrs.extend(self.version.map(|version| attr("version", version)));
        attrs.extend(self.model.map(|model| attr("model", model)));
        if !self.has_words {
            attrs.push(attr("empty", "true"));
        }
        attrs
    }
}

/// Finds the sections of a chat history. A file whose beginning was cut off starts with the rest of a session, which is
/// named after the next one.
fn sections(file: impl std::io::Read) -> Result<Vec<Section>, Failure> {
    let mut lines = LineReader::new(file, 0);
    let mut found: Vec<Section> = Vec::new();
    let mut first = Section::new(String::new(), None, 0);
    let mut is_after_blank = true;
    // A line before the first header has a form that only aider writes.
    let mut is_marked = false;
    while let Some(line) = lines.next_line().map_err(|error| failure::io(&error))? {
        let kind = Line::of(line.bytes);
        let starts = started(kind).filter(|_| is_after_blank && line.terminated);
        is_after_blank = kind == Line::Blank;
        if let Some(stamp) = starts {
            found.push(Section::new(stamp.id(), Some(stamp.at_ms), line.start));
        } else if found.is_empty() {
            is_marked |= matches!(kind, Line::Person(_) | Line::Console(_));
            if line.next > file_probe::HEAD || line.bytes.starts_with(FOREIGN) {
                return Ok(Vec::new());
            }
        }
        match found.last_mut() {
            Some(section) => section.see(kind, line.bytes, line.end),
            None => first.see(kind, line.bytes, line.end),
        }
    }
    let Some(next) = found.first() else {
        return Ok(found);
    };
    if first.end > 0 && !is_marked {
        return Ok(Vec::new());
    }
    if first.end > 0 {
        first.id = next.id.replacen("aider-", "aider-before-", 1);
        found.insert(0, first);
    }
    Ok(found)
}

fn started(line: Line<'_>) -> Option<Stamp<'_>> {
    match line {
        Line::Started(stamp) => Some(stamp),
        _ => None,
    }
}
