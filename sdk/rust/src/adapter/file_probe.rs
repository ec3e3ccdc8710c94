//! A first look at a file of any size: enough to identify its agent and its session.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use crate::adapter::Failure;
use crate::lines::LineReader;

use crate::adapter::calls::hash;
use crate::adapter::failure;
use crate::adapter::json::Text;
use crate::adapter::objects::{Records, ScannedItem, Stop, each_object};

/// Number of bytes examined at the beginning and at the end of a file.
pub const HEAD: u64 = 1024 * 1024;
pub const TAIL: u64 = 64 * 1024;

/// Files up to this size are hashed whole; of larger ones, this many evenly spaced blocks are hashed.
const WHOLE: u64 = 256 * 1024 * 1024;
const BLOCKS: u64 = 4096;
const BLOCK: u64 = 16 * 1024;

/// After this many records without a sign of an agent, the file belongs to another program.
pub const STRANGERS: usize = 20;

/// After this many unreadable records, the file is not a session.
pub const DAMAGED: usize = 200;

/// Opens a session file.
pub fn open(path: &str) -> Result<File, Failure> {
    File::open(path).map_err(|error| failure::io(&error))
}

/// Reads the first [`HEAD`] bytes of a file, or all of a shorter one.
pub fn beginning(path: &str) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    open(path)?
        .take(HEAD)
        .read_to_end(&mut bytes)
        .map_err(|error| failure::io(&error))?;
    Ok(bytes)
}

/// Returns the size of a file and leaves it positioned at its end.
pub fn size(file: &mut impl Seek) -> Result<u64, Failure> {
    file.seek(SeekFrom::End(0))
        .map_err(|error| failure::io(&error))
}

/// Computes the revision of a session that is the whole file: its size and a hash of its content. A changed session is
/// read whole anyway, so this costs little.
pub fn revision(file: &mut (impl Read + Seek), size: u64) -> Result<String, Failure> {
    let read = |from: u64, length: u64, file: &mut _, hash: &mut WordHasher| {
        let mut bytes = vec![0; BLOCK as usize];
        Seek::seek(file, SeekFrom::Start(from))?;
        let mut file = Read::take(file, length);
        loop {
            match file.read(&mut bytes)? {
                0 => return Ok(()),
                count => hash.add(&bytes[..count]),
            }
        }
    };
    let mut hash = WordHasher::default();
    let done: std::io::Result<()> = if size <= WHOLE {
        read(0, size, file, &mut hash)
    } else {
        let last = size - BLOCK;
        (0..BLOCKS).try_for_each(|number| {
            let from = last / (BLOCKS - 1) * number;
            read(from.min(last), BLOCK, file, &mut hash)
        })
    };
    done.map_err(|error| failure::io(&error))?;
    Ok(format!("{size}:{:016x}", hash.end()))
}

/// Returns a text that is not empty.
pub fn filled(text: Option<Text<'_>>) -> Option<String> {
    let text = text.map(Text::lossy).filter(|text| !text.is_empty());
    text.map(Into::into)
}

/// Keeps the first text that is not empty: a property of the whole session.
pub fn keep_first(kept: &mut Option<String>, seen: Option<Text<'_>>) {
    if kept.is_none() {
        *kept = filled(seen);
    }
}

/// FNV-1a over words of eight bytes, independent of how the input is split into pieces.
struct WordHasher {
    hash: u64,
    word: [u8; 8],
    filled: usize,
}

impl Default for WordHasher {
    fn default() -> Self {
        Self {
            hash: hash(&[]),
            word: [0; 8],
            filled: 0,
        }
    }
}

