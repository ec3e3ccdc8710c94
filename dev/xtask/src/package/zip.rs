//! Writes ZIP archives: the form of wheels, of `.mcpb` bundles, and of what Windows unpacks by itself. The same files give the
//! same bytes: entries have modes and no times.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::files::put;
use crate::process::TaskError;

/// A compressed file, for any number of archives.
#[derive(Clone)]
pub(crate) struct Deflated {
    bytes: Vec<u8>,
    crc: [u8; 4],
    size: u32,
}

impl Deflated {
    /// Compresses with `gzip`: its output is ten bytes of header, the stream as ZIP has it, the checksum and the size.
    pub(crate) fn new(bytes: &[u8], level: &str) -> Result<Self, TaskError> {
        let failed = |error: &dyn std::fmt::Display| TaskError(format!("`gzip`: {error}"));
        let mut gzip = Command::new("gzip")
            .args([level, "--no-name", "--stdout"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| failed(&error))?;
        let stdin = gzip.stdin.take();
        let output = std::thread::scope(|scope| {
            // Written beside: gzip answers before it has read everything.
            let writing = scope.spawn(|| stdin.map_or(Ok(()), |mut pipe| pipe.write_all(bytes)));
            let output = gzip.wait_with_output();
            let written = writing
                .join()
                .unwrap_or_else(|_| Err(std::io::Error::other("a thread panicked")));
            written.and(output)
        })
        .map_err(|error| failed(&error))?;
        let stream = output.stdout;
        let end = stream.len().checked_sub(8).filter(|end| *end >= 10);
        let (Some(end), Ok(size), true) =
            (end, u32::try_from(bytes.len()), output.status.success())
        else {
            return Err(failed(&output.status));
        };
        let mut crc = [0; 4];
        crc.copy_from_slice(&stream[end..end + 4]);
        let bytes = stream[10..end].to_vec();
        Ok(Self { bytes, crc, size })
    }

    /// Returns the size of the file that was compressed.
    pub(crate) fn size(&self) -> usize {
        self.size as usize
    }
}

/// An archive in the making.
#[derive(Default)]
pub(crate) struct Zip {
    files: Vec<u8>,
    directory: Vec<u8>,
    count: u16,
}

impl Zip {
    pub(crate) fn add(&mut self, name: &str, mode: u32, file: &Deflated) -> Result<(), TaskError> {
        let too_large = |_| TaskError(format!("`{name}` is too large for a ZIP archive"));
        let offset = u32::try_from(self.files.len()).map_err(too_large)?;
        let stored = u32::try_from(file.bytes.len()).map_err(too_large)?;
        let length = u16::try_from(name.len()).map_err(too_large)?;
        // Version 2.0 to unpack, names in UTF-8, deflated, at the first time that the format has: 1 January 1980.
        let mut common = vec![20, 0, 0, 8, 8, 0, 0, 0, 33, 0];
        common.extend(file.crc);
        common.extend(stored.to_le_bytes());
        common.extend(file.size.to_le_bytes());
        common.extend(length.to_le_bytes());
        self.files.extend(b"PK\x03\x04");
        self.files.extend(&common);
        self.files.extend([0, 0]);
        self.files.extend(name.as_bytes());
        self.files.extend(&file.bytes);
        // Made on Unix, which makes the upper half of the attributes a mode.
        self.directory.extend(b"PK\x01\x02\x14\x03");
        self.directory.extend(&common);
        self.directory.extend([0; 8]);
        self.directory
            .extend(((0o100_000 | mode) << 16).to_le_bytes());
        self.directory.extend(offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.count += 1;
        Ok(())
    }

    pub(crate) fn add_text(&mut self, name: &str, text: &[u8]) -> Result<(), TaskError> {
        self.add(name, 0o644, &Deflated::new(text, "-9")?)
    }

    pub(crate) fn write(mut self, path: &Path) -> Result<(), TaskError> {
        let start = self.files.len() as u32;
        let length = self.directory.len() as u32;
        self.files.append(&mut self.directory);
        self.files.extend(b"PK\x05\x06\0\0\0\0");
        self.files.extend(self.count.to_le_bytes());
        self.files.extend(self.count.to_le_bytes());
        self.files.extend(length.to_le_bytes());
        self.files.extend(start.to_le_bytes());
        self.files.extend([0, 0]);
        put(path, &self.files)
    }
}
