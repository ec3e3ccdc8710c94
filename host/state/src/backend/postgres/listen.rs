//! Wake-ups by `LISTEN` and `NOTIFY`, on the connection that the worker has anyway. Each schema has its own channel. A
//! connection that is lost while it waits is not an error: whoever waits looks for work and connects again.

use std::time::{Duration, Instant};

use ::postgres::fallible_iterator::FallibleIterator;

use super::ServerSession;
use crate::backend::{DatabaseError, Result};

/// Pause after a lost connection, so that a server that is away is not asked in a loop.
const LOST_PAUSE: Duration = Duration::from_secs(1);

impl ServerSession {
    /// Announces work to all who listen, when the transaction in progress commits. Several in one transaction are one.
    pub(crate) fn announce(&self) -> Result<()> {
        let channel = self.channel();
        self.with_client(|client| client.execute("SELECT pg_notify($1, '')", &[&channel]))?;
        Ok(())
    }

    /// Waits for an announcement. Returns true at once if this connection did not listen before.
    pub(crate) fn wait_for_announcement(&self, timeout: Duration) -> Result<bool> {
        let until = Instant::now() + timeout;
        let heard = self.ensure_connected().and_then(|()| {
            if self.listening.replace(true) {
                return self.next_announcement(timeout);
            }
            let listen = format!("LISTEN {}", self.channel());
            self.with_client(|client| client.batch_execute(&listen))?;
            Ok(Some(true))
        });
        if let Ok(Some(heard)) = heard {
            return Ok(heard);
        }
        // The next claim reports what is wrong if the server does not come back.
        self.disconnect();
        let left = until.saturating_duration_since(Instant::now());
        std::thread::sleep(LOST_PAUSE.min(left));
        Ok(false)
    }

    /// Returns `None` if the connection was lost.
    fn next_announcement(&self, timeout: Duration) -> Result<Option<bool>> {
        let mut client = self.client.borrow_mut();
        let Some(client) = client.as_mut() else {
            return Ok(None);
        };
        let first = client.notifications().timeout_iter(timeout).next();
        let heard = first.map_err(DatabaseError::Postgres)?.is_some();
        if heard {
            // One look for work is enough for all of them.
            let mut notifications = client.notifications();
            let mut rest = notifications.iter();
            while rest.next().map_err(DatabaseError::Postgres)?.is_some() {}
        }
        Ok((!client.is_closed()).then_some(heard))
    }

    fn channel(&self) -> String {
        format!("acreta_{:016x}", self.lock_key.get().cast_unsigned())
    }
}
