//! Memories offered to agents during their sessions, and the outcome of each offer. This stays on this machine: an
//! offer is about a local session, and memory files do not mention it.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{ToSql, params};

use crate::backend::{Connection, Result as Answer, TransactionStop};
use crate::values::{ColumnReader, stored};
use crate::{Catalog, CatalogError, SessionKey};

/// Memories, or other subjects, that one session is offered at one moment.
#[derive(Debug, Clone, Copy)]
pub struct NewOffers<'a> {
    pub session: &'a SessionKey,
    pub project: &'a str,
    /// The occasion: `start`, `prompt`, `failure` or `edit`.
    pub moment: &'a str,
    /// Memory ids, or names of other things that were offered.
    pub subjects: &'a [&'a str],
    pub now_ms: u64,
}

/// Number of offers, and how many were used or dismissed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct OfferTotals {
    pub offered: u64,
    pub used: u64,
    pub dismissed: u64,
}

/// Older offers are deleted when new ones are recorded: old outcomes say little about today.
const KEPT_MS: u64 = 180 * 86_400_000;

impl Catalog {
    /// Returns the subjects that a session was already offered.
    pub fn offered(&self, session: &SessionKey) -> Result<BTreeSet<String>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare("SELECT subject FROM offers WHERE agent = ?1 AND session = ?2")?
                .query_map([&session.agent, &session.id], |row| {
                    ColumnReader::new(row).take()
                })?
                .collect()
        })
    }

    /// Records offers and returns those that are new to the session. If two processes offer the same memory at once,
    /// only one of them gets it back.
    pub fn note_offers(&self, offers: &NewOffers<'_>) -> Result<BTreeSet<String>, CatalogError> {
        self.write_aside(|connection| {
            connection
                .prepare("DELETE FROM offers WHERE at_ms < ?1")?
                .execute([stored(offers.now_ms.saturating_sub(KEPT_MS))])?;
            let mut statement = connection.prepare(
                "INSERT INTO offers (agent, session, subject, project, moment, at_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
            )?;
            let mut new = BTreeSet::new();
            for subject in offers.subjects {
                let added = statement.execute(params![
                    offers.session.agent,
                    offers.session.id,
                    subject,
                    offers.project,
                    offers.moment,
                    stored(offers.now_ms),
                ])?;
                if added > 0 {
                    new.insert((*subject).to_owned());
                }
            }
            Ok::<_, TransactionStop<CatalogError>>(new)
        })
    }

    /// Records that subjects were used after they were offered at `since_ms` or later. Without a session this applies
    /// to all such sessions, because the caller does not always know the session.
    pub fn note_used(
        &self,
        subjects: &[&str],
        session: Option<&SessionKey>,
        since_ms: u64,
    ) -> Result<(), CatalogError> {
        self.write_aside(|connection| {
            let mut statement = connection.prepare(
                "UPDATE offers SET outcome = 'used'
                 WHERE subject = ?1 AND at_ms >= ?2 AND outcome IS NULL
                     AND (CAST(?3 AS TEXT) IS NULL OR (agent = ?3 AND session = ?4))",
            )?;
            let agent = session.map(|session| &session.agent);
            let id = session.map(|session| &session.id);
            for subject in subjects {
                statement.execute(params![subject, stored(since_ms), agent, id])?;
            }
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    /// Records that a person rejected memories. That outweighs any use.
    pub fn note_dismissed(&self, memories: &[&str]) -> Result<(), CatalogError> {
        self.write_aside(|connection| {
            let mut statement =
                connection.prepare("UPDATE offers SET outcome = 'dismissed' WHERE subject = ?1")?;
            for memory in memories {
                statement.execute([memory])?;
            }
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    /// Returns totals by moment.
    pub fn offer_totals(&self) -> Result<BTreeMap<String, OfferTotals>, CatalogError> {
        self.read(|connection| totals(connection, "moment", None))
    }

    /// Returns totals by subject.
    pub fn offers_by_subject(&self) -> Result<BTreeMap<String, OfferTotals>, CatalogError> {
        self.read(|connection| totals(connection, "subject", None))
    }

    /// Returns totals of those of these subjects that were offered.
    pub fn offers_of(
        &self,
        subjects: &[&str],
    ) -> Result<BTreeMap<String, OfferTotals>, CatalogError> {
        self.read(|connection| {
            let mut all = BTreeMap::new();
            for subject in subjects {
                all.extend(totals(connection, "subject", Some(subject))?);
            }
            Ok(all)
        })
    }
}

fn totals(
    connection: &Connection,
    column: &str,
    subject: Option<&str>,
) -> Answer<BTreeMap<String, OfferTotals>> {
    let params: Vec<&dyn ToSql> = subject
        .iter()
        .map(|subject| subject as &dyn ToSql)
        .collect();
    let condition = subject.map_or("", |_| "WHERE subject = ?1");
    connection
        .prepare(&format!(
            "SELECT {column}, count(*), count(*) FILTER (WHERE outcome = 'used'),
                 count(*) FILTER (WHERE outcome = 'dismissed')
             FROM offers {condition} GROUP BY 1"
        ))?
        .query_map(params.as_slice(), |row| {
            let mut columns = ColumnReader::new(row);
            Ok((
                columns.take()?,
                OfferTotals {
                    offered: columns.number()?,
                    used: columns.number()?,
                    dismissed: columns.number()?,
                },
            ))
        })?
        .collect()
}
