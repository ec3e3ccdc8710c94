//! Text to the numbers of a model's words.

use tokenizers::{Tokenizer, TruncationParams};

use super::ModelError;
use super::folder::Folder;

pub(crate) const FILE: &str = "tokenizer.json";

const MOST_BYTES: u64 = 64 << 20;

/// Words of a text that are looked at when the model does not say: what passages have, and some.
const WORDS: usize = 256;

/// Bytes of a text that are looked at: more can never be within the words.
const TEXT_BYTES: usize = 16 << 10;

pub(crate) struct Words(Tokenizer);

impl Words {
    pub(crate) fn read_bytes(folder: &Folder) -> Result<Vec<u8>, ModelError> {
        folder.read(FILE, MOST_BYTES)
    }

    /// From the file's bytes, for a model with this many positions.
    pub(crate) fn new(folder: &Folder, bytes: &[u8], positions: usize) -> Result<Self, ModelError> {
        let damaged = |cause: tokenizers::Error| folder.damaged(FILE, &cause);
        let mut tokenizer = Tokenizer::from_bytes(bytes).map_err(damaged)?;
        // A text is as long as it is: nothing is filled up.
        tokenizer.with_padding(None);
        let stated = tokenizer.get_truncation().map(|stated| stated.max_length);
        let length = stated.unwrap_or(WORDS).min(positions);
        // Room for the marks at both ends and a word between them; less and the library stops.
        if length < 3 {
            return Err(folder.unsupported(format!("it reads {length} words of a text")));
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

    /// The numbers of a text's words, at least one.
    pub(crate) fn of(&self, text: &str) -> Result<Vec<u32>, String> {
        let cut = text.floor_char_boundary(TEXT_BYTES);
        let encoding = self
            .0
            .encode_fast(&text[..cut], true)
            .map_err(|cause| format!("its tokenizer failed: {cause}"))?;
        if encoding.is_empty() {
            return Err("its tokenizer finds no words and adds no marks".to_owned());
        }
        Ok(encoding.get_ids().to_vec())
    }
}
