//! Stores the results of discovery. A file and its sessions are stored together; of a session that is in several files
//! the latest state wins, in whatever order they were found. A file that a person named counts only until an agent's
//! own is found.

use std::cmp::Ordering;
use std::collections::HashSet;

use acreta_fs::Stamp;
use acreta_types::Session;
use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::params;

use crate::backend::{
    Connection, DatabaseStatement, OptionalExtension, Result as Answer, TransactionStop,
};
use crate::purge::is_purged;
use crate::values::{ColumnReader, clean, stored, to_json};
use crate::{Catalog, CatalogError, FileOutcome, Relation, SessionKey};

/// Statement that stores a file in the table that holds all of them, which has this key.
macro_rules! put_file {
    ($table:literal, $key:literal) => {
        concat!(
            "
INSERT INTO ",
            $table,
            " (adapter, path, size, mtime_ns, ctime_ns, inode, seen_ms, outcome, message)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
ON CONFLICT (",
            $key,
            ") DO UPDATE SET
    size = excluded.size, mtime_ns = excluded.mtime_ns, ctime_ns = excluded.ctime_ns,
    inode = excluded.inode, seen_ms = excluded.seen_ms, outcome = excluded.outcome,
    message = excluded.message, gone_ms = NULL"
        )
    };
}

/// A cursor points into its own file; it is dropped when the session moves to another file, or changes without growing,
/// because then it was rewritten. The project of a session from a named file is where that file was run; the agent's
/// own file decides its real project.
macro_rules! put_session {
    ($same_machine:literal, $set_machine:literal) => {
        concat!("
INSERT INTO sessions (
    agent, id, adapter, path, size, root, guest_path, project_dir, parent, relation,
    started_ms, updated_ms, revision, title, attrs, first_seen_ms)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
ON CONFLICT (agent, id) DO UPDATE SET
    cursor_offset = CASE WHEN sessions.adapter = excluded.adapter AND sessions.path = excluded.path AND ", $same_machine, "
        AND (sessions.revision = excluded.revision OR sessions.size < excluded.size)
        THEN sessions.cursor_offset END,
    cursor_state = CASE WHEN sessions.adapter = excluded.adapter AND sessions.path = excluded.path AND ", $same_machine, "
        AND (sessions.revision = excluded.revision OR sessions.size < excluded.size)
        THEN sessions.cursor_state END,
    trace_bytes = CASE WHEN sessions.adapter = excluded.adapter AND sessions.path = excluded.path AND ", $same_machine, "
        AND (sessions.revision = excluded.revision OR sessions.size < excluded.size)
        THEN sessions.trace_bytes END,
    trace_events = CASE WHEN sessions.adapter = excluded.adapter AND sessions.path = excluded.path AND ", $same_machine, "
        AND (sessions.revision = excluded.revision OR sessions.size < excluded.size)
        THEN sessions.trace_events END,
    project = CASE WHEN sessions.root <> '' THEN sessions.project END,
    adapter = excluded.adapter, path = excluded.path, size = excluded.size, root = excluded.root,
    guest_path = excluded.guest_path, project_dir = excluded.project_dir,
    parent = excluded.parent, relation = excluded.relation, started_ms = excluded.started_ms,
    updated_ms = excluded.updated_ms, revision = excluded.revision, title = excluded.title,
    attrs = excluded.attrs, gone_ms = NULL", $set_machine)
    };
}

/// Result of reading one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Discovery {
    /// Absolute path.
    pub path: Utf8PathBuf,
    pub stamp: Stamp,
    pub finding: Finding,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// All sessions in the file. A session that was in it before and is not listed is gone.
    Sessions(Vec<Found>),
    Nothing,
    /// Reason why the file could not be read. The rows of its sessions stay.
    Failed(String),
}

/// A session in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    pub session: Session,
    /// Name of the adapter's root that contains the file.
    pub root: String,
}

