//! Reads the weights of a model in one pass. Tensors that are needed are kept; the others only count for the digest.
//! The token embedding table is the largest part of a small model and a text needs few of its rows, so it stays on disk
//! and rows are read on demand.

use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};

use acreta_fs::Reader;
use safetensors::tensor::{Metadata, TensorInfo};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::ModelError;
use super::float_types::{self, FloatType};
use super::folder::ModelFolder;
use super::linear::QuantisedWeights;

pub(crate) const FILE: &str = "model.safetensors";

/// Sentence models have some hundred megabytes; a larger file is something else.
const MOST_BYTES: u64 = 2 << 30;
const MOST_HEADER_BYTES: u64 = 16 << 20;
const PIECE_BYTES: usize = 256 << 10;

const WORDS: &str = "embeddings.word_embeddings.weight";
const TABLES: &str = "embeddings.";
const LAYERS: &str = "encoder.";

/// Tensors of the layers, by name.
pub(crate) struct ModelWeights {
    tensors: HashMap<String, Tensor>,
    pub(crate) words: WordTable,
}

struct Tensor {
    shape: Vec<usize>,
    values: Values,
}

enum Values {
    Numbers(Vec<f32>),
    /// Weights of a linear layer, quantised as soon as they are read, because f32 takes four times the memory.
    Packed(QuantisedWeights),
}

/// The token embedding table, on disk.
pub(crate) struct WordTable {
    reader: Mutex<Reader>,
    pub(crate) place: TablePosition,
}

/// Position of the token embedding table in the weights file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TablePosition {
    start: u64,
    kind: FloatType,
    rows: usize,
    pub(crate) width: usize,
}

impl ModelWeights {
    /// Reads the file, and adds all of it to the digest.
    pub(crate) fn read(folder: &ModelFolder, digest: &mut Sha256) -> Result<Self, ModelError> {
        let mut reader = folder.open(FILE, MOST_BYTES)?;
        let damaged = |what: &dyn std::fmt::Display| folder.damaged(FILE, &what);
        let size = reader.size();
        let mut length = [0; 8];
        reader
            .read_exact(&mut length)
            .map_err(|cause| damaged(&cause))?;
        let header_bytes = u64::from_le_bytes(length);
        if header_bytes > MOST_HEADER_BYTES.min(size.saturating_sub(8)) {
            return Err(damaged(&"its header is longer than the file or the limit"));
        }
        let mut header = vec![0; header_bytes as usize];
        reader
            .read_exact(&mut header)
            .map_err(|cause| damaged(&cause))?;
        digest.update(length);
        digest.update(&header);
        let metadata: Metadata =
            serde_json::from_slice(&header).map_err(|cause| damaged(&cause))?;
        let start = 8 + header_bytes;
        if start + metadata.data_len() as u64 != size {
            return Err(damaged(&"its length differs from its header"));
        }

        let mut tensors = HashMap::new();
        let mut words = None;
        // In file order and without gaps, as the format guarantees.
        for full_name in metadata.offset_keys() {
            let Some(info) = metadata.info(&full_name) else {
                continue;
            };
            let name = full_name.strip_prefix("bert.").unwrap_or(&full_name);
            let kind = FloatType::of(info.dtype);
            if name == WORDS {
                words = kind.and_then(|kind| table(info, kind, start));
            }
            let kept = name != WORDS && [TABLES, LAYERS].iter().any(|part| name.starts_with(part));
            match kind {
                Some(kind) if kept => {
                    let mut bytes = vec![0; length_of(info)];
                    reader
                        .read_exact(&mut bytes)
                        .map_err(|cause| damaged(&cause))?;
                    digest.update(&bytes);
                    let tensor = Tensor::new(name, kind.decoded(&bytes), &info.shape);
                    tensors.insert(name.to_owned(), tensor);
                }
                _ => pass_over(&mut reader, length_of(info), digest)
                    .map_err(|cause| damaged(&cause))?,
            }
        }
        let Some(place) = words else {
            return Err(folder.unsupported(format!("it has no two-dimensional tensor `{WORDS}`")));
        };
        Ok(Self {
            tensors,
            words: WordTable {
                reader: Mutex::new(reader),
                place,
            },
        })
    }

    /// Returns weights with only the token embedding table, whose position is known.
    pub(crate) fn placed(folder: &ModelFolder, place: TablePosition) -> Result<Self, ModelError> {
        Ok(Self {
            tensors: HashMap::new(),
            words: WordTable {
                reader: Mutex::new(folder.open(FILE, MOST_BYTES)?),
                place,
            },
        })
    }

    /// Appends the values of all tensors, and returns their order: name, shape and whether they are quantised.
    pub(crate) fn write_to(&self, bytes: &mut Vec<u8>) -> Vec<(&str, &[usize], bool)> {
        let mut order = Vec::with_capacity(self.tensors.len());
        for (name, tensor) in &self.tensors {
            let is_packed = match &tensor.values {
                Values::Packed(packed) => {
                    packed.write_to(bytes);
                    true
                }
                Values::Numbers(numbers) => {
                    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
                    false
                }
            };
            order.push((name.as_str(), tensor.shape.as_slice(), is_packed));
        }
        order
    }

