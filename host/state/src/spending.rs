//! Spending on models over all workers, by account and day. The worst case of a call is reserved before the call and
//! replaced by its actual usage afterwards; the sum of both never exceeds the limits that callers pass.
//!
//! The row of a day is locked while it is read and changed, so that calls of other workers wait for each other, and
//! those of other days and accounts do not. A reservation whose worker died expires and is given back.

use rusqlite::params;

use crate::backend::{Connection, Result as Answer, TransactionStop};
use crate::values::{ColumnReader, stored};
use crate::{Catalog, CatalogError};

/// Calls, tokens and money.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SpendingAmount {
    pub calls: u64,
    pub tokens: u64,
    /// Trillionths of a dollar.
    pub picodollars: u64,
    /// By price lists, for calls that are not billed. Has no limit.
    pub list_picodollars: u64,
}

/// Limits of a day; an unset field has none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SpendingLimits {
    pub calls: Option<u64>,
    pub tokens: Option<u64>,
    pub picodollars: Option<u64>,
}

/// One day of one account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpendingDay<'a> {
    /// Whose budget it is: a project's, or one of the caller's choice.
    pub account: &'a str,
    /// UTC day, counted from 1970-01-01.
    pub day: u64,
}

/// A limit that a call would exceed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpendingLimit {
    Calls,
    Tokens,
    Money,
}

/// Result of [`Catalog::reserve_spending`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpendingReservation {
    Reserved(ReservationId),
    /// Nothing was reserved; `taken` was spent or reserved before.
    OverLimit {
        limit: SpendingLimit,
        taken: SpendingAmount,
    },
}

/// The number of a reservation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ReservationId(pub i64);

impl SpendingAmount {
    fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            tokens: self.tokens.saturating_add(other.tokens),
            picodollars: self.picodollars.saturating_add(other.picodollars),
            list_picodollars: self.list_picodollars.saturating_add(other.list_picodollars),
        }
    }

    /// Caps each figure, so that sums of many stay within the database's numbers.
    fn capped(self) -> Self {
        Self {
            calls: self.calls.min(MOST),
            tokens: self.tokens.min(MOST),
            picodollars: self.picodollars.min(MOST),
            list_picodollars: self.list_picodollars.min(MOST),
        }
    }
}

/// A thousand dollars in trillionths; more in one call is a mistake.
const MOST: u64 = 1_000_000_000_000_000;

impl SpendingLimits {
    fn exceeded_by(&self, amount: SpendingAmount) -> Option<SpendingLimit> {
        let over = |limit: Option<u64>, amount: u64| limit.is_some_and(|most| amount > most);
        if over(self.calls, amount.calls) {
            Some(SpendingLimit::Calls)
        } else if over(self.tokens, amount.tokens) {
            Some(SpendingLimit::Tokens)
        } else if over(self.picodollars, amount.picodollars) {
            Some(SpendingLimit::Money)
        } else {
            None
        }
    }
}

