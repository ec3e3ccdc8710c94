//! Reads an archived trace, by page, by id or by text. Holds one page at a time; every call is bounded, and a damaged
//! line is an error that names the file.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::sync::Arc;

use acreta_fs::{Directory, Faults, Reader};
use acreta_types::{Event, Failure, TraceReader};
use aho_corasick::AhoCorasick;
use camino::{Utf8Path, Utf8PathBuf};
use memchr::memmem;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::TraceError;
use crate::index::EventIndex;

/// Upper bound of a line: a text of 1 MiB, fully escaped, and attributes.
const LINE_BYTES: u64 = 64 * 1024 * 1024;
/// Maximum size of a page, except for the one event that is always returned.
const PAGE_BYTES: usize = 4 * 1024 * 1024;
const FOUND_EVENTS: u32 = 1_000;

/// A trace open for reading.
#[derive(Debug)]
pub struct TraceFile {
    path: Utf8PathBuf,
    reader: BufReader<Reader>,
    /// Current offset of `reader`.
    position: u64,
    /// Start of the next page.
    cursor: u64,
    index: Arc<EventIndex>,
    /// Length and SHA-256 of the whole file, if it was read to be indexed.
    whole: Option<(u64, [u8; 32])>,
    line: Vec<u8>,
}

impl TraceFile {
    /// Opens a trace below `directory` and indexes it.
    pub fn open(directory: &Directory, relative: impl AsRef<Utf8Path>) -> Result<Self, TraceError> {
        let mut file = Self::with_index(directory, relative.as_ref(), Arc::default())?;
        let mut index = EventIndex::default();
        let mut digest = Sha256::new();
        loop {
            let start = file.position;
            if !file.read_line()? {
                break;
            }
            let line: IdOfLine<'_> =
                serde_json::from_slice(&file.line).map_err(|cause| file.damaged(start, cause))?;
            index.insert(&line.id, start);
            digest.update(&file.line);
        }
        file.whole = Some((file.position, digest.finalize().into()));
        file.index = Arc::new(index);
        Ok(file)
    }

    /// Reports whether this is the trace as a run left it. One that was not indexed is not known.
    pub fn is_as_left(&self, bytes: u64, digest: &[u8; 32]) -> bool {
        self.whole.as_ref() == Some(&(bytes, *digest))
    }

    /// Opens the trace at an absolute path.
    pub fn open_path(path: &Utf8Path, faults: Arc<dyn Faults>) -> Result<Self, TraceError> {
        let folder = path.parent().filter(|folder| !folder.as_str().is_empty());
        let directory = Directory::open(folder.unwrap_or(Utf8Path::new(".")), faults)?;
        Self::open(&directory, path.file_name().unwrap_or_default())
    }

    pub(crate) fn with_index(
        directory: &Directory,
        relative: &Utf8Path,
        index: Arc<EventIndex>,
    ) -> Result<Self, TraceError> {
        Ok(Self {
            path: directory.path().join(relative),
            reader: BufReader::with_capacity(64 * 1024, directory.open_reader(relative)?),
            position: 0,
            cursor: 0,
            index,
            whole: None,
            line: Vec::new(),
        })
    }

    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// Returns the event with an id, to check evidence against. Does not move the page.
    pub fn resolve(&mut self, event_id: &str) -> Result<Option<Event>, TraceError> {
        let Some(offset) = self.index.offset(event_id) else {
            return Ok(None);
        };
        self.go_to(offset)?;
        let event = self.next_event()?;
        Ok(event.filter(|event| event.id == event_id))
    }

    /// Reports whether a line contains a name of letters and underscores. Does not move the page.
    pub fn mentions(&mut self, name: &str) -> Result<bool, TraceError> {
        let name = memmem::Finder::new(name);
        self.go_to(0)?;
        while self.read_line()? {
            if name.find(&self.line).is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns those of `ids` whose event comes after the first `events` of the trace.
    pub fn after<'a>(
        &self,
        events: u64,
        ids: impl IntoIterator<Item = &'a str>,
    ) -> BTreeSet<&'a str> {
        let begin = self.index.offset_after(events);
        let is_after = |id: &&str| self.index.offset(id).is_some_and(|offset| offset >= begin);
        ids.into_iter().filter(is_after).collect()
    }

    fn page(&mut self, max_bytes: usize) -> Result<Vec<Event>, TraceError> {
        let max_bytes = max_bytes.min(PAGE_BYTES);
        let mut page = Vec::new();
        let mut bytes = 0;
        self.go_to(self.cursor)?;
        while let Some(event) = self.next_event()? {
            bytes += weight(&event);
            if bytes > max_bytes && !page.is_empty() {
                break;
            }
            self.cursor = self.position;
            page.push(event);
            if bytes >= max_bytes {
                break;
            }
        }
        Ok(page)
    }

