//! Waiting for work. A worker that found nothing to claim waits here and is woken when a job is enqueued; it looks
//! again at the end of the time in any case, so that a lost wake-up costs time and never a job.

use std::cell::Cell;
use std::time::{Duration, Instant};

use crate::backend::{Connection, Result as Answer};
use crate::{Catalog, CatalogError};

/// How often a file is checked for changes of other processes.
const FILE_POLL: Duration = Duration::from_millis(200);

impl Catalog {
    /// Waits at most `timeout` for a job that somebody enqueues. Returns true if there may be one, false if the time
    /// is over or the server went away; the caller claims in either case.
    ///
    /// The first call on a connection returns at once: a job may have been enqueued before anybody knew that this
    /// worker waits. Later ones miss nothing. On a server other workers' completions wake nobody, although they free a project.
    pub fn wait_for_work(&self, timeout: Duration) -> Result<bool, CatalogError> {
        self.connection_does(|connection| match connection {
            Connection::Sqlite(connection) => wait_for_change(connection, &self.seen, timeout),
            #[cfg(feature = "postgres")]
            Connection::Postgres(session) => session.wait_for_announcement(timeout),
        })
    }
}

/// Tells those who wait that there is a job, when the transaction commits.
pub(crate) fn announce(connection: &Connection) -> Answer<()> {
    match connection {
        Connection::Sqlite(_) => Ok(()),
        #[cfg(feature = "postgres")]
        Connection::Postgres(session) => session.announce(),
    }
}

/// Waits until another connection commits. `seen` has the state of the file at the end of the last wait.
fn wait_for_change(
    connection: &rusqlite::Connection,
    seen: &Cell<Option<i64>>,
    timeout: Duration,
) -> Answer<bool> {
    let until = Instant::now() + timeout;
    loop {
        let version = connection.pragma_query_value(None, "data_version", |row| row.get(0))?;
        if seen.replace(Some(version)) != Some(version) {
            return Ok(true);
        }
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(false);
        }
        std::thread::sleep(FILE_POLL.min(left));
    }
}
