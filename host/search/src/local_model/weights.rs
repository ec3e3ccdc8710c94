//! The weights of a model, read once from start to end: what is computed with is kept, the rest only
//! counts for the digest. The table of words is most of a small model and a text needs few of its
//! rows, so that it stays on disk and rows are read when they are needed.

use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom};
use std::sync::{Mutex, PoisonError};

use acreta_fs::Reader;
use safetensors::tensor::{Metadata, TensorInfo};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::ModelError;
use super::folder::Folder;
use super::linear::Packed;
use super::numbers::{self, Kind};

pub(crate) const FILE: &str = "model.safetensors";

/// Sentence models have some hundred megabytes; what is larger is something else.
const MOST_BYTES: u64 = 2 << 30;
const MOST_HEADER_BYTES: u64 = 16 << 20;
const PIECE_BYTES: usize = 256 << 10;

const WORDS: &str = "embeddings.word_embeddings.weight";
const TABLES: &str = "embeddings.";
const LAYERS: &str = "encoder.";

/// What the layers compute with, by name.
pub(crate) struct Weights {
    tensors: HashMap<String, Tensor>,
    pub(crate) words: WordTable,
}

struct Tensor {
    shape: Vec<usize>,
    values: Values,
}

enum Values {
    Numbers(Vec<f32>),
    /// Of a linear step. Packed as soon as they are read, so that they never lie in memory as they
    /// come, which is four times as much.
    Packed(Packed),
}

/// The rows of the words, on disk.
pub(crate) struct WordTable {
    reader: Mutex<Reader>,
    pub(crate) place: Place,
}

/// Where the rows of the words lie in the file of the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    start: u64,
    kind: Kind,
    rows: usize,
    pub(crate) width: usize,
}

impl Weights {
    /// Reads the file and adds all of it to the digest.
    pub(crate) fn read(folder: &Folder, digest: &mut Sha256) -> Result<Self, ModelError> {
        let mut reader = folder.open(FILE, MOST_BYTES)?;
        let damaged = |what: &dyn std::fmt::Display| folder.damaged(FILE, &what);
        let size = reader.size();
        let mut length = [0; 8];
        reader
            .read_exact(&mut length)
            .map_err(|cause| damaged(&cause))?;
        let header_bytes = u64::from_le_bytes(length);
        if header_bytes > MOST_HEADER_BYTES.min(size.saturating_sub(8)) {
            return Err(damaged(&"its header does not fit in it"));
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
            return Err(damaged(&"it is not as long as its header says"));
        }

        let mut tensors = HashMap::new();
        let mut words = None;
        // In the order they lie in the file, without gaps: the format promises both.
        for full_name in metadata.offset_keys() {
            let Some(info) = metadata.info(&full_name) else {
                continue;
            };
            let name = full_name.strip_prefix("bert.").unwrap_or(&full_name);
            let kind = Kind::of(info.dtype);
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
            return Err(folder.unsupported(format!("it has no table `{WORDS}`")));
        };
        Ok(Self {
            tensors,
            words: WordTable {
                reader: Mutex::new(reader),
                place,
            },
        })
    }

    /// None but the words, whose place in the file is known.
    pub(crate) fn placed(folder: &Folder, place: Place) -> Result<Self, ModelError> {
        Ok(Self {
            tensors: HashMap::new(),
            words: WordTable {
                reader: Mutex::new(folder.open(FILE, MOST_BYTES)?),
                place,
            },
        })
    }

    /// Appends the values of all tensors, and says in which order they come: name, shape, and whether they are packed.
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

    /// Adds a tensor as [`Self::write_to`] wrote it and takes its bytes; `None` if they do not suffice.
    pub(crate) fn put(
        &mut self,
        name: &str,
        shape: &[usize],
        is_packed: bool,
        bytes: &mut &[u8],
    ) -> Option<()> {
        let values = match (is_packed, shape) {
            (true, [outputs, inputs]) => Values::Packed(Packed::take(*outputs, *inputs, bytes)?),
            (true, _) => return None,
            (false, _) => Values::Numbers(numbers::take(shape, bytes)?),
        };
        let shape = shape.to_vec();
        self.tensors
            .insert(name.to_owned(), Tensor { shape, values });
        Some(())
    }

    /// How many layers there are weights of.
    pub(crate) fn layers(&self) -> usize {
        (0..)
            .take_while(|layer| {
                let name = format!("encoder.layer.{layer}.attention.self.query.weight");
                self.tensors.contains_key(&name)
            })
            .count()
    }

    /// Takes out numbers, which must have this shape; the sentence says what is wrong otherwise.
    pub(crate) fn take(&mut self, name: &str, shape: &[usize]) -> Result<Vec<f32>, String> {
        match self.take_values(name, shape)? {
            Values::Numbers(numbers) => Ok(numbers),
            Values::Packed(_) => Err(format!("`{name}` are weights of a linear step")),
        }
    }

    /// Takes out a table of this width, with however many rows.
    pub(crate) fn take_table(&mut self, name: &str, width: usize) -> Result<Vec<f32>, String> {
        let rows = self.length(name);
        self.take(name, &[rows, width])
    }

    /// Takes out the weights of a linear step.
    pub(crate) fn take_packed(
        &mut self,
        name: &str,
        outputs: usize,
        inputs: usize,
    ) -> Result<Packed, String> {
        match self.take_values(name, &[outputs, inputs])? {
            Values::Packed(packed) => Ok(packed),
            Values::Numbers(_) => Err(format!("`{name}` are no weights of a linear step")),
        }
    }

    fn take_values(&mut self, name: &str, shape: &[usize]) -> Result<Values, String> {
        let tensor = self
            .tensors
            .remove(name)
            .ok_or_else(|| format!("it has no weights `{name}`"))?;
        if tensor.shape != shape {
            let is = tensor.shape;
            return Err(format!("`{name}` has the shape {is:?}, not {shape:?}"));
        }
        Ok(tensor.values)
    }

    /// How many rows or, of a single row, numbers a tensor has.
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
                Values::Packed(Packed::new(&numbers, *outputs, *inputs))
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
    /// The rows of some words below each other.
    pub(crate) fn rows(&self, ids: &[u32]) -> Result<Vec<f32>, String> {
        let Place {
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
                return Err(format!("it knows {rows} words, and not number {id}"));
            }
            let position = start + u64::from(*id) * row as u64;
            let read = reader
                .seek(SeekFrom::Start(position))
                .and_then(|_| reader.read_exact(row_bytes));
            read.map_err(|cause| format!("its words cannot be read: {cause}"))?;
        }
        Ok(kind.decoded(&bytes))
    }
}

fn table(info: &TensorInfo, kind: Kind, data: u64) -> Option<Place> {
    match info.shape[..] {
        [rows, width] => Some(Place {
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
