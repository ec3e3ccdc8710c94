//! Cache file of a model: the quantised and packed weights. It records the stamps of the model's files, so that they
//! need not be read, and loading takes milliseconds instead of tenths of a second. A cache file that does not match for
//! any reason is ignored.

use acreta_fs::{Directory, NoFaults, Stamp};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::folder::ModelFolder;
use super::weights::{ModelWeights, TablePosition};

/// The cache file of one model.
#[derive(Debug, Clone)]
pub(crate) struct PreparedModel {
    cache: Utf8PathBuf,
    name: String,
}

/// State of a model's files at a point in time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ModelFileStamps {
    /// Time before the stamps were taken.
    looked_ns: i64,
    /// `None` for a missing file.
    stamps: Vec<Option<Stamp>>,
}

#[derive(Serialize, Deserialize)]
struct PreparedHeader {
    sources: ModelFileStamps,
    digest: [u8; 32],
    words: TablePosition,
    tensors: Vec<TensorHeader>,
}

#[derive(Serialize, Deserialize)]
struct TensorHeader {
    name: String,
    shape: Vec<usize>,
    is_packed: bool,
}

/// First bytes of a cache file. Increase the number when the layout or the quantisation changes.
const MAGIC: &[u8; 16] = b"acreta model 001";

/// Folder within the cache.
const FOLDER: &str = "models";

const MOST_BYTES: u64 = 1 << 30;

impl ModelFileStamps {
    /// Stats the named files. `looked_ns` is from the clock that the file system uses.
    pub(crate) fn of(folder: &ModelFolder, names: &[&str], looked_ns: i64) -> Self {
        Self {
            looked_ns,
            stamps: names.iter().map(|name| folder.stamp(name)).collect(),
        }
    }

    /// Reports whether no file changed since these stamps were taken.
    fn are_unchanged(&self, now: &Self) -> bool {
        let same = |(then, now): (&Option<Stamp>, &Option<Stamp>)| match (then, now) {
            (Some(then), Some(now)) => then.is_unchanged(self.looked_ns, now),
            (None, None) => true,
            _ => false,
        };
        self.stamps.len() == now.stamps.len() && self.stamps.iter().zip(&now.stamps).all(same)
    }
}

impl PreparedModel {
    pub(crate) fn new(cache: &Utf8Path, folder: &Utf8Path) -> Self {
        let digest = Sha256::digest(folder.as_str());
        Self {
            cache: cache.join(FOLDER),
            name: format!("{}.prepared", acreta_text::hex(&digest[..8])),
        }
    }

    pub(crate) fn exists(&self) -> bool {
        let directory = Directory::open(&self.cache, NoFaults::shared());
        directory.is_ok_and(|directory| directory.exists(&self.name).unwrap_or(false))
    }

    /// Returns the weights and the digest if the model's files are unchanged.
    pub(crate) fn read(
        &self,
        folder: &ModelFolder,
        now: &ModelFileStamps,
    ) -> Option<(ModelWeights, [u8; 32])> {
        let directory = Directory::open(&self.cache, NoFaults::shared()).ok()?;
        let bytes = directory.read(&self.name, MOST_BYTES).ok()?;
        let (content, checksum) = bytes.split_last_chunk::<4>()?;
        let mut rest = content.strip_prefix(MAGIC)?;
        let length = usize::try_from(u64::from_le_bytes(*take(&mut rest)?)).ok()?;
        let (header, mut rest) = rest.split_at_checked(length)?;
        let header: PreparedHeader = serde_json::from_slice(header).ok()?;
        let is_current = header.sources.are_unchanged(now);
        if !is_current || crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
            return None;
        }
        let mut weights = ModelWeights::placed(folder, header.words).ok()?;
        for tensor in header.tensors {
            weights.put(&tensor.name, &tensor.shape, tensor.is_packed, &mut rest)?;
        }
        rest.is_empty().then_some((weights, header.digest))
    }

    /// Writes the weights of a model that was just read. Ignores failures: they only make the next load slow.
    pub(crate) fn write(
        &self,
        sources: &ModelFileStamps,
        weights: &ModelWeights,
        digest: [u8; 32],
    ) {
        if let Some(bytes) = encoded(sources, weights, digest) {
            let directory = Directory::open_or_create_private(&self.cache, NoFaults::shared());
            let _ = directory.and_then(|directory| directory.replace_unsynced(&self.name, &bytes));
        }
    }
}

fn encoded(sources: &ModelFileStamps, weights: &ModelWeights, digest: [u8; 32]) -> Option<Vec<u8>> {
    let (mut tensors, mut data) = (Vec::new(), Vec::new());
    for (name, shape, is_packed) in weights.write_to(&mut data) {
        tensors.push(TensorHeader {
            name: name.to_owned(),
            shape: shape.to_vec(),
            is_packed,
        });
    }
    let header = PreparedHeader {
        sources: sources.clone(),
        digest,
        words: weights.words.place,
        tensors,
    };
    let header = serde_json::to_vec(&header).ok()?;
    let length = (header.len() as u64).to_le_bytes();
    let mut bytes = [MAGIC.as_slice(), &length, &header, &data].concat();
    let checksum = crc32fast::hash(&bytes);
    bytes.extend(checksum.to_le_bytes());
    Some(bytes)
}

/// Reads a fixed number of bytes from the front.
fn take<'a, const COUNT: usize>(bytes: &mut &'a [u8]) -> Option<&'a [u8; COUNT]> {
    let (taken, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(taken)
}