/// Effect of a found session on the catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedSession {
    pub session: SessionKey,
    pub change: SessionChange,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SessionChange {
    New,
    /// Its revision changed.
    Changed,
    Same,
    /// Another file holds a later state: this one is an older copy and changed nothing.
    Older,
}

impl Catalog {
    /// Stores what was found in an adapter's files: everything or, on an error, nothing. `now_ms` is a time before the
    /// stamps were taken.
    pub fn record(
        &self,
        adapter: &str,
        discoveries: &[Discovery],
        now_ms: u64,
    ) -> Result<Vec<RecordedSession>, CatalogError> {
        self.write(|connection| {
            let mut recorder = DiscoveryRecorder::new(connection, adapter, now_ms)?;
            let mut recorded = Vec::new();
            for discovery in discoveries {
                recorder.file(discovery)?;
                let found = match &discovery.finding {
                    Finding::Sessions(found) => found.as_slice(),
                    Finding::Nothing => &[],
                    Finding::Failed(_) => continue,
                };
                for found in found {
                    if is_purged(connection, &found.session.agent, &found.session.id)? {
                        continue;
                    }
                    recorded.push(RecordedSession {
                        session: SessionKey::new(&found.session.agent, &found.session.id),
                        change: recorder.session(discovery, found)?,
                    });
                }
                recorder.mark_missing(&discovery.path, found)?;
            }
            Ok::<_, TransactionStop<CatalogError>>(recorded)
        })
    }
}

/// The stored state of a session that was found again.
struct StoredSession {
    adapter: String,
    path: String,
    size: u64,
    updated_ms: Option<u64>,
    revision: String,
    /// True if a file that a person named holds it.
    is_named: bool,
    gone: bool,
    is_archived: bool,
    /// True if its file is on this machine.
    is_here: bool,
}

/// Decides if the found state replaces the stored one.
enum RevisionVerdict {
    Take(SessionChange),
    Leave(SessionChange),
}

impl StoredSession {
    fn judge(&self, adapter: &str, discovery: &Discovery, session: &Session) -> RevisionVerdict {
        let change = if self.revision == session.revision {
            SessionChange::Same
        } else {
            SessionChange::Changed
        };
        // The session's own file is authoritative, even if its state is earlier.
        if self.is_here && self.adapter == adapter && discovery.path == self.path {
            return RevisionVerdict::Take(change);
        }
        // The stored state has no agent's record behind it, or its file was gone before it was archived.
        if self.is_named || (self.gone && !self.is_archived) {
            return RevisionVerdict::Take(change);
        }
        let found = (session.updated_ms.unwrap_or(0), discovery.stamp.bytes);
        let known = (self.updated_ms.unwrap_or(0), self.size);
        match found.cmp(&known) {
            Ordering::Greater => RevisionVerdict::Take(change),
            Ordering::Equal if self.gone => RevisionVerdict::Take(change),
            Ordering::Equal if change == SessionChange::Same => {
                RevisionVerdict::Leave(SessionChange::Same)
            }
            Ordering::Equal | Ordering::Less => RevisionVerdict::Leave(SessionChange::Older),
        }
    }
}

struct DiscoveryRecorder<'a> {
    adapter: &'a str,
    now_ms: u64,
    put_file: DatabaseStatement<'a>,
    known: DatabaseStatement<'a>,
    put_session: DatabaseStatement<'a>,
    follow: DatabaseStatement<'a>,
    held: DatabaseStatement<'a>,
    mark_gone: DatabaseStatement<'a>,
}

