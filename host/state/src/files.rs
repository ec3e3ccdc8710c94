//! The session files that discovery saw. A file with an unchanged stamp is not opened again; a file that is gone from
//! disk is marked, never deleted here.

use std::collections::HashMap;

use acreta_fs::{Stamp, ms_to_ns};
use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::params;

use crate::backend::TransactionStop;
use crate::values::{ColumnReader, named, stored};
use crate::{Catalog, CatalogError};

named! {
    /// Result of reading a file.
    pub enum FileOutcome {
        Sessions = "sessions",
        /// The file is not one of the adapter's.
        Nothing = "nothing",
        Failed = "failed",
    }
}

/// State of a file when it was last read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenFile {
    pub stamp: Stamp,
    pub outcome: FileOutcome,
    /// A time before its stamp was taken.
    pub seen_ms: u64,
}

impl SeenFile {
    /// Returns true if a file with the stamp `now` has not changed since it was last read.
    pub fn is_unchanged(&self, now: &Stamp) -> bool {
        self.stamp.is_unchanged(ms_to_ns(self.seen_ms), now)
    }
}

/// A file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FailedFile {
    pub adapter: String,
    pub path: Utf8PathBuf,
    pub message: String,
    pub seen_ms: u64,
}

impl Catalog {
    /// Returns the last known state of an adapter's files on disk, by path. Files that are gone are left out, so that
    /// one that comes back counts as new.
    pub fn seen_files(&self, adapter: &str) -> Result<HashMap<String, SeenFile>, CatalogError> {
        self.read_at_once(|connection| {
            let count: i64 = connection
                .prepare("SELECT count(*) FROM files WHERE adapter = ?1")?
                .query_row([adapter], |row| row.get(0))?;
            let mut files = HashMap::with_capacity(usize::try_from(count).unwrap_or_default());
            let mut statement = connection.prepare(
                "SELECT path, size, mtime_ns, ctime_ns, inode, outcome, seen_ms FROM files
                 WHERE adapter = ?1 AND gone_ms IS NULL",
            )?;
            let mut rows = statement.query([adapter])?;
            while let Some(row) = rows.next()? {
                let mut columns = ColumnReader::new(&row);
                let path = columns.take()?;
                let stamp = Stamp {
                    bytes: columns.number()?,
                    modified_ns: columns.take()?,
                    changed_ns: columns.take()?,
                    inode: columns.take::<i64>()?.cast_unsigned(),
                };
                let seen = SeenFile {
                    stamp,
                    outcome: columns.take()?,
                    seen_ms: columns.number()?,
                };
                files.insert(path, seen);
            }
            Ok(files)
        })
    }

    /// Returns the files on disk that could not be read the last time.
    pub fn failed_files(&self) -> Result<Vec<FailedFile>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(
                    "SELECT adapter, path, coalesce(message, ''), seen_ms FROM files
                     WHERE outcome = 'failed' AND gone_ms IS NULL ORDER BY adapter, path",
                )?
                .query_map([], |row| {
                    let mut columns = ColumnReader::new(row);
                    Ok(FailedFile {
                        adapter: columns.take()?,
                        path: columns.path()?,
                        message: columns.take()?,
                        seen_ms: columns.number()?,
                    })
                })?
                .collect()
        })
    }

    /// Makes the next sync read every file again, changed or not. Session rows stay.
    pub fn look_again(&self) -> Result<(), CatalogError> {
        self.write(|connection| {
            connection.execute("UPDATE files SET size = 0, mtime_ns = 0", [])?;
            Ok::<_, TransactionStop<CatalogError>>(())
        })
    }

    /// Marks files that are gone from disk, and the sessions that only they held. Returns the number of those sessions;
    /// their rows stay.
    pub fn forget_files<P: AsRef<Utf8Path>>(
        &self,
        adapter: &str,
        paths: &[P],
        now_ms: u64,
    ) -> Result<usize, CatalogError> {
        self.write(|connection| {
            let mut files = connection.prepare(
                "UPDATE files SET gone_ms = ?3 WHERE adapter = ?1 AND path = ?2 AND gone_ms IS NULL",
            )?;
            let mut sessions = connection.prepare(&format!(
                "UPDATE sessions SET gone_ms = ?3
                 WHERE adapter = ?1 AND path = ?2 AND gone_ms IS NULL AND {}",
                connection.here("sessions"),
            ))?;
            let mut gone = 0;
            for path in paths {
                let values = params![adapter, path.as_ref().as_str(), stored(now_ms)];
                files.execute(values)?;
                gone += sessions.execute(values)?;
            }
            Ok::<_, TransactionStop<CatalogError>>(gone)
        })
    }
}
