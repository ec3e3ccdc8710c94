//! What sessions did, by the index: which files they touched for a topic (`sessions files`), which of them changed a file or a
//! line of it and what the person had asked for (`sessions blame`), and how a program was used before (`sessions how`).

use std::collections::{BTreeMap, HashMap};

use acreta_search::{
    FoundPassage, FoundSession, SessionIndex, SessionOrder, SessionQuery, written_line,
};
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use serde::Serialize;

use super::index;
use super::search::{roots_at, vocabulary};
use crate::find::ask::Question;
use crate::{Context, Failure, Kind};

/// Number of sessions that a topic is looked for in.
const TOPIC_SESSIONS: usize = 12;

/// Weight of a file that was only read, and of a call that has nothing of the topic in a session about it.
const READ: f64 = 0.3;
const UNNAMED: f64 = 0.2;

/// Parts of the names of tools that look through folders.
const SEARCHING: [&str; 5] = ["grep", "glob", "list", "search", "find"];

/// Maximum number of calls of one session that are looked at.
const CALLS: usize = 1_000;

/// Number of sessions whose calls are looked at.
const SESSIONS: usize = 200;

/// Maximum bytes of a file whose line is asked for.
const FILE_BYTES: u64 = 16 * 1024 * 1024;

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

/// Returns the files that the sessions about a topic touched, the most likely first. A file counts in each session as much as
/// the session fits, and there by its best call: whether it changed the file, and what share of the topic the call or
/// the prompt before it has.
pub fn files(request: &TrailRequest, context: &Context) -> Result<Vec<TouchedFile>, Failure> {
    let index = opened(context)?;
    let topic = Question::new(&request.text);
    let vocabulary = vocabulary(&index, &topic)?;
    let share = |text: &str| topic.share_in(text, &vocabulary);
    let about = SessionQuery {
        text: request.text.clone(),
        sessions: TOPIC_SESSIONS,
        passages: 1,
        ..query(request, context)?
    };
    let about = found(&index, &about)?;
    let best = about.first().map_or(1.0, |session| session.score);
    let mut files: BTreeMap<String, (f64, TouchedFile)> = BTreeMap::new();
    for session in about {
        let calls = SessionQuery {
            session: Some(session.head.key()),
            files_only: true,
            sessions: 1,
            passages: CALLS,
            order: SessionOrder::Newest,
            ..SessionQuery::default()
        };
        // The part of a call that has most of the topic.
        let telling = SessionQuery {
            text: request.text.clone(),
            order: SessionOrder::Best,
            ..calls.clone()
        };
        let telling: HashMap<String, f64> = passages(found(&index, &telling)?)
            .map(|call| (call.event, share(&call.text)))
            .collect();
        let root = session.head.project.unwrap_or_default();
        let fits = f64::from(session.score / best);
        let mut touched: BTreeMap<String, (f64, u64)> = BTreeMap::new();
        for call in passages(found(&index, &calls)?) {
            let act = call.act;
            if !act.is_change && call.tool.as_deref().is_some_and(is_searching) {
                continue;
            }
            let asked = act.asked.as_deref().map_or(0.0, share);
            let had = telling.get(&call.event).copied().unwrap_or(0.0);
            let weight = if act.is_change { 1.0 } else { READ };
            let value = fits * weight * (UNNAMED + asked.max(had));
            for file in act.files {
                let known = touched.entry(within(&file, &root)).or_default();
                known.0 = known.0.max(value);
                known.1 += u64::from(act.is_change);
            }
        }
        for (path, (value, changes)) in touched {
            let new = || TouchedFile {
                path: path.clone(),
                sessions: 0,
                changes: 0,
            };
            let known = (files.entry(path.clone())).or_insert_with(|| (0.0, new()));
            known.0 += value;
            known.1.sessions += 1;
            known.1.changes += changes;
        }
    }
    let mut files: Vec<(f64, TouchedFile)> = files.into_values().collect();
    // Stable: equal ones stay in the order of their paths.
    files.sort_by(|left, right| right.0.total_cmp(&left.0));
    files.truncate(request.limit);
    Ok(files.into_iter().map(|(_, file)| file).collect())
}

fn passages(sessions: Vec<FoundSession>) -> impl Iterator<Item = FoundPassage> {
    sessions.into_iter().flat_map(|session| session.passages)
}

/// Reports whether a tool looks through folders: the path that it is given is none of a file that it touches.
fn is_searching(tool: &str) -> bool {
    let tool = tool.to_lowercase();
    tool == "ls" || SEARCHING.iter().any(|part| tool.contains(part))
}

