//! Identifies the session of a file from its first and last records and its path.
//!
//! A file is Kimi's by its content. Only the names of the folders above the file have the session's own id; the
//! `state.json` next to it has its title and directory.

use std::io::{Read, Seek};

use acreta_sdk::adapter::file_probe::{DAMAGED, STRANGERS, filled, keep_first};
use acreta_sdk::adapter::json::{Scanner, Text, Value};
use acreta_sdk::adapter::objects::{ScannedKind, Stop};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{Failure, Session, attr, document, file_probe, path as place};

use crate::lines::{Lines, is_legacy};

/// Lists the sessions in a file: one, or none if the file is not Kimi's.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let mut file = file_probe::open(path)?;
    let size = file_probe::size(&mut file)?;
    let mut file_probe = FileProbe::default();
    let is_all = file_probe.head(&mut file, size)?;
    if !file_probe.is_kimi {
        return Ok(Vec::new());
    }
    if !is_all {
        file_probe.updated_ms = None;
        file_probe::tail::<Lines>(&mut file, size, |found| {
            if let ScannedKind::Record(record) = found.what {
                file_probe.see(*record);
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
    is_kimi: bool,
    has_conversation: bool,
    records: usize,
    damaged: usize,
    directory: Option<String>,
    model: Option<String>,
    started_ms: Option<u64>,
    updated_ms: Option<u64>,
}

impl FileProbe {
    /// Examines the beginning; returns `true` if that was the whole file.
    fn head(&mut self, file: &mut (impl Read + Seek), size: u64) -> Result<bool, Failure> {
        file_probe::head::<Lines>(file, size, |found| {
            match found.what {
                ScannedKind::Record(record) => self.see(*record),
                ScannedKind::Damage(..) => self.damaged += 1,
                ScannedKind::Unfinished => {}
            }
            let is_foreign = !self.is_kimi && self.records >= STRANGERS;
            let knows_all = self.has_conversation && self.directory.is_some();
            if is_foreign || knows_all || self.damaged >= DAMAGED {
                Err(Stop::Enough)
            } else {
                Ok(())
            }
        })
    }

    fn see(&mut self, record: Value<'_>) {
        self.records += 1;
        let kind = record.text_of("type").map(Text::lossy).unwrap_or_default();
        let object = |name: &str| matches!(record.field(name), Some(Value::Object(_)));
        let (is_own, says_something) = match &*kind {
            "metadata" => (record.text_of("protocol_version").is_some(), false),
            "context.append_message" => (object("message"), true),
            "context.append_loop_event" => (object("event"), true),
            "turn.prompt" => (record.field("input").is_some(), true),
            "" => (is_legacy(record), is_legacy(record)),
            _ => (false, false),
        };
        self.is_kimi |= is_own;
        if !self.is_kimi {
            return;
        }
        self.has_conversation |= says_something;
        let time = ["time", "created_at", "timestamp"]
            .iter()
            .find_map(|name| record.field(name).and_then(instant));
        self.started_ms = self.started_ms.or(time);
        self.updated_ms = time.or(self.updated_ms);
        if kind == "config.update" || kind == "profile.bind" {
            let disclosed = record.field("environmentDisclosure");
            let directory = record
                .text_of("cwd")
                .or_else(|| disclosed.and_then(|disclosed| disclosed.text_of("cwd")));
            keep_first(&mut self.directory, directory);
            keep_first(&mut self.model, record.text_of("modelAlias"));
        }
    }

    fn session(self, path: &str, revision: String, is_all: bool) -> Session {
        let layout = Layout::of(path, self.started_ms);
        let beside = layout.state();
        let mut attrs = Vec::new();
        let mut parent = layout.parent;
        let is_subagent = parent.is_some();
        if is_subagent {
            attrs.push(attr("relation", "subagent"));
        } else if beside.forked_from.is_some() {
            parent = beside.forked_from;
            attrs.push(attr("relation", "fork"));
        }
        // A subagent's folder has no title.
        let title = beside.title.filter(|_| !is_subagent);
        attrs.extend(title.map(|title| attr("title", title)));
        attrs.extend(self.model.map(|model| attr("model", model)));
        attrs.extend(layout.digest.map(|digest| attr("project_digest", digest)));
        if is_all && !self.has_conversation {
            attrs.push(attr("empty", "true"));
        }
        Session {
            id: layout.id,
            agent: crate::AGENT.to_owned(),
            path: path.to_owned(),
            project_dir: beside.directory.or(self.directory),
            parent,
            started_ms: self.started_ms,
            updated_ms: self.updated_ms,
            revision,
            attrs,
        }
    }
}

/// Properties taken from a file's path.
#[derive(Default)]
pub(crate) struct Layout {
    pub(crate) id: String,
    /// The session whose subagent this is.
    pub(crate) parent: Option<String>,
    /// MD5 of the directory, in the older layout.
    digest: Option<String>,
    /// Path of the session's own `state.json`.
    state: Option<String>,
}

impl Layout {
    pub(crate) fn of(path: &str, started_ms: Option<u64>) -> Self {
        let folders: Vec<&str> = place::folders(path).take(4).collect();
        let stem = place::stem(path);
        let near = place::parent(path);
        match (stem, &folders[..]) {
            ("wire", [agent, "agents", session, _]) => {
                let state = format!("{}/state.json", place::parent(place::parent(near)));
                Self::agent(session, (*agent != "main").then_some(*agent), state)
            }
            ("wire", [agent, "subagents", session, bucket]) => {
                let state = format!("{}/state.json", place::parent(place::parent(near)));
                let digest = digest(bucket);
                Self {
                    digest,
                    ..Self::agent(session, Some(agent), state)
                }
            }
            ("wire", [session, bucket, ..]) if digest(bucket).is_some() => Self {
                digest: digest(bucket),
                ..Self::agent(session, None, format!("{near}/state.json"))
            },
            // Not in Kimi's own folder: only its start time identifies it.
            ("wire", _) => Self {
                id: format!("wire-{}", started_ms.unwrap_or(0)),
                ..Self::default()
            },
            _ => Self {
                id: stem.to_owned(),
                ..Self::default()
            },
        }
    }

    /// Reads the session's own `state.json`; the default if there is none.
    pub(crate) fn state(&self) -> State {
        self.state
            .as_deref()
            .and_then(State::load)
            .unwrap_or_default()
    }

    fn agent(session: &str, agent: Option<&str>, state: String) -> Self {
        let (id, parent) = match agent {
            Some(agent) => (format!("{session}-{agent}"), Some(session.to_owned())),
            None => (session.to_owned(), None),
        };
        Self {
            id,
            parent,
            state: Some(state),
            ..Self::default()
        }
    }
}

/// Returns the digest in the name of a folder: MD5, after the name of the machine if it is another one.
fn digest(folder: &str) -> Option<String> {
    let digits = folder.rsplit('_').next().unwrap_or(folder);
    let is_digest = digits.len() == 32 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_digest.then(|| digits.to_owned())
}

/// Content of a session's `state.json`.
#[derive(Default)]
pub(crate) struct State {
    title: Option<String>,
    directory: Option<String>,
    pub(crate) forked_from: Option<String>,
}

impl State {
    /// Returns `None` if the file does not exist or is not an object.
    fn load(path: &str) -> Option<Self> {
        let bytes = document::load(path).ok()?;
        let state = Scanner::new(&bytes).object().ok()?;
        let own = |name: &str| state.text_of(name);
        let custom = state
            .field("custom")
            .and_then(|custom| custom.text_of("cwd"));
        Some(Self {
            title: filled(own("title").or_else(|| own("custom_title"))),
            directory: filled(own("workDir").or_else(|| own("cwd")).or(custom)),
            forked_from: filled(own("forkedFrom")),
        })
    }
}