impl WordHasher {
    fn add(&mut self, mut bytes: &[u8]) {
        if self.filled > 0 {
            let count = bytes.len().min(8 - self.filled);
            self.word[self.filled..self.filled + count].copy_from_slice(&bytes[..count]);
            self.filled += count;
            bytes = &bytes[count..];
            if self.filled < 8 {
                return;
            }
            self.mix(self.word);
            self.filled = 0;
        }
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.mix(word.try_into().unwrap_or_default());
        }
        let rest = words.remainder();
        self.word[..rest.len()].copy_from_slice(rest);
        self.filled = rest.len();
    }

    fn mix(&mut self, word: [u8; 8]) {
        self.hash = (self.hash ^ u64::from_le_bytes(word)).wrapping_mul(0x0000_0100_0000_01b3);
        // Multiplication carries changes only upwards; without this shift the last bytes of a word would hardly count.
        self.hash ^= self.hash >> 29;
    }

    fn end(self) -> u64 {
        (self.hash ^ hash(&self.word[..self.filled])).wrapping_mul(0x0000_0100_0000_01b3)
    }
}

/// Calls `visit` with the records at the beginning of a file until it has enough. Returns `true` if it saw all records
/// of the file.
pub fn head<R: Records>(
    file: &mut (impl Read + Seek),
    size: u64,
    visit: impl FnMut(ScannedItem<'_, R>) -> Result<(), Stop>,
) -> Result<bool, Failure> {
    file.seek(SeekFrom::Start(0))
        .map_err(|error| failure::io(&error))?;
    let mut lines = LineReader::new(file.take(HEAD), 0);
    match each_object(&mut lines, 0, visit) {
        Ok(_) => Ok(size <= HEAD),
        Err(Stop::Enough) => Ok(false),
        Err(Stop::Failed(failure)) => Err(failure),
    }
}

/// Calls `visit` with the records at the end of a file.
pub fn tail<R: Records>(
    file: &mut (impl Read + Seek),
    size: u64,
    visit: impl FnMut(ScannedItem<'_, R>) -> Result<(), Stop>,
) -> Result<(), Failure> {
    let from = size.saturating_sub(TAIL);
    file.seek(SeekFrom::Start(from))
        .map_err(|error| failure::io(&error))?;
    let mut lines = LineReader::new(file, from);
    if from > 0 {
        // Skips the first line, which is most likely incomplete.
        lines.next_line().map_err(|error| failure::io(&error))?;
    }
    match each_object(&mut lines, from, visit) {
        Err(Stop::Failed(failure)) => Err(failure),
        Ok(_) | Err(Stop::Enough) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    fn of(bytes: &[u8]) -> String {
        let mut file = Cursor::new(bytes);
        let size = size(&mut file).unwrap();
        revision(&mut file, size).unwrap()
    }

    #[test]
    fn every_byte_counts() {
        let text: Vec<u8> = (0..40_003_u32).map(|number| (number % 251) as u8).collect();
        let before = of(&text);
        assert_eq!(before, of(&text));
        for at in [0, 1, 7, 8, 9, 16_383, 16_384, 20_000, 39_999, 40_002] {
            for bit in [0, 3, 7] {
                let mut other = text.clone();
                other[at] ^= 1 << bit;
                assert_ne!(of(&other), before, "bit {bit} of byte {at}");
            }
        }
        assert_ne!(of(&text[..40_002]), before);
        assert_ne!(of(b""), of(b"\0"));
    }

    /// The SDKs of JavaScript and Python have the same table.
    #[test]
    fn a_revision_is_the_same_in_every_language() {
        let long: Vec<u8> = (0..40_003_u32).map(|number| (number % 251) as u8).collect();
        for (content, expected) in [
            (&b""[..], "0:0000000000000000"),
            (b"foobar", "6:540f51f29755e857"),
            (b"foobarfoo", "9:5b0467fd0818156f"),
            (&long, "40003:c4855d7690963857"),
        ] {
            assert_eq!(of(content), expected);
        }
    }

    #[test]
    fn pieces_make_no_difference() {
        let text: Vec<u8> = (0..100_u8).collect();
        let whole = |pieces: &[usize]| {
            let mut words = WordHasher::default();
            let mut rest = &text[..];
            for piece in pieces {
                words.add(&rest[..*piece]);
                rest = &rest[*piece..];
            }
            words.add(rest);
            words.end()
        };
        for pieces in [&[1][..], &[8, 8], &[3, 4, 1, 9], &[99], &[0, 7, 0, 1]] {
            assert_eq!(whole(pieces), whole(&[]), "{pieces:?}");
        }
    }
}
