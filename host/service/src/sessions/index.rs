//! Keeps the index of archived sessions up to date. It holds every session of this machine that is archived or has a trace,
//! in its latest state; what is missing is read before a search, newest first, as long as there is time, and the rest by a
//! process in the background.
//!
//! The text in the index is bounded (`sessions.index_mb`): of the sessions for which there is no room, the oldest, it has title
//! and figures alone.
//!
//! ```text
//! newest first    text      sum before it    with a limit of 100
//! claude/31f…       70               0       whole
//! codex/019…        50              70       whole: the last one that begins within the limit
//! pi/77a…           20             120       title and figures
//! ```

use std::collections::HashMap;
use std::num::NonZero;
use std::time::{Duration, Instant};

use acreta_fs::{Directory, NoFaults};
use acreta_search::{IndexedSession, SessionAct, SessionHead, SessionIndex, SessionPassage};
use acreta_state::{KnownSession, SessionFilter, SessionKey};
use acreta_types::{Event, Threads};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::conversation::SessionOpener;
use super::figures::{self, Meter};
use super::reader::edits;
use super::recovered::{self, Recovered};
use super::{Roots, SessionMatch, SessionRow, roots, row};
use crate::process::background::in_background;
use crate::{Context, Failure, Kind, projects::scopes};

/// File in the folder of the index, which goes with it: a digest of the sessions that it holds, and how many of them without
/// text.
const CHECKED: &str = "checked";

/// Maximum bytes of a tool's input that are looked through for paths.
const INPUT_BYTES: usize = 256 * 1024;

/// Time that a sync spends on the index.
const FOLLOWING: Duration = Duration::from_secs(10);

/// Maximum bytes of a prompt that are kept with what was done for it.
const ASKED_BYTES: usize = 240;

/// Number of sessions that each thread reads before they are written: they are in memory together.
const READ_AT_ONCE: usize = 4;

/// Stack of a thread that reads: an adapter's own megabyte and the host's calls beneath it.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// A session that could not be read, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "UnreadableSession")]
pub struct Unreadable {
    pub agent: String,
    pub session: String,
    pub cause: String,
}

/// State of the index after an update.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct IndexState {
    /// Number of sessions in it.
    pub(super) indexed: u64,
    /// Number of sessions that are not in it yet, or only in an earlier state.
    pub(super) waiting: u64,
    /// Number of sessions whose text is left out, since they are too old for its size.
    pub(super) left_out: u64,
    /// Another process is reading sessions.
    is_busy: bool,
    pub(super) unreadable: Vec<Unreadable>,
}

pub(crate) fn open(context: &Context) -> Result<SessionIndex, Failure> {
    let index = SessionIndex::open(&context.home.session_index());
    index.map_err(|error| Failure::from_error(&error))
}

/// Throws the index away, since it may hold what is purged. The next search builds it from what is left.
pub(crate) fn purge(context: &Context) -> Result<(), Failure> {
    if !context.home.session_index().is_dir() {
        return Ok(());
    }
    let purged = open(context)?.reset();
    purged.map_err(|error| Failure::from_error(&error))
}

/// Takes in what a sync archived, if somebody searched sessions before. What is left, the next sync or search does.
pub(crate) fn follow(context: &Context) {
    if !context.home.session_index().is_dir() {
        return;
    }
    let updated = open(context).and_then(|index| update(&index, Some(FOLLOWING), context));
    if let Err(error) = updated {
        tracing::debug!(%error, "the index of sessions was not brought up to date");
    }
}

