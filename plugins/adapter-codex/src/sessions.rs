//! Identifies the session of a file from its first and last records.
//!
//! A file is Codex's by its content, never by its name; a few records are enough to decide. In Codex's own files, the
//! beginning of each line is searched for working directories.

use std::io::{Cursor as Bytes, Read, Seek, SeekFrom};

use acreta_sdk::adapter::author::Author;
use acreta_sdk::adapter::file_probe::{DAMAGED, STRANGERS, keep_first};
use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::objects::{ScannedKind, Stop};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{Attrs, Failure, Session, attr, document, failure, file_probe, parts};

use crate::author;
use crate::compressed::{Decoded, is_compressed};
use crate::home;
use crate::meta::{Meta, Relation};
use crate::places;
use crate::record::{Lines, Record};

/// Lists the sessions in a file: one for each directory in which it was resumed, or none if the file is not Codex's. A
/// session without conversation has the attribute `empty`.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let mut file = file_probe::open(path)?;
    let mut file_probe = FileProbe::default();
    if is_compressed(&mut file)? {
        let bytes = document::load(path)?;
        let is_all = file_probe.decoded(&bytes)?;
        if !file_probe.is_codex {
            return Ok(Vec::new());
        }
        let revision = document::revision(&bytes);
        let whole = file_probe.session(path, revision.clone(), is_all);
        let found = places::parts(Decoded::new(&*bytes))?;
        return parts::split(whole, found, |_| Ok(revision.clone()));
    }
    let size = file_probe::size(&mut file)?;
    let is_all = file_probe.head(&mut file, size)?;
    if !file_probe.is_codex {
        return Ok(Vec::new());
    }
    if !is_all {
        file_probe.tail(&mut file, size)?;
    }
    let revision = file_probe::revision(&mut file, size)?;
    let whole = file_probe.session(path, revision, is_all);
    file.seek(SeekFrom::Start(0))
        .map_err(|error| failure::io(&error))?;
    let found = places::parts(&mut file)?;
    parts::split(whole, found, |end| file_probe::revision(&mut file, end))
}

/// Properties found in a file.
#[derive(Default)]
struct FileProbe {
    is_codex: bool,
    /// The file contains conversation.
    is_conversation: bool,
    records: usize,
    damaged: usize,
    /// The thread's id; empty until its description is found.
    id: String,
    directory: Option<String>,
    branch: Option<String>,
    version: Option<String>,
    model: Option<String>,
    title: Option<String>,
    relation: Option<(Relation, Option<String>)>,
    started_ms: Option<u64>,
    updated_ms: Option<u64>,
}

impl FileProbe {
    /// Examines the beginning; returns `true` if that was the whole file.
    fn head(&mut self, file: &mut (impl Read + Seek), size: u64) -> Result<bool, Failure> {
        file_probe::head::<Lines>(file, size, |found| {
            match found.what {
                ScannedKind::Record(record) => self.see(&record),
                ScannedKind::Damage(..) => self.damaged += 1,
                ScannedKind::Unfinished => {}
            }
            if self.knows_enough() {
                Err(Stop::Enough)
            } else {
                Ok(())
            }
        })
    }

    /// Examines the beginning of a compressed file; returns `true` if that was all of it. Only then is the time of the
    /// last change known.
    fn decoded(&mut self, bytes: &[u8]) -> Result<bool, Failure> {
        let mut head = Vec::new();
        let mut decoded = Decoded::new(bytes);
        (&mut decoded)
            .take(file_probe::HEAD)
            .read_to_end(&mut head)
            .map_err(|error| failure::io(&error))?;
        let length = head.len() as u64;
        let mut head = Bytes::new(head);
        self.head(&mut head, length)?;
        if let Some(fault) = decoded.fault.filter(|_| !self.is_codex) {
            // The owner is unknown, and an empty list would mean that it is another program's.
            return Err(failure::unreadable(fault));
        }
        let is_all = length < file_probe::HEAD;
        if is_all {
            self.tail(&mut head, length)?;
        } else {
            self.updated_ms = None;
        }
        Ok(is_all)
    }

    fn tail(&mut self, file: &mut (impl Read + Seek), size: u64) -> Result<(), Failure> {
        self.updated_ms = None;
        file_probe::tail::<Lines>(file, size, |found| {
            if let ScannedKind::Record(record) = found.what {
                self.see(&record);
            }
            Ok(())
        })
    }

