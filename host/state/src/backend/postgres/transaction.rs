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

/// Removes the rows of writers that wrote nothing for a day, whose changes stay counted, and adds up the totals.
const TIDY: &str = "
    WITH gone AS (
        DELETE FROM writers WHERE writer IN (
            SELECT writer FROM writers WHERE writer <> 0 AND at < now() - INTERVAL '1 day'
            FOR UPDATE SKIP LOCKED)
        RETURNING made)
    INSERT INTO writers (writer, made, number) SELECT 0, sum(made), 0 FROM gone HAVING count(*) > 0
        ON CONFLICT (writer) DO UPDATE SET made = writers.made + excluded.made;
    WITH parts AS (
        DELETE FROM totals WHERE ctid = ANY (ARRAY(
            SELECT ctid FROM totals WHERE (SELECT count(*) FROM totals) > 100 FOR UPDATE SKIP LOCKED))
        RETURNING kind, name, number)
    INSERT INTO totals SELECT kind, name, sum(number) FROM parts GROUP BY kind, name; ";

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

    /// Records that the transaction in progress may give a sync work.
    pub(crate) fn count_change(&self) {
        self.counts.set(true);
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
            .and_then(|()| body());
        self.now_ms.set(None);
        let value = match done {
            Ok(value) => value,
            Err(stop) => {
                self.roll_back();
                return Err(stop);
            }
        };
        match self.commit() {
            Ok(()) => Ok(value),
            Err(DatabaseError::Postgres(cause)) if is_lost(&cause) => {
                if self.was_committed(cause)? {
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

    /// Commits, and with it the number of this transaction in the row of this writer, unless nothing was changed.
    ///
    /// The server's own id of the transaction would not do: after a crash it may be given to another one.
    fn commit(&self) -> Result<()> {
        let number = self.number.get() + 1;
        self.number.set(number);
        let (writer, made) = (self.writer, u8::from(self.counts.get()));
        let mut sql = format!("SELECT note_writer({writer}, {made}, {number}); ");
        if number == 1 {
            sql.push_str(TIDY);
        }
        sql.push_str("COMMIT");
        self.with_client(|client| client.batch_execute(&sql))
    }

    /// Begins a transaction, takes its lock and reads the time, in one round trip.
    fn begin(&self, lock: WriteLock) -> Result<()> {
        self.counts.set(false);
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

    /// Rolls a transaction back. Drops the connection if that fails.
    fn roll_back(&self) {
        let rolled_back = self.with_client(|client| client.batch_execute("ROLLBACK"));
        if rolled_back.is_err() {
            self.disconnect();
        }
    }

    /// Asks the server whether a commit that was not answered succeeded. The query writes the row of this writer, so it
    /// waits until the server has ended that transaction.
    fn was_committed(&self, cause: ::postgres::Error) -> Result<bool> {
        let number = self.number.get();
        let sql = "INSERT INTO writers (writer, made, number) VALUES ($1, 0, 0)
                   ON CONFLICT (writer) DO UPDATE SET number = writers.number RETURNING number";
        let mut patience = RetryDeadline::new(self.wait);
        loop {
            self.disconnect();
            let found = self
                .ensure_connected()
                .and_then(|()| self.with_client(|client| client.query_one(sql, &[&self.writer])));
            let error = match found {
                Ok(row) => return Ok(row.get::<_, i64>(0) == number),
                Err(error) => error,
            };
            if patience.or_give_up(error, self).is_err() {
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
