//! Transactions on PostgreSQL and their retries. An attempt that failed before its commit changed nothing, so it is
//! repeated. If the connection was lost during the commit, the server is asked for the outcome of that transaction:
//! nothing is done twice, and nothing is reported done that was not.

use std::time::{Duration, Instant};

use ::postgres::SimpleQueryMessage;
use ::postgres::error::SqlState;

use super::ServerSession;
use crate::LeaseClock;
use crate::backend::{DatabaseError, Result, TransactionStop, WriteLock};

/// Maximum number of attempts when other transactions conflict.
const ATTEMPTS: u32 = 20;

const SHORTEST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(250);

impl ServerSession {
    /// Reads, and retries if the connection was lost.
    pub(crate) fn read<T>(&self, body: impl Fn() -> Result<T>) -> Result<T> {
        let mut patience = RetryDeadline::new(self.wait);
        loop {
            let cause = match self.ensure_connected().and_then(|()| body()) {
                Ok(value) => return Ok(value),
                Err(cause) => cause,
            };
            patience.or_give_up(cause, self)?;
        }
    }

    /// Reads in one consistent snapshot.
    pub(crate) fn read_at_once<T>(&self, body: impl Fn() -> Result<T>) -> Result<T> {
        self.read(|| {
            let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
            self.with_client(|client| client.batch_execute(begin))?;
            let value = body();
            self.roll_back();
            value
        })
    }

    /// Runs `body` atomically.
    pub(crate) fn transact<T, E>(
        &self,
        lock: WriteLock,
        body: impl Fn() -> std::result::Result<T, TransactionStop<E>>,
    ) -> std::result::Result<T, TransactionStop<E>> {
        let mut patience = RetryDeadline::new(self.wait);
        loop {
            let cause = match self.attempt(lock, &body) {
                Err(TransactionStop::Database(cause)) => cause,
                done => return done,
            };
            patience.or_give_up(cause, self)?;
        }
    }

    /// Records that there may be work, in one of several rows so that writers do not wait for each other.
    pub(crate) fn count_change(&self) -> Result<()> {
        let sql = "UPDATE change_slots SET made = made + 1 WHERE slot = pg_backend_pid() % 64
                   RETURNING CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT)";
        let rows = self
            .prepare(sql)?
            .query(&([] as [&(dyn rusqlite::ToSql + Send + Sync); 0]))?;
        let number = rows.rows.first().map(|row| row.get(0));
        self.transaction.set(number);
        Ok(())
    }

    fn attempt<T, E>(
        &self,
        lock: WriteLock,
        body: &impl Fn() -> std::result::Result<T, TransactionStop<E>>,
    ) -> std::result::Result<T, TransactionStop<E>> {
        self.ensure_connected()?;
        let done = self
            .begin(lock)
            .map_err(TransactionStop::Database)
            .and_then(|()| body())
            .and_then(|value| Ok((value, self.transaction_number()?)));
        self.now_ms.set(None);
        let (value, number) = match done {
            Ok(done) => done,
            Err(stop) => {
                self.roll_back();
                return Err(stop);
            }
        };
        match self.with_client(|client| client.batch_execute("COMMIT")) {
            Ok(()) => Ok(value),
            Err(DatabaseError::Postgres(cause)) if is_lost(&cause) => {
                if self.was_committed(number, cause)? {
                    return Ok(value);
                }
                // The server rolled it back, so the next attempt starts from the beginning.
                Err(TransactionStop::Database(DatabaseError::Interrupted))
            }
            Err(cause) => {
                self.roll_back();
                Err(cause.into())
            }
        }
    }

    /// Begins a transaction, takes its lock and reads the time, in one round trip.
    fn begin(&self, lock: WriteLock) -> Result<()> {
        self.transaction.set(None);
        let function = match lock {
            WriteLock::Alone => "pg_advisory_xact_lock",
            WriteLock::Rows => "pg_advisory_xact_lock_shared",
        };
        let sql = format!(
            "BEGIN; SELECT {function}({}), CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)",
            self.lock_key.get()
        );
        let answers = self.with_client(|client| client.simple_query(&sql))?;
        if self.clock == LeaseClock::Database {
            let time = answers.iter().find_map(|answer| match answer {
                SimpleQueryMessage::Row(row) => row.get(1)?.parse().ok(),
                _ => None,
            });
            self.now_ms.set(time);
        }
        Ok(())
    }

    /// Returns the server's id of the transaction, by which its outcome can be asked; `None` if it changed nothing.
    fn transaction_number(&self) -> Result<Option<i64>> {
        if let known @ Some(_) = self.transaction.take() {
            return Ok(known);
        }
        let sql = "SELECT CAST(CAST(pg_current_xact_id_if_assigned() AS TEXT) AS BIGINT)";
        let rows = self
            .prepare(sql)?
            .query(&([] as [&(dyn rusqlite::ToSql + Send + Sync); 0]))?;
        Ok(rows.rows.first().and_then(|row| row.get(0)))
    }

    /// Rolls a transaction back. Drops the connection if that fails.
    fn roll_back(&self) {
        let rolled_back = self.with_client(|client| client.batch_execute("ROLLBACK"));
        if rolled_back.is_err() {
            self.disconnect();
        }
    }

    /// Asks the server for the outcome of a transaction whose commit was not answered.
    fn was_committed(&self, number: Option<i64>, cause: ::postgres::Error) -> Result<bool> {
        let Some(number) = number else {
            return Ok(true);
        };
        let sql = "SELECT pg_xact_status(CAST(CAST($1 AS TEXT) AS xid8))";
        let mut patience = RetryDeadline::new(self.wait);
        loop {
            self.disconnect();
            let status = self.ensure_connected().and_then(|()| {
                self.with_client(|client| client.query_one(sql, &[&number.to_string()]))
            });
            let again = match status {
                Ok(row) => match row.get::<_, Option<&str>>(0) {
                    Some("committed") => return Ok(true),
                    Some("aborted") => return Ok(false),
                    // The server has not noticed yet that the client is gone.
                    Some(_) => DatabaseError::Interrupted,
                    None => return Err(DatabaseError::UnknownCommit(cause)),
                },
                Err(error) => error,
            };
            if patience.or_give_up(again, self).is_err() {
                return Err(DatabaseError::UnknownCommit(cause));
            }
        }
    }
}

