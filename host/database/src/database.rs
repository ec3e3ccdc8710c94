//! The public door: a database that can be asked, and the rows of an answer. Both are plain owned
//! values that may be kept anywhere and dropped in any order; the last of them to go takes the
//! snapshot with it.

use std::fmt;
use std::sync::Arc;

use acreta_fs::Directory;
use camino::Utf8Path;

use crate::page::PageSize;
use crate::snapshot::Snapshot;
use crate::source::Source;
use crate::worker::Worker;
use crate::{DatabaseError, DatabaseLimits, SnapshotKind, Value};

/// One consistent state of a database, open for reading. What is written to the database later is
/// not seen.
#[derive(Clone)]
pub struct Database {
    worker: Arc<Worker>,
}

/// The rows of one query, not yet read.
pub struct Rows {
    worker: Arc<Worker>,
    result: u64,
    columns: Vec<String>,
    is_finished: bool,
}

impl Database {
    /// Opens the database at `source`, a path whose last part is no link. What has to be copied is
    /// copied into a private folder in `scratch`.
    pub fn open(
        source: &Utf8Path,
        scratch: &Directory,
        limits: DatabaseLimits,
    ) -> Result<Self, DatabaseError> {
        let snapshot = Snapshot::take(&Source::new(source)?, scratch, &limits)?;
        let worker = Worker::start(source, snapshot, limits)?;
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

    /// How it was made readable.
    pub fn snapshot(&self) -> SnapshotKind {
        self.worker.snapshot().kind()
    }
}

impl Rows {
    /// The names of the columns, as the query gives them.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The next rows, none at the end. At most `max_rows`, and no more than fit into `max_bytes` or
    /// into 16 MiB, but one at least. After an error there are no more.
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
