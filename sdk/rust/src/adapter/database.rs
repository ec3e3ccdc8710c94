//! Reads an agent's SQLite database through the host: a snapshot that includes the write-ahead log and never blocks the
//! agent.
//!
//! Rows come in pages, so tables of any size fit. Outside a sandbox, in tests, the same queries go to the file itself.

use crate::adapter::Failure;

#[cfg(not(target_family = "wasm"))]
use self::native as engine;
#[cfg(target_family = "wasm")]
use self::sandboxed as engine;

/// Rows and bytes requested per page.
const PAGE_ROWS: u32 = 512;
const PAGE_BYTES: u32 = 4 * 1024 * 1024;

/// First bytes of every SQLite file.
pub const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// One value of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Blob(Vec<u8>),
}

impl Value {
    /// Returns text, also if it was stored as bytes; `None` for other values.
    pub fn text(&self) -> Option<std::borrow::Cow<'_, str>> {
        match self {
            Value::Text(text) => Some(text.into()),
            Value::Blob(bytes) => Some(String::from_utf8_lossy(bytes)),
            _ => None,
        }
    }

    pub fn integer(&self) -> Option<i64> {
        match self {
            Value::Integer(number) => Some(*number),
            // Some writers store milliseconds as a fraction.
            Value::Real(number) => Some(*number as i64),
            _ => None,
        }
    }
}

/// An open database.
pub struct Database(engine::Database);

impl Database {
    /// Fails if the file is not a database or cannot be read now.
    pub fn open(path: &str) -> Result<Self, Failure> {
        engine::Database::open(path).map(Self)
    }

    /// Calls `visit` with every row of a SELECT, in order.
    pub fn each_row(
        &self,
        sql: &str,
        parameters: &[Value],
        mut visit: impl FnMut(&[Value]) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut rows = self.0.query(sql, parameters)?;
        loop {
            let page = rows.next(PAGE_ROWS, PAGE_BYTES)?;
            if page.is_empty() {
                return Ok(());
            }
            for row in &page {
                visit(row)?;
            }
        }
    }

    /// Returns all rows of a SELECT that is known to be small.
    pub fn rows(&self, sql: &str, parameters: &[Value]) -> Result<Vec<Vec<Value>>, Failure> {
        let mut rows = Vec::new();
        self.each_row(sql, parameters, |row| {
            rows.push(row.to_vec());
            Ok(())
        })?;
        Ok(rows)
    }

    /// Lists the columns of a table; empty if the table does not exist.
    pub fn columns(&self, table: &str) -> Result<Vec<String>, Failure> {
        let known = self.rows(
            "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name = ?1",
            &[Value::Text(table.to_owned())],
        )?;
        if known.is_empty() {
            return Ok(Vec::new());
        }
        let name = table.replace('"', "\"\"");
        let rows = self
            .0
            .query(&format!("SELECT * FROM \"{name}\" LIMIT 0"), &[])?;
        Ok(rows.columns())
    }
}

/// An optional table and its columns, which differ between versions of the agent.
pub struct Table {
    pub name: &'static str,
    columns: Vec<String>,
}

impl Table {
    /// Returns the table if it has these columns.
    pub fn with(
        database: &Database,
        name: &'static str,
        needed: &[&str],
    ) -> Result<Option<Self>, Failure> {
        let table = Self {
            name,
            columns: database.columns(name)?,
        };
        let has_all = needed.iter().all(|column| table.has(column));
        Ok(has_all.then_some(table))
    }

    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|name| name == column)
    }

    /// Builds a column list for a SELECT, with NULL in place of missing columns.
    pub fn pick(&self, columns: &[&'static str]) -> String {
        let picked = columns
            .iter()
            .map(|&column| if self.has(column) { column } else { "NULL" });
        picked.collect::<Vec<_>>().join(", ")
    }
}

/// Returns the text in a column of a row.
pub fn text(row: &[Value], column: usize) -> Option<String> {
    Some(row.get(column)?.text()?.into_owned())
}

/// Returns the integer in a column of a row.
pub fn number(row: &[Value], column: usize) -> Option<i64> {
    row.get(column)?.integer()
}

#[cfg(target_family = "wasm")]
mod sandboxed {
    use crate::adapter::Failure;
    use crate::adapter::host::sqlite;

    use super::Value;

    pub(super) struct Database(sqlite::Database);
    pub(super) struct Rows(sqlite::Rows);

    impl Database {
        pub(super) fn open(path: &str) -> Result<Self, Failure> {
            sqlite::Database::open(path).map(Self)
        }

        pub(super) fn query(&self, sql: &str, parameters: &[Value]) -> Result<Rows, Failure> {
            let parameters: Vec<_> = parameters.iter().cloned().map(sent).collect();
            self.0.query(sql, &parameters).map(Rows)
        }
    }

    impl Rows {
        pub(super) fn columns(&self) -> Vec<String> {
            self.0.columns()
        }

