//! Errors of reading or writing settings. Each error names its file.

use acreta_fs::FsError;
use camino::Utf8PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error(transparent)]
    Fs(#[from] FsError),
    #[error("{path}:{line}:{column}: {message}")]
    Syntax {
        path: Utf8PathBuf,
        line: usize,
        column: usize,
        message: String,
    },
    #[error("unknown key `{key}`{}", suggestion(.nearest))]
    UnknownKey {
        key: String,
        nearest: Option<String>,
    },
    #[error("`{key}` takes {expected}, not {found}")]
    WrongValue {
        key: String,
        expected: String,
        found: String,
    },
    #[error("a project's config cannot set `{key}`: it {reason}")]
    UserOnly { key: String, reason: &'static str },
    #[error("`{path}` holds a value at `{key}` where a table is expected")]
    NotTable { path: Utf8PathBuf, key: String },
    #[error("the home folder is unknown: `HOME` is not set, or not valid UTF-8")]
    NoHome,
    #[error("`{variable}` must be an absolute path, not `{value}`")]
    RelativePath {
        variable: &'static str,
        value: String,
    },
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest
        .as_ref()
        .map(|nearest| format!(", did you mean `{nearest}`?"))
        .unwrap_or_default()
}
