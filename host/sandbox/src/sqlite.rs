//! The host side of `acreta:host/sqlite`: databases under an adapter's own roots, read from a snapshot. Any other path
//! is refused and counted.

use std::time::Duration;

use acreta_foreign_sqlite::{Database, DatabaseError, DatabaseLimits, Value};
use acreta_fs::{Directory, NoFaults, canonical};
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use wasmtime::component::Resource;

use crate::bindings::shared::acreta::host::sqlite;
use crate::bindings::shared::acreta::types::types as wit;
use crate::fault::failure_to_wit;
use crate::handles::{DatabaseHandle, FileLocation, RowsHandle};
use crate::limits::is_stopped;
use crate::state::HostState;

/// Maximum bytes of one page of rows.
const PAGE_BYTES: u32 = 8 * 1024 * 1024;

impl sqlite::Host for HostState {}

impl sqlite::HostDatabase for HostState {
    fn open(
        &mut self,
        path: String,
    ) -> wasmtime::Result<Result<Resource<DatabaseHandle>, wit::Failure>> {
        let host = match self.under_a_root(&path) {
            ResolvedPath::Granted(host) => host,
            ResolvedPath::Missing => {
                return Ok(Err(failure("io", format!("there is no database `{path}`"))));
            }
            ResolvedPath::Elsewhere => {
                self.deny("sqlite-open", &path);
                let message = format!("`{path}` does not lie under a granted root");
                return Ok(Err(failure("not-granted", message)));
            }
        };
        let place = FileLocation { host, guest: path };
        let call_time = self.meter.time_left();
        let opened = self.serve(|state| open(&place.host, &state.scratch, call_time))?;
        match opened {
            Ok(database) => Ok(Ok(self.table.push(DatabaseHandle { database, place })?)),
            Err(error) => Ok(Err(place.failure(&error))),
        }
    }

    fn query(
        &mut self,
        database: Resource<DatabaseHandle>,
        sql: String,
        params: Vec<sqlite::Value>,
    ) -> wasmtime::Result<Result<Resource<RowsHandle>, wit::Failure>> {
        let params: Vec<Value> = params.into_iter().map(value_to_host).collect();
        let started = std::time::Instant::now();
        let handle = self.table.get(&database)?;
        let place = handle.place.clone();
        let rows = handle.database.query(&sql, &params);
        self.meter.served(started)?;
        match rows {
            Ok(rows) => Ok(Ok(self.table.push(RowsHandle { rows, place })?)),
            Err(error) => {
                if matches!(error, DatabaseError::Refused { .. }) {
                    self.deny("sqlite-query", &place.guest);
                }
                Ok(Err(place.failure(&error)))
            }
        }
    }

    fn drop(&mut self, database: Resource<DatabaseHandle>) -> wasmtime::Result<()> {
        self.table.delete(database)?;
        Ok(())
    }
}

impl sqlite::HostRows for HostState {
    fn columns(&mut self, rows: Resource<RowsHandle>) -> wasmtime::Result<Vec<String>> {
        Ok(self.table.get(&rows)?.rows.columns().to_vec())
    }

    fn next(
        &mut self,
        rows: Resource<RowsHandle>,
        max_rows: u32,
        max_bytes: u32,
    ) -> wasmtime::Result<Result<Vec<Vec<sqlite::Value>>, wit::Failure>> {
        let started = std::time::Instant::now();
        let handle = self.table.get_mut(&rows)?;
        let page = handle.rows.next(max_rows, max_bytes.min(PAGE_BYTES));
        let page = page.map_err(|error| handle.place.failure(&error));
        self.meter.served(started)?;
        let row = |row: Vec<Value>| row.into_iter().map(value_to_guest).collect();
        Ok(page.map(|page| page.into_iter().map(row).collect()))
    }

    fn drop(&mut self, rows: Resource<RowsHandle>) -> wasmtime::Result<()> {
        self.table.delete(rows)?;
        Ok(())
    }
}

/// Target of a guest's path.
enum ResolvedPath {
    Granted(Utf8PathBuf),
    /// Does not exist, but the guest may ask.
    Missing,
    Elsewhere,
}

impl HostState {
    /// Resolves a guest's path, if it is under one of its roots and contains no link.
    fn under_a_root(&self, path: &str) -> ResolvedPath {
        let found = self.roots.iter().find_map(|root| {
            let relative = path.strip_prefix(&root.guest)?.strip_prefix('/')?;
            Some((root, Utf8Path::new(relative)))
        });
        let Some((root, relative)) = found else {
            return ResolvedPath::Elsewhere;
        };
        let is_plain = relative
            .components()
            .all(|component| matches!(component, Utf8Component::Normal(_)));
        if relative.as_str().is_empty() || !is_plain {
            return ResolvedPath::Elsewhere;
        }
        let wanted = root.host.join(relative);
        match canonical(&wanted) {
            Ok(found) if found == wanted => ResolvedPath::Granted(found),
            Err(error) if error.is_not_found() => ResolvedPath::Missing,
            _ => ResolvedPath::Elsewhere,
        }
    }
}

fn failure(code: &str, message: String) -> wit::Failure {
    wit::Failure {
        code: code.to_owned(),
        message,
        retryable: false,
    }
}

/// `time_left` bounds every query: SQLite is interrupted.
fn open(
    path: &Utf8Path,
    scratch: &Utf8Path,
    time_left: Duration,
) -> Result<Database, DatabaseError> {
    let scratch = Directory::open_or_create_private(scratch, NoFaults::shared())?;
    let limits = DatabaseLimits::default();
    let call_time = limits.call_time.min(time_left);
    Database::open(
        path,
        &scratch,
        DatabaseLimits {
            call_time,
            is_stopped,
            ..limits
        },
    )
}

impl FileLocation {
    /// Formats a failure with guest paths: the guest does not learn the host paths of its roots.
    fn failure(&self, error: &DatabaseError) -> wit::Failure {
        let mut failure = error.to_failure();
        failure.message = failure.message.replace(self.host.as_str(), &self.guest);
        failure_to_wit(failure)
    }
}

fn value_to_host(value: sqlite::Value) -> Value {
    match value {
        sqlite::Value::Null => Value::Null,
        sqlite::Value::Integer(number) => Value::Integer(number),
        sqlite::Value::Real(number) => Value::Real(number),
        sqlite::Value::Text(text) => Value::Text(text),
        sqlite::Value::Blob(bytes) => Value::Blob(bytes),
    }
}

fn value_to_guest(value: Value) -> sqlite::Value {
    match value {
        Value::Null => sqlite::Value::Null,
        Value::Integer(number) => sqlite::Value::Integer(number),
        Value::Real(number) => sqlite::Value::Real(number),
        Value::Text(text) => sqlite::Value::Text(text),
        Value::Blob(bytes) => sqlite::Value::Blob(bytes),
    }
}