/// Limits of a retry loop.
struct RetryDeadline {
    until: Instant,
    attempts: u32,
}

impl RetryDeadline {
    fn new(wait: Duration) -> Self {
        Self {
            until: Instant::now() + wait,
            attempts: 0,
        }
    }

    /// Pauses and returns if another attempt is worthwhile; otherwise returns the cause as the error.
    fn or_give_up(&mut self, cause: DatabaseError, session: &ServerSession) -> Result<()> {
        self.attempts += 1;
        let again = match &cause {
            DatabaseError::Interrupted => Instant::now() < self.until,
            DatabaseError::Postgres(error) if is_lost(error) => {
                session.disconnect();
                Instant::now() < self.until
            }
            DatabaseError::Postgres(error) => is_in_the_way(error) && self.attempts < ATTEMPTS,
            _ => false,
        };
        if !again {
            return Err(cause);
        }
        let pause = SHORTEST_PAUSE * (1 << self.attempts.min(10));
        std::thread::sleep(pause.min(LONGEST_PAUSE));
        Ok(())
    }
}

/// Returns true if the connection is gone or the server has no free connection slot.
fn is_lost(error: &::postgres::Error) -> bool {
    use std::error::Error;

    let is_io = |source: &(dyn Error + 'static)| source.is::<std::io::Error>();
    match error.code() {
        Some(code) => {
            [
                SqlState::ADMIN_SHUTDOWN,
                SqlState::CRASH_SHUTDOWN,
                SqlState::CANNOT_CONNECT_NOW,
                SqlState::TOO_MANY_CONNECTIONS,
                SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
            ]
            .contains(code)
                || code.code().starts_with("08")
        }
        None => error.is_closed() || error.source().is_some_and(is_io),
    }
}

/// Returns true if the transaction conflicted with another one; the next attempt sees the changes of that one. Two
/// concurrent claims conflict at the indexes that allow one running job per project and per session.
fn is_in_the_way(error: &::postgres::Error) -> bool {
    error.code().is_some_and(|code| {
        [
            SqlState::T_R_SERIALIZATION_FAILURE,
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::UNIQUE_VIOLATION,
        ]
        .contains(code)
    })
}
