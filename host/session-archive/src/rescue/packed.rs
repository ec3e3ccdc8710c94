//! Archived content: compressed, named by the digest of the uncompressed content. Reading it to the end returns what
//! was written, or an error.

use std::io::{self, Read, Write};

use acreta_fs::{PendingFile, Reader, Scratch};
use camino::{Utf8Path, Utf8PathBuf};
use sha2::{Digest, Sha256};
use zstd::stream::write::Encoder;

use super::content::Decompressed;
use super::{RescueError, RescueLimits};

/// An archived content, open for reading.
pub struct ArchivedReader {
    path: Utf8PathBuf,
    decompressed: Decompressed<Reader>,
    digest: String,
    /// `None` once the end was reached.
    hasher: Option<Sha256>,
    /// The folder of a content that was fetched.
    _fetched: Option<Scratch>,
}

impl ArchivedReader {
    pub(super) fn new(
        path: Utf8PathBuf,
        reader: Reader,
        digest: &str,
        limits: &RescueLimits,
    ) -> Result<Self, RescueError> {
        Ok(Self {
            decompressed: Decompressed::new(&path, reader, limits)?,
            digest: digest.to_owned(),
            hasher: Some(Sha256::new()),
            path,
            _fetched: None,
        })
    }

    /// Keeps the folder of a fetched content until it was read.
    pub(super) fn fetched(self, folder: Scratch) -> Self {
        Self {
            _fetched: Some(folder),
            ..self
        }
    }
}

impl Read for ArchivedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decompressed.read(buffer)?;
        if count > 0 {
            if let Some(hasher) = &mut self.hasher {
                hasher.update(&buffer[..count]);
            }
        } else if !buffer.is_empty()
            && let Some(hasher) = self.hasher.take()
            && acreta_text::hex(&hasher.finalize()) != self.digest
        {
            let path = self.path.clone();
            return Err(RescueError::Damaged { path }.into());
        }
        Ok(count)
    }
}

/// Compresses its input and computes the digest.
pub(super) struct Packer {
    path: Utf8PathBuf,
    encoder: Encoder<'static, PendingFile>,
    hasher: Sha256,
}

impl Packer {
    pub(super) fn new(file: PendingFile, source: &Utf8Path) -> Result<Self, RescueError> {
        let fail = |cause| RescueError::from_io(source, cause);
        Ok(Self {
            path: source.to_owned(),
            encoder: Encoder::new(file, LEVEL).map_err(fail)?,
            hasher: Sha256::new(),
        })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), RescueError> {
        self.hasher.update(bytes);
        self.encoder
            .write_all(bytes)
            .map_err(|cause| RescueError::from_io(&self.path, cause))
    }

    pub(super) fn finish(self) -> Result<(String, PendingFile), RescueError> {
        let file = self
            .encoder
            .finish()
            .map_err(|cause| RescueError::from_io(&self.path, cause))?;
        Ok((acreta_text::hex(&self.hasher.finalize()), file))
    }
}

/// One and a half times as fast as zstd's own default, for a fifth more bytes.
const LEVEL: i32 = 1;
