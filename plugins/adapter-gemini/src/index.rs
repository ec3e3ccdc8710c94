//! Finds the latest record of each message, and the order of messages.
//!
//! A message may be rewritten under its id, the whole history may be rewritten, and a person may retract messages.
//! Messages that a new history leaves out to save space stay; only retracted ones are removed.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use acreta_sdk::adapter::calls::hash;
use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::objects::{ScannedItem, ScannedKind, Stop, each_object};
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::{EventWriter, Failure, RecordSpan, Sink, document, failure, file_probe};
use acreta_sdk::lines::LineReader;

use crate::record::{Lines, Record};

/// The field with the messages, in a document and in a rewritten history.
pub(crate) const MESSAGES: &str = "messages";

/// Location of the latest version of a message.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// Hash of the message's id.
    key: u64,
    pub(crate) start: u64,
    pub(crate) end: u64,
}

impl Entry {
    fn new(id: Text<'_>, start: u64, end: u64) -> Self {
        Self {
            key: hash(id.raw),
            start,
            end,
        }
    }

    /// Reads the message from the file.
    pub(crate) fn load(&self, file: &mut File) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(self.start))
            .and_then(|_| file.take(self.end - self.start).read_to_end(&mut bytes))
            .map_err(|error| failure::io(&error))?;
        Ok(bytes)
    }
}

/// The messages of a session, in order.
#[derive(Default)]
pub(crate) struct Index {
    entries: Vec<Entry>,
    /// Index of each message in `entries`.
    places: HashMap<u64, usize>,
}

impl Index {
    /// Reads a whole file; reports unreadable parts as diagnostics.
    pub(crate) fn of<S: Sink>(path: &str, told: &mut EventWriter<'_, S>) -> Result<Self, Failure> {
        if is_document(&file_probe::beginning(path)?) {
            return Self::of_document(path, told);
        }
        let mut index = Self::default();
        let mut lines = LineReader::new(file_probe::open(path)?, 0);
        let read = each_object::<Lines>(&mut lines, 0, |found| {
            index.take(found, told);
            Ok(())
        });
        match read {
            Err(Stop::Failed(failure)) => Err(failure),
            Ok(_) | Err(Stop::Enough) => Ok(index),
        }
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn of_document<S: Sink>(path: &str, told: &mut EventWriter<'_, S>) -> Result<Self, Failure> {
        let bytes = document::load(path)?;
        let mut index = Self::default();
        let Some(outline) = Outline::of(&bytes, MESSAGES) else {
            return Ok(index);
        };
        for item in outline.items.iter().flatten() {
            match item.value.text_of("id") {
                Some(id) => index.put(Entry::new(id, item.start, item.end)),
                None => told.diagnose(
                    &RecordSpan::new("", item.start, item.end, None),
                    "a message without an id",
                ),
            }
        }
        if let Some((at, why)) = outline.fault {
            told.diagnose(&RecordSpan::new("", at, at, None), why);
        }
        Ok(index)
    }

    fn take<S: Sink>(&mut self, found: ScannedItem<'_, Lines>, told: &mut EventWriter<'_, S>) {
        let place = RecordSpan::new("", found.start, found.end, None);
        let record = match found.what {
            ScannedKind::Record(record) => *record,
            ScannedKind::Damage(cause, _) => return told.diagnose(&place, cause),
            ScannedKind::Unfinished => {
                let message = "unfinished at the end of the file, left for the next read";
                return told.diagnose(&place, message);
            }
        };
        let inside = |value: Value<'_>| {
            let offset = value.raw().as_ptr() as usize - record.raw().as_ptr() as usize;
            let start = found.start + offset as u64;
            (start, start + value.raw().len() as u64)
        };
        match Record::of(record) {
            Record::Message(id) => self.put(Entry::new(id, found.start, found.end)),
            Record::Update(update) => {
                if let Some(messages) = update.field(MESSAGES) {
                    self.replace(messages, inside);
                }
            }
            Record::Head => {
                if let Some(messages) = record.field(MESSAGES) {
                    self.replace(messages, inside);
                }
            }
            Record::Rewind(id) => match self.places.get(&hash(id.raw)) {
                Some(&first) => {
                    self.truncate(first);
                    if self.entries.is_empty() {
                        told.diagnose_once(&place, "all that was said before was taken back");
                    }
                }
                None => told.diagnose(&place, "what is taken back is not there"),
            },
            Record::Other => {
                told.diagnose_once(&place, "a record that is no message and changes nothing");
            }
        }
    }

    /// Stores the latest version of a message: at its old position, or at the end.
    fn put(&mut self, entry: Entry) {
        match self.places.get(&entry.key) {
            Some(&place) => self.entries[place] = entry,
            None => {
                self.places.insert(entry.key, self.entries.len());
                self.entries.push(entry);
            }
        }
    }

    /// Stores the latest version of many messages. New ones are inserted before the known one that follows them.
    fn replace(&mut self, messages: Value<'_>, span: impl Fn(Value<'_>) -> (u64, u64)) {
        let mut new = Vec::new();
        for message in messages.elements() {
            let Some(id) = message.text_of("id") else {
                continue;
            };
            let (start, end) = span(message);
            let entry = Entry::new(id, start, end);
            match self.places.get(&entry.key) {
                Some(&place) => {
                    self.entries[place] = entry;
                    self.insert(place, &mut new);
                }
                None => new.push(entry),
            }
        }
        self.insert(self.entries.len(), &mut new);
    }

    fn insert(&mut self, place: usize, new: &mut Vec<Entry>) {
        if new.is_empty() {
            return;
        }
        // One of them may be listed twice.
        let mut seen = HashSet::new();
        new.retain(|entry| seen.insert(entry.key));
        self.entries.splice(place..place, new.drain(..));
        for (place, entry) in self.entries.iter().enumerate().skip(place) {
            self.places.insert(entry.key, place);
        }
    }

    fn truncate(&mut self, place: usize) {
        for entry in self.entries.drain(place..) {
            self.places.remove(&entry.key);
        }
    }
}

/// Reports whether this is the beginning of one printed document rather than of a record per line.
pub(crate) fn is_document(head: &[u8]) -> bool {
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let text = text.trim_ascii_start();
    let first = text.split(|byte| *byte == b'\n').next();
    first.is_some_and(|line| line.len() < text.len() && line.trim_ascii_end() == b"{")
}