impl<'a> DiscoveryRecorder<'a> {
    fn new(connection: &'a Connection, adapter: &'a str, now_ms: u64) -> Answer<Self> {
        Ok(Self {
            adapter,
            now_ms,
            put_file: connection.prepare(connection.either(
                put_file!("files", "adapter, path"),
                put_file!("machine_files", "machine, adapter, path"),
            ))?,
            known: connection.prepare(&format!(
                "SELECT adapter, path, size, updated_ms, revision, root = '', gone_ms IS NOT NULL,
                     archive_digest IS NOT NULL, {}
                 FROM sessions WHERE agent = ?1 AND id = ?2",
                connection.here("sessions"),
            ))?,
            put_session: connection.prepare(connection.either(
                put_session!("TRUE", ""),
                put_session!(
                    "sessions.machine = excluded.machine",
                    ", machine = excluded.machine"
                ),
            ))?,
            follow: connection.prepare(
                "UPDATE jobs SET revision = ?3, updated_ms = ?4
                 WHERE state = 'queued'
                     AND session = (SELECT session FROM sessions WHERE agent = ?1 AND id = ?2)",
            )?,
            held: connection.prepare(&format!(
                "SELECT session, agent, id FROM sessions
                 WHERE adapter = ?1 AND path = ?2 AND gone_ms IS NULL AND {}",
                connection.here("sessions"),
            ))?,
            mark_gone: connection.prepare("UPDATE sessions SET gone_ms = ?2 WHERE session = ?1")?,
        })
    }

    fn file(&mut self, discovery: &Discovery) -> Answer<()> {
        let (outcome, message) = match &discovery.finding {
            Finding::Sessions(found) if !found.is_empty() => (FileOutcome::Sessions, None),
            Finding::Sessions(_) | Finding::Nothing => (FileOutcome::Nothing, None),
            Finding::Failed(message) => (FileOutcome::Failed, Some(clean(message))),
        };
        let stamp = discovery.stamp;
        self.put_file.execute(params![
            self.adapter,
            discovery.path.as_str(),
            stored(stamp.bytes),
            stamp.modified_ns,
            stamp.changed_ns,
            stamp.inode.cast_signed(),
            stored(self.now_ms),
            outcome,
            message,
        ])?;
        Ok(())
    }

    fn session(&mut self, discovery: &Discovery, found: &Found) -> Answer<SessionChange> {
        let session = &found.session;
        let known = self
            .known
            .query_row([&session.agent, &session.id], |row| {
                let mut columns = ColumnReader::new(row);
                Ok(StoredSession {
                    adapter: columns.take()?,
                    path: columns.take()?,
                    size: columns.number()?,
                    updated_ms: columns.number_if_any()?,
                    revision: columns.take()?,
                    is_named: columns.take()?,
                    gone: columns.take()?,
                    is_archived: columns.take()?,
                    is_here: columns.take()?,
                })
            })
            .optional()?;
        let change = match known.map(|known| known.judge(self.adapter, discovery, session)) {
            None => SessionChange::New,
            Some(RevisionVerdict::Take(change)) => change,
            Some(RevisionVerdict::Leave(change)) => return Ok(change),
        };
        self.put_session.execute(params![
            session.agent,
            session.id,
            self.adapter,
            discovery.path.as_str(),
            stored(discovery.stamp.bytes),
            found.root,
            session.path,
            session.project_dir,
            session.parent,
            Relation::of(session),
            session.started_ms.map(stored),
            session.updated_ms.map(stored),
            session.revision,
            session.attrs.get("title"),
            to_json(&session.attrs)?,
            stored(self.now_ms),
        ])?;
        if change == SessionChange::Changed {
            // A job that still waits is for the latest state of its session.
            self.follow.execute(params![
                session.agent,
                session.id,
                session.revision,
                session.updated_ms.map_or(0, stored),
            ])?;
        }
        Ok(change)
    }

    /// Marks the sessions that the file no longer holds.
    fn mark_missing(&mut self, path: &Utf8Path, found: &[Found]) -> Answer<()> {
        let found: HashSet<(&str, &str)> = found
            .iter()
            .map(|found| (found.session.agent.as_str(), found.session.id.as_str()))
            .collect();
        let mut rows = self.held.query([self.adapter, path.as_str()])?;
        while let Some(row) = rows.next()? {
            let (agent, id): (String, String) = (row.get(1)?, row.get(2)?);
            if !found.contains(&(agent.as_str(), id.as_str())) {
                let session: i64 = row.get(0)?;
                self.mark_gone.execute([session, stored(self.now_ms)])?;
            }
        }
        Ok(())
    }
}
