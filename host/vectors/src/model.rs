//! A model in a folder, loaded when it is first asked. What it is can be told by its digest: vectors
//! of a model with another digest are of no use to this one.

use std::sync::{Arc, OnceLock};

use acreta_search::{ModelFailure, ModelIdentity, SentenceModel};
use camino::Utf8Path;
use sha2::{Digest, Sha256};

use crate::ModelError;
use crate::bert::Bert;
use crate::config::Config;
use crate::folder::Folder;
use crate::tokens::Words;
use crate::weights::{Weights, WordTable};

/// A sentence model in a local folder: `model.safetensors`, `tokenizer.json`, and `config.json` if
/// there is one. Making one touches nothing; the first question to it reads the files, once.
pub struct LocalModel {
    folder: Folder,
    loaded: OnceLock<Result<Loaded, Arc<ModelError>>>,
}

struct Loaded {
    identity: ModelIdentity,
    tokenizer: Words,
    words: WordTable,
    bert: Bert,
}

const CONFIG: &str = "config.json";
const CONFIG_BYTES: u64 = 1 << 20;

/// Part of the digest: raised when the same weights would give other vectors.
const VERSION: u32 = 1;

/// Words of texts that go through the layers together: enough to keep both cores busy, little enough
/// that what lies between two layers stays in their caches.
const BATCH_WORDS: usize = 1024;

impl LocalModel {
    pub fn new(folder: &Utf8Path) -> Self {
        Self {
            folder: Folder::new(folder),
            loaded: OnceLock::new(),
        }
    }

    /// Loads it if that was not done, to learn whether it can be used.
    pub fn check(&self) -> Result<(), Arc<ModelError>> {
        self.loaded().map(drop)
    }

    fn loaded(&self) -> Result<&Loaded, Arc<ModelError>> {
        let loaded = self
            .loaded
            .get_or_init(|| Loaded::read(&self.folder).map_err(Arc::new));
        loaded.as_ref().map_err(Arc::clone)
    }
}

impl SentenceModel for LocalModel {
    fn identity(&self) -> Result<ModelIdentity, ModelFailure> {
        let loaded = self.loaded().map_err(failure)?;
        Ok(loaded.identity)
    }

    fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelFailure> {
        let loaded = self.loaded().map_err(failure)?;
        loaded.vectors(texts).map_err(|what| {
            let error = self.folder.failed(&what);
            failure(Arc::new(error))
        })
    }
}

impl Loaded {
    fn read(folder: &Folder) -> Result<Self, ModelError> {
        let mut digest = Sha256::new();
        digest.update(VERSION.to_le_bytes());
        let config = folder.read_if_there(CONFIG, CONFIG_BYTES)?;
        let tokenizer = Words::read_bytes(folder)?;
        for file in [config.as_deref().unwrap_or_default(), &tokenizer] {
            digest.update((file.len() as u64).to_le_bytes());
            digest.update(file);
        }
        let config: Config = match &config {
            Some(bytes) => {
                serde_json::from_slice(bytes).map_err(|cause| folder.damaged(CONFIG, &cause))?
            }
            None => Config::default(),
        };
        let mut weights = Weights::read(folder, &mut digest)?;
        let unsupported = |what: String| folder.unsupported(what);
        let shape = config
            .shape(weights.words.width, weights.layers())
            .map_err(unsupported)?;
        let bert = Bert::new(shape, &mut weights).map_err(unsupported)?;
        Ok(Self {
            identity: ModelIdentity {
                digest: digest.finalize().into(),
                dimensions: shape.hidden,
            },
            tokenizer: Words::new(folder, &tokenizer, bert.positions())?,
            words: weights.words,
            bert,
        })
    }

    fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, String> {
        let texts: Vec<Vec<u32>> = texts
            .iter()
            .map(|text| self.tokenizer.of(text))
            .collect::<Result<_, _>>()?;
        let mut vectors = Vec::with_capacity(texts.len());
        let mut rest = texts.as_slice();
        while !rest.is_empty() {
            let mut words = 0;
            let fits = rest.iter().take_while(|text| {
                words += text.len();
                words <= BATCH_WORDS
            });
            let (batch, later) = rest.split_at(fits.count().max(1));
            vectors.extend(self.batch(batch)?);
            rest = later;
        }
        let is_number = |vector: &Vec<f32>| vector.iter().all(|value| value.is_finite());
        if !vectors.iter().all(is_number) {
            return Err("its weights give no numbers".to_owned());
        }
        Ok(vectors)
    }

    fn batch(&self, batch: &[Vec<u32>]) -> Result<Vec<Vec<f32>>, String> {
        let lengths: Vec<usize> = batch.iter().map(|text| text.len()).collect();
        let ids = batch.concat();
        let words = self.words.rows(&ids)?;
        let vectors = self.bert.vectors(&words, &lengths);
        vectors.map_err(|cause| cause.to_string())
    }
}

fn failure(error: Arc<ModelError>) -> ModelFailure {
    ModelFailure {
        hint: error.hint().to_owned(),
        cause: Box::new(error),
    }
}
