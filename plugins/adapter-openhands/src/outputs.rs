//! The output of an evaluation: a line per task, each a separate session.
//!
//! A line is written once, when its task is over. An unreadable line becomes a session that reports the fault, since it
//! cannot be reported elsewhere.

use std::collections::HashMap;
use std::io::{Seek, SeekFrom};

use acreta_sdk::adapter::document::{self, Item};
use acreta_sdk::adapter::json::{Fault, Scanner, Text, Value};
use acreta_sdk::adapter::objects::{Records, ScannedItem, ScannedKind, Stop, each_object};
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::{
    Attrs, Cursor, Failure, RecordSpan, Session, Sink, attr, failure, file_probe, path,
};
use acreta_sdk::lines::LineReader;

use crate::emit::{Audience, Telling};
use crate::event::{Event, events};
use crate::trajectory::{directory, has_words};

/// After this many lines without a task the file is someone else's.
const STRANGERS: usize = 3;

/// Attribute with the offset of a session in its file: saves a search on reading.
const OFFSET: &str = "offset";

/// The lines of such a file.
struct Tasks;

impl Records for Tasks {
    type Record<'a> = Value<'a>;

    const BEGINNINGS: &'static [&'static [u8]] = &[b"{\"instance_id\":", b"{\"issue\":"];

    fn scan<'a>(scanner: &mut Scanner<'a>) -> Result<Value<'a>, Fault> {
        scanner.object()
    }

    fn is_whole(record: &Value<'_>) -> bool {
        is_task(*record)
    }
}

/// Reports whether a record is the output of a task.
fn is_task(record: Value<'_>) -> bool {
    let has = |name: &str| record.field(name).is_some();
    let is_output = has("instruction") || has("git_patch") || has("test_result");
    let Some(history) = record.field("history").filter(|_| is_output) else {
        return false;
    };
    let history = history_of(history);
    let mut first = history.iter().map(|item| Event(item.value));
    first.next().is_none_or(|first| first.kind().is_some())
}

/// Returns the events of a history.
fn history_of(history: Value<'_>) -> Vec<Item<'_>> {
    match history {
        Value::List(raw) => events(document::items(&mut Scanner::new(raw), 0).0),
        _ => Vec::new(),
    }
}

/// Lists the sessions in a file; empty if it is not OpenHands'.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let mut list = List::new(path);
    let mut lines = LineReader::new(file_probe::open(path)?, 0);
    let read = each_object::<Tasks>(&mut lines, 0, |found| {
        list.see(&found);
        if list.tasks == 0 && list.sessions.len() + list.strangers >= STRANGERS {
            return Err(Stop::Enough);
        }
        Ok(())
    });
    match read {
        Err(Stop::Failed(failure)) => Err(failure),
        _ if list.tasks == 0 => Ok(Vec::new()),
        _ => Ok(list.sessions),
    }
}

/// Emits one session of such a file.
pub(crate) fn read(
    session: &Session,
    from: &Cursor,
    sink: &mut impl Sink,
) -> Result<Cursor, Failure> {
    let hint = session.attrs.iter().find(|(key, _)| key == OFFSET);
    let hint: Option<u64> = hint.and_then(|(_, value)| value.parse().ok());
    let known = match hint {
        Some(offset) => task_at(session, offset)?,
        None => None,
    };
    let (offset, bytes) = match known {
        Some(known) => known,
        None => task_anywhere(session)?,
    };
    if document::is_told(&bytes, from)? {
        return Ok(from.clone());
    }
    emit(&bytes, offset, sink)?;
    Ok(document::after(&bytes))
}

/// Reads the task at an offset, if it is this session's.
fn task_at(session: &Session, offset: u64) -> Result<Option<(u64, Vec<u8>)>, Failure> {
    let mut file = file_probe::open(&session.path)?;
    file.seek(SeekFrom::Start(offset))
        .map_err(|error| failure::io(&error))?;
    let mut lines = LineReader::new(file, offset);
    let mut found_there = None;
    let read = each_object::<Tasks>(&mut lines, offset, |found| {
        let revision = revision(&found);
        if found.start == offset && revision == session.revision {
            found_there = Some((found.start, bytes_of(&found.what)));
        }
        Err(Stop::Enough)
    });
    match read {
        Err(Stop::Failed(failure)) => Err(failure),
        _ => Ok(found_there),
    }
}

/// Searches the whole file for a session whose offset changed.
fn task_anywhere(session: &Session) -> Result<(u64, Vec<u8>), Failure> {
    let sessions = sessions(&session.path)?;
    let mut same = sessions.into_iter().filter(|other| other.id == session.id);
    let moved = same.next().and_then(|other| {
        let offset = other.attrs.iter().find(|(key, _)| key == OFFSET)?;
        let offset: u64 = offset.1.parse().ok()?;
        Some((other, offset))
    });
    let found = match moved {
        Some((other, offset)) => task_at(&other, offset)?,
        None => None,
    };
    found.ok_or_else(|| failure::unreadable("the task is no longer in the file"))
}

