//! Transactions on PostgreSQL, and when one is tried again. An attempt that failed before its commit left nothing, so
//! it is made anew. If the connection was lost during the commit, the server is asked for the fate of that very
//! transaction: nothing is done twice, and nothing that was not done is taken for done.

use std::time::{Duration, Instant};

use ::postgres::SimpleQueryMessage;
use ::postgres::error::SqlState;

use super::Session;
use crate::LeaseClock;
use crate::backend::{DatabaseError, Lock, Result, Stop};

/// How often an attempt is made that others get in the way of.
const ATTEMPTS: u32 = 20;

const SHORTEST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(250);

impl Session {
    /// Reads, again where the connection was lost.
    pub(crate) fn read<T>(&self, body: impl Fn() -> Result<T>) -> Result<T> {
        let mut patience = Patience::new(self.wait);
        loop {
            let cause = match self.ensure_connected().and_then(|()| body()) {
                Ok(value) => return Ok(value),
                Err(cause) => cause,
            };
            patience.or_give_up(cause, self)?;
        }
    }

    /// Reads the state of one moment.
    pub(crate) fn read_at_once<T>(&self, body: impl Fn() -> Result<T>) -> Result<T> {
        self.read(|| {
            let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
            self.with_client(|client| client.batch_execute(begin))?;
            let value = body();
            self.roll_back();
            value
        })
    }

    /// Does all of `body`, or nothing of it.
    pub(crate) fn transact<T, E>(
        &self,
        lock: Lock,
        body: impl Fn() -> std::result::Result<T, Stop<E>>,
    ) -> std::result::Result<T, Stop<E>> {
        let mut patience = Patience::new(self.wait);
        loop {
            let cause = match self.attempt(lock, &body) {
                Err(Stop::Database(cause)) => cause,
                done => return done,
            };
            patience.or_give_up(cause, self)?;
        }
    }

    /// Notes that there may be something to do, in one of several rows so that writers do not wait for each other.
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
        lock: Lock,
        body: &impl Fn() -> std::result::Result<T, Stop<E>>,
    ) -> std::result::Result<T, Stop<E>> {
        self.ensure_connected()?;
        let done = self
            .begin(lock)
            .map_err(Stop::Database)
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
                // Undone by the server: the next attempt is the first.
                Err(Stop::Database(DatabaseError::Interrupted))
            }
            Err(cause) => {
                self.roll_back();
                Err(cause.into())
            }
        }
    }

    /// Begins a transaction, takes its lock and asks for the time, in one message.
    fn begin(&self, lock: Lock) -> Result<()> {
        self.transaction.set(None);
        let function = match lock {
            Lock::Alone => "pg_advisory_xact_lock",
            Lock::Rows => "pg_advisory_xact_lock_shared",
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

    /// The number by which the server knows the fate of the transaction; none if it changed nothing.
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

    /// Ends a transaction without keeping anything. A connection on which that fails is not used again.
    fn roll_back(&self) {
        let rolled_back = self.with_client(|client| client.batch_execute("ROLLBACK"));
        if rolled_back.is_err() {
            self.disconnect();
        }
    }

    /// Asks what became of a transaction whose commit was not answered.
    fn was_committed(&self, number: Option<i64>, cause: ::postgres::Error) -> Result<bool> {
        let Some(number) = number else {
            return Ok(true);
        };
        let sql = "SELECT pg_xact_status(CAST(CAST($1 AS TEXT) AS xid8))";
        let mut patience = Patience::new(self.wait);
        loop {
            self.disconnect();
            let status = self.ensure_connected().and_then(|()| {
                self.with_client(|client| client.query_one(sql, &[&number.to_string()]))
            });
            let again = match status {
                Ok(row) => match row.get::<_, Option<&str>>(0) {
                    Some("committed") => return Ok(true),
                    Some("aborted") => return Ok(false),
                    // The server has not noticed yet that nobody is there.
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

/// How long one goes on trying.
struct Patience {
    until: Instant,
    attempts: u32,
}

impl Patience {
    fn new(wait: Duration) -> Self {
        Self {
            until: Instant::now() + wait,
            attempts: 0,
        }
    }

    /// Returns after a pause if another attempt is worth it, otherwise gives the cause back.
    fn or_give_up(&mut self, cause: DatabaseError, session: &Session) -> Result<()> {
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

/// Reports whether the connection is gone, or the server has no room for one just now.
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

/// Reports whether another transaction was in the way: the next attempt sees what it did. Two that claim at once meet at
/// the indexes that allow one running job of a project and of a session.
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
