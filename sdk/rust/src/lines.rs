//! Reads the lines of a growing text file, one at a time, each with its span in the file.
//!
//! Memory is bounded by the maximum line length: a longer line is skipped and reported with its span. A line is
//! borrowed from the buffer, not copied.

use std::io::{self, Read};

use memchr::memchr;

/// Maximum length of a line, in bytes.
pub const LINE_LIMIT: usize = 16 * 1024 * 1024;

/// Initial buffer size. A sandboxed read returns at most this much, and most files fit.
const CHUNK: usize = 64 * 1024;

/// Buffer size for larger files: several chunks, so that unread bytes are seldom moved.
const BUFFER: usize = 4 * CHUNK;

/// Minimum free space that is worth a read.
const LEAST: usize = CHUNK / 4;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One line, borrowed until the next is read.
#[derive(Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Without the line break; empty when the line is oversized.
    pub bytes: &'a [u8],
    /// Offset of the first byte, after a byte order mark.
    pub start: u64,
    /// Offset after the last byte, before the line break.
    pub end: u64,
    /// Offset after the line break: the start of the next line.
    pub next: u64,
    /// `false` only for a last line without a line break.
    pub terminated: bool,
    /// The line is longer than the limit and was skipped.
    pub oversized: bool,
}

/// Reads lines from a source that is positioned at a known offset.
pub struct LineReader<R> {
    source: R,
    buffer: Vec<u8>,
    /// Unread bytes are `taken..filled`; there is no line break in `taken..searched`.
    taken: usize,
    searched: usize,
    filled: usize,
    /// Offset in the file of the byte at `taken`.
    offset: u64,
    limit: usize,
    ended: bool,
}

impl<R: Read> LineReader<R> {
    /// Reads from `offset`, where `source` is already positioned.
    pub fn new(source: R, offset: u64) -> Self {
        Self::with_limit(source, offset, LINE_LIMIT)
    }

    /// Reads from `offset` with another maximum line length.
    pub fn with_limit(source: R, offset: u64, limit: usize) -> Self {
        Self {
            source,
            buffer: Vec::new(),
            taken: 0,
            searched: 0,
            filled: 0,
            offset,
            limit,
            ended: false,
        }
    }

