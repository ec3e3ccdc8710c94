//! Sessions that are open for reading. The last few stay open in a long-lived process: their rows are in memory, and
//! their texts in the trace.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use acreta_types::locked;

use super::{ReaderRow, Reading, RowBody, RowMatches, RowPage, SessionLink, SessionOutline};
use crate::sessions::SessionRow;
use crate::sessions::events::EventSource;
use crate::{Failure, Kind};

/// Number of sessions that stay open.
const OPEN: usize = 3;

/// Time after which a session that nobody reads any more is closed.
const IDLE: Duration = Duration::from_secs(300);

/// Maximum number of matches that are returned.
const MATCHES: usize = 10_000;

/// A session that is open for reading.
pub struct OpenSession {
    session: SessionRow,
    source: EventSource,
    reading: Reading,
    pub(super) children: Vec<SessionLink>,
}

/// The sessions that were read last.
#[derive(Clone, Default)]
pub(crate) struct Readings {
    open: Arc<Mutex<Vec<Kept>>>,
}

struct Kept {
    /// Agent, id, and the state that was read.
    key: [String; 3],
    session: Arc<Mutex<OpenSession>>,
    used: Instant,
}

impl OpenSession {
    pub(in crate::sessions) fn new(
        session: SessionRow,
        mut source: EventSource,
        children: Vec<SessionLink>,
    ) -> Result<Self, Failure> {
        let mut reading = Reading::default();
        loop {
            let events = source.next_events()?;
            if events.is_empty() {
                break;
            }
            for event in events {
                reading.add(event, session.project.as_deref(), &children);
            }
        }
        Ok(Self {
            session,
            source,
            reading,
            children,
        })
    }

    pub fn session(&self) -> &SessionRow {
        &self.session
    }

    pub fn outline(&self) -> SessionOutline {
        SessionOutline {
            subagents: self.children.clone(),
            ..self.reading.outline()
        }
    }

    pub fn rows(&self) -> &[ReaderRow] {
        self.reading.rows()
    }

    pub(super) fn page(&self, offset: u64, limit: u64, event: Option<&str>) -> Option<RowPage> {
        self.reading.page(offset, limit, event)
    }

    /// Returns the number of the row that has an event.
    pub fn place(&self, event: &str) -> Result<usize, Failure> {
        self.reading.place(event).ok_or_else(|| missing(event))
    }

    /// Returns all of the row with an event.
    pub fn body(&mut self, event: &str) -> Result<RowBody, Failure> {
        let row = &self.reading.rows()[self.place(event)?];
        let (id, result) = (row.id.clone(), row.result.clone());
        let event = self.source.event(&id)?;
        let event = event.ok_or_else(|| missing(&id))?;
        let result = match result.filter(|result| *result != id) {
            Some(result) => self.source.event(&result)?,
            None => None,
        };
        Ok(RowBody::of(&event, result.as_ref()))
    }

    /// Returns the rows in which a text occurs, ignoring case.
    pub(super) fn matches(&mut self, text: &str) -> Result<RowMatches, Failure> {
        let wanted = text.to_lowercase();
        if wanted.trim().is_empty() {
            return Ok(RowMatches::default());
        }
        let mut found = Vec::new();
        self.source.rewind();
        loop {
            let events = self.source.next_events()?;
            if events.is_empty() {
                break;
            }
            for event in events {
                if event.text.to_lowercase().contains(&wanted) {
                    found.extend(self.reading.place(&event.id).map(|place| place as u64));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        let total = found.len() as u64;
        found.truncate(MATCHES);
        Ok(RowMatches { rows: found, total })
    }
}

impl Readings {
    /// Closes what nobody has read for a while.
    pub(crate) fn close_idle(&self) {
        locked(&self.open).retain(|kept| kept.used.elapsed() < IDLE);
    }

    /// Closes all: what is purged stays in no copy.
    pub(crate) fn close_all(&self) {
        locked(&self.open).clear();
    }

    pub(super) fn close(&self, agent: &str, id: &str) {
        locked(&self.open).retain(|kept| kept.key[0] != agent || kept.key[1] != id);
    }

    pub(super) fn get(&self, key: &[String; 3]) -> Option<Arc<Mutex<OpenSession>>> {
        let mut open = locked(&self.open);
        let kept = open.iter_mut().find(|kept| kept.key == *key)?;
        kept.used = Instant::now();
        Some(Arc::clone(&kept.session))
    }

    /// Keeps a session in the place of an earlier state of it, or of the one that was not used for longest. Two requests may
    /// have opened it at once; the later one stays.
    pub(super) fn keep(&self, key: [String; 3], session: OpenSession) -> Arc<Mutex<OpenSession>> {
        self.close(&key[0], &key[1]);
        let session = Arc::new(Mutex::new(session));
        let mut open = locked(&self.open);
        open.sort_by_key(|kept| std::cmp::Reverse(kept.used));
        open.truncate(OPEN - 1);
        open.push(Kept {
            key,
            session: Arc::clone(&session),
            used: Instant::now(),
        });
        session
    }
}

pub(super) fn missing(event: &str) -> Failure {
    let message = format!("the session has no event `{event}`");
    Failure::new(Kind::Missing, message)
}
