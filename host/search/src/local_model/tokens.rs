//! Tokenizer of a model.

use tokenizers::{Tokenizer, TruncationParams};

use super::ModelError;
use super::folder::ModelFolder;

pub(crate) const FILE: &str = "tokenizer.json";

const MOST_BYTES: u64 = 64 << 20;

/// Maximum number of tokens of a text if the model does not state one: somewhat more than a passage has.
const WORDS: usize = 256;

/// Maximum bytes of a text that are tokenized; more cannot fit in the tokens.
const TEXT_BYTES: usize = 16 << 10;

pub(crate) struct ModelTokenizer(Tokenizer);

impl ModelTokenizer {
    pub(crate) fn read_bytes(folder: &ModelFolder) -> Result<Vec<u8>, ModelError> {
        folder.read(FILE, MOST_BYTES)
    }

    /// Loads a tokenizer from the file's bytes, for a model with this many positions.
    pub(crate) fn new(
        folder: &ModelFolder,
        bytes: &[u8],
        positions: usize,
    ) -> Result<Self, ModelError> {
        let damaged = |cause: tokenizers::Error| folder.damaged(FILE, &cause);
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(damaged)?;
        // No padding: batches handle texts of different lengths.
        tokenizer.with_padding(None);
        let stated = tokenizer.get_truncation().map(|stated| stated.max_length);
        let length = stated.unwrap_or(WORDS).min(positions);
        // The tokenizers library panics without room for both special tokens and one word.
        if length < 3 {
            return Err(folder.unsupported(format!("it accepts only {length} tokens per text")));
        }
        let truncation = TruncationParams {
            max_length: length,
            ..TruncationParams::default()
        };
        tokenizer
            .with_truncation(Some(truncation))
            .map_err(damaged)?;
        Ok(Self(tokenizer))
    }

    /// Returns the token ids of a text, at least one.
    pub(crate) fn of(&self, text: &str) -> Result<Vec<u32>, String> {
        let cut = text.floor_char_boundary(TEXT_BYTES);
        let encoding = self
            .0
            .encode_fast(&text[..cut], true)
            .map_err(|cause| format!("its tokenizer failed: {cause}"))?;
        if encoding.is_empty() {
            return Err("its tokenizer returned no tokens".to_owned());
        }
        Ok(encoding.get_ids().to_vec())
    }
}
