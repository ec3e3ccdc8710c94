//! Errors of a run. Memory is unchanged if a run fails.

use acreta_fs::FsError;
use acreta_session_archive::TraceError;
use acreta_store::{CommitError, DraftError, StoreError};
use acreta_types::{PluginError, PluginFault};
use camino::Utf8PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("there is no session file at `{path}`")]
    TraceMissing { path: Utf8PathBuf },
    #[error("`{path}` is not a regular file")]
    TraceNotAFile { path: Utf8PathBuf },
    #[error("session file `{path}` cannot be read")]
    TraceUnreadable {
        path: Utf8PathBuf,
        #[source]
        cause: FsError,
    },
    #[error("no adapter knows `{path}`: it is empty, or not a session of a known agent")]
    NoAdapter { path: Utf8PathBuf },
    #[error("no adapter reads sessions of `{agent}` (there are: {})", .known.join(", "))]
    UnknownAgent { agent: String, known: Vec<String> },
    #[error("`{path}` contains {} sessions: {}", .sessions.len(), shortened(.sessions))]
    SeveralSessions {
        path: Utf8PathBuf,
        /// Newest first.
        sessions: Vec<String>,
    },
    #[error("`{path}` contains no session `{session}`")]
    UnknownSession { path: Utf8PathBuf, session: String },
    #[error("the run was cancelled")]
    Cancelled,
    /// Another worker took the job over; the result of this run is discarded.
    #[error("the run lost its lease to another worker")]
    LeaseLost,
    /// A person's request cannot be carried out; memory is unchanged.
    #[error("{message}")]
    Refused { message: String },
    #[error(transparent)]
    Plugin(#[from] PluginError),
    #[error("the memory-writer's draft is refused: {message}")]
    DraftReport { message: String },
    #[error("the memory-writer's draft is refused")]
    Draft(#[from] DraftError),
    #[error(transparent)]
    Trace(#[from] TraceError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("memory could not be written")]
    Commit(#[from] CommitError),
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// Maximum number of ids in a message.
const NAMED: usize = 10;

fn shortened(sessions: &[String]) -> String {
    let named = sessions.iter().take(NAMED).cloned().collect::<Vec<_>>();
    match sessions.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} older", named.join(", ")),
    }
}

impl RunError {
    /// Reports whether another run holds the project's lock.
    pub fn is_busy(&self) -> bool {
        matches!(self, RunError::Store(StoreError::Busy { .. }))
    }

    /// Reports whether the same run may succeed later without any change.
    pub fn is_retryable(&self) -> bool {
        match self {
            RunError::TraceMissing { .. }
            | RunError::TraceNotAFile { .. }
            | RunError::NoAdapter { .. }
            | RunError::UnknownAgent { .. }
            | RunError::SeveralSessions { .. }
            | RunError::Refused { .. }
            | RunError::Store(StoreError::Closed { .. })
            | RunError::UnknownSession { .. } => false,
            RunError::Plugin(error) => match &error.fault {
                PluginFault::Failed(failure) => failure.retryable,
                _ => true,
            },
            _ => true,
        }
    }

    /// Returns advice for the user.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            RunError::TraceMissing { .. } | RunError::TraceNotAFile { .. } => {
                "pass the path of a session file, for example one under ~/.claude/projects"
                    .to_owned()
            }
            RunError::NoAdapter { .. } | RunError::UnknownAgent { .. } => {
                "`acreta plugin list` shows the adapters; `--agent NAME` selects one".to_owned()
            }
            RunError::SeveralSessions { sessions, .. } => format!(
                "`--session {}` reads the newest, `--all-sessions` reads all",
                sessions.first().map_or("ID", String::as_str)
            ),
            RunError::Plugin(error) => error.fault.hint(&error.plugin),
            RunError::DraftReport { .. } | RunError::Draft(_) => {
                "memory is unchanged; `plugins.writer` in the config chooses another writer"
                    .to_owned()
            }
            RunError::Store(StoreError::Busy { .. }) => {
                "wait until the other run is done, then try again".to_owned()
            }
            RunError::Store(StoreError::Closed { .. }) => {
                "`acreta project add` registers it, and its memory is read".to_owned()
            }
            RunError::Fs(error)
            | RunError::Store(StoreError::Fs(error))
            | RunError::Commit(CommitError::Fs(error)) => return error.hint().map(str::to_owned),
            RunError::Commit(CommitError::Stale { .. }) => {
                "memory changed during the run; run it again".to_owned()
            }
            _ => return None,
        })
    }
}
