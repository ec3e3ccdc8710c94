//! Sessions that Codex compressed after a while. They are decoded while they are read: memory is bounded by the window,
//! and the decoded size is bounded as well.

use std::io::{self, Read, Seek, SeekFrom};

use acreta_sdk::adapter::{Failure, failure};
use ruzstd::decoding::{FrameDecoder, StreamingDecoder};

/// First bytes of a compressed file.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Maximum window: the requirement of the strongest common setting.
const WINDOW: u64 = 8 * 1024 * 1024;

/// Maximum decoded size of one file.
const MOST: u64 = 512 * 1024 * 1024;

/// Reports whether a file is compressed, and leaves it positioned at its start.
pub(crate) fn is_compressed(file: &mut (impl Read + Seek)) -> Result<bool, Failure> {
    let mut magic = Vec::new();
    let read = file.seek(SeekFrom::Start(0)).and_then(|_| {
        file.take(MAGIC.len() as u64).read_to_end(&mut magic)?;
        file.seek(SeekFrom::Start(0))
    });
    read.map_err(|error| failure::io(&error))?;
    Ok(magic == MAGIC)
}

/// Content of a compressed file. It ends at the first damage, with the reason.
pub(crate) struct Decoded<R: Read> {
    decoder: Option<StreamingDecoder<R, FrameDecoder>>,
    left: u64,
    /// Reason why it ended early.
    pub(crate) fault: Option<&'static str>,
}

impl<R: Read> Decoded<R> {
    pub(crate) fn new(source: R) -> Self {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW);
        let decoder = StreamingDecoder::new_with_decoder(source, decoder).ok();
        let fault = match decoder {
            Some(_) => None,
            None => Some("the compressed file cannot be decoded"),
        };
        Self {
            decoder,
            left: MOST,
            fault,
        }
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let Some(decoder) = self.decoder.as_mut().filter(|_| self.fault.is_none()) else {
            return Ok(0);
        };
        match decoder.read(room) {
            Ok(0) if !room.is_empty() => {
                let mut more = [0];
                if decoder.get_mut().read(&mut more)? > 0 {
                    self.fault = Some("the compressed file goes on behind its end");
                }
                Ok(0)
            }
            Ok(count) if count as u64 > self.left => {
                self.fault = Some("the compressed file holds too much");
                Ok(0)
            }
            Ok(count) => {
                self.left -= count as u64;
                Ok(count)
            }
            Err(_) => {
                self.fault = Some("the compressed file is damaged from here on");
                Ok(0)
            }
        }
    }
}
