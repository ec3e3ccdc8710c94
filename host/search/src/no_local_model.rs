//! What stands in for sentence models in a binary without the feature `sentence-models`: every use is an error that says
//! where to get one with it.

use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};

use crate::sentence::{ModelFailure, ModelIdentity, SentenceModel};

/// A model that cannot be used.
pub struct LocalModel(Utf8PathBuf);

#[derive(Debug, thiserror::Error)]
#[error("the model in `{0}` cannot be run: this binary was built without sentence models")]
pub struct ModelError(Utf8PathBuf);

impl ModelError {
    pub fn hint(&self) -> &'static str {
        "`cargo xtask install` builds one with them"
    }
}

impl LocalModel {
    pub fn new(folder: &Utf8Path) -> Self {
        Self(folder.to_owned())
    }

    pub fn with_cache(folder: &Utf8Path, _cache: &Utf8Path, _clock: fn() -> u64) -> Self {
        Self::new(folder)
    }

    pub fn check(&self) -> Result<(), Arc<ModelError>> {
        Err(Arc::new(ModelError(self.0.clone())))
    }

    fn failure(&self) -> ModelFailure {
        let error = ModelError(self.0.clone());
        ModelFailure {
            hint: error.hint().to_owned(),
            cause: Box::new(error),
        }
    }
}

impl SentenceModel for LocalModel {
    fn is_quick(&self) -> bool {
        true
    }

    fn identity(&self) -> Result<ModelIdentity, ModelFailure> {
        Err(self.failure())
    }

    fn vectors(&self, _texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelFailure> {
        Err(self.failure())
    }
}
