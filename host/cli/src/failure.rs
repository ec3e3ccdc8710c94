//! How the command fails: a sentence, its causes, a hint, and an exit code.

use std::error::Error;
use std::process::ExitCode;

use acreta_catalog::{CatalogError, JobError};
use acreta_config::ConfigError;
use acreta_context::ContextError;
use acreta_fs::FsError;
use acreta_lead::RunError;
use acreta_plugins::{Refused, StateError};
use acreta_sandbox::LoadError;
use acreta_search::SearchError;
use acreta_sessions::RescueError;
use acreta_store::StoreError;
use acreta_sync::SyncError;
use acreta_text::visible;

/// The documented exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Failure = 1,
    Usage = 2,
    /// Some of it was done, and what was is printed.
    Partial = 3,
    Busy = 4,
}

#[derive(Debug)]
pub(crate) struct CliError {
    kind: Kind,
    message: String,
    causes: Vec<String>,
    hints: Vec<String>,
}

impl CliError {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            causes: Vec::new(),
            hints: Vec::new(),
        }
    }

    pub(crate) fn failure(message: impl Into<String>) -> Self {
        Self::new(Kind::Failure, message)
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    fn of(kind: Kind, error: &dyn Error, hint: Option<String>) -> Self {
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

    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.kind as u8)
    }

    /// On stderr for a person; on stdout as well when JSON was asked for and nothing was said there
    /// yet.
    pub(crate) fn print(&self, json: bool) {
        if json && self.kind != Kind::Partial {
            let payload = serde_json::json!({
                "error": { "message": self.message, "causes": self.causes, "hints": self.hints }
            });
            crate::output::json(&payload);
        }
        let style = anstyle::AnsiColor::Red.on_default().bold();
        anstream::eprintln!("{style}error{style:#}: {}", visible(&self.message));
        for cause in &self.causes {
            anstream::eprintln!("  caused by: {}", visible(cause));
        }
        for hint in &self.hints {
            anstream::eprintln!("\nhint: {}", visible(hint));
        }
    }
}

/// The sentence and its causes in one line.
impl std::fmt::Display for CliError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)?;
        for cause in &self.causes {
            write!(formatter, ": {cause}")?;
        }
        Ok(())
    }
}

impl From<SyncError> for CliError {
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

impl From<CatalogError> for CliError {
    fn from(error: CatalogError) -> Self {
        SyncError::from(error).into()
    }
}

impl From<JobError> for CliError {
    fn from(error: JobError) -> Self {
        match error {
            JobError::Catalog(error) => error.into(),
            error => Self::of(Kind::Failure, &error, None),
        }
    }
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> Self {
        let kind = if error.is_busy() {
            Kind::Busy
        } else {
            Kind::Failure
        };
        let hint = error.hint();
        Self::of(kind, &error, hint)
    }
}

impl From<LoadError> for CliError {
    fn from(error: LoadError) -> Self {
        let hint = error.hint();
        Self::of(Kind::Failure, &error, hint)
    }
}

impl From<ConfigError> for CliError {
    fn from(error: ConfigError) -> Self {
        let kind = match error {
            ConfigError::UnknownKey { .. } | ConfigError::WrongValue { .. } => Kind::Usage,
            _ => Kind::Failure,
        };
        let hint =
            matches!(kind, Kind::Usage).then(|| "`acreta config list` shows every key".to_owned());
        Self::of(kind, &error, hint)
    }
}

impl From<StateError> for CliError {
    fn from(error: StateError) -> Self {
        Refused::from(error).into()
    }
}

impl From<Refused> for CliError {
    fn from(error: Refused) -> Self {
        let kind = match &error {
            Refused::State(StateError::Busy(_)) => Kind::Busy,
            _ => Kind::Failure,
        };
        let hint = error.hint();
        Self::of(kind, &error, hint)
    }
}

impl From<ContextError> for CliError {
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

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> Self {
        let kind = match error {
            StoreError::Busy { .. } => Kind::Busy,
            StoreError::Fs(_) => Kind::Failure,
        };
        Self::of(kind, &error, None)
    }
}

impl From<SearchError> for CliError {
    fn from(error: SearchError) -> Self {
        Self::of(Kind::Failure, &error, None)
    }
}

impl From<RescueError> for CliError {
    fn from(error: RescueError) -> Self {
        Self::of(Kind::Failure, &error, None)
    }
}

impl From<FsError> for CliError {
    fn from(error: FsError) -> Self {
        Self::of(Kind::Failure, &error, None)
    }
}
