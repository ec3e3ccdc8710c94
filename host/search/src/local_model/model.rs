//! A model in a folder, loaded on first use. Its digest identifies it: vectors of a model with another digest are not
//! comparable.

use std::sync::{Arc, OnceLock};

use acreta_fs::ms_to_ns;
use acreta_types::Threads;
use camino::Utf8Path;
use sha2::{Digest, Sha256};

use super::ModelError;
use super::bert::Bert;
use super::config::Config;
use super::folder::ModelFolder;
use super::prepared::{ModelFileStamps, PreparedModel};
use super::tokens::{self, ModelTokenizer};
use super::weights::{self, ModelWeights, WordTable};
use crate::sentence::{ModelFailure, ModelIdentity, SentenceModel};

/// A sentence model in a local folder: `model.safetensors`, `tokenizer.json` and an optional `config.json`. Creating it
/// does no I/O; the first use reads the files once.
pub struct LocalModel {
    folder: ModelFolder,
    prepared: Option<(PreparedModel, MillisecondClock)>,
    loaded: OnceLock<Result<LoadedModel, Arc<ModelError>>>,
}

/// Returns milliseconds since 1970, by the clock that the file system uses.
type MillisecondClock = fn() -> u64;

struct LoadedModel {
    identity: ModelIdentity,
    tokenizer: ModelTokenizer,
    words: WordTable,
    bert: Bert,
}

const CONFIG: &str = "config.json";
const CONFIG_BYTES: u64 = 1 << 20;

/// Part of the digest; increase when the same weights would give different vectors.
const VERSION: u32 = 2;

/// Tokens per batch: enough to reuse weights that were read, few enough that activations stay in the processor's cache.
const BATCH_WORDS: usize = 256;

/// Maximum number of threads for many texts. A single text uses one.
const MOST_THREADS: usize = 8;

impl LocalModel {
    pub fn new(folder: &Utf8Path) -> Self {
        Self {
            folder: ModelFolder::new(folder),
            prepared: None,
            loaded: OnceLock::new(),
        }
    }

    /// Creates a model with a cache, from which later loads take milliseconds.
    pub fn with_cache(folder: &Utf8Path, cache: &Utf8Path, clock: MillisecondClock) -> Self {
        Self {
            prepared: Some((PreparedModel::new(cache, folder), clock)),
            ..Self::new(folder)
        }
    }

    /// Loads the model if necessary, and reports whether it can be used.
    pub fn check(&self) -> Result<(), Arc<ModelError>> {
        self.loaded().map(drop)
    }

    fn loaded(&self) -> Result<&LoadedModel, Arc<ModelError>> {
        let loaded = self.loaded.get_or_init(|| {
            LoadedModel::read(&self.folder, self.prepared.as_ref()).map_err(Arc::new)
        });
        loaded.as_ref().map_err(Arc::clone)
    }
}

impl SentenceModel for LocalModel {
    fn is_quick(&self) -> bool {
        self.loaded.get().is_some()
            || self
                .prepared
                .as_ref()
                .is_some_and(|(prepared, _)| prepared.exists())
    }

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

impl LoadedModel {
    fn read(
        folder: &ModelFolder,
        prepared: Option<&(PreparedModel, MillisecondClock)>,
    ) -> Result<Self, ModelError> {
        let prepared = prepared.map(|(prepared, clock)| {
            let files = [CONFIG, tokens::FILE, weights::FILE];
            (
                prepared,
                ModelFileStamps::of(folder, &files, ms_to_ns(clock())),
            )
        });
        let config = folder.read_if_there(CONFIG, CONFIG_BYTES)?;
        let tokenizer = ModelTokenizer::read_bytes(folder)?;
        let ready = prepared
            .as_ref()
            .and_then(|(prepared, sources)| prepared.read(folder, sources));
        let (mut weights, digest) = match ready {
            Some(ready) => ready,
            None => {
                let mut digest = Sha256::new();
                digest.update(VERSION.to_le_bytes());
                for file in [config.as_deref().unwrap_or_default(), &tokenizer] {
                    digest.update((file.len() as u64).to_le_bytes());
                    digest.update(file);
                }
                let weights = ModelWeights::read(folder, &mut digest)?;
                let digest = digest.finalize().into();
                if let Some((prepared, sources)) = &prepared {
                    prepared.write(sources, &weights, digest);
                }
                (weights, digest)
            }
        };
        let config: Config = match &config {
            Some(bytes) => {
                serde_json::from_slice(bytes).map_err(|cause| folder.damaged(CONFIG, &cause))?
            }
            None => Config::default(),
        };
        let unsupported = |what: String| folder.unsupported(what);
        let shape = config
            .shape(weights.words.place.width, weights.layers())
            .map_err(unsupported)?;
        let bert = Bert::new(shape, &mut weights).map_err(unsupported)?;
        Ok(Self {
            identity: ModelIdentity {
                digest,
                dimensions: shape.hidden,
            },
            tokenizer: ModelTokenizer::new(folder, &tokenizer, bert.positions())?,
            words: weights.words,
            bert,
        })
    }

    fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, String> {
        let texts: Vec<Vec<u32>> = texts
            .iter()
            .map(|text| self.tokenizer.of(text))
            .collect::<Result<_, _>>()?;
        let batches = batches(&texts);
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = Threads::at_most(processors.min(MOST_THREADS));
        let done = threads.map(&batches, |batch| self.batch(batch));
        let vectors: Vec<Vec<f32>> = done.into_iter().collect::<Result<Vec<_>, _>>()?.concat();
        let is_number = |vector: &Vec<f32>| vector.iter().all(|value| value.is_finite());
        if !vectors.iter().all(is_number) {
            return Err("its vectors contain NaN or infinity".to_owned());
        }
        Ok(vectors)
    }

    fn batch(&self, batch: &[Vec<u32>]) -> Result<Vec<Vec<f32>>, String> {
        let lengths: Vec<usize> = batch.iter().map(|text| text.len()).collect();
        let words = self.words.rows(&batch.concat())?;
        Ok(self.bert.vectors(words, &lengths))
    }
}

/// Splits texts into batches of at least one text.
fn batches(texts: &[Vec<u32>]) -> Vec<&[Vec<u32>]> {
    let mut batches = Vec::new();
    let mut rest = texts;
    while !rest.is_empty() {
        let mut words = 0;
        let fits = rest.iter().take_while(|text| {
            words += text.len();
            words <= BATCH_WORDS
        });
        let (batch, later) = rest.split_at(fits.count().max(1));
        batches.push(batch);
        rest = later;
    }
    batches
}

fn failure(error: Arc<ModelError>) -> ModelFailure {
    ModelFailure {
        hint: error.hint().to_owned(),
        cause: Box::new(error),
    }
}
