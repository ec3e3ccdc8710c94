//! PostgreSQL: one connection, its prepared statements, and the state of the transaction in progress. A lost connection
//! is reopened at the start of the next attempt, never within a transaction.

mod dialect;
mod listen;
mod nul;
pub(crate) mod schema;
pub(crate) mod server;
mod tls;
mod transaction;
pub(crate) mod values;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use ::postgres::types::ToSql;
use ::postgres::{Client, Config};

use super::{DatabaseError, Params, Result, ServerState};
use crate::LeaseClock;
use server::Server;
use tls::Tls;
use values::Bound;

/// Statement timeout: none of our queries should take this long.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(60);

/// The server releases the locks of an abandoned transaction after this time.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const SHORTEST_CONNECT: Duration = Duration::from_secs(1);

/// Size of the statement cache; larger than the number of distinct statements.
const STATEMENTS: usize = 256;

pub(crate) struct ServerSession {
    config: Config,
    /// This machine's name among those that share the server.
    machine: String,
    tls: Tls,
    wait: Duration,
    clock: LeaseClock,
    client: RefCell<Option<Client>>,
    prepared: RefCell<HashMap<String, Arc<PreparedStatement>>>,
    /// Key of the lock that writers take, one for each schema.
    lock_key: Cell<i64>,
    /// Whether this connection hears announcements of work.
    listening: Cell<bool>,
    /// The server's time at the start of the transaction in progress.
    now_ms: Cell<Option<u64>>,
    /// The row of this writer: random, so that no two have the same.
    writer: i64,
    /// The number of the transaction in progress, among those of this writer.
    number: Cell<i64>,
    /// Whether the transaction in progress may give a sync work.
    counts: Cell<bool>,
}

struct PreparedStatement {
    statement: ::postgres::Statement,
    /// Parameter names in the server's order; empty if the parameters are numbered.
    names: Vec<String>,
}

impl ServerSession {
    pub(crate) fn connect(server: &Server, wait: Duration, clock: LeaseClock) -> Result<Self> {
        let mut config = server.config().clone();
        config.application_name("acreta");
        if config.get_connect_timeout().is_none() {
            // Hooks wait only briefly: an agent must not stand still because a server is away.
            config.connect_timeout(CONNECT_TIMEOUT.min(wait.max(SHORTEST_CONNECT)));
        }
        let session = Self {
            config,
            machine: server.machine().to_owned(),
            tls: Tls::new(server.root_certificates())?,
            wait,
            clock,
            client: RefCell::new(None),
            prepared: RefCell::default(),
            lock_key: Cell::new(0),
            listening: Cell::new(false),
            now_ms: Cell::new(None),
            writer: random_writer(),
            number: Cell::new(0),
            counts: Cell::new(false),
        };
        session.read(|| Ok(()))?;
        Ok(session)
    }

    /// Returns the server's time in the transaction in progress, if leases use it.
    pub(crate) fn now_ms(&self) -> Option<u64> {
        self.now_ms.get()
    }

    /// Returns the server's version, the schema's version, and the difference of the clocks.
    pub(crate) fn state(&self, clock: &dyn Fn() -> u64) -> Result<ServerState> {
        let schema_version = schema::version(self)?;
        self.read(|| {
            let before_ms = clock();
            let row = self.with_client(|client| {
                client.query_one(
                    "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT),
                         current_setting('server_version')",
                    &[],
                )
            })?;
            // The server read its clock about halfway between question and answer.
            let halfway_ms = before_ms.midpoint(clock()).cast_signed();
            Ok(ServerState {
                server_version: row.get(1),
                schema_version,
                clock_ahead_ms: row.get::<_, i64>(0).saturating_sub(halfway_ms),
            })
        })
    }

