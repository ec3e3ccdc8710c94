//! The session files that discovery saw. A file whose stamp is the one written down here did not
//! change and need not be opened; one that is gone from disk is marked, never forgotten.

use std::collections::HashMap;

use acreta_fs::{Stamp, ms_to_ns};
use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::params;

use crate::backend::Stop;
use crate::values::{Columns, named, stored};
use crate::{Catalog, CatalogError};

named! {
    /// What came of looking into a file.
    pub enum Outcome {
        Sessions = "sessions",
        /// It is none of the adapter's.
        Nothing = "nothing",
        Failed = "failed",
    }
}

/// A file as it was when it was last looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeenFile {
    pub stamp: Stamp,
    pub outcome: Outcome,
    /// Before its stamp was taken.
    pub seen_ms: u64,
}

impl SeenFile {
    /// Reports whether a file with the stamp `now` is as it was when it was last looked into.
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
    /// What an adapter's files on disk looked like, by path. Files that are gone are not among them,
    /// so that one that comes back is new.
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
                let mut columns = Columns::new(&row);
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

    /// The files that are on disk and could not be read when they were last looked into.
    pub fn failed_files(&self) -> Result<Vec<FailedFile>, CatalogError> {
        self.read(|connection| {
            connection
                .prepare(
                    "SELECT adapter, path, coalesce(message, ''), seen_ms FROM files
                     WHERE outcome = 'failed' AND gone_ms IS NULL ORDER BY adapter, path",
                )?
                .query_map([], |row| {
                    let mut columns = Columns::new(row);
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

    /// Has every file looked into again by the next sync, whether it changed or not. What is known of sessions stays.
    pub fn look_again(&self) -> Result<(), CatalogError> {
        self.write(|connection| {
            connection.execute("UPDATE files SET size = 0, mtime_ns = 0", [])?;
            Ok::<_, Stop<CatalogError>>(())
        })
    }

    /// Marks files that are gone from disk, and the sessions that only they held. Gives the number
    /// of those sessions; everything that is known of them stays.
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
            let mut sessions = connection.prepare(
                "UPDATE sessions SET gone_ms = ?3
                 WHERE adapter = ?1 AND path = ?2 AND gone_ms IS NULL",
            )?;
            let mut gone = 0;
            for path in paths {
                let values = params![adapter, path.as_ref().as_str(), stored(now_ms)];
                files.execute(values)?;
                gone += sessions.execute(values)?;
            }
            Ok::<_, Stop<CatalogError>>(gone)
        })
    }
}
