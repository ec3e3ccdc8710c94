//! Why a run did not finish. Memory is then as it was before.

use acreta_fs::FsError;
use acreta_model::{PluginError, PluginFault};
use acreta_sessions::TraceError;
use acreta_store::{CommitError, DraftError, StoreError};
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
    #[error("no adapter knows `{path}` (asked: {})", .asked.join(", "))]
    NoAdapter {
        path: Utf8PathBuf,
        asked: Vec<String>,
    },
    #[error("no adapter reads sessions of `{agent}` (there are: {})", .known.join(", "))]
    UnknownAgent { agent: String, known: Vec<String> },
    #[error("`{path}` holds {} sessions: {}", .sessions.len(), shortened(.sessions))]
    SeveralSessions {
        path: Utf8PathBuf,
        /// The newest first.
        sessions: Vec<String>,
    },
    #[error("`{path}` holds no session `{session}`")]
    UnknownSession { path: Utf8PathBuf, session: String },
    #[error("the run was cancelled")]
    Cancelled,
    /// Somebody else has taken the job over; this run's result is not wanted any more.
    #[error("the run lost its lease to another worker")]
    LeaseLost,
    /// What a person asked for cannot be done; memory is unchanged.
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

/// Ids in a message.
const NAMED: usize = 10;

fn shortened(sessions: &[String]) -> String {
    let named = sessions.iter().take(NAMED).cloned().collect::<Vec<_>>();
    match sessions.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} older", named.join(", ")),
    }
}

impl RunError {
    /// Whether another run holds the project.
    pub fn is_busy(&self) -> bool {
        matches!(self, RunError::Store(StoreError::Busy { .. }))
    }

    /// Whether the same run may succeed later without anybody changing anything.
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

    /// What a person can do about it.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            RunError::TraceMissing { .. } | RunError::TraceNotAFile { .. } => {
                "give the path of one session file, for example one under ~/.claude/projects"
                    .to_owned()
            }
            RunError::NoAdapter { .. } => {
                "`acreta plugin list` shows the adapters; `--agent NAME` makes one read it"
                    .to_owned()
            }
            RunError::SeveralSessions { sessions, .. } => format!(
                "`--session {}` takes the newest, `--all-sessions` every one",
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
                "somebody changed memory during the run; run it again".to_owned()
            }
            _ => return None,
        })
    }
}
