//! What can be wrong with a model's folder. Each says which file and, where that helps, what to do.

use acreta_fs::FsError;
use camino::Utf8PathBuf;

/// A model that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The folder or a file that must be in it is not there.
    #[error("there is no `{path}`")]
    Missing { path: Utf8PathBuf },
    #[error("could not read `{path}`")]
    Unreadable {
        path: Utf8PathBuf,
        #[source]
        cause: FsError,
    },
    #[error("`{path}` is larger than {limit} bytes")]
    TooLarge { path: Utf8PathBuf, limit: u64 },
    /// Not what its name says, or cut off.
    #[error("`{path}` is damaged: {what}")]
    Damaged { path: Utf8PathBuf, what: String },
    /// A model, but not of the kind that is understood here.
    #[error("the model in `{path}` cannot be run: {what}")]
    Unsupported { path: Utf8PathBuf, what: String },
    /// The weights gave no vector.
    #[error("the model in `{path}` failed: {what}")]
    Failed { path: Utf8PathBuf, what: String },
}

impl ModelError {
    /// What whoever configured the model can do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Missing { .. } | Self::Unreadable { .. } => {
                "the folder must hold `model.safetensors` and `tokenizer.json`"
            }
            Self::Damaged { .. } | Self::Failed { .. } => "copy the model again from where it came",
            Self::TooLarge { .. } => "use a small sentence model, such as all-MiniLM-L6-v2",
            Self::Unsupported { .. } => {
                "use a sentence model of the BERT family, such as all-MiniLM-L6-v2"
            }
        }
    }
}
