//! Identifies the session of a file from its first and last records.
//!
//! A file is Claude Code's by its content, never by its name. The number of examined records is bounded, whatever the
//! size of the file.

use std::io::{Read, Seek};

use acreta_sdk::adapter::file_probe::{DAMAGED, STRANGERS, keep_first};
use acreta_sdk::adapter::json::Text;
use acreta_sdk::adapter::objects::{ScannedKind, Stop};
use acreta_sdk::adapter::time::milliseconds;
use acreta_sdk::adapter::{Failure, Session, attr, file_probe};

use crate::record::{Lines, Record};

/// Maximum number of session ids of one file that are remembered.
const IDS: usize = 64;

/// Lists the sessions in a file: one, or none if the file is not Claude Code's. A session without conversation has the
/// attribute `empty`.
pub fn sessions(path: &str, mut file: impl Read + Seek) -> Result<Vec<Session>, Failure> {
    let size = file_probe::size(&mut file)?;
    let mut file_probe = FileProbe::default();
    let is_all = file_probe.head(&mut file, size)?;
    if !file_probe.is_claude || file_probe.is_foreign {
        return Ok(Vec::new());
    }
    if !is_all {
        file_probe.updated_ms = None;
        file_probe::tail::<Lines>(&mut file, size, |found| {
            if let ScannedKind::Record(record) = found.what {
                file_probe.see(&record);
            }
            Ok(())
        })?;
    }
    let revision = file_probe::revision(&mut file, size)?;
    Ok(vec![file_probe.session(path, revision, is_all)])
}

/// Properties found in a file.
#[derive(Default)]
struct FileProbe {
    is_claude: bool,
    /// Another agent wrote it in the same shape.
    is_foreign: bool,
    has_conversation: bool,
    records: usize,
    damaged: usize,
    /// Session ids, each once, the last seen last.
    ids: Vec<String>,
    /// Set if the conversation is a subagent's from its first record on.
    agent: Option<String>,
    directory: Option<String>,
    branch: Option<String>,
    version: Option<String>,
    started_ms: Option<u64>,
    updated_ms: Option<u64>,
    custom_title: Option<String>,
    generated_title: Option<String>,
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

    fn knows_enough(&self) -> bool {
        self.is_foreign
            || self.damaged >= DAMAGED
            || (!self.is_claude && self.records >= STRANGERS)
            || (self.has_conversation && self.directory.is_some() && self.version.is_some())
    }

    fn see(&mut self, record: &Record<'_>) {
        self.records += 1;
        let message = record.message.as_ref();
        let has_parts = message.is_some_and(|message| message.has_parts);
        if has_parts || record.has_system_payload {
            self.is_foreign = !self.has_conversation;
            return;
        }
        let has_message = record.message.is_some() || record.uuid.is_some();
        let is_own = record.session.is_some() && record.kind.is_some() && has_message
            || record.is_named_bookkeeping();
        let is_bookkeeping = record.points_at.is_some()
            && (record.is("summary") || record.is("file-history-snapshot"));
        if !is_own && !is_bookkeeping {
            return;
        }
        self.is_claude = true;
        if let Some(id) = record.session.map(|id| id.lossy().into_owned()) {
            self.ids.retain(|known| *known != id);
            self.ids.push(id);
            if self.ids.len() > IDS {
                self.ids.remove(0);
            }
        }
        let time = record.timestamp.and_then(|time| milliseconds(time.raw));
        self.started_ms = self.started_ms.or(time);
        self.updated_ms = time.or(self.updated_ms);
        keep_first(&mut self.directory, record.directory);
        keep_first(&mut self.branch, record.branch);
        keep_first(&mut self.version, record.version);
        keep_last(&mut self.custom_title, record.custom_title);
        keep_last(&mut self.generated_title, record.generated_title);
        if record.key().is_some() {
            if !self.has_conversation && record.is_sidechain {
                self.agent = record.agent.map(|agent| agent.lossy().into_owned());
            }
            self.has_conversation = true;
        }
    }

    fn session(self, path: &str, revision: String, is_all: bool) -> Session {
        let name = path.rsplit('/').next().unwrap_or(path);
        let stem = name.strip_suffix(".jsonl").unwrap_or(name);
        let own = match self.ids.last() {
            Some(last) if !self.ids.iter().any(|id| id == stem) => last.clone(),
            _ => stem.to_owned(),
        };
        let (id, parent) = match self.agent {
            Some(agent) => (format!("agent-{agent}"), Some(own)),
            None => (own, None),
        };
        let mut attrs = Vec::new();
        attrs.extend(parent.is_some().then(|| attr("relation", "subagent")));
        attrs.extend(
            self.custom_title
                .or(self.generated_title)
                .map(|title| attr("title", title)),
        );
        attrs.extend(self.branch.map(|branch| attr("branch", branch)));
        attrs.extend(self.version.map(|version| attr("version", version)));
        if is_all && !self.has_conversation {
            attrs.push(attr("empty", "true"));
        }
        Session {
            id,
            agent: crate::AGENT.to_owned(),
            path: path.to_owned(),
            project_dir: self.directory,
            parent,
            started_ms: self.started_ms,
            updated_ms: self.updated_ms,
            revision,
            attrs,
        }
    }
}

fn keep_last(kept: &mut Option<String>, seen: Option<Text<'_>>) {
    if let Some(text) = seen.map(Text::lossy).filter(|text| !text.is_empty()) {
        *kept = Some(text.into_owned());
    }
}
