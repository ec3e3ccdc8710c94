//! Vectors on disk: one file beside the index, with a header that identifies the model, then rows of equal length with
//! a checksum each. Rows are appended. Torn or damaged rows are skipped, and the next writer rewrites the file.

use std::io::{BufReader, Read, Seek, SeekFrom};

use acreta_fs::{Directory, EntryKind, FsError, Metadata};

use crate::sentence::ModelIdentity;
use crate::vectors::{QuantisedVector, Vectors};

pub(crate) const FILE: &str = "index/vectors";

/// Changes with the layout below.
const MAGIC: &[u8; 8] = b"acrvec01";
const HEADER_BYTES: usize = 8 + 4 + 32 + 4;

/// Key, scale and checksum around the values.
const AROUND_BYTES: usize = 8 + 4 + 4;

/// Far more than one scope has: bounds the time for reading an endless file.
const MOST_ROWS: usize = 8_000_000;

const READ_BYTES: usize = 256 << 10;

/// Reading state of the vector file.
#[derive(Default)]
pub(crate) struct VectorFile {
    /// State of the file when it was last read or written; `None` if it has to be rewritten.
    seen: Option<VectorFileState>,
}

struct VectorFileState {
    metadata: Metadata,
    /// End of the last complete row.
    bytes: u64,
    /// Number of unusable rows.
    damaged: usize,
}

impl VectorFile {
    /// Loads rows written since the last call, also by other processes. An unusable file adds nothing.
    pub(crate) fn follow(
        &mut self,
        base: &Directory,
        of: &ModelIdentity,
        vectors: &Vectors,
    ) -> Option<Vectors> {
        let Ok(metadata) = base.metadata(FILE) else {
            self.seen = None;
            return None;
        };
        let is_same = |seen: &VectorFileState| seen.metadata == metadata;
        if self.seen.as_ref().is_some_and(is_same) {
            return None;
        }
        let before = self.seen.take().filter(|seen| {
            seen.metadata.identity.is_some()
                && seen.metadata.identity == metadata.identity
                && seen.bytes <= metadata.bytes
        });
        let mut grown = vectors.clone();
        self.seen = read(base, of, &mut grown, metadata, before);
        (grown.len() > vectors.len()).then_some(grown)
    }

    /// Reports whether a writer may append.
    fn is_sound(&self) -> bool {
        let whole = |seen: &VectorFileState| seen.damaged == 0 && seen.metadata.bytes == seen.bytes;
        self.seen.as_ref().is_some_and(whole)
    }

    /// Writes rows that are already in `vectors`. The caller holds the lock and has followed the file.
    pub(crate) fn write(
        &mut self,
        base: &Directory,
        of: &ModelIdentity,
        vectors: &Vectors,
        added: &[(u64, QuantisedVector)],
    ) -> Result<(), FsError> {
        if !self.is_sound() {
            return self.write_anew(base, of, vectors);
        }
        let mut bytes = Vec::with_capacity(added.len() * (of.dimensions + AROUND_BYTES));
        for (key, vector) in added {
            put_row(&mut bytes, *key, vector.scale, &vector.values);
        }
        let written = base.append(FILE, &bytes);
        self.note_written(base);
        written
    }

    /// Replaces the file with all rows.
    pub(crate) fn write_anew(
        &mut self,
        base: &Directory,
        of: &ModelIdentity,
        vectors: &Vectors,
    ) -> Result<(), FsError> {
        self.seen = None;
        if matches!(base.metadata(FILE), Ok(found) if found.kind == EntryKind::Directory) {
            base.remove_dir_all(FILE)?;
        }
        let mut pending = base.pending(FILE)?;
        pending.append(&header(of))?;
        let mut bytes = Vec::new();
        for (key, scale, values) in vectors.rows() {
            bytes.clear();
            put_row(&mut bytes, key, scale, values);
            pending.append(&bytes)?;
        }
        pending.commit()?;
        self.note_written(base);
        Ok(())
    }

    fn note_written(&mut self, base: &Directory) {
        self.seen = base.metadata(FILE).ok().map(|metadata| VectorFileState {
            bytes: metadata.bytes,
            metadata,
            damaged: 0,
        });
    }
}

/// Reads rows from the start, or continues after the last row read.
fn read(
    base: &Directory,
    of: &ModelIdentity,
    vectors: &mut Vectors,
    metadata: Metadata,
    before: Option<VectorFileState>,
) -> Option<VectorFileState> {
    let mut reader = BufReader::with_capacity(READ_BYTES, base.open_reader(FILE).ok()?);
    let mut start = [0; HEADER_BYTES];
    reader.read_exact(&mut start).ok()?;
    if start != header(of) {
        return None;
    }
    let mut seen = VectorFileState {
        metadata,
        bytes: HEADER_BYTES as u64,
        damaged: 0,
    };
    if let Some(before) = before {
        reader.seek(SeekFrom::Start(before.bytes)).ok()?;
        seen.bytes = before.bytes;
        seen.damaged = before.damaged;
    }
    let mut row = vec![0; of.dimensions + AROUND_BYTES];
    while vectors.len() < MOST_ROWS && reader.read_exact(&mut row).is_ok() {
        seen.bytes += row.len() as u64;
        if !take_row(&row, vectors) {
            seen.damaged += 1;
        }
    }
    Some(seen)
}

fn header(of: &ModelIdentity) -> [u8; HEADER_BYTES] {
    let mut header = [0; HEADER_BYTES];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&(of.dimensions as u32).to_le_bytes());
    header[12..44].copy_from_slice(&of.digest);
    let checksum = crc32fast::hash(&header[..44]);
    header[44..].copy_from_slice(&checksum.to_le_bytes());
    header
}

fn put_row(bytes: &mut Vec<u8>, key: u64, scale: f32, values: &[i8]) {
    let start = bytes.len();
    bytes.extend_from_slice(&key.to_le_bytes());
    bytes.extend_from_slice(&scale.to_le_bytes());
    bytes.extend(values.iter().map(|value| value.cast_unsigned()));
    let checksum = crc32fast::hash(&bytes[start..]);
    bytes.extend_from_slice(&checksum.to_le_bytes());
}

/// Returns false if the row does not match its checksum.
fn take_row(row: &[u8], vectors: &mut Vectors) -> bool {
    let Some((content, checksum)) = row.split_last_chunk::<4>() else {
        return false;
    };
    if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
        return false;
    }
    let Some((key, rest)) = content.split_first_chunk::<8>() else {
        return false;
    };
    let Some((scale, values)) = rest.split_first_chunk::<4>() else {
        return false;
    };
    let scale = f32::from_le_bytes(*scale);
    let values = values.iter().map(|byte| byte.cast_signed());
    scale.is_finite() && vectors.add(u64::from_le_bytes(*key), scale, values)
}