    /// Returns the next line; `None` at the end of the file.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        loop {
            if let Some(found) = memchr(b'\n', &self.buffer[self.searched..self.filled]) {
                let line_break = self.searched + found;
                return Ok(Some(self.take(line_break, true)));
            }
            self.searched = self.filled;
            if self.filled - self.taken > self.limit {
                return self.skip_oversized().map(Some);
            }
            if !self.fill()? {
                if self.taken == self.filled {
                    return Ok(None);
                }
                return Ok(Some(self.take(self.filled, false)));
            }
        }
    }

    /// Returns `taken..end` as a line and moves past its line break.
    fn take(&mut self, end: usize, terminated: bool) -> Line<'_> {
        let length = end - self.taken;
        let mut start = self.offset;
        let mut bytes = &self.buffer[self.taken..end];
        self.offset += length as u64 + u64::from(terminated);
        self.taken = end + usize::from(terminated);
        self.searched = self.taken;
        let mut line_end = start + length as u64;
        if terminated && let Some(shorter) = bytes.strip_suffix(b"\r") {
            bytes = shorter;
            line_end -= 1;
        }
        if start == 0
            && let Some(rest) = bytes.strip_prefix(BYTE_ORDER_MARK)
        {
            bytes = rest;
            start = BYTE_ORDER_MARK.len() as u64;
        }
        let oversized = length > self.limit;
        Line {
            bytes: if oversized { &[] } else { bytes },
            start,
            end: line_end,
            next: self.offset,
            terminated,
            oversized,
        }
    }

    /// Discards the buffered start of an oversized line, and the rest of it up to its line break.
    fn skip_oversized(&mut self) -> io::Result<Line<'_>> {
        let start = self.offset;
        let terminated = loop {
            self.offset += (self.filled - self.taken) as u64;
            (self.taken, self.searched, self.filled) = (0, 0, 0);
            if !self.fill()? {
                break false;
            }
            if let Some(line_break) = memchr(b'\n', &self.buffer[..self.filled]) {
                self.offset += line_break as u64 + 1;
                self.taken = line_break + 1;
                self.searched = self.taken;
                break true;
            }
        };
        Ok(Line {
            bytes: &[],
            start,
            end: self.offset - u64::from(terminated),
            next: self.offset,
            terminated,
            oversized: true,
        })
    }

    /// Reads more bytes into the buffer; returns `false` at the end of the file.
    fn fill(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        if self.buffer.len() - self.filled < LEAST {
            self.make_room();
        }
        loop {
            match self.source.read(&mut self.buffer[self.filled..]) {
                Ok(0) => {
                    self.ended = true;
                    return Ok(false);
                }
                Ok(count) => {
                    self.filled += count;
                    return Ok(true);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Moves the unread bytes to the front, and grows the buffer if that is not enough.
    fn make_room(&mut self) {
        if self.taken > 0 {
            self.buffer.copy_within(self.taken..self.filled, 0);
            self.searched -= self.taken;
            self.filled -= self.taken;
            self.taken = 0;
        }
        if self.buffer.is_empty() {
            self.buffer.resize(CHUNK, 0);
        } else if self.buffer.len() - self.filled < CHUNK {
            let most = self.limit.saturating_add(2 * CHUNK).max(BUFFER);
            self.buffer
                .resize((2 * self.buffer.len()).clamp(BUFFER, most), 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that returns at most `step` bytes at a time, as a sandboxed file may.
    struct Trickle<'a> {
        bytes: &'a [u8],
        step: usize,
    }

    impl Read for Trickle<'_> {
        fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
            let count = self.step.min(self.bytes.len()).min(room.len());
            room[..count].copy_from_slice(&self.bytes[..count]);
            self.bytes = &self.bytes[count..];
            Ok(count)
        }
    }

    type ExpectedLine = (Vec<u8>, u64, u64, u64, bool, bool);

    fn lines(bytes: &[u8], step: usize, limit: usize) -> Vec<ExpectedLine> {
        let mut reader = LineReader::with_limit(Trickle { bytes, step }, 0, limit);
        let mut seen = Vec::new();
        while let Some(line) = reader.next_line().unwrap() {
            seen.push((
                line.bytes.to_vec(),
                line.start,
                line.end,
                line.next,
                line.terminated,
                line.oversized,
            ));
        }
        seen
    }

    fn seen(bytes: &[u8], start: u64, end: u64, next: u64, terminated: bool) -> ExpectedLine {
        (bytes.to_vec(), start, end, next, terminated, false)
    }

    #[test]
    fn lines_and_their_places() {
        let table: &[(&[u8], Vec<ExpectedLine>)] = &[
            (b"", vec![]),
            (b"\n", vec![seen(b"", 0, 0, 1, true)]),
            (b"ab", vec![seen(b"ab", 0, 2, 2, false)]),
            (
                b"ab\ncd",
                vec![seen(b"ab", 0, 2, 3, true), seen(b"cd", 3, 5, 5, false)],
            ),
            (
                b"ab\r\n\r\ncd\r",
                vec![
                    seen(b"ab", 0, 2, 4, true),
                    seen(b"", 4, 4, 6, true),
                    seen(b"cd\r", 6, 9, 9, false),
                ],
            ),
            (
                b"\xef\xbb\xbfab\n\xef\xbb\xbf\n",
                vec![
                    seen(b"ab", 3, 5, 6, true),
                    seen(b"\xef\xbb\xbf", 6, 9, 10, true),
                ],
            ),
            (b"a\0b\n", vec![seen(b"a\0b", 0, 3, 4, true)]),
        ];
        for (bytes, expected) in table {
            for step in [1, 2, 3, usize::MAX] {
                assert_eq!(
                    &lines(bytes, step, 100),
                    expected,
                    "{bytes:?} in steps of {step}"
                );
            }
        }
    }

    #[test]
    fn a_line_over_the_limit_is_reported_and_the_next_one_read() {
        for length in [11, 12, 100, CHUNK, 5 * BUFFER + 7] {
            let mut bytes = b"first\n".to_vec();
            bytes.extend(std::iter::repeat_n(b'x', length));
            bytes.extend(b"\nlast\n");
            let end = 6 + length as u64;
            for step in [10, CHUNK, usize::MAX] {
                assert_eq!(
                    lines(&bytes, step, 10),
                    vec![
                        seen(b"first", 0, 5, 6, true),
                        (Vec::new(), 6, end, end + 1, true, true),
                        seen(b"last", end + 1, end + 5, end + 6, true),
                    ],
                    "{length} in steps of {step}"
                );
            }
        }
        assert_eq!(
            lines(b"0123456789\n", 3, 10),
            vec![seen(b"0123456789", 0, 10, 11, true)]
        );
        assert_eq!(
            lines(b"0123456789a", 3, 10),
            vec![(Vec::new(), 0, 11, 11, false, true)]
        );
    }

    #[test]
    fn long_lines_come_whole_and_the_buffer_stays_bounded() {
        let limit = 1024 * 1024;
        let mut bytes = Vec::new();
        for length in [10, 3 * CHUNK, limit, BUFFER, 2 * limit, 1] {
            bytes.extend(std::iter::repeat_n(b'a', length));
            bytes.push(b'\n');
        }
        let mut reader = LineReader::with_limit(
            Trickle {
                bytes: &bytes,
                step: CHUNK,
            },
            0,
            limit,
        );
        let mut lengths = Vec::new();
        while let Some(line) = reader.next_line().unwrap() {
            lengths.push((line.bytes.len(), line.end - line.start, line.oversized));
        }
        let expected: Vec<_> = [10, 3 * CHUNK, limit, BUFFER, 2 * limit, 1]
            .map(|length| {
                let oversized = length > limit;
                (if oversized { 0 } else { length }, length as u64, oversized)
            })
            .into();
        assert_eq!(lengths, expected);
        assert!(
            reader.buffer.len() <= limit + 2 * CHUNK,
            "{}",
            reader.buffer.len()
        );
    }

    #[test]
    fn reading_starts_at_any_offset() {
        let mut reader = LineReader::new(&b"\xef\xbb\xbfcd\n"[..], 40);
        let line = reader.next_line().unwrap().unwrap();
        assert_eq!(
            (line.bytes, line.start, line.next),
            (&b"\xef\xbb\xbfcd"[..], 40, 46)
        );
        assert_eq!(reader.next_line().unwrap(), None);
    }
}
