//! Bounded reads of regular files. A fifo, a device or a folder counts as missing, and opening one never blocks.

use std::fs::File;
use std::io::{self, Read};

use camino::Utf8Path;

/// Opens a regular file, following links; returns `None` if there is none.
pub(crate) fn open(path: &Utf8Path) -> io::Result<Option<File>> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // Without it, opening a fifo waits for a writer.
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = match options.open(path) {
        Ok(file) => file,
        Err(cause) if is_absent(&cause) => return Ok(None),
        Err(cause) => return Err(cause),
    };
    Ok(file.metadata()?.is_file().then_some(file))
}

/// Reads a file; returns `None` if it does not exist. A file above `limit` bytes is an error.
pub(crate) fn bytes(path: &Utf8Path, limit: u64) -> io::Result<Option<Vec<u8>>> {
    let Some(file) = open(path)? else {
        return Ok(None);
    };
    let size = file.metadata()?.len();
    if size > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(too_large());
    }
    Ok(Some(bytes))
}

/// Reads a short text; returns `None` on any failure.
pub(crate) fn text(path: &Utf8Path, limit: u64) -> Option<String> {
    String::from_utf8(bytes(path, limit).ok()??).ok()
}

fn is_absent(cause: &io::Error) -> bool {
    matches!(
        cause.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

fn too_large() -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, "the file is too large")
}
