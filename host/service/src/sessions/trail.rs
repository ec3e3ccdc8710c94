//! What sessions did, by the index: which files they touched for a topic (`sessions files`), which of them changed a file or a
//! line of it and what the person had asked for (`sessions blame`), and how a program was used before (`sessions how`).

use std::collections::{BTreeMap, BTreeSet};

use acreta_search::{FoundSession, SessionIndex, SessionOrder, SessionQuery};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use super::index;
use super::search::roots_at;
use crate::{Context, Failure, Kind};

/// Number of sessions that a topic is looked for in.
const TOPIC_SESSIONS: usize = 12;

/// Maximum number of calls of one session that are looked at.
const CALLS: usize = 240;

/// Number of sessions whose calls are looked at.
const SESSIONS: usize = 200;

/// Maximum bytes of a file whose line is asked for.
const FILE_BYTES: u64 = 16 * 1024 * 1024;

/// Minimum letters of a line by which it is recognised in a change.
const LINE_LETTERS: usize = 6;

/// A question about what sessions did.
#[derive(Debug, Clone, Default)]
pub struct TrailRequest {
    /// A topic, `PATH` or `PATH:LINE`, or a command.
    pub text: String,
    /// A directory of the project; all projects without it.
    pub project: Option<Utf8PathBuf>,
    pub limit: usize,
}

/// A file that sessions about a topic touched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TouchedFile {
    pub path: String,
    pub sessions: u64,
    /// Number of calls that may have changed it.
    pub changes: u64,
}

/// A call that changed a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileChange {
    pub session: String,
    pub title: Option<String>,
    pub event: String,
    pub at_ms: Option<u64>,
    pub tool: Option<String>,
    /// What the person had asked for.
    pub asked: Option<String>,
    pub has_failed: Option<bool>,
}

/// A command line that agents ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UsedCommand {
    pub command: String,
    pub worked: u64,
    pub failed: u64,
    /// The last session, and the call in it.
    pub session: String,
    pub event: String,
    pub at_ms: Option<u64>,
}

/// Returns the files that the sessions about a topic touched, those of most sessions first.
pub fn files(request: &TrailRequest, context: &Context) -> Result<Vec<TouchedFile>, Failure> {
    let index = opened(context)?;
    let about = SessionQuery {
        text: request.text.clone(),
        sessions: TOPIC_SESSIONS,
        passages: 1,
        ..query(request, context)?
    };
    let mut files: BTreeMap<String, (BTreeSet<String>, u64)> = BTreeMap::new();
    for session in found(&index, &about)? {
        let key = session.head.key();
        let calls = SessionQuery {
            session: Some(key.clone()),
            sessions: 1,
            passages: CALLS,
            role: Some("assistant".to_owned()),
            order: SessionOrder::Newest,
            ..SessionQuery::default()
        };
        let root = session.head.project.unwrap_or_default();
        for call in found(&index, &calls)?
            .into_iter()
            .flat_map(|one| one.passages)
        {
            for file in call.act.files {
                let known = files.entry(within(&file, &root)).or_default();
                known.0.insert(key.clone());
                known.1 += u64::from(call.act.is_change);
            }
        }
    }
    let mut files: Vec<TouchedFile> = files
        .into_iter()
        .map(|(path, (sessions, changes))| TouchedFile {
            path,
            sessions: sessions.len() as u64,
            changes,
        })
        .collect();
    files.sort_by_key(|file| std::cmp::Reverse((file.sessions, file.changes)));
    files.truncate(request.limit);
    Ok(files)
}

