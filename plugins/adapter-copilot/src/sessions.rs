//! Identifies the session of a log from its first and last records.

use std::io::{Read, Seek, SeekFrom};

use acreta_sdk::adapter::file_probe::{DAMAGED, STRANGERS, keep_first};
use acreta_sdk::adapter::json::Value;
use acreta_sdk::adapter::objects::{ScannedKind, Stop};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{Attrs, Failure, Session, attr, failure, file_probe, parts, path};

use crate::places;
use crate::record::{Lines, Record};

/// Lists the sessions in a log: one for each directory in which it was resumed, or none if the file is not a log of
/// Copilot's.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let mut file = file_probe::open(path)?;
    let size = file_probe::size(&mut file)?;
    let mut file_probe = FileProbe::default();
    let is_all = file_probe.head(&mut file, size)?;
    if !file_probe.is_copilot {
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

/// Properties found in a log.
#[derive(Default)]
struct FileProbe {
    is_copilot: bool,
    is_conversation: bool,
    records: usize,
    damaged: usize,
    id: Option<String>,
    parent: Option<String>,
    directory: Option<String>,
    branch: Option<String>,
    version: Option<String>,
    model: Option<String>,
    title: Option<String>,
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
            let is_strange = !self.is_copilot && self.records >= STRANGERS;
            let is_known = self.is_conversation && self.id.is_some() && self.model.is_some();
            if is_strange || is_known || self.damaged >= DAMAGED {
                Err(Stop::Enough)
            } else {
                Ok(())
            }
        })
    }

    fn tail(&mut self, file: &mut (impl Read + Seek), size: u64) -> Result<(), Failure> {
        file_probe::tail::<Lines>(file, size, |found| {
            if let ScannedKind::Record(record) = found.what {
                self.see(&record);
            }
            Ok(())
        })
    }

    fn see(&mut self, record: &Record<'_>) {
        self.records += 1;
        if !record.is_own() {
            return;
        }
        let context = record.data.field("context");
        let in_context = |name: &str| context.and_then(|context| context.text_of(name));
        match &*record.kind {
            "session.start" => {
                self.is_copilot |= record.text("sessionId").is_some();
                keep_first(&mut self.id, record.text("sessionId"));
                let parent = record.text("detachedFromSpawningParentSessionId");
                keep_first(&mut self.parent, parent);
                keep_first(&mut self.version, record.text("copilotVersion"));
                keep_first(&mut self.model, record.text("selectedModel"));
                self.started_ms = record.data.field("startTime").and_then(instant);
            }
            "session.resume" => self.is_copilot |= context.is_some(),
            "session.model_change" => keep_first(&mut self.model, record.text("newModel")),
            "session.title_changed" => {
                self.title = record.text("title").map(|title| title.lossy().into_owned());
            }
            "user.message" | "assistant.message" => {
                let is_own = record.text("content").is_some();
                self.is_copilot |= is_own;
                self.is_conversation |= is_own;
                keep_first(&mut self.model, record.text("model"));
            }
            "tool.execution_start" => {
                let is_call = record.text("toolCallId").is_some();
                self.is_copilot |= is_call && matches!(record.data, Value::Object(_));
            }
            _ => {}
        }
        keep_first(&mut self.directory, in_context("cwd"));
        keep_first(&mut self.branch, in_context("branch"));
        let time = record.timestamp.and_then(instant);
        self.started_ms = self.started_ms.or(time);
        self.updated_ms = time.or(self.updated_ms);
    }

    fn session(self, path: &str, revision: String, is_all: bool) -> Session {
        let mut attrs = Attrs::new();
        if self.parent.is_some() {
            attrs.push(attr("relation", "subagent"));
        }
        let named = [
            ("title", self.title),
            ("branch", self.branch),
            ("version", self.version),
            ("model", self.model),
        ];
        for (name, value) in named {
            attrs.extend(value.map(|value| attr(name, value)));
        }
        if is_all && !self.is_conversation {
            attrs.push(attr("empty", "true"));
        }
        Session {
            id: self.id.unwrap_or_else(|| named_by(path).to_owned()),
            agent: crate::AGENT.to_owned(),
            path: path.to_owned(),
            project_dir: self.directory,
            parent: self.parent,
            started_ms: self.started_ms,
            updated_ms: self.updated_ms,
            revision,
            attrs,
        }
    }
}

/// Returns the id in a path, `<id>/events.jsonl` or `<id>.jsonl`.
fn named_by(path: &str) -> &str {
    match path::stem(path) {
        "events" => path::folders(path).next().unwrap_or("events"),
        stem => stem,
    }
}