fn emit(bytes: &[u8], offset: u64, sink: &mut impl Sink) -> Result<(), Failure> {
    let mut telling = Telling::new(sink, Audience::Benchmark);
    let whole = RecordSpan::new("", offset, offset + bytes.len() as u64, None);
    let Some(task) = Outline::of(bytes, "history").filter(|task| task.fault.is_none()) else {
        telling.diagnose(&whole, "a line that cannot be read");
        return telling.finish();
    };
    let items = events(task.items.as_deref().unwrap_or_default().to_vec());
    if items.is_empty() {
        telling.task(&whole, task.text("instruction").unwrap_or_default())?;
    }
    for item in items {
        telling.event(Item {
            start: item.start + offset,
            end: item.end + offset,
            ..item
        })?;
    }
    telling.error(&whole, task.text("error").unwrap_or_default())?;
    telling.finish()
}

/// Properties found in a file.
struct List<'p> {
    path: &'p str,
    tasks: usize,
    strangers: usize,
    sessions: Vec<Session>,
    /// Number of occurrences of each id.
    ids: HashMap<String, usize>,
}

impl<'p> List<'p> {
    fn new(path: &'p str) -> Self {
        Self {
            path,
            tasks: 0,
            strangers: 0,
            sessions: Vec::new(),
            ids: HashMap::new(),
        }
    }

    fn see(&mut self, found: &ScannedItem<'_, Tasks>) {
        let session = match &found.what {
            ScannedKind::Record(record) if is_task(**record) => {
                self.tasks += 1;
                self.session(**record, found)
            }
            ScannedKind::Record(_) => {
                self.strangers += 1;
                return;
            }
            ScannedKind::Damage(..) => self.named(format!("damaged-{}", found.start), found),
            // Still being written.
            ScannedKind::Unfinished => return,
        };
        self.sessions.push(session);
    }

    fn session(&mut self, record: Value<'_>, found: &ScannedItem<'_, Tasks>) -> Session {
        let id = id_of(record);
        let id = id.unwrap_or_else(|| format!("{}-{}", path::stem(self.path), self.tasks));
        let mut session = self.named(id, found);
        let items = record.field("history").map(history_of).unwrap_or_default();
        let mut times = items.iter().filter_map(|item| Event(item.value).at_ms());
        session.started_ms = times.next();
        session.updated_ms = times.next_back().or(session.started_ms);
        session.project_dir = directory(&items);
        session.attrs.extend(about(record));
        if !has_words(&items) {
            session.attrs.push(attr("empty", "true"));
        }
        session
    }

    fn named(&mut self, id: String, found: &ScannedItem<'_, Tasks>) -> Session {
        let count = self.ids.entry(id.clone()).or_default();
        *count += 1;
        Session {
            id: match *count {
                1 => id,
                further => format!("{id}-{further}"),
            },
            agent: crate::AGENT.to_owned(),
            path: self.path.to_owned(),
            project_dir: None,
            parent: None,
            started_ms: None,
            updated_ms: None,
            revision: revision(found),
            attrs: vec![attr(OFFSET, found.start.to_string())],
        }
    }
}

/// Returns the name of a task: the benchmark's, or that of its issue.
fn id_of(record: Value<'_>) -> Option<String> {
    if let Some(id) = record.text_of("instance_id") {
        return Some(id.lossy().into_owned());
    }
    let issue = record.field("issue")?;
    let text = |name: &str| issue.text_of(name).map(Text::lossy);
    let number = issue.field("number")?.number()?;
    Some(format!("{}__{}-{number}", text("owner")?, text("repo")?))
}

/// Returns title and model. The settings hold credentials too: only the model is read.
fn about(record: Value<'_>) -> Attrs {
    let title = record
        .field("issue")
        .and_then(|issue| issue.text_of("title"));
    let settings = record
        .field("metadata")
        .and_then(|metadata| metadata.field("llm_config"));
    let model = settings.and_then(|settings| settings.text_of("model"));
    let title = title.map(|title| attr("title", title.lossy()));
    let model = model.map(|model| attr("model", model.lossy()));
    title.into_iter().chain(model).collect()
}

fn revision(found: &ScannedItem<'_, Tasks>) -> String {
    document::revision(&bytes_of(&found.what))
}

/// Returns the bytes of a line, as far as they are available.
fn bytes_of(what: &ScannedKind<'_, Tasks>) -> Vec<u8> {
    match what {
        ScannedKind::Record(record) => record.raw().to_vec(),
        ScannedKind::Damage(_, bytes) => bytes.to_vec(),
        ScannedKind::Unfinished => Vec::new(),
    }
}