impl Catalog {
    /// Reserves the worst case of a call for at most `lease_ms`, which must be longer than any call takes. Expired
    /// reservations of that day are given back first.
    pub fn reserve_spending(
        &self,
        day: SpendingDay<'_>,
        amount: SpendingAmount,
        limits: SpendingLimits,
        lease_ms: u64,
        now_ms: u64,
    ) -> Result<SpendingReservation, CatalogError> {
        let amount = amount.capped();
        self.write_rows_aside(|connection| {
            let now_ms = connection.lease_time_ms(now_ms);
            let spent = lock(connection, day)?;
            connection
                .prepare(
                    "DELETE FROM spending_reservations
                     WHERE account = ?1 AND day = ?2 AND expires_ms <= ?3",
                )?
                .execute(params![day.account, stored(day.day), stored(now_ms)])?;
            let taken = spent.plus(reserved(connection, day, now_ms)?);
            if let Some(limit) = limits.exceeded_by(taken.plus(amount)) {
                return Ok::<_, TransactionStop<CatalogError>>(SpendingReservation::OverLimit {
                    limit,
                    taken,
                });
            }
            let id = connection
                .prepare(
                    "INSERT INTO spending_reservations
                         (account, day, calls, tokens, picodollars, list_picodollars, expires_ms)
                     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) RETURNING reservation",
                )?
                .query_row(
                    params![
                        day.account,
                        stored(day.day),
                        stored(amount.calls),
                        stored(amount.tokens),
                        stored(amount.picodollars),
                        stored(amount.list_picodollars),
                        stored(now_ms.saturating_add(lease_ms)),
                    ],
                    |row| row.get(0),
                )?;
            Ok(SpendingReservation::Reserved(ReservationId(id)))
        })
    }

    /// Replaces a reservation by what the call used; by nothing if it was not made. What was used counts even if the
    /// reservation expired meanwhile.
    pub fn settle_spending(
        &self,
        day: SpendingDay<'_>,
        reservation: ReservationId,
        used: SpendingAmount,
    ) -> Result<(), CatalogError> {
        let used = used.capped();
        self.write_rows_aside(|connection| {
            lock(connection, day)?;
            connection
                .prepare("DELETE FROM spending_reservations WHERE reservation = ?1")?
                .execute([reservation.0])?;
            connection
                .prepare(
                    "UPDATE spending SET calls = calls + ?3, tokens = tokens + ?4,
                         picodollars = picodollars + ?5, list_picodollars = list_picodollars + ?6
                     WHERE account = ?1 AND day = ?2",
                )?
                .execute(params![
                    day.account,
                    stored(day.day),
                    stored(used.calls),
                    stored(used.tokens),
                    stored(used.picodollars),
                    stored(used.list_picodollars),
                ])?;
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    /// Returns what is spent or reserved. Waits for nobody.
    pub fn spending(
        &self,
        day: SpendingDay<'_>,
        now_ms: u64,
    ) -> Result<SpendingAmount, CatalogError> {
        self.read_at_once(|connection| {
            let spent = connection
                .prepare(SPENT)?
                .query_map(params![day.account, stored(day.day)], |row| {
                    amount(&mut ColumnReader::new(row))
                })?
                .next();
            let spent = spent.transpose()?.unwrap_or_default();
            Ok(spent.plus(reserved(connection, day, now_ms)?))
        })
    }
}

const SPENT: &str = "SELECT calls, tokens, picodollars, list_picodollars FROM spending
     WHERE account = ?1 AND day = ?2";

/// Locks the row of a day until the transaction ends, and returns what was spent. Statements after this one see all
/// reservations of those who held it before.
fn lock(connection: &Connection, day: SpendingDay<'_>) -> Answer<SpendingAmount> {
    connection
        .prepare("INSERT INTO spending (account, day) VALUES (?1, ?2) ON CONFLICT (account, day) DO NOTHING")?
        .execute(params![day.account, stored(day.day)])?;
    let locked = format!("{SPENT} FOR UPDATE");
    connection
        .prepare(connection.either(SPENT, &locked))?
        .query_row(params![day.account, stored(day.day)], |row| {
            amount(&mut ColumnReader::new(row))
        })
}

/// Returns the sum of the reservations that have not expired.
fn reserved(connection: &Connection, day: SpendingDay<'_>, now_ms: u64) -> Answer<SpendingAmount> {
    connection
        .prepare(
            "SELECT CAST(coalesce(sum(calls), 0) AS BIGINT), CAST(coalesce(sum(tokens), 0) AS BIGINT),
                 CAST(coalesce(sum(picodollars), 0) AS BIGINT),
                 CAST(coalesce(sum(list_picodollars), 0) AS BIGINT)
             FROM spending_reservations WHERE account = ?1 AND day = ?2 AND expires_ms > ?3",
        )?
        .query_row(
            params![day.account, stored(day.day), stored(now_ms)],
            |row| amount(&mut ColumnReader::new(row)),
        )
}

fn amount(row: &mut ColumnReader<'_>) -> Answer<SpendingAmount> {
    Ok(SpendingAmount {
        calls: row.number()?,
        tokens: row.number()?,
        picodollars: row.number()?,
        list_picodollars: row.number()?,
    })
}