    /// Adds a tensor written by [`Self::write_to`] and consumes its bytes; returns `None` if there are too few.
    pub(crate) fn put(
        &mut self,
        name: &str,
        shape: &[usize],
        is_packed: bool,
        bytes: &mut &[u8],
    ) -> Option<()> {
        let values = match (is_packed, shape) {
            (true, [outputs, inputs]) => {
                Values::Packed(QuantisedWeights::take(*outputs, *inputs, bytes)?)
            }
            (true, _) => return None,
            (false, _) => Values::Numbers(float_types::take(shape, bytes)?),
        };
        let shape = shape.to_vec();
        self.tensors
            .insert(name.to_owned(), Tensor { shape, values });
        Some(())
    }

    /// Returns the number of layers.
    pub(crate) fn layers(&self) -> usize {
        (0..)
            .take_while(|layer| {
                let name = format!("encoder.layer.{layer}.attention.self.query.weight");
                self.tensors.contains_key(&name)
            })
            .count()
    }

    /// Takes an f32 tensor of this shape; the error describes a mismatch.
    pub(crate) fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, String> {
        match self.take_values(name, shape)? {
            Values::Numbers(numbers) => Ok(numbers),
            Values::Packed(_) => Err(format!("tensor `{name}` holds weights of a linear layer")),
        }
    }

    /// Takes a table of this width with any number of rows.
    pub(crate) fn take_table(&mut self, name: &str, width: usize) -> Result<Vec<f32>, String> {
        let rows = self.length(name);
        self.take(name, &[rows, width])
    }

    /// Takes the weights of a linear layer.
    pub(crate) fn take_packed(
        &mut self,
        name: &str,
        outputs: usize,
        inputs: usize,
    ) -> Result<QuantisedWeights, String> {
        match self.take_values(name, &[outputs, inputs])? {
            Values::Packed(packed) => Ok(packed),
            Values::Numbers(_) => Err(format!(
                "tensor `{name}` does not hold weights of a linear layer"
            )),
        }
    }

    fn take_values(&mut self, name: &str, shape: &[usize]) -> Result<Values, String> {
        let tensor = self
            .tensors
            .remove(name)
            .ok_or_else(|| format!("tensor `{name}` is missing"))?;
        if tensor.shape != shape {
            let is = tensor.shape;
            return Err(format!(
                "tensor `{name}` has the shape {is:?} (expected {shape:?})"
            ));
        }
        Ok(tensor.values)
    }

    /// Returns the first dimension of a tensor.
    pub(crate) fn length(&self, name: &str) -> usize {
        let tensor = self.tensors.get(name);
        let rows = tensor.and_then(|tensor| tensor.shape.first());
        rows.copied().unwrap_or(0)
    }
}

impl Tensor {
    fn new(name: &str, numbers: Vec<f32>, shape: &[usize]) -> Self {
        let values = match shape {
            [outputs, inputs] if name.starts_with(LAYERS) => {
                Values::Packed(QuantisedWeights::new(&numbers, *outputs, *inputs))
            }
            _ => Values::Numbers(numbers),
        };
        Self {
            shape: shape.to_vec(),
            values,
        }
    }
}

impl WordTable {
    /// Returns the concatenated rows of some tokens.
    pub(crate) fn rows(&self, ids: &[u32]) -> Result<Vec<f32>, String> {
        let TablePosition {
            start,
            kind,
            rows,
            width,
        } = self.place;
        let row = width * kind.bytes();
        let mut bytes = vec![0; ids.len() * row];
        let mut reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        for (id, row_bytes) in ids.iter().zip(bytes.chunks_exact_mut(row)) {
            if *id as usize >= rows {
                return Err(format!("token {id} is outside of its {rows} embeddings"));
            }
            let position = start + u64::from(*id) * row as u64;
            let read = reader
                .seek(SeekFrom::Start(position))
                .and_then(|_| reader.read_exact(row_bytes));
            read.map_err(|cause| format!("could not read its token embeddings: {cause}"))?;
        }
        Ok(kind.decoded(&bytes))
    }
}

fn table(info: &TensorInfo, kind: FloatType, data: u64) -> Option<TablePosition> {
    match info.shape[..] {
        [rows, width] => Some(TablePosition {
            start: data + info.data_offsets.0 as u64,
            kind,
            rows,
            width,
        }),
        _ => None,
    }
}

fn length_of(info: &TensorInfo) -> usize {
    info.data_offsets.1 - info.data_offsets.0
}

fn pass_over(reader: &mut Reader, bytes: usize, digest: &mut Sha256) -> std::io::Result<()> {
    let mut piece = vec![0; PIECE_BYTES.min(bytes)];
    let mut left = bytes;
    while left > 0 {
        let now = left.min(PIECE_BYTES);
        reader.read_exact(&mut piece[..now])?;
        digest.update(&piece[..now]);
        left -= now;
    }
    Ok(())
}
