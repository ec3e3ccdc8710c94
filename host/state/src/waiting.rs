//! Pending records: quotes of a person that are likely, but not certainly, worth remembering. They wait here, in the
//! user's state, until another session repeats them or a person decides; they are not memory.
//!
//! A row is one session's sighting of one quote. A record is all sightings with the same id, and has one state.

use rusqlite::params;
use serde::Serialize;

use crate::backend::{Connection, Result as Answer, TransactionStop};
use crate::values::{ColumnReader, stored};
use crate::{Catalog, CatalogError, SessionKey};

/// One session's sighting of a quote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingSighting {
    /// Derived from the project and the words of the quote, so that repetitions get the same id.
    pub id: String,
    pub agent: String,
    pub session: String,
    pub event: String,
    /// The person's own words.
    pub quote: String,
    /// `decision`, or the kind of a learning.
    pub kind: String,
    pub title: String,
    /// The complete contribution as JSON, used to create a memory.
    pub contribution: String,
}

/// State of a pending record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PendingState {
    Waiting,
    /// Another session repeated it: it is memory now.
    Promoted,
    Rejected,
    /// A person made it a memory.
    Confirmed,
}

impl PendingState {
    pub fn name(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Promoted => "promoted",
            Self::Rejected => "rejected",
            Self::Confirmed => "confirmed",
        }
    }

    fn from_name(name: &str) -> Self {
        [Self::Promoted, Self::Rejected, Self::Confirmed]
            .into_iter()
            .find(|state| state.name() == name)
            .unwrap_or(Self::Waiting)
    }
}

/// A pending or decided record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingRecord {
    pub state: PendingState,
    pub first_seen_ms: u64,
    pub last_seen_ms: u64,
    pub expires_ms: u64,
    /// At least one, earliest first.
    pub sightings: Vec<PendingSighting>,
}

impl PendingRecord {
    pub fn id(&self) -> &str {
        self.sightings.first().map_or("", |one| one.id.as_str())
    }
}