/// Returns the calls that changed a file, newest first; with a line, only those that wrote it as it is now.
pub fn blame(request: &TrailRequest, context: &Context) -> Result<Vec<FileChange>, Failure> {
    let (path, line) = match request.text.rsplit_once(':') {
        Some((path, line)) if line.parse::<usize>().is_ok() => (path, line.parse().ok()),
        _ => (request.text.as_str(), None),
    };
    let file = context.project.join(path);
    let wrote = line.map(|line| line_of(&file, line)).transpose()?;
    let index = opened(context)?;
    let path = AskedPath {
        path: within(plain(&file).as_str(), context.project.as_str()),
        is_whole: file.is_file(),
    };
    let changed = SessionQuery {
        file: Some(path.path.clone()),
        changes_only: true,
        wrote,
        sessions: SESSIONS,
        passages: CALLS,
        order: SessionOrder::Newest,
        ..query(request, context)?
    };
    let mut changes = Vec::new();
    for session in found(&index, &changed)? {
        let key = session.head.key();
        let root = session.head.project.as_deref().unwrap_or_default();
        for call in session.passages {
            let is_meant = call.act.files.iter().any(|file| path.is(file, root));
            // A failed call wrote nothing, but may have changed a file: a script stops in the middle.
            let has_failed = call.act.has_failed == Some(true);
            if !is_meant || (has_failed && wrote.is_some()) {
                continue;
            }
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

/// A file that a person asks about, relative to the project.
struct AskedPath {
    path: String,
    /// The project has this file. Otherwise it may be the end of a path.
    is_whole: bool,
}

impl AskedPath {
    /// Returns whether a tool was given this file, in a session of the project with this root.
    fn is(&self, given: &str, root: &str) -> bool {
        let given = given.replace('\\', "/");
        let inside = within(given.trim_start_matches("./"), root);
        let has_end = |path: &str, end: &str| {
            path.strip_suffix(end)
                .is_some_and(|folder| folder.ends_with('/'))
        };
        // Another checkout of the project, or a tool that ran in a folder of it.
        let is_elsewhere = inside.starts_with('/') || inside.get(1..3) == Some(":/");
        inside == self.path
            || given == self.path
            || has_end(&self.path, &inside)
            || (has_end(&inside, &self.path) && (is_elsewhere || !self.is_whole))
    }
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

/// Opens the index, with what is new.
fn opened(context: &Context) -> Result<SessionIndex, Failure> {
    let index = index::open(context)?;
    index::refresh(&index, context)?;
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

/// Takes `.` and `..` out of a path, by its words alone.
fn plain(path: &Utf8Path) -> Utf8PathBuf {
    let mut plain = Utf8PathBuf::new();
    for part in path.components() {
        match part {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

/// Returns a path relative to the project.
fn within(path: &str, root: &str) -> String {
    let inside = path.strip_prefix(root.trim_end_matches('/'));
    let inside = inside.filter(|rest| !root.is_empty() && rest.starts_with('/'));
    inside
        .map_or(path, |path| path.trim_start_matches('/'))
        .to_owned()
}

/// Returns a line of a file as the index knows it.
fn line_of(file: &Utf8Path, number: usize) -> Result<u64, Failure> {
    let text = crate::process::files::read_text(file, FILE_BYTES)?;
    let line = text.lines().nth(number.saturating_sub(1));
    written_line(file.as_str(), line.unwrap_or_default()).ok_or_else(|| {
        let message = format!("line {number} of `{file}` says too little to be recognised");
        Failure::new(Kind::Usage, message).hint("name a line with a few words")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_recognised_however_a_tool_was_given_it() {
        let (root, asked) = ("/home/dev/ledger", "src/post.rs");
        let whole = [
            ("/home/dev/ledger/src/post.rs", true),
            ("src/post.rs", true),
            ("./src/post.rs", true),
            // From a folder of the project, and in another checkout.
            ("post.rs", true),
            ("/home/dev/ledger-2/src/post.rs", true),
            ("C:\\dev\\ledger\\src\\post.rs", true),
            ("/home/dev/ledger/lib/src/post.rs", false),
            ("lib/src/post.rs", false),
            ("src/repost.rs", false),
            ("src/post.rs.bak", false),
        ];
        let path = |is_whole| AskedPath {
            path: asked.to_owned(),
            is_whole,
        };
        for (given, expected) in whole {
            assert_eq!(path(true).is(given, root), expected, "{given}");
        }
        assert!(path(false).is("lib/src/post.rs", root), "the end of a path");
        let beside = plain(Utf8Path::new("/home/dev/ledger/./src/../../other/a.rs"));
        assert_eq!(beside, "/home/dev/other/a.rs");
    }
}
