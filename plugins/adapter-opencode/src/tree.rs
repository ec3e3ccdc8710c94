//! The tree of small files that OpenCode had before its database: one file per session, per message and per part, in
//! sibling folders.
//!
//! Ids rise with time, so the names of the files are in order.

use std::fs;
use std::io::ErrorKind;

use acreta_sdk::adapter::json::{Scanner, Value};
use acreta_sdk::adapter::{
    Cursor, Failure, RecordSpan, Session, Sink, attr, document, failure, path,
};

use crate::emit::{Conversation, Part};
use crate::{START, info};

/// Returns the session that a file of the tree describes.
pub(crate) fn sessions(file: &str, bytes: &[u8]) -> Result<Vec<Session>, Failure> {
    let Ok(value) = Scanner::new(bytes).object() else {
        return Ok(Vec::new());
    };
    let id = value.text_of("id").unwrap_or_default().lossy();
    let time = value.field("time").and_then(|time| time.field("updated"));
    let updated = time.and_then(Value::number).unwrap_or(0);
    let tree = Tree::of(file);
    let messages = tree.messages(&id)?;
    // While a reply arrives, the last message grows.
    let last = match messages.last() {
        Some(last) => tree.weight(last)?,
        None => 0,
    };
    let revision = format!("{updated}:{}:{last}", messages.len());
    let mut session = info::session(file, value, revision, messages.is_empty());
    if let Some(session) = &mut session {
        session.attrs.push(attr("spread", "true"));
    }
    Ok(session.into_iter().collect())
}

pub(crate) fn read(session: &Session, sink: &mut impl Sink) -> Result<Cursor, Failure> {
    let tree = Tree::of(&session.path);
    let mut conversation = Conversation::new(session, sink);
    for name in tree.messages(&session.id)? {
        let place = RecordSpan::new(&*name, 0, 0, None);
        let bytes = document::load(&tree.file(&["message", &session.id, &name]))?;
        let Ok(info) = Scanner::new(&bytes).object() else {
            conversation
                .told
                .diagnose(&place, "the message is not valid JSON");
            continue;
        };
        let Some(mut message) = conversation.begin(info, place)? else {
            continue;
        };
        for part in tree.names(&["part", &name])? {
            let bytes = document::load(&tree.file(&["part", &name, &part]))?;
            match Scanner::new(&bytes).object() {
                Ok(value) => {
                    let (id, span) = (&*part, (0, 0));
                    conversation.part(&mut message, Part { id, value, span })?;
                }
                Err(_) => {
                    let place = RecordSpan::new(&*part, 0, 0, None);
                    conversation
                        .told
                        .diagnose(&place, "the part is not valid JSON");
                }
            }
        }
        conversation.end(message)?;
    }
    conversation.told.finish()?;
    Ok(START)
}

/// The folder that holds sessions, messages and parts.
struct Tree {
    folder: String,
}

impl Tree {
    /// Finds the tree of a session's file: `<folder>/session/<project>/<session>.json`.
    fn of(file: &str) -> Self {
        let folder = path::parent(path::parent(path::parent(file)));
        Self {
            folder: folder.to_owned(),
        }
    }

    /// Returns the ids of a session's messages, in order.
    fn messages(&self, session: &str) -> Result<Vec<String>, Failure> {
        self.names(&["message", session])
    }

    fn file(&self, names: &[&str]) -> String {
        format!("{}/{}.json", self.folder, names.join("/"))
    }

    /// Lists the names of the JSON files in a folder, without their extension, in order. Returns nothing for a folder
    /// name that would leave the tree.
    fn names(&self, folder: &[&str]) -> Result<Vec<String>, Failure> {
        let is_name = |name: &&str| !name.is_empty() && !name.contains(['/', '\\', '\0']);
        if !folder.iter().all(|name| is_name(name) && *name != "..") {
            return Ok(Vec::new());
        }
        let entries = match fs::read_dir(format!("{}/{}", self.folder, folder.join("/"))) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(failure::io(&error)),
        };
        let mut names = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|error| failure::io(&error))?;
            let name = entry.file_name();
            let stem = name.to_str().and_then(|name| name.strip_suffix(".json"));
            names.extend(stem.map(str::to_owned));
        }
        names.sort();
        Ok(names)
    }

    /// Returns the size in bytes of the parts of a message.
    fn weight(&self, message: &str) -> Result<u64, Failure> {
        let mut bytes = 0_u64;
        for part in self.names(&["part", message])? {
            let file = fs::metadata(self.file(&["part", message, &part]));
            bytes = bytes.saturating_add(file.map_or(0, |file| file.len()));
        }
        Ok(bytes)
    }
}