    fn search(&mut self, text: &str, limit: u32) -> Result<Vec<Event>, TraceError> {
        let Some(needle) = Needle::new(text) else {
            return Ok(Vec::new());
        };
        let limit = limit.min(FOUND_EVENTS) as usize;
        let mut found = Vec::new();
        let mut bytes = 0;
        self.go_to(0)?;
        while found.len() < limit {
            let start = self.position;
            if !self.read_line()? {
                break;
            }
            if !needle.may_be_in(&self.line) {
                continue;
            }
            let event = self.parse(start)?;
            if needle.is_in(&event.text) {
                bytes += weight(&event);
                if bytes > PAGE_BYTES && !found.is_empty() {
                    break;
                }
                found.push(event);
            }
        }
        Ok(found)
    }

    /// Returns the event at the reader's position and advances to the next.
    pub(crate) fn next_event(&mut self) -> Result<Option<Event>, TraceError> {
        let start = self.position;
        if self.read_line()? {
            self.parse(start).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Reads the next line into `self.line`; returns `false` at the end.
    fn read_line(&mut self) -> Result<bool, TraceError> {
        self.line.clear();
        let start = self.position;
        let read = (&mut self.reader)
            .take(LINE_BYTES)
            .read_until(b'\n', &mut self.line)
            .map_err(|cause| self.unreadable(cause))?;
        self.position += read as u64;
        if read as u64 == LINE_BYTES {
            return Err(TraceError::LineTooLong {
                path: self.path.clone(),
                offset: start,
                allowed: LINE_BYTES,
            });
        }
        Ok(read > 0)
    }

    fn parse(&self, start: u64) -> Result<Event, TraceError> {
        serde_json::from_slice(&self.line).map_err(|cause| self.damaged(start, cause))
    }

    fn go_to(&mut self, offset: u64) -> Result<(), TraceError> {
        // A seek within the buffer is free. No file is long enough for the difference to overflow.
        let distance = offset.wrapping_sub(self.position) as i64;
        self.reader
            .seek_relative(distance)
            .map_err(|cause| self.unreadable(cause))?;
        self.position = offset;
        Ok(())
    }

    fn damaged(&self, offset: u64, cause: serde_json::Error) -> TraceError {
        TraceError::Damaged {
            path: self.path.clone(),
            offset,
            cause,
        }
    }

    fn unreadable(&self, cause: std::io::Error) -> TraceError {
        TraceError::Read {
            path: self.path.clone(),
            cause,
        }
    }
}

impl TraceReader for TraceFile {
    fn count(&self) -> u64 {
        self.index.len()
    }

    fn next(&mut self, max_bytes: u32) -> Result<Vec<Event>, Failure> {
        self.page(max_bytes as usize)
            .map_err(|error| error.to_failure())
    }

    fn read(&mut self, event_id: &str) -> Result<Option<Event>, Failure> {
        self.resolve(event_id).map_err(|error| error.to_failure())
    }

    fn find(&mut self, text: &str, limit: u32) -> Result<Vec<Event>, Failure> {
        self.search(text, limit).map_err(|error| error.to_failure())
    }

    fn rewind(&mut self) {
        self.cursor = 0;
    }
}

/// The part of a line needed to index it; the rest is validated but not built.
#[derive(Deserialize)]
struct IdOfLine<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
}

/// A text to search for, ignoring case.
struct Needle {
    lower: String,
    /// For ASCII: the text itself, and its JSON-escaped form in a line.
    ascii: Option<(AhoCorasick, AhoCorasick)>,
}

impl Needle {
    fn new(text: &str) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        let searcher = |pattern: &str| {
            AhoCorasick::builder()
                .ascii_case_insensitive(true)
                .build([pattern])
                .ok()
        };
        let escaped = serde_json::to_string(text).ok()?;
        let inner = escaped.strip_prefix('"')?.strip_suffix('"')?;
        let ascii = if text.is_ascii() {
            Some((searcher(text)?, searcher(inner)?))
        } else {
            None
        };
        Some(Self {
            lower: text.to_lowercase(),
            ascii,
        })
    }

    /// Pre-filter that avoids parsing most lines.
    fn may_be_in(&self, line: &[u8]) -> bool {
        self.ascii
            .as_ref()
            .is_none_or(|(_, escaped)| escaped.is_match(line))
    }

    fn is_in(&self, text: &str) -> bool {
        match &self.ascii {
            Some((plain, _)) => plain.is_match(text),
            None => text.to_lowercase().contains(&self.lower),
        }
    }
}

/// Returns the bytes that an event counts for in a page.
fn weight(event: &Event) -> usize {
    let attrs: usize = event
        .attrs
        .0
        .iter()
        .map(|(key, value)| key.len() + value.len())
        .sum();
    event.text.len() + attrs
}