        pub(super) fn next(&mut self, rows: u32, bytes: u32) -> Result<Vec<Vec<Value>>, Failure> {
            let page = self.0.next(rows, bytes)?;
            let row = |row: Vec<sqlite::Value>| row.into_iter().map(received).collect();
            Ok(page.into_iter().map(row).collect())
        }
    }

    fn sent(value: Value) -> sqlite::Value {
        match value {
            Value::Null => sqlite::Value::Null,
            Value::Integer(number) => sqlite::Value::Integer(number),
            Value::Real(number) => sqlite::Value::Real(number),
            Value::Text(text) => sqlite::Value::Text(text),
            Value::Blob(bytes) => sqlite::Value::Blob(bytes),
        }
    }

    fn received(value: sqlite::Value) -> Value {
        match value {
            sqlite::Value::Null => Value::Null,
            sqlite::Value::Integer(number) => Value::Integer(number),
            sqlite::Value::Real(number) => Value::Real(number),
            sqlite::Value::Text(text) => Value::Text(text),
            sqlite::Value::Blob(bytes) => Value::Blob(bytes),
        }
    }
}

#[cfg(all(not(target_family = "wasm"), feature = "databases"))]
mod native {
    use crate::adapter::Failure;
    use rusqlite::types::ValueRef;
    use rusqlite::{Connection, OpenFlags, params_from_iter, types};

    use super::Value;
    use crate::adapter::failure;

    pub(super) struct Database(Connection);
    /// Holds all rows at once: test databases are small.
    pub(super) struct Rows {
        columns: Vec<String>,
        rows: Vec<Vec<Value>>,
    }

    impl Database {
        pub(super) fn open(path: &str) -> Result<Self, Failure> {
            let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
                .map_err(told)?;
            read_schema(&connection).map_err(told)?;
            Ok(Self(connection))
        }

        pub(super) fn query(&self, sql: &str, parameters: &[Value]) -> Result<Rows, Failure> {
            let mut statement = self.0.prepare(sql).map_err(told)?;
            let names = statement.column_names().map(str::to_owned);
            let names: Vec<String> = names.collect();
            let columns = names.len();
            let parameters = parameters.iter().cloned().map(sent);
            let rows = statement
                .query_map(params_from_iter(parameters), |row| {
                    let values = (0..columns).map(|column| row.get_ref(column).map(received));
                    values.collect::<Result<Vec<_>, _>>()
                })
                .map_err(told)?;
            let mut rows = rows.collect::<Result<Vec<_>, _>>().map_err(told)?;
            rows.reverse();
            Ok(Rows {
                columns: names,
                rows,
            })
        }
    }

    impl Rows {
        pub(super) fn columns(&self) -> Vec<String> {
            self.columns.clone()
        }

        pub(super) fn next(&mut self, rows: u32, _bytes: u32) -> Result<Vec<Vec<Value>>, Failure> {
            let left = self.rows.len().saturating_sub(rows as usize);
            let mut page = self.rows.split_off(left);
            page.reverse();
            Ok(page)
        }
    }

    /// Refuses files that are not databases, and names that are not UTF-8, as the host does.
    fn read_schema(connection: &Connection) -> rusqlite::Result<()> {
        let mut schema = connection.prepare("SELECT name, tbl_name, sql FROM sqlite_schema")?;
        let mut rows = schema.query([])?;
        while let Some(row) = rows.next()? {
            for column in 0..3 {
                row.get::<_, Option<String>>(column)?;
            }
        }
        Ok(())
    }

    fn told(error: rusqlite::Error) -> Failure {
        failure::unreadable(&error.to_string())
    }

    fn sent(value: Value) -> types::Value {
        match value {
            Value::Null => types::Value::Null,
            Value::Integer(number) => types::Value::Integer(number),
            Value::Real(number) => types::Value::Real(number),
            Value::Text(text) => types::Value::Text(text),
            Value::Blob(bytes) => types::Value::Blob(bytes),
        }
    }

    fn received(value: ValueRef<'_>) -> Value {
        match value {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(number) => Value::Integer(number),
            ValueRef::Real(number) => Value::Real(number),
            ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
        }
    }
}

#[cfg(all(not(target_family = "wasm"), not(feature = "databases")))]
mod native {
    use crate::adapter::Failure;

    use super::Value;
    use crate::adapter::failure;

    pub(super) enum Database {}
    pub(super) enum Rows {}

    impl Database {
        pub(super) fn open(_path: &str) -> Result<Self, Failure> {
            Err(failure::unreadable(
                "databases are read by the host or with the feature `databases`",
            ))
        }

        pub(super) fn query(&self, _sql: &str, _parameters: &[Value]) -> Result<Rows, Failure> {
            match *self {}
        }
    }

    impl Rows {
        pub(super) fn columns(&self) -> Vec<String> {
            match *self {}
        }

        pub(super) fn next(&mut self, _rows: u32, _bytes: u32) -> Result<Vec<Vec<Value>>, Failure> {
            match *self {}
        }
    }
}