/// Brings the index up to date for somebody who waits. What takes longer than `sessions.wait_seconds` is read by a process in the
/// background, and the person is told.
pub(crate) fn refresh(index: &SessionIndex, context: &Context) -> Result<IndexState, Failure> {
    let seconds = u64::try_from(context.config.integer("sessions.wait_seconds")).unwrap_or(0);
    let state = update(index, Some(Duration::from_secs(seconds)), context)?;
    if state.waiting == 0 {
        return Ok(state);
    }
    let (indexed, all) = (state.indexed, state.indexed + state.waiting);
    context.warn(&format!(
        "{indexed} of {all} sessions are indexed; the rest is being read in the background"
    ));
    if let Some(program) = context.process.compiler.as_ref().filter(|_| !state.is_busy) {
        let folder = context.home.folder();
        in_background(program, &["hook", "index-sessions"], folder)?;
    }
    Ok(state)
}

/// Reads all that is missing, a part at a time, so that searches find what was read. Ends if another process is at it.
pub fn index_all(context: &Context) -> Result<(), Failure> {
    let index = open(context)?;
    let mut waiting = u64::MAX;
    loop {
        let state = update(&index, Some(FOLLOWING), context)?;
        if state.waiting == 0 || state.waiting >= waiting || state.is_busy {
            return Ok(());
        }
        waiting = state.waiting;
    }
}

/// A session to index, with the state that would be indexed.
struct Wanted {
    candidate: SessionMatch,
    key: String,
    version: String,
    /// Bytes of text of the newer sessions that are in the index.
    newer_bytes: u64,
}

/// Reads the sessions that are missing or have changed, until `time` is up.
pub(crate) fn update(
    index: &SessionIndex,
    time: Option<Duration>,
    context: &Context,
) -> Result<IndexState, Failure> {
    let failed = |error: acreta_search::SearchError| Failure::from_error(&error);
    let megabytes = u64::try_from(context.config.integer("sessions.index_mb")).unwrap_or(0);
    let limit = megabytes.saturating_mul(1_000_000);
    let wanted = wanted(context)?;
    let digest = digest(&wanted, limit);
    let total = wanted.len() as u64;
    if let Some(left_out) = checked(index, &digest) {
        return Ok(IndexState {
            indexed: total,
            left_out,
            ..IndexState::default()
        });
    }
    let heads = index.heads().map_err(failed)?.into_iter();
    let mut known: HashMap<String, (SessionHead, String)> = heads
        .map(|(head, usage)| (head.key(), (head, usage)))
        .collect();
    let mut state = IndexState::default();
    let mut missing: Vec<Wanted> = Vec::new();
    let mut shortened: Vec<IndexedSession> = Vec::new();
    let mut bytes = 0;
    for mut session in wanted {
        let has_room = bytes < limit;
        match known.remove(&session.key) {
            Some((head, _)) if head.version == session.version && head.is_short != has_room => {
                bytes += head.bytes;
                state.left_out += u64::from(head.is_short);
            }
            Some((head, usage)) if head.version == session.version && !has_room => {
                state.left_out += 1;
                shortened.push(short(IndexedSession {
                    head,
                    usage,
                    passages: Vec::new(),
                }));
            }
            _ => {
                session.newer_bytes = bytes;
                missing.push(session);
            }
        }
    }
    // What is left is no longer in the archive.
    let gone: Vec<String> = known.into_keys().collect();
    let due = missing.len() as u64;
    let (mut read, mut read_bytes) = (0, 0);
    if due > 0 || !gone.is_empty() || !shortened.is_empty() {
        let started = Instant::now();
        let opener = SessionOpener::new(context)?;
        let catalog = scopes::open_catalog(context)?;
        let is_over = || time.is_some_and(|time| started.elapsed() > time);
        let cores = std::thread::available_parallelism().map_or(1, NonZero::get);
        let threads = cores.min(opener.options.workers);
        let mut parts = missing.chunks(threads * READ_AT_ONCE);
        let mut ready = Vec::new().into_iter();
        let mut next = || {
            if ready.len() == 0 {
                // Most of the time goes into adapters and into finding secrets.
                let part = parts.next()?;
                let threads = Threads::at_most(threads).stack_bytes(STACK_BYTES);
                let sessions = threads.map(part, |session| {
                    let newer = session.newer_bytes;
                    (!is_over()).then(|| (newer, read_session(session, &opener)))
                });
                ready = sessions.into_iter();
            }
            ready.next()?
        };
        let sessions = std::iter::from_fn(|| {
            let (newer_bytes, (session, problem)) = next()?;
            read += 1;
            state.unreadable.extend(problem);
            if newer_bytes + read_bytes >= limit {
                state.left_out += 1;
                return Some(short(session));
            }
            read_bytes += session.head.bytes;
            Some(session)
        });
        // Some may be purged since they were listed. A purge that begins now waits for this update, and throws it away.
        let is_kept = |session: &IndexedSession| {
            let key = SessionKey::new(&session.head.agent, &session.head.id);
            catalog.is_purged(&key).is_ok_and(|is_purged| !is_purged)
        };
        let sessions = shortened.into_iter().chain(sessions).filter(is_kept);
        if !index.update(sessions, &gone).map_err(failed)? {
            state.is_busy = true;
            (read, state.left_out) = (0, 0);
        } else if let Err(error) = figures::note_today(index, context) {
            tracing::debug!(%error, "today's figures were not noted");
        }
    }
    state.waiting = due - read;
    state.indexed = total - state.waiting;
    // Older sessions may have to make room for what was read.
    let is_settled = read == 0 || bytes + read_bytes <= limit;
    if state.waiting == 0 && !state.is_busy && is_settled {
        note_check(&digest, state.left_out, index);
    }
    Ok(state)
}

