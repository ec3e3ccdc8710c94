//! Errors of memory in git. Each names the remote without its password, the command, the cause and, where there is
//! one, the remedy.

use acreta_fs::{FsError, LockError};

use crate::id::CommitId;

/// A failed checkout or publication.
#[derive(Debug, thiserror::Error)]
pub enum ClonesError {
    #[error("remote `{remote}` is refused: {reason}")]
    Remote {
        remote: String,
        reason: &'static str,
    },
    #[error("invalid branch name `{branch}`: {reason}")]
    Branch {
        branch: String,
        reason: &'static str,
    },
    #[error("invalid commit: {reason}")]
    Change { reason: &'static str },
    #[error("`git {command}` failed for `{remote}`")]
    Git {
        command: String,
        remote: String,
        #[source]
        cause: GitFailure,
    },
    /// The branch holds something that has no place in memory; a person has to remove it there.
    #[error("`{path}` on branch `{branch}` of `{remote}` {reason}")]
    Tree {
        remote: String,
        branch: String,
        path: String,
        reason: &'static str,
    },
    /// The remote refused the push and did not say that the branch moved.
    #[error("`{remote}` refused to update branch `{branch}`: {reason}")]
    Refused {
        remote: String,
        branch: String,
        reason: String,
    },
    /// The connection was lost during a push, and the remote could not be asked afterwards. Publishing again is safe.
    #[error("it is not known whether commit {commit} reached `{remote}`")]
    Uncertain {
        remote: String,
        commit: CommitId,
        #[source]
        cause: Box<ClonesError>,
    },
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error(transparent)]
    Lock(#[from] LockError),
}

/// Reason why a git command gave no usable result.
#[derive(Debug, thiserror::Error)]
pub enum GitFailure {
    #[error("git could not be started")]
    NotStarted(#[source] std::io::Error),
    #[error("no result within {seconds} s; it was stopped")]
    Timeout { seconds: u64 },
    #[error("it wrote more than {limit} bytes")]
    TooLarge { limit: u64 },
    /// The last lines of its complaint, or the signal that ended it.
    #[error("{message}")]
    Failed { message: String },
    #[error("its output could not be read: {reason}")]
    Output { reason: &'static str },
}

impl ClonesError {
    /// Returns advice on how to fix the cause, if there is any.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            ClonesError::Remote { .. } => Some(
                "use an address that begins with https:// or ssh://, or `user@host:path`; folders have to be allowed",
            ),
            ClonesError::Git { cause, .. } => cause.hint(),
            ClonesError::Tree { .. } => Some("remove it from the branch, then try again"),
            ClonesError::Refused { .. } => {
                Some("check that this user may push to the branch and that no rule protects it")
            }
            ClonesError::Uncertain { cause, .. } => cause.hint(),
            ClonesError::Fs(error) => error.hint(),
            ClonesError::Lock(LockError::Busy { .. }) => {
                Some("another worker of this machine uses the clone; wait until it has finished")
            }
            ClonesError::Lock(LockError::Fs(error)) => error.hint(),
            ClonesError::Branch { .. } | ClonesError::Change { .. } => None,
        }
    }

    /// Reports whether the same call may succeed later without anybody's help.
    pub fn is_temporary(&self) -> bool {
        match self {
            ClonesError::Git { cause, .. } => !matches!(cause, GitFailure::NotStarted(_)),
            ClonesError::Uncertain { .. }
            | ClonesError::Lock(LockError::Busy { .. })
            | ClonesError::Fs(FsError::NoSpace { .. }) => true,
            _ => false,
        }
    }
}

impl GitFailure {
    fn hint(&self) -> Option<&'static str> {
        match self {
            GitFailure::NotStarted(_) => Some("install git 2.31 or newer"),
            GitFailure::Timeout { .. } => Some(
                "check the network; git cannot ask for a password here, so use a credential helper or a key",
            ),
            GitFailure::Failed { message } => REMEDIES
                .iter()
                .find(|(said, _)| message.contains(said))
                .map(|(_, hint)| *hint),
            GitFailure::TooLarge { .. } | GitFailure::Output { .. } => None,
        }
    }
}

/// Remedies by a part of git's message.
const REMEDIES: &[(&str, &str)] = &[
    ("unknown option: --config-env", "install git 2.31 or newer"),
    (
        "terminal prompts disabled",
        "give git credentials for this remote: a credential helper, or a key for ssh",
    ),
    (
        "Authentication failed",
        "give git credentials for this remote: a credential helper, or a key for ssh",
    ),
    (
        "Permission denied",
        "check the key or the token that git uses for this remote",
    ),
    (
        "Host key verification failed",
        "connect to the host once with ssh and confirm its key",
    ),
    (
        "dubious ownership",
        "the folder belongs to another user: add it to git's safe.directory if you trust it",
    ),
    (
        "does not appear to be a git repository",
        "check the address of the remote",
    ),
    (
        "Could not resolve host",
        "check the network and the address of the remote",
    ),
    (
        "No space left on device",
        "free some space; the clone can be deleted at any time",
    ),
];
