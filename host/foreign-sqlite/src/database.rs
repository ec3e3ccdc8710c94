//! The public interface: a database to query, and the rows of a result. Both are plain owned values that may be kept
//! anywhere and dropped in any order; the last one dropped removes the snapshot.

use std::fmt;
use std::sync::Arc;

use acreta_fs::Directory;
use camino::Utf8Path;

use crate::page::PageSize;
use crate::snapshot::DatabaseSnapshot;
use crate::source::DatabaseSource;
use crate::worker::DatabaseWorker;
use crate::{DatabaseError, DatabaseLimits, SnapshotKind, Value};

/// A consistent snapshot of a database, open for reading. Later writes to the database are not visible.
#[derive(Clone)]
pub struct Database {
    worker: Arc<DatabaseWorker>,
}

/// The rows of one query, not yet read.
pub struct Rows {
    worker: Arc<DatabaseWorker>,
    result: u64,
    columns: Vec<String>,
    is_finished: bool,
}

impl Database {
    /// Opens the database at `source`, a path whose last component is not a link. Files that must be copied go into a
    /// private folder in `scratch`.
    pub fn open(
        source: &Utf8Path,
        scratch: &Directory,
        limits: DatabaseLimits,
    ) -> Result<Self, DatabaseError> {
        let snapshot = DatabaseSnapshot::take(&DatabaseSource::new(source)?, scratch, &limits)?;
        let worker = DatabaseWorker::start(source, snapshot, limits)?;
        Ok(Self {
            worker: Arc::new(worker),
        })
    }

    /// Starts one `SELECT`, with a value for each `?` in it.
    pub fn query(&self, sql: &str, parameters: &[Value]) -> Result<Rows, DatabaseError> {
        let started = self.worker.query(sql, parameters)?;
        Ok(Rows {
            worker: Arc::clone(&self.worker),
            result: started.result,
            columns: started.columns,
            is_finished: false,
        })
    }

    /// Returns how the snapshot was made.
    pub fn snapshot(&self) -> SnapshotKind {
        self.worker.snapshot().kind()
    }
}

impl Rows {
    /// Returns the column names of the query.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the next rows; empty at the end. At most `max_rows`, and as many as fit into `max_bytes` and 16 MiB, but
    /// at least one. After an error there are no more rows.
    pub fn next(
        &mut self,
        max_rows: u32,
        max_bytes: u32,
    ) -> Result<Vec<Vec<Value>>, DatabaseError> {
        if self.is_finished {
            return Ok(Vec::new());
        }
        let size = PageSize {
            rows: max_rows,
            bytes: max_bytes,
        };
        let page = self.worker.page(self.result, size)?;
        self.is_finished = page.is_last;
        Ok(page.rows)
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        if !self.is_finished {
            self.worker.close(self.result);
        }
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Database")
            .field("source", &self.worker.source())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Rows {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Rows")
            .field("source", &self.worker.source())
            .field("columns", &self.columns)
            .finish_non_exhaustive()
    }
}
