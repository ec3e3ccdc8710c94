//! A model prepared for loading: one file in the cache with the weights rounded and packed as they are computed with. It
//! names the model's files by their stamps, so those need not be read again, and loading takes milliseconds instead of
//! tenths of a second. A prepared file that does not fit, for whatever reason, counts as none.

use acreta_fs::{Directory, NoFaults, Stamp};
use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::folder::Folder;
use super::weights::{Place, Weights};

/// The prepared file of one model.
#[derive(Debug, Clone)]
pub(crate) struct Prepared {
    cache: Utf8PathBuf,
    name: String,
}

/// The files of a model as they were at a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Sources {
    /// Before the stamps were taken.
    looked_ns: i64,
    /// `None` for a file that is not there.
    stamps: Vec<Option<Stamp>>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    sources: Sources,
    digest: [u8; 32],
    words: Place,
    tensors: Vec<TensorHeader>,
}

#[derive(Serialize, Deserialize)]
struct TensorHeader {
    name: String,
    shape: Vec<usize>,
    is_packed: bool,
}

/// First bytes of a prepared file. The number rises when the layout or the rounding changes.
const MAGIC: &[u8; 16] = b"acreta model 001";

/// Folder within the cache.
const FOLDER: &str = "models";

const MOST_BYTES: u64 = 1 << 30;

impl Sources {
    /// The files with these names, looked at by the clock that the file system has, too.
    pub(crate) fn of(folder: &Folder, names: &[&str], looked_ns: i64) -> Self {
        Self {
            looked_ns,
            stamps: names.iter().map(|name| folder.stamp(name)).collect(),
        }
    }

    /// Reports whether no file changed between this look and a later one.
    fn are_unchanged(&self, now: &Self) -> bool {
        let same = |(then, now): (&Option<Stamp>, &Option<Stamp>)| match (then, now) {
            (Some(then), Some(now)) => then.is_unchanged(self.looked_ns, now),
            (None, None) => true,
            _ => false,
        };
        self.stamps.len() == now.stamps.len() && self.stamps.iter().zip(&now.stamps).all(same)
    }
}

impl Prepared {
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

    /// The weights and the digest of a model whose files are still these.
    pub(crate) fn read(&self, folder: &Folder, now: &Sources) -> Option<(Weights, [u8; 32])> {
        let directory = Directory::open(&self.cache, NoFaults::shared()).ok()?;
        let bytes = directory.read(&self.name, MOST_BYTES).ok()?;
        let (content, checksum) = bytes.split_last_chunk::<4>()?;
        let mut rest = content.strip_prefix(MAGIC)?;
        let length = usize::try_from(u64::from_le_bytes(*take(&mut rest)?)).ok()?;
        let (header, mut rest) = rest.split_at_checked(length)?;
        let header: Header = serde_json::from_slice(header).ok()?;
        let is_current = header.sources.are_unchanged(now);
        if !is_current || crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
            return None;
        }
        let mut weights = Weights::placed(folder, header.words).ok()?;
        for tensor in header.tensors {
            weights.put(&tensor.name, &tensor.shape, tensor.is_packed, &mut rest)?;
        }
        rest.is_empty().then_some((weights, header.digest))
    }

    /// Writes the weights of a model that was just read. A cache that cannot be written makes the next load slow, no more.
    pub(crate) fn write(&self, sources: &Sources, weights: &Weights, digest: [u8; 32]) {
        if let Some(bytes) = encoded(sources, weights, digest) {
            let directory = Directory::open_or_create_private(&self.cache, NoFaults::shared());
            let _ = directory.and_then(|directory| directory.replace_unsynced(&self.name, &bytes));
        }
    }
}

fn encoded(sources: &Sources, weights: &Weights, digest: [u8; 32]) -> Option<Vec<u8>> {
    let (mut tensors, mut data) = (Vec::new(), Vec::new());
    for (name, shape, is_packed) in weights.write_to(&mut data) {
        tensors.push(TensorHeader {
            name: name.to_owned(),
            shape: shape.to_vec(),
            is_packed,
        });
    }
    let header = Header {
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

/// Takes so many bytes off the front.
fn take<'a, const COUNT: usize>(bytes: &mut &'a [u8]) -> Option<&'a [u8; COUNT]> {
    let (taken, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(taken)
}