/// Returns a session without its text.
fn short(session: IndexedSession) -> IndexedSession {
    IndexedSession {
        head: SessionHead {
            is_short: true,
            bytes: 0,
            ..session.head
        },
        passages: Vec::new(),
        ..session
    }
}

/// Returns every session with a text, newest first.
fn wanted(context: &Context) -> Result<Vec<Wanted>, Failure> {
    let roots: Roots = roots(context)?;
    let catalog = scopes::open_catalog(context)?;
    let known = catalog.sessions(&SessionFilter {
        here: true,
        ..SessionFilter::default()
    })?;
    let known = known.into_iter().filter_map(|known: KnownSession| {
        let version = match &known.archive {
            Some(archive) => format!("a{}", archive.revision),
            None => format!("r{}", known.ran_revision.as_ref()?),
        };
        let row = row(&known, &roots);
        Some(Wanted {
            key: known.key().to_string(),
            version,
            newer_bytes: 0,
            candidate: SessionMatch::Known(Box::new(known), row),
        })
    });
    let recovered = recovered::recovered(context)?.into_iter();
    let recovered = recovered.map(|session: Recovered| Wanted {
        key: format!("{}/{}", recovered::AGENT, session.id),
        version: format!("p{}", session.updated_ms),
        newer_bytes: 0,
        candidate: SessionMatch::Recovered(session),
    });
    Ok(known.chain(recovered).collect())
}

/// A session that cannot be read is indexed without passages, so that it is not read at every search.
fn read_session(
    wanted: &Wanted,
    opener: &SessionOpener<'_>,
) -> (IndexedSession, Option<Unreadable>) {
    let mut unreadable = None;
    let row = wanted.candidate.row();
    let branch = match &wanted.candidate {
        SessionMatch::Known(known, _) => known.session.attrs.get("branch").map(str::to_owned),
        SessionMatch::Recovered(_) => None,
    };
    let (passages, usage) = passages(wanted.candidate.clone(), opener).unwrap_or_else(|failure| {
        // Not archived yet: the next sync archives it.
        if failure.kind != Kind::Missing {
            unreadable = Some(Unreadable {
                agent: row.agent.clone(),
                session: row.id.clone(),
                cause: failure.to_string(),
            });
        }
        (Vec::new(), Meter::default())
    });
    let mut session = IndexedSession {
        usage: usage.finish(row.updated_ms),
        head: head(row, wanted.version.clone(), branch),
        passages,
    };
    session.head.bytes = session.text_bytes();
    (session, unreadable)
}

