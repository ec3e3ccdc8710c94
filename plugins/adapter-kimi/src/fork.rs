//! The part of a fork that it shares with its original session.
//!
//! A fork starts as a copy of all files of that session, followed by a `forked` record. A fork of a fork has several:
//! the last one is the boundary.

use acreta_sdk::adapter::{Failure, Session, failure, file_probe};
use acreta_sdk::lines::LineReader;

use crate::sessions::Layout;

/// First bytes of the record after the copy.
const MARK: &[u8] = b"{\"type\":\"forked\"";

/// The part of a file that is a copy.
pub(crate) struct Copied {
    pub(crate) from: String,
    pub(crate) until: u64,
}

impl Copied {
    /// Returns `None` if the session is not a fork.
    pub(crate) fn of(session: &Session) -> Result<Option<Self>, Failure> {
        let layout = Layout::of(&session.path, None);
        let Some(source) = layout.state().forked_from else {
            return Ok(None);
        };
        let subagent = layout.parent.and_then(|own| {
            let agent = layout.id.strip_prefix(&own)?;
            Some(format!("{source}{agent}"))
        });
        let mut lines = LineReader::new(file_probe::open(&session.path)?, 0);
        let mut until = 0;
        while let Some(line) = lines.next_line().map_err(|error| failure::io(&error))? {
            if line.bytes.starts_with(MARK) {
                until = line.start;
            }
        }
        let from = subagent.unwrap_or(source);
        Ok((until > 0).then_some(Self { from, until }))
    }
}