impl Catalog {
    /// Replaces the sightings of a session. Records in `repeated` become promoted, unless a person decided on them.
    pub fn keep_pending(
        &self,
        project: &str,
        key: &SessionKey,
        sightings: &[PendingSighting],
        repeated: &[String],
        now_ms: u64,
    ) -> Result<(), CatalogError> {
        self.write_aside(|connection| {
            let project = scope(connection, project)?;
            let project = project.as_str();
            let mut known = connection.prepare(
                "SELECT id FROM pending WHERE project = ?1 AND agent = ?2 AND session = ?3",
            )?;
            let known: Vec<String> = known
                .query_map([project, &key.agent, &key.id], |row| row.get(0))?
                .collect::<Answer<_>>()?;
            let gone = known
                .iter()
                .filter(|id| !sightings.iter().any(|one| one.id == **id));
            let mut remove = connection.prepare(
                "DELETE FROM pending WHERE project = ?1 AND agent = ?2 AND session = ?3 AND id = ?4",
            )?;
            for id in gone {
                remove.execute([project, &key.agent, &key.id, id])?;
            }
            let mut insert = connection.prepare(
                "INSERT INTO pending VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, ?11)
                 ON CONFLICT (project, id, agent, session) DO UPDATE SET
                     event = excluded.event, quote = excluded.quote, kind = excluded.kind,
                     title = excluded.title, contribution = excluded.contribution,
                     last_seen_ms = excluded.last_seen_ms, expires_ms = excluded.expires_ms",
            )?;
            for one in sightings {
                insert.execute(params![
                    project,
                    one.id,
                    key.agent,
                    key.id,
                    one.event,
                    one.quote,
                    one.kind,
                    one.title,
                    one.contribution,
                    stored(now_ms),
                    stored(now_ms.saturating_add(PENDING_MS)),
                ])?;
            }
            let mut promote = connection.prepare(
                "INSERT INTO pending_states VALUES (?1, ?2, 'promoted', ?3)
                 ON CONFLICT (project, id) DO NOTHING",
            )?;
            for id in repeated {
                promote.execute(params![project, id, stored(now_ms)])?;
            }
            connection
                .prepare(
                    "DELETE FROM pending WHERE expires_ms <= ?1 AND NOT EXISTS (
                         SELECT 1 FROM pending_states AS s WHERE s.project = pending.project
                             AND s.id = pending.id AND s.state = 'rejected')",
                )?
                .execute([stored(now_ms)])?;
            // Removes the oldest first; rejected records stay known.
            connection
                .prepare(
                    "DELETE FROM pending WHERE (project, id, agent, session) IN (
                         SELECT p.project, p.id, p.agent, p.session FROM pending AS p
                         LEFT JOIN pending_states AS s ON s.project = p.project AND s.id = p.id
                         WHERE p.project = ?1 AND coalesce(s.state, '') <> 'rejected'
                         ORDER BY p.last_seen_ms DESC, p.id, p.agent, p.session
                         LIMIT 9223372036854775807 OFFSET ?2)",
                )?
                .execute(params![project, MOST_PENDING])?;
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    /// Returns the records of a project that have not expired, most recently seen first.
    pub fn pending_records(
        &self,
        project: &str,
        now_ms: u64,
    ) -> Result<Vec<PendingRecord>, CatalogError> {
        self.read(|connection| {
            let project = scope(connection, project)?;
            let mut statement = connection.prepare(
                "SELECT p.id, p.agent, p.session, p.event, p.quote, p.kind, p.title, p.contribution,
                     p.first_seen_ms, p.last_seen_ms, p.expires_ms, coalesce(s.state, 'waiting')
                 FROM pending AS p
                 LEFT JOIN pending_states AS s ON s.project = p.project AND s.id = p.id
                 WHERE p.project = ?1 AND (p.expires_ms > ?2 OR coalesce(s.state, '') = 'rejected')
                 ORDER BY p.id, p.first_seen_ms, p.agent, p.session",
            )?;
            let mut records: Vec<PendingRecord> = Vec::new();
            let rows = statement.query_map(params![project, stored(now_ms)], |row| {
                let mut columns = ColumnReader::new(row);
                let sighting = PendingSighting {
                    id: columns.take()?,
                    agent: columns.take()?,
                    session: columns.take()?,
                    event: columns.take()?,
                    quote: columns.take()?,
                    kind: columns.take()?,
                    title: columns.take()?,
                    contribution: columns.take()?,
                };
                Ok(PendingRecord {
                    first_seen_ms: columns.number()?,
                    last_seen_ms: columns.number()?,
                    expires_ms: columns.number()?,
                    state: PendingState::from_name(&columns.take::<String>()?),
                    sightings: vec![sighting],
                })
            })?;
            for record in rows {
                let record = record?;
                match records.last_mut().filter(|last| last.id() == record.id()) {
                    Some(last) => {
                        last.first_seen_ms = last.first_seen_ms.min(record.first_seen_ms);
                        last.last_seen_ms = last.last_seen_ms.max(record.last_seen_ms);
                        last.expires_ms = last.expires_ms.max(record.expires_ms);
                        last.sightings.extend(record.sightings);
                    }
                    None => records.push(record),
                }
            }
            records.sort_by(|left, right| {
                (right.last_seen_ms, left.id()).cmp(&(left.last_seen_ms, right.id()))
            });
            Ok(records)
        })
    }

    /// Records a person's decision on a record.
    pub fn settle_pending(
        &self,
        project: &str,
        id: &str,
        state: PendingState,
        now_ms: u64,
    ) -> Result<(), CatalogError> {
        self.write_aside(|connection| {
            let project = scope(connection, project)?;
            let project = project.as_str();
            if state == PendingState::Waiting {
                connection.execute(
                    "DELETE FROM pending_states WHERE project = ?1 AND id = ?2",
                    [project, id],
                )?;
            } else {
                connection.execute(
                    "INSERT INTO pending_states VALUES (?1, ?2, ?3, ?4)
                     ON CONFLICT (project, id) DO UPDATE SET state = excluded.state, at_ms = excluded.at_ms",
                    params![project, id, state.name(), stored(now_ms)],
                )?;
            }
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    /// Returns the number of undecided records in all projects.
    pub fn pending_waiting(&self, now_ms: u64) -> Result<u64, CatalogError> {
        self.read(|connection| {
            let count: i64 = connection
                .prepare(
                    "SELECT count(*) FROM (SELECT DISTINCT p.project, p.id FROM pending AS p
                         WHERE p.expires_ms > ?1 AND NOT EXISTS (SELECT 1 FROM pending_states AS s
                             WHERE s.project = p.project AND s.id = p.id)) AS waiting",
                )?
                .query_row([stored(now_ms)], |row| row.get(0))?;
            Ok(u64::try_from(count).unwrap_or(0))
        })
    }

    /// Returns the sessions that have sightings, without duplicates, and when each was last seen.
    pub fn pending_sessions(&self) -> Result<Vec<(SessionKey, u64)>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(
                    "SELECT agent, session, max(last_seen_ms) FROM pending
                     GROUP BY agent, session ORDER BY agent, session",
                )?
                .query_map([], |row| {
                    let mut columns = ColumnReader::new(row);
                    let agent: String = columns.take()?;
                    let id: String = columns.take()?;
                    Ok((SessionKey::new(&agent, &id), columns.number()?))
                })?
                .collect()
        })
    }

