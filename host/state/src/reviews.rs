//! A person's review decisions, so that they can be undone, and the time a notice was last shown. The decisions of one
//! request are one batch. The replaced text may be the user's own words, so it is stored here and in no project.

use rusqlite::params;

use crate::backend::TransactionStop;
use crate::values::{ColumnReader, stored};
use crate::{Catalog, CatalogError};

/// A decision to record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewReview {
    /// Memory folder that it changed.
    pub scope: String,
    /// Id of the item in the review queue.
    pub item: String,
    pub action: String,
    pub title: String,
    /// JSON that undoes the decision.
    pub reversal: String,
}

/// A stored decision that can be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    number: i64,
    pub at_ms: u64,
    pub review: NewReview,
}

/// Maximum number of decisions kept per scope.
pub const MOST_REVIEWS: i64 = 500;

impl Catalog {
    /// Records the decisions of one request.
    pub fn note_reviews(
        &self,
        batch: &str,
        reviews: &[NewReview],
        now_ms: u64,
    ) -> Result<(), CatalogError> {
        self.write_aside(|connection| {
            let mut insert = connection.prepare(
                "INSERT INTO reviews (batch, scope, item, action, title, reversal, at_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            )?;
            let mut forget = connection.prepare(
                "DELETE FROM reviews WHERE scope = ?1 AND number NOT IN (
                     SELECT number FROM reviews WHERE scope = ?1 ORDER BY number DESC LIMIT ?2)",
            )?;
            for one in reviews {
                insert.execute(params![
                    batch,
                    one.scope,
                    one.item,
                    one.action,
                    one.title,
                    one.reversal,
                    stored(now_ms),
                ])?;
                forget.execute(params![one.scope, MOST_REVIEWS])?;
            }
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    /// Returns the newest batch of decisions on these memories, last decision first.
    pub fn last_reviews(&self, scopes: &[&str]) -> Result<Vec<Review>, CatalogError> {
        self.read(|connection| {
            let mut newest: Option<(i64, String)> = None;
            let mut find = connection.prepare(
                "SELECT number, batch FROM reviews WHERE scope = ?1 ORDER BY number DESC LIMIT 1",
            )?;
            for scope in scopes {
                let found = find.query_map([scope], |row| Ok((row.get(0)?, row.get(1)?)))?;
                for one in found {
                    newest = newest.max(Some(one?));
                }
            }
            let Some((_, batch)) = newest else {
                return Ok(Vec::new());
            };
            connection
                .prepare(
                    "SELECT number, scope, item, action, title, reversal, at_ms FROM reviews
                     WHERE batch = ?1 ORDER BY number DESC",
                )?
                .query_map([batch], |row| {
                    let mut columns = ColumnReader::new(row);
                    Ok(Review {
                        number: columns.take()?,
                        review: NewReview {
                            scope: columns.take()?,
                            item: columns.take()?,
                            action: columns.take()?,
                            title: columns.take()?,
                            reversal: columns.take()?,
                        },
                        at_ms: columns.number()?,
                    })
                })?
                .collect()
        })
    }

    /// Deletes a decision that was undone.
    pub fn forget_review(&self, review: &Review) -> Result<(), CatalogError> {
        self.write_aside(|connection| {
            connection.execute("DELETE FROM reviews WHERE number = ?1", [review.number])?;
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    /// Deletes all decisions: the replaced text may quote what is purged.
    pub fn forget_reviews(&self) -> Result<(), CatalogError> {
        self.write_aside(|connection| {
            connection.execute("DELETE FROM reviews", [])?;
            Ok::<_, TransactionStop<CatalogError>>(())
        })?;
        self.empty_log()
    }

    /// Returns true if a notice may be shown now, and records that it is: at most once per `every_ms`.
    pub fn claim_notice(
        &self,
        name: &str,
        every_ms: u64,
        now_ms: u64,
    ) -> Result<bool, CatalogError> {
        self.write_aside(|connection| {
            let changed = connection.execute(
                "INSERT INTO notices VALUES (?1, ?2) ON CONFLICT (name)
                 DO UPDATE SET at_ms = excluded.at_ms 
                     WHERE notices.at_ms <= ?3 OR notices.at_ms > excluded.at_ms",
                params![
                    name,
                    stored(now_ms),
                    stored(now_ms.saturating_sub(every_ms))
                ],
            )?;
            Ok::<_, TransactionStop<CatalogError>>(changed > 0)
        })
    }
}
