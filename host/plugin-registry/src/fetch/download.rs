//! Downloads one large file of known size and digest: in pieces, resumed after an interruption, and moved into place
//! only if its digest matches.

use std::io::Read;

use acreta_fs::{Directory, FsError};
use camino::Utf8Path;
use sha2::{Digest as _, Sha256};

use super::http::{FetchClient, FetchRequest};
use super::{FetchError, FetchOptions};
use crate::identity::Digest;
use crate::source::Address;

/// A file whose size and digest are known in advance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownFile<'a> {
    pub name: &'a str,
    pub bytes: u64,
    pub digest: Digest,
}

/// Bytes per write and per progress report.
const PIECE_BYTES: usize = 1 << 20;

/// Downloads a file into a folder. `progress` is called with the number of bytes received. An existing file is not
/// fetched again; a partial one is kept for the next attempt.
pub fn download(
    address: &Address,
    file: &KnownFile<'_>,
    into: &Directory,
    options: &FetchOptions,
    progress: &mut dyn FnMut(u64),
) -> Result<(), FetchError> {
    let name = Utf8Path::new(file.name);
    if size(into, name)? == Some(file.bytes) && digest(into, name)? == file.digest {
        progress(file.bytes);
        return Ok(());
    }
    let part = format!("{name}.part");
    let part = Utf8Path::new(&part);
    if size(into, part)?.is_some_and(|bytes| bytes > file.bytes) {
        into.remove_file(part)?;
    }
    if size(into, part)?.unwrap_or(0) < file.bytes {
        receive(address, file, into, part, options, progress)?;
    }
    let found = digest(into, part)?;
    if found != file.digest {
        into.remove_file(part)?;
        return Err(FetchError::Digest {
            reference: address.as_str().to_owned(),
            what: "the content",
            expected: file.digest,
            found,
        });
    }
    into.rename(part, name)?;
    Ok(())
}

/// Appends the missing bytes to the partial file.
fn receive(
    address: &Address,
    file: &KnownFile<'_>,
    into: &Directory,
    part: &Utf8Path,
    options: &FetchOptions,
    progress: &mut dyn FnMut(u64),
) -> Result<(), FetchError> {
    let url = || address.as_str().to_owned();
    let mut there = size(into, part)?.unwrap_or(0);
    let ask = FetchRequest {
        from: there,
        ..FetchRequest::default()
    };
    let mut response = FetchClient::new(options).respond(address, ask)?;
    match response.status().as_u16() {
        206 => {}
        200 if there == 0 => {}
        // The server sends the file from the start.
        200 => {
            into.remove_file(part)?;
            there = 0;
        }
        status => {
            return Err(FetchError::Status { url: url(), status });
        }
    }
    let mut body = response.body_mut().as_reader();
    let mut piece = Vec::with_capacity(PIECE_BYTES);
    loop {
        piece.clear();
        let read = (&mut body).take(PIECE_BYTES as u64).read_to_end(&mut piece);
        there += piece.len() as u64;
        if there > file.bytes {
            let _ = into.remove_file(part);
            return Err(FetchError::TooLarge {
                url: url(),
                allowed: file.bytes,
            });
        }
        if !piece.is_empty() {
            into.append(part, &piece)?;
            progress(there);
        }
        match read {
            Ok(0) if there == file.bytes => return Ok(()),
            Ok(0) | Err(_) => {
                return Err(FetchError::HalfDownload {
                    url: url(),
                    expected: Some(file.bytes),
                    received: there,
                });
            }
            Ok(_) => {}
        }
    }
}

fn size(folder: &Directory, name: &Utf8Path) -> Result<Option<u64>, FsError> {
    match folder.metadata(name) {
        Ok(found) => Ok(Some(found.bytes)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}

fn digest(folder: &Directory, name: &Utf8Path) -> Result<Digest, FetchError> {
    let mut reader = folder.open_reader(name)?;
    let mut digest = Sha256::new();
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let read = reader
            .read(&mut piece)
            .map_err(|cause| FetchError::Unread {
                path: folder.path().join(name),
                cause,
            })?;
        if read == 0 {
            return Ok(Digest::from_bytes(digest.finalize().into()));
        }
        digest.update(&piece[..read]);
    }
}