fn head(row: SessionRow, version: String, branch: Option<String>) -> SessionHead {
    SessionHead {
        agent: row.agent,
        id: row.id,
        version,
        title: row.title,
        project: row.project,
        branch,
        updated_ms: row.updated_ms,
        ..SessionHead::default()
    }
}

fn passages(
    candidate: SessionMatch,
    opener: &SessionOpener<'_>,
) -> Result<(Vec<SessionPassage>, Meter), Failure> {
    let mut conversation = opener.open(candidate)?;
    let mut passages = Vec::new();
    let mut meter = Meter::default();
    // Calls without a result, by id, and what the person asked for last.
    let mut calls: HashMap<String, usize> = HashMap::new();
    let mut asked: Option<String> = None;
    let mut asked_ms = None;
    loop {
        let events = conversation.next_events()?;
        if events.is_empty() {
            return Ok((passages, meter));
        }
        for event in events {
            meter.take(&event);
            let call = event.attrs.get("call_id").map(str::to_owned);
            if let Some(words) = prompt(&event) {
                // Text that was typed after a command has the same time, and says more than its name.
                let is_told =
                    event.kind == "injected" && asked.is_some() && asked_ms == event.at_ms;
                if !is_told {
                    asked = Some(words);
                    asked_ms = event.at_ms;
                }
            }
            match (event.role.as_str(), event.kind.as_str()) {
                (_, "tool-call") => calls.extend(call.map(|call| (call, passages.len()))),
                (_, "tool-result") => {
                    let known = call.and_then(|call| calls.remove(&call));
                    if let Some(known) = known {
                        let has_failed = event.attrs.get("is_error") == Some("true");
                        let made: &mut SessionPassage = &mut passages[known];
                        made.act.has_failed = Some(has_failed);
                    }
                }
                _ => {}
            }
            passages.push(passage(event, asked.as_ref()));
        }
    }
}

/// Returns what the person asked for with an event: in own words, with a command, or by letting a plan be carried out.
fn prompt(event: &Event) -> Option<String> {
    let is_asked = match event.kind.as_str() {
        "text" => true,
        "injected" => matches!(event.attrs.get("injected_by"), Some("plan" | "command")),
        _ => false,
    };
    if event.role != "user" || !is_asked {
        return None;
    }
    let command = event.text.split_once("<command-name>");
    let command = command.and_then(|(_, rest)| rest.split_once("</command-name>"));
    let words = acreta_text::one_line(command.map_or(event.text.as_str(), |(name, _)| name));
    Some(acreta_text::head(&words, ASKED_BYTES).to_owned())
}

fn passage(event: Event, asked: Option<&String>) -> SessionPassage {
    let act = match event.kind.as_str() {
        "tool-call" => SessionAct {
            files: files(&event.text),
            is_change: acreta_cures::may_have_changed(&event),
            command: acreta_cures::command_line(&event),
            has_failed: None,
            asked: asked.cloned(),
        },
        _ => SessionAct::default(),
    };
    SessionPassage {
        wrote: match act.is_change {
            true => edits::written(&event),
            false => Vec::new(),
        },
        tool: event.attrs.get("tool").map(str::to_owned),
        act,
        event: event.id,
        role: event.role,
        kind: event.kind,
        at_ms: event.at_ms,
        text: event.text,
    }
}

