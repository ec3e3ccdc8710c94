//! Errors of a model folder. Each names the file and, where useful, a remedy.

use acreta_fs::FsError;
use camino::Utf8PathBuf;

/// The model cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The folder or a required file does not exist.
    #[error("`{path}` does not exist")]
    Missing { path: Utf8PathBuf },
    #[error("could not read `{path}`")]
    Unreadable {
        path: Utf8PathBuf,
        #[source]
        cause: FsError,
    },
    #[error("`{path}` is larger than {limit} bytes")]
    TooLarge { path: Utf8PathBuf, limit: u64 },
    /// Wrong file format, or truncated.
    #[error("`{path}` is damaged: {what}")]
    Damaged { path: Utf8PathBuf, what: String },
    /// A valid model of an unsupported kind.
    #[error("the model in `{path}` cannot be run: {what}")]
    Unsupported { path: Utf8PathBuf, what: String },
    /// The model did not produce a vector.
    #[error("the model in `{path}` failed: {what}")]
    Failed { path: Utf8PathBuf, what: String },
}

impl ModelError {
    /// Returns advice for the person who configured the model.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Missing { .. } | Self::Unreadable { .. } => {
                "the folder must contain `model.safetensors` and `tokenizer.json`"
            }
            Self::Damaged { .. } | Self::Failed { .. } => "copy the model again from its source",
            Self::TooLarge { .. } => "use a small sentence model, such as all-MiniLM-L6-v2",
            Self::Unsupported { .. } => {
                "use a sentence model of the BERT family, such as all-MiniLM-L6-v2"
            }
        }
    }
}
