//! What search asks of a sentence model. Which one it is and how it works is somebody else's; here
//! it is something that may fail at any time, and then search goes by words alone.

use std::error::Error;
use std::fmt;

/// Turns texts into vectors whose angles tell how close texts are in meaning.
pub trait SentenceModel: Send + Sync {
    /// Reports whether it answers within milliseconds: somebody who cannot wait asks no other.
    fn is_quick(&self) -> bool {
        true
    }

    /// Which model it is.
    fn identity(&self) -> Result<ModelIdentity, ModelFailure>;

    /// For each text a vector of length one, with the model's dimensions. Bounded for any text.
    fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelFailure>;
}

/// Two models with the same identity give the same vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelIdentity {
    pub digest: [u8; 32],
    pub dimensions: usize,
}

/// A model that gave no vectors.
#[derive(Debug)]
pub struct ModelFailure {
    /// What whoever configured the model can do about it.
    pub hint: String,
    pub cause: Box<dyn Error + Send + Sync>,
}

impl ModelFailure {
    /// What a search that did without says of it.
    pub(crate) fn warning(&self) -> String {
        format!("searched by words alone: {self} ({})", self.hint)
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