/// Returns the calls that changed a file, newest first; with a line, only those whose text has it as it is now.
pub fn blame(request: &TrailRequest, context: &Context) -> Result<Vec<FileChange>, Failure> {
    let (path, line) = match request.text.rsplit_once(':') {
        Some((path, line)) if line.parse::<usize>().is_ok() => (path, line.parse().ok()),
        _ => (request.text.as_str(), None),
    };
    let contains = line
        .map(|line| line_of(&context.project.join(path), line))
        .transpose()?;
    let index = opened(context)?;
    let root = context.project.as_str();
    let changed = SessionQuery {
        file: Some(within(path, root)),
        changes_only: true,
        contains,
        sessions: SESSIONS,
        passages: CALLS,
        order: SessionOrder::Newest,
        ..query(request, context)?
    };
    let mut changes = Vec::new();
    for session in found(&index, &changed)? {
        let key = session.head.key();
        for call in session.passages {
            changes.push(FileChange {
                session: key.clone(),
                title: session.head.title.clone(),
                event: call.event,
                at_ms: call.at_ms,
                tool: call.tool,
                asked: call.act.asked,
                has_failed: call.act.has_failed,
            });
        }
    }
    changes.sort_by_key(|change| std::cmp::Reverse(change.at_ms));
    changes.truncate(request.limit);
    Ok(changes)
}

/// Returns how a command was used, those that worked most often first.
pub fn how(request: &TrailRequest, context: &Context) -> Result<Vec<UsedCommand>, Failure> {
    if !request.text.contains(char::is_alphanumeric) {
        return Err(Failure::new(Kind::Usage, "the command is empty"));
    }
    let index = opened(context)?;
    let ran = SessionQuery {
        command: Some(request.text.clone()),
        sessions: SESSIONS,
        passages: CALLS,
        order: SessionOrder::Newest,
        ..query(request, context)?
    };
    let mut used: Vec<UsedCommand> = Vec::new();
    for session in found(&index, &ran)? {
        let key = session.head.key();
        for call in session.passages {
            let Some(command) = call.act.command else {
                continue;
            };
            let place = used.iter().position(|known| known.command == command);
            let place = place.unwrap_or_else(|| {
                used.push(UsedCommand {
                    command,
                    worked: 0,
                    failed: 0,
                    session: key.clone(),
                    event: call.event,
                    at_ms: call.at_ms,
                });
                used.len() - 1
            });
            match call.act.has_failed {
                Some(true) => used[place].failed += 1,
                Some(false) => used[place].worked += 1,
                None => {}
            }
        }
    }
    used.sort_by_key(|used| std::cmp::Reverse((used.worked, used.at_ms)));
    used.truncate(request.limit);
    Ok(used)
}

/// Opens the index, with all that is new.
fn opened(context: &Context) -> Result<SessionIndex, Failure> {
    let index = index::open(context)?;
    index::update(&index, None, context)?;
    Ok(index)
}

fn found(index: &SessionIndex, query: &SessionQuery) -> Result<Vec<FoundSession>, Failure> {
    index
        .search(query)
        .map_err(|error| Failure::from_error(&error))
}

/// Returns a query for the sessions of the project.
fn query(request: &TrailRequest, context: &Context) -> Result<SessionQuery, Failure> {
    let Some(directory) = &request.project else {
        return Ok(SessionQuery::default());
    };
    Ok(SessionQuery {
        projects: Some(roots_at(directory, context)?),
        ..SessionQuery::default()
    })
}

/// Returns a path relative to the project.
fn within(path: &str, root: &str) -> String {
    let inside = path.strip_prefix(root).filter(|_| !root.is_empty());
    inside
        .map_or(path, |path| path.trim_start_matches('/'))
        .to_owned()
}

/// Returns a line of a file as it stands in the input of a tool: without its indent, with the escapes of JSON.
fn line_of(file: &Utf8Path, number: usize) -> Result<String, Failure> {
    let text = crate::process::files::read_text(file, FILE_BYTES)?;
    let line = text
        .lines()
        .nth(number.saturating_sub(1))
        .unwrap_or_default();
    let line = line.trim();
    if line.chars().filter(|one| one.is_alphanumeric()).count() < LINE_LETTERS {
        let message = format!("line {number} of `{file}` says too little to be recognised");
        return Err(Failure::new(Kind::Usage, message).hint("name a line with a few words"));
    }
    let escaped = serde_json::to_string(line).unwrap_or_default();
    Ok(escaped.trim_matches('"').to_owned())
}