    pub(crate) fn prepare(&self, sql: &str) -> Result<ServerStatement<'_>> {
        let known = self.prepared.borrow().get(sql).cloned();
        let prepared = match known {
            Some(prepared) => prepared,
            None => {
                let translated = dialect::translate(sql);
                let statement = self.with_client(|client| client.prepare(&translated.text))?;
                let prepared = Arc::new(PreparedStatement {
                    statement,
                    names: translated.names,
                });
                let mut all = self.prepared.borrow_mut();
                if all.len() >= STATEMENTS {
                    all.clear();
                }
                all.insert(sql.to_owned(), Arc::clone(&prepared));
                prepared
            }
        };
        Ok(ServerStatement {
            session: self,
            prepared,
        })
    }

    /// Connects unless a connection is open.
    fn ensure_connected(&self) -> Result<()> {
        let mut client = self.client.borrow_mut();
        if client.as_ref().is_some_and(|client| !client.is_closed()) {
            return Ok(());
        }
        self.prepared.borrow_mut().clear();
        self.listening.set(false);
        *client = None;
        let mut new = self.config.connect(self.tls.clone())?;
        new.batch_execute(&format!(
            "SET lock_timeout = {}; SET statement_timeout = {};
             SET idle_in_transaction_session_timeout = {};
             SET client_min_messages = warning; SET TIME ZONE 'UTC'; SET jit = off",
            // Zero would disable the timeout.
            self.wait.as_millis().max(1),
            STATEMENT_TIMEOUT.as_millis(),
            IDLE_TIMEOUT.as_millis(),
        ))?;
        let key = "SELECT hashtextextended(coalesce(current_schema(), ''), 1634431333)";
        self.lock_key.set(new.query_one(key, &[])?.get(0));
        let machine = "SELECT set_config('acreta.machine', $1, FALSE)";
        new.execute(machine, &[&self.machine])?;
        *client = Some(new);
        Ok(())
    }

    fn disconnect(&self) {
        *self.client.borrow_mut() = None;
    }

    fn with_client<T>(
        &self,
        ask: impl FnOnce(&mut Client) -> std::result::Result<T, ::postgres::Error>,
    ) -> Result<T> {
        match self.client.borrow_mut().as_mut() {
            Some(client) => Ok(ask(client)?),
            None => Err(DatabaseError::Settings("not connected".to_owned())),
        }
    }
}

/// Returns a random number above zero.
fn random_writer() -> i64 {
    let random = RandomState::new().build_hasher().finish();
    (random >> 1).cast_signed().max(1)
}

impl std::fmt::Debug for ServerSession {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Hides the settings: they contain a password.
        formatter.debug_struct("Session").finish_non_exhaustive()
    }
}

pub(crate) struct ServerStatement<'session> {
    session: &'session ServerSession,
    prepared: Arc<PreparedStatement>,
}

impl ServerStatement<'_> {
    pub(crate) fn execute(&self, params: &impl Params) -> Result<usize> {
        self.with_values(params, |client, statement, values| {
            client.execute(statement, values)
        })
        .map(|rows| usize::try_from(rows).unwrap_or(usize::MAX))
    }

    pub(crate) fn query(&self, params: &impl Params) -> Result<ServerRows> {
        let rows = self.with_values(params, |client, statement, values| {
            client.query(statement, values)
        })?;
        Ok(ServerRows { rows, next: 0 })
    }

    fn with_values<T>(
        &self,
        params: &impl Params,
        ask: impl FnOnce(
            &mut Client,
            &::postgres::Statement,
            &[&(dyn ToSql + Sync)],
        ) -> std::result::Result<T, ::postgres::Error>,
    ) -> Result<T> {
        let names = &self.prepared.names;
        let mut values: Vec<Bound> = Vec::new();
        values.resize_with(names.len(), || Bound::Null);
        params.visit(&mut |name, value| {
            let bound = Bound::new(value)?;
            match name.and_then(|name| names.iter().position(|known| known == name)) {
                Some(place) => values[place] = bound,
                None => values.push(bound),
            }
            Ok(())
        })?;
        let values: Vec<&(dyn ToSql + Sync)> = values
            .iter()
            .map(|value| value as &(dyn ToSql + Sync))
            .collect();
        self.session
            .with_client(|client| ask(client, &self.prepared.statement, &values))
    }
}

/// Result rows, already read completely.
pub(crate) struct ServerRows {
    rows: Vec<::postgres::Row>,
    next: usize,
}

impl ServerRows {
    pub(crate) fn next(&mut self) -> Option<&::postgres::Row> {
        let row = self.rows.get(self.next);
        self.next += 1;
        row
    }
}