    fn knows_enough(&self) -> bool {
        let is_described = !self.id.is_empty() && self.directory.is_some();
        self.damaged >= DAMAGED
            || (!self.is_codex && self.records >= STRANGERS)
            || (self.is_conversation && is_described && self.model.is_some())
    }

    fn see(&mut self, record: &Record<'_>) {
        self.records += 1;
        if let Some(meta) = Meta::of(record) {
            self.describe(meta);
        }
        let is_bare_header = record.is_bare_header();
        let is_sign = record.is_wrapped() || is_bare_header || record.is_state();
        self.is_codex |= is_sign;
        // A bare item could be any agent's; it counts once the file is known to be Codex's.
        if !self.is_codex || !is_sign && record.payload.is_some() {
            return;
        }
        let time = record.timestamp.and_then(instant);
        self.started_ms = self.started_ms.or(time);
        if !is_bare_header {
            self.updated_ms = time.or(self.updated_ms);
        }
        let content = record.content();
        if record.is("turn_context") {
            keep_first(&mut self.model, content.text_of("model"));
            keep_first(&mut self.directory, content.text_of("cwd"));
        } else if record.is("event_msg") {
            self.notice(content);
        } else if record.is("response_item") || record.payload.is_none() {
            self.item(content);
        }
    }

    /// The first description is the thread's own.
    fn describe(&mut self, meta: Meta<'_>) {
        if !self.id.is_empty() {
            return;
        }
        self.id = meta.id().unwrap_or_default();
        self.directory = meta.directory();
        self.branch = meta.branch();
        self.version = meta.version();
        self.relation = meta.relation();
        self.started_ms = meta.started_ms();
    }

    fn notice(&mut self, notice: Value<'_>) {
        let is = |kind: &str| notice.text_of("type").is_some_and(|text| text.is(kind));
        if is("user_message") {
            self.is_conversation = true;
        } else if is("thread_name_updated") {
            let name = notice.text_of("thread_name").map(Text::lossy);
            self.title = name.filter(|name| !name.is_empty()).map(Into::into);
        }
    }

    fn item(&mut self, item: Value<'_>) {
        let role = item.text_of("role").map(Text::lossy).unwrap_or_default();
        if role != "user" {
            let kind = item.text_of("type").map(Text::lossy).unwrap_or_default();
            self.is_conversation |= role == "assistant" || kind.ends_with("_call");
            return;
        }
        for block in item
            .field("content")
            .map(Value::elements)
            .unwrap_or_default()
        {
            let text = block.text_of("text").unwrap_or_default().lossy();
            let pieces = author::split(&text);
            self.is_conversation |= pieces.iter().any(|piece| piece.author == Author::Own);
            if self.directory.is_none() {
                self.directory = author::directory(&text);
            }
        }
    }

    fn session(self, path: &str, revision: String, is_all: bool) -> Session {
        let name = path.rsplit('/').next().unwrap_or(path);
        let thread = match self.id {
            id if id.is_empty() => id_in(home::stem(name).unwrap_or(name)).to_owned(),
            id => id,
        };
        let title = self.title.or_else(|| home::title(path, &thread));
        let (id, relation) = match home::replacing(path, &thread) {
            Some(rollout) => (rollout, Some((Relation::Fork, Some(thread)))),
            None => (thread, self.relation),
        };
        let mut attrs = Attrs::new();
        let (relation, parent) = relation.unzip();
        attrs.extend(relation.map(|relation| match relation {
            Relation::Subagent => attr("relation", "subagent"),
            Relation::Fork => attr("relation", "fork"),
        }));
        attrs.extend(title.map(|title| attr("title", title)));
        attrs.extend(self.branch.map(|branch| attr("branch", branch)));
        attrs.extend(self.version.map(|version| attr("version", version)));
        attrs.extend(self.model.map(|model| attr("model", model)));
        if is_all && !self.is_conversation {
            attrs.push(attr("empty", "true"));
        }
        Session {
            id,
            agent: crate::AGENT.to_owned(),
            path: path.to_owned(),
            project_dir: self.directory,
            parent: parent.flatten(),
            started_ms: self.started_ms,
            updated_ms: self.updated_ms,
            revision,
            attrs,
        }
    }
}

/// Returns the id at the end of a name, `rollout-<time>-<id>`; else the name.
fn id_in(stem: &str) -> &str {
    const TIME: usize = "2026-01-01T00-00-00-".len();
    let rest = stem.strip_prefix("rollout-");
    rest.and_then(|rest| rest.get(TIME..))
        .filter(|id| !id.is_empty())
        .unwrap_or(stem)
}
