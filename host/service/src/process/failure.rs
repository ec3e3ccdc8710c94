//! Failures: a message, its causes, and hints.

use std::error::Error;

use acreta_codebase::ContextError;
use acreta_config::ConfigError;
use acreta_fs::{FsError, LockError};
use acreta_pipeline::RunError;
use acreta_plugin_registry::{Refused, StateError};
use acreta_sandbox::LoadError;
use acreta_search::SearchError;
use acreta_session_archive::RescueError;
use acreta_state::{CatalogError, JobError};
use acreta_store::StoreError;
use acreta_sync::SyncError;
use acreta_types::UnknownName;

/// Kind of a failure, by what the caller can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Failure,
    /// The request is invalid; a corrected one may work.
    Usage,
    /// Something that the request names does not exist.
    Missing,
    /// The request is valid but refused.
    Refused,
    /// What the request is about has changed since the caller read it.
    Changed,
    /// Part of it was done, and the result is printed.
    Partial,
    /// Another process is working on it; a retry may work.
    Busy,
}

#[derive(Debug)]
pub struct Failure {
    pub kind: Kind,
    pub message: String,
    pub causes: Vec<String>,
    pub hints: Vec<String>,
}

impl Failure {
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            causes: Vec::new(),
            hints: Vec::new(),
        }
    }

    pub fn saying(message: impl Into<String>) -> Self {
        Self::new(Kind::Failure, message)
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// Converts any error, with its causes.
    pub fn from_error(error: &dyn Error) -> Self {
        Self::of(Kind::Failure, error, None)
    }

    pub(crate) fn of(kind: Kind, error: &dyn Error, hint: Option<String>) -> Self {
        let mut causes = Vec::new();
        let mut cause = error.source();
        while let Some(error) = cause {
            let text = error.to_string();
            if causes.last() != Some(&text) {
                causes.push(text);
            }
            cause = error.source();
        }
        Self {
            kind,
            message: error.to_string(),
            causes,
            hints: hint.into_iter().collect(),
        }
    }
}

/// Formats the message and its causes in one line.
impl std::fmt::Display for Failure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)?;
        for cause in &self.causes {
            write!(formatter, ": {cause}")?;
        }
        Ok(())
    }
}

impl From<SyncError> for Failure {
    fn from(error: SyncError) -> Self {
        let kind = match &error {
            SyncError::UnknownAgent { .. } => Kind::Usage,
            SyncError::Catalog(CatalogError::Busy { .. }) => Kind::Busy,
            _ => Kind::Failure,
        };
        let hint = error.hint();
        Self::of(kind, &error, hint)
    }
}

impl From<CatalogError> for Failure {
    fn from(error: CatalogError) -> Self {
        SyncError::from(error).into()
    }
}

impl From<JobError> for Failure {
    fn from(error: JobError) -> Self {
        match error {
            JobError::Catalog(error) => error.into(),
            error => Self::of(Kind::Failure, &error, None),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let kind = match &error {
            RunError::Refused { .. } => Kind::Refused,
            RunError::UnknownAgent { .. } => Kind::Usage,
            error if error.is_busy() => Kind::Busy,
            _ => Kind::Failure,
        };
        let hint = error.hint();
        Self::of(kind, &error, hint)
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        let hint = error.hint();
        Self::of(Kind::Failure, &error, hint)
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        let kind = match error {
            ConfigError::UnknownKey { .. }
            | ConfigError::WrongValue { .. }
            | ConfigError::UserOnly { .. } => Kind::Usage,
            _ => Kind::Failure,
        };
        let hint = match &error {
            ConfigError::Fs(error) => error.hint(),
            ConfigError::NoHome => Some("set `HOME`, or `ACRETA_HOME` to a folder for acreta"),
            ConfigError::UserOnly { .. } => {
                Some("without `--in-project` it is set in your own config")
            }
            _ if kind == Kind::Usage => Some("`acreta config list` shows every key"),
            _ => None,
        };
        let hint = hint.map(str::to_owned);
        Self::of(kind, &error, hint)
    }
}

impl From<StateError> for Failure {
    fn from(error: StateError) -> Self {
        Refused::from(error).into()
    }
}

impl From<Refused> for Failure {
    fn from(error: Refused) -> Self {
        let kind = match &error {
            Refused::State(StateError::Busy(_)) => Kind::Busy,
            _ => Kind::Refused,
        };
        let hint = error.hint();
        Self::of(kind, &error, hint)
    }
}

impl From<ContextError> for Failure {
    fn from(error: ContextError) -> Self {
        let kind = match error {
            ContextError::Busy(_) => Kind::Busy,
            ContextError::NotADirectory { .. }
            | ContextError::Pattern { .. }
            | ContextError::Revision { .. }
            | ContextError::Request { .. } => Kind::Usage,
            _ => Kind::Failure,
        };
        let hint = error.hint().map(str::to_owned);
        Self::of(kind, &error, hint)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let kind = match error {
            StoreError::Busy { .. } => Kind::Busy,
            StoreError::Closed { .. } => Kind::Refused,
            StoreError::NoWords { .. } | StoreError::Fs(_) => Kind::Failure,
        };
        let hint = match &error {
            StoreError::Fs(error) => error.hint().map(str::to_owned),
            StoreError::Closed { .. } => {
                Some("`acreta project add` registers it, and its memory is read".to_owned())
            }
            _ => None,
        };
        Self::of(kind, &error, hint)
    }
}

impl From<SearchError> for Failure {
    fn from(error: SearchError) -> Self {
        let hint = match &error {
            SearchError::Memory { cause, .. } => cause.hint().map(str::to_owned),
            SearchError::Locked { .. } | SearchError::Engine { .. } => None,
        };
        Self::of(Kind::Failure, &error, hint)
    }
}

impl From<RescueError> for Failure {
    fn from(error: RescueError) -> Self {
        let hint = error.hint();
        Self::of(Kind::Failure, &error, hint)
    }
}

impl From<LockError> for Failure {
    fn from(error: LockError) -> Self {
        let kind = match error {
            LockError::Busy { .. } => Kind::Busy,
            LockError::Fs(_) => Kind::Failure,
        };
        let hint = match &error {
            LockError::Fs(error) => error.hint().map(str::to_owned),
            LockError::Busy { .. } => None,
        };
        Self::of(kind, &error, hint)
    }
}

impl From<UnknownName> for Failure {
    fn from(error: UnknownName) -> Self {
        Self::of(Kind::Usage, &error, None)
    }
}

impl From<FsError> for Failure {
    fn from(error: FsError) -> Self {
        Self::of(Kind::Failure, &error, error.hint().map(str::to_owned))
    }
}
