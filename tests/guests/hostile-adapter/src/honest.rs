//! A minimal adapter.

use std::fs::File;
use std::io::{self, Read};

use acreta_sdk::adapter::{Cursor, Description, Event, Failure, Origin, Root, Session, host};

use crate::failure;

const MARK: &[u8] = b"{\"hostile\"";

pub(crate) fn describe() -> Description {
    let root = Root {
        name: "hostile".to_owned(),
        candidates: vec!["~/.hostile".to_owned()],
        patterns: vec!["*.jsonl".to_owned()],
        reason: "sessions of the test's own agent".to_owned(),
    };
    Description {
        agent: "hostile".to_owned(),
        roots: vec![root],
        attrs: Vec::new(),
    }
}

pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let length = match length_if_ours(path).map_err(|cause| unreadable(path, &cause))? {
        Some(length) => length,
        None => return Ok(Vec::new()),
    };
    let name = path.rsplit('/').next().unwrap_or(path);
    Ok(vec![Session {
        id: name.split('.').next().unwrap_or(name).to_owned(),
        agent: setting("agent").unwrap_or_else(|| "hostile".to_owned()),
        path: path.to_owned(),
        project_dir: setting("project_dir"),
        parent: None,
        started_ms: Some(1_771_582_272_000),
        updated_ms: Some(1_771_582_273_000),
        revision: length.to_string(),
        attrs: Vec::new(),
    }])
}

fn setting(key: &str) -> Option<String> {
    hostile_attacks::text(&host::config::get(key)?)
}

pub(crate) fn read(session: &Session, from: &Cursor) -> Result<Cursor, Failure> {
    let length = length_if_ours(&session.path)
        .map_err(|cause| unreadable(&session.path, &cause))?
        .unwrap_or_default();
    if from.offset > length {
        return Err(failure(
            "invalid-cursor",
            "the file is shorter now".to_owned(),
        ));
    }
    if from.offset < length {
        host::sink::emit(&events(length))?;
    }
    Ok(Cursor {
        offset: length,
        state: Vec::new(),
    })
}

fn events(length: u64) -> [Event; 2] {
    let event = |id: &str, role: &str, at_ms, text: &str| Event {
        id: id.to_owned(),
        origin: Origin {
            record: id.to_owned(),
            start: 0,
            end: length,
        },
        role: role.to_owned(),
        kind: "text".to_owned(),
        at_ms: Some(at_ms),
        text: text.to_owned(),
        attrs: Vec::new(),
    };
    [
        event(
            "1",
            "user",
            1_771_582_272_000,
            "Always use SQLite for the queue, because it is one file.",
        ),
        event(
            "2",
            "assistant",
            1_771_582_273_000,
            "The queue is a SQLite file now.",
        ),
    ]
}

fn length_if_ours(path: &str) -> io::Result<Option<u64>> {
    let mut file = File::open(path)?;
    let mut start = Vec::new();
    file.by_ref()
        .take(MARK.len() as u64)
        .read_to_end(&mut start)?;
    Ok(if start == MARK {
        Some(file.metadata()?.len())
    } else {
        None
    })
}

fn unreadable(path: &str, cause: &io::Error) -> Failure {
    failure("io", format!("could not read `{path}`: {cause}"))
}