    /// Counts the sightings that [`Self::purge_pending`] would remove.
    pub fn count_pending(&self, key: &SessionKey) -> Result<u64, CatalogError> {
        self.read(|connection| {
            let count: i64 = connection
                .prepare(
                    "SELECT count(*) FROM pending AS p WHERE (p.agent = ?1 AND p.session = ?2)
                         OR EXISTS (SELECT 1 FROM notes AS n WHERE n.agent = ?1 AND n.session = ?2
                             AND n.project = p.project AND n.id = p.id)",
                )?
                .query_row([&key.agent, &key.id], |row| row.get(0))?;
            Ok(u64::try_from(count).unwrap_or(0))
        })
    }

    /// Deletes the sightings of a session, and decisions based on them alone. Returns the number of sightings.
    pub fn purge_pending(&self, key: &SessionKey) -> Result<u64, CatalogError> {
        self.write_aside(|connection| {
            let mut removed = connection.execute(
                "DELETE FROM pending WHERE agent = ?1 AND session = ?2",
                [&key.agent, &key.id],
            )?;
            removed += connection.execute(
                "DELETE FROM pending WHERE EXISTS (SELECT 1 FROM notes AS n
                     WHERE n.agent = ?1 AND n.session = ?2 AND n.project = pending.project AND n.id = pending.id)",
                [&key.agent, &key.id],
            )?;
            connection.execute(
                "DELETE FROM notes WHERE agent = ?1 AND session = ?2",
                [&key.agent, &key.id],
            )?;
            without_sightings(connection)?;
            Ok::<_, TransactionStop<CatalogError>>(removed as u64)
        })
    }

    /// Deletes all pending records of a project. Returns the number of sightings.
    pub fn purge_pending_of(&self, project: &str) -> Result<u64, CatalogError> {
        self.write_aside(|connection| {
            let project = scope(connection, project)?;
            // What the team set aside outlives one machine's checkout.
            if project.starts_with(TEAM) {
                return Ok(0);
            }
            let removed =
                connection.execute("DELETE FROM pending WHERE project = ?1", [&project])?;
            connection.execute("DELETE FROM notes WHERE project = ?1", [&project])?;
            without_sightings(connection)?;
            Ok::<_, TransactionStop<CatalogError>>(removed as u64)
        })
    }
}

/// Prefix of the scope of a project that several machines share.
const TEAM: &str = "team:";

/// Returns the key of a project's records. It is the path of the memory's folder or, on a server, the team's project
/// that is checked out there; a folder that belongs to no such project is keyed by its machine, too.
pub(crate) fn scope(connection: &Connection, project: &str) -> Answer<String> {
    if !connection.is_shared() {
        return Ok(project.to_owned());
    }
    let root = project.strip_suffix("/.acreta").unwrap_or(project);
    connection
        .prepare(
            "SELECT coalesce(
                 (SELECT 'team:' || CAST(t.project AS TEXT)
                  FROM checkouts c JOIN team_projects t ON t.project = c.project
                  WHERE c.machine = this_machine() AND c.root = CAST(?2 AS TEXT) AND t.identity IS NOT NULL),
                 this_machine() || ':' || CAST(?1 AS TEXT))",
        )?
        .query_row([project, root], |row| row.get(0))
}

fn without_sightings(connection: &Connection) -> Answer<usize> {
    connection.execute(
        "DELETE FROM pending_states WHERE NOT EXISTS (SELECT 1 FROM pending AS p
             WHERE p.project = pending_states.project AND p.id = pending_states.id)",
        [],
    )
}

/// Maximum number of sightings kept per project.
pub const MOST_PENDING: i64 = 200;

/// Lifetime of a sighting: ninety days.
pub const PENDING_MS: u64 = 90 * 24 * 60 * 60 * 1000;