/// Returns the paths that a tool was given: the values of its fields that are called after a file or a path, and the files
/// of a patch.
pub(super) fn files(input: &str) -> Vec<String> {
    const PATCH: [&str; 4] = [
        "*** Update File: ",
        "*** Add File: ",
        "*** Delete File: ",
        "*** Move to: ",
    ];
    let mut found = Vec::new();
    if input.len() > INPUT_BYTES {
        return found;
    }
    let mut texts = vec![input.to_owned()];
    if let Ok(value) = serde_json::from_str::<Value>(input) {
        texts.clear();
        let mut open = vec![(String::new(), value)];
        while let Some((name, value)) = open.pop() {
            match value {
                Value::Object(fields) => open.extend(fields),
                Value::Array(items) => open.extend(items.into_iter().map(|it| (name.clone(), it))),
                Value::String(text) => {
                    let name = name.to_lowercase();
                    let is_path = name.contains("path") || name.contains("file");
                    match is_path && !text.contains('\n') {
                        true => found.push(text),
                        false => texts.push(text),
                    }
                }
                _ => {}
            }
        }
    }
    for text in texts.iter().filter(|text| text.contains("*** ")) {
        let named = text.lines().filter_map(|line| {
            let mark = PATCH.iter().find(|mark| line.starts_with(**mark))?;
            Some(line[mark.len()..].trim().to_owned())
        });
        found.extend(named);
    }
    found.sort();
    found.dedup();
    found
}

/// Returns a digest of the sessions and their states, and of the limit.
fn digest(wanted: &[Wanted], limit: u64) -> String {
    let mut digest = Sha256::new();
    digest.update(limit.to_le_bytes());
    for session in wanted {
        for part in [&session.key, "\0", &session.version, "\n"] {
            digest.update(part);
        }
    }
    acreta_text::hex(&digest.finalize())
}

/// Returns how many of the sessions with this digest are in the index without their text; `None` unless the index was complete
/// with them.
fn checked(index: &SessionIndex, digest: &str) -> Option<u64> {
    let folder = Directory::open(index.folder(), NoFaults::shared()).ok()?;
    let noted = folder.read_to_string(CHECKED, 200).ok()?;
    noted.strip_prefix(digest)?.trim().parse().ok()
}

/// Only saves time: what fails is done again.
fn note_check(digest: &str, left_out: u64, index: &SessionIndex) {
    if let Ok(folder) = Directory::open(index.folder(), NoFaults::shared()) {
        let noted = format!("{digest} {left_out}");
        let _ = folder.private().replace_unsynced(CHECKED, noted.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use acreta_types::Origin;

    use super::*;

    #[test]
    fn a_prompt_is_what_the_person_asked_for() {
        let table = [
            ("user", "text", None, "fix\n it", Some("fix it")),
            (
                "user",
                "injected",
                Some("plan"),
                "Do this:\n# A plan",
                Some("Do this: # A plan"),
            ),
            (
                "user",
                "injected",
                Some("command"),
                "<command-message>…</command-message> <command-name>/init</command-name>",
                Some("/init"),
            ),
            ("user", "injected", Some("ide"), "open files", None),
            ("assistant", "text", None, "done", None),
        ];
        for (role, kind, by, text, expected) in table {
            let by = by.map(|by: &str| ("injected_by".to_owned(), by.to_owned()));
            let event = Event {
                id: String::new(),
                origin: Origin::default(),
                role: role.to_owned(),
                kind: kind.to_owned(),
                at_ms: None,
                text: text.to_owned(),
                attrs: acreta_types::Attrs(by.into_iter().collect()),
            };
            assert_eq!(prompt(&event).as_deref(), expected, "{role} {kind} {text}");
        }
    }

    #[test]
    fn the_files_of_a_call_are_its_paths() {
        let table: [(&str, &[&str]); 5] = [
            (
                r#"{"file_path":"src/a.rs","old_string":"x"}"#,
                &["src/a.rs"],
            ),
            (r#"{"paths":["b","a"],"command":"ls c"}"#, &["a", "b"]),
            (
                r#"{"input":"*** Begin Patch\n*** Update File: src/b.rs\n@@"}"#,
                &["src/b.rs"],
            ),
            ("*** Add File: new.md\n+x", &["new.md"]),
            ("not json", &[]),
        ];
        for (input, expected) in table {
            assert_eq!(files(input), expected, "{input}");
        }
    }
}
