//! The content of a file as of its opening, decompressed if needed. Memory is bounded, and reading stops if a small
//! file expands too much.

use std::io::{self, BufReader, Cursor, Read};

use camino::{Utf8Path, Utf8PathBuf};
use zstd::stream::read::Decoder;

use super::{RescueError, RescueLimits, RescueSource};

/// Magic number of zstd files.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Frames that need a larger window, and so more memory, are rejected.
const WINDOW_LOG: u32 = 23;

/// The first bytes of a file, and the rest.
type Whole<R> = io::Chain<Cursor<Vec<u8>>, Exact<R>>;

/// Content that was compressed or not.
pub(super) enum RescuedContent<R: Read> {
    Plain {
        path: Utf8PathBuf,
        reader: Whole<R>,
        bytes: u64,
        allowed: u64,
    },
    Compressed(Box<Decompressed<Whole<R>>>),
}

impl<R: Read> RescuedContent<R> {
    /// Detects compression by the first bytes.
    pub(super) fn new(
        source: RescueSource<'_, R>,
        limits: &RescueLimits,
    ) -> Result<Self, RescueError> {
        let path = source.path;
        let mut reader = Exact::new(source);
        let mut head = Vec::with_capacity(MAGIC.len());
        (&mut reader)
            .take(MAGIC.len() as u64)
            .read_to_end(&mut head)
            .map_err(|cause| RescueError::from_io(path, cause))?;
        let is_compressed = head == MAGIC;
        let reader = Cursor::new(head).chain(reader);
        if is_compressed {
            let decompressed = Decompressed::new(path, reader, limits)?;
            return Ok(RescuedContent::Compressed(Box::new(decompressed)));
        }
        Ok(RescuedContent::Plain {
            path: path.to_owned(),
            reader,
            bytes: 0,
            allowed: limits.content_bytes,
        })
    }
}

impl<R: Read> Read for RescuedContent<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            RescuedContent::Compressed(decompressed) => decompressed.read(buffer),
            RescuedContent::Plain {
                path,
                reader,
                bytes,
                allowed,
            } => {
                let count = reader.read(buffer)?;
                *bytes += count as u64;
                if *bytes > *allowed {
                    return Err(too_large(path, *allowed));
                }
                Ok(count)
            }
        }
    }
}

/// A zstd stream with an output limit.
pub(super) struct Decompressed<R: Read> {
    path: Utf8PathBuf,
    decoder: Decoder<'static, BufReader<CountingReader<R>>>,
    bytes: u64,
    limits: RescueLimits,
}

impl<R: Read> Decompressed<R> {
    pub(super) fn new(
        path: &Utf8Path,
        reader: R,
        limits: &RescueLimits,
    ) -> Result<Self, RescueError> {
        let fail = |cause| RescueError::from_io(path, cause);
        let mut decoder = Decoder::new(CountingReader { reader, bytes: 0 }).map_err(fail)?;
        decoder.window_log_max(WINDOW_LOG).map_err(fail)?;
        Ok(Self {
            path: path.to_owned(),
            decoder,
            bytes: 0,
            limits: limits.clone(),
        })
    }

    /// Converts an error: those of the decoder are about the content; others come from the reader below.
    fn fail(&self, cause: io::Error) -> io::Error {
        if cause.raw_os_error().is_some() {
            return cause;
        }
        match cause.downcast::<RescueError>() {
            Ok(error) => error.into(),
            Err(cause) => RescueError::Undecodable {
                path: self.path.clone(),
                cause,
            }
            .into(),
        }
    }
}

impl<R: Read> Read for Decompressed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self
            .decoder
            .read(buffer)
            .map_err(|cause| self.fail(cause))?;
        self.bytes += count as u64;
        let limits = &self.limits;
        if self.bytes > limits.content_bytes {
            return Err(too_large(&self.path, limits.content_bytes));
        }
        let compressed = self.decoder.get_ref().get_ref().bytes;
        if self.bytes > limits.unsuspicious_bytes
            && self.bytes > compressed.saturating_mul(limits.ratio)
        {
            return Err(RescueError::Bomb {
                path: self.path.clone(),
                allowed: limits.ratio,
            }
            .into());
        }
        Ok(count)
    }
}

struct CountingReader<R> {
    reader: R,
    bytes: u64,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.bytes += count as u64;
        Ok(count)
    }
}

/// Exactly as many bytes as a file had when it was opened: later ones are left for the next time, and missing ones are
/// an error.
pub(super) struct Exact<R> {
    path: Utf8PathBuf,
    reader: R,
    expected: Option<u64>,
    found: u64,
}

impl<R: Read> Exact<R> {
    fn new(source: RescueSource<'_, R>) -> Self {
        Self {
            path: source.path.to_owned(),
            reader: source.reader,
            expected: source.bytes,
            found: 0,
        }
    }
}

impl<R: Read> Read for Exact<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.expected.map_or(u64::MAX, |bytes| bytes - self.found);
        let wanted = buffer
            .len()
            .min(usize::try_from(left).unwrap_or(usize::MAX));
        if wanted == 0 {
            return Ok(0);
        }
        let count = self.reader.read(&mut buffer[..wanted])?;
        self.found += count as u64;
        match self.expected {
            Some(expected) if count == 0 => Err(RescueError::Changed {
                path: self.path.clone(),
                expected,
                found: self.found,
            }
            .into()),
            _ => Ok(count),
        }
    }
}

fn too_large(path: &Utf8Path, allowed: u64) -> io::Error {
    RescueError::TooLarge {
        path: path.to_owned(),
        allowed,
    }
    .into()
}
