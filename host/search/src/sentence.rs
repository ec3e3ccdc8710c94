//! Interface of a sentence model. It may fail at any time, in which case search uses words only.

use std::error::Error;
use std::fmt;

/// Embeds texts as vectors whose angles measure semantic similarity.
pub trait SentenceModel: Send + Sync {
    /// Reports whether it answers within milliseconds; callers that cannot wait use no other.
    fn is_quick(&self) -> bool {
        true
    }

    /// Returns the identity of the model.
    fn identity(&self) -> Result<ModelIdentity, ModelFailure>;

    /// Returns a unit vector for each text. Time is bounded for any text.
    fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelFailure>;
}

/// Identity of a model. Two models with the same identity produce the same vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelIdentity {
    pub digest: [u8; 32],
    pub dimensions: usize,
}

/// A failure of a model.
#[derive(Debug)]
pub struct ModelFailure {
    /// Advice for the person who configured the model.
    pub hint: String,
    pub cause: Box<dyn Error + Send + Sync>,
}

impl ModelFailure {
    /// Returns the warning of a search that had to do without the model.
    pub(crate) fn warning(&self) -> String {
        format!("searched by words only: {self} ({})", self.hint)
    }
}

impl fmt::Display for ModelFailure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut cause: Option<&dyn Error> = Some(self.cause.as_ref());
        let mut between = "";
        while let Some(error) = cause {
            write!(formatter, "{between}{error}")?;
            between = ": ";
            cause = error.source();
        }
        Ok(())
    }
}
