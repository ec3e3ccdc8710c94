//! Shared storage of archives: a folder (`file://`) or object storage (`s3://`), so that another machine can read a
//! session by its digest. An object is complete or absent, and never changes once it is there.

mod error;
mod folder;
#[cfg(feature = "s3")]
mod s3;

use std::fmt::Debug;

use acreta_fs::{Directory, FsError, NoFaults, scratch};

pub use error::ObjectError;
pub use folder::FolderStore;
#[cfg(feature = "s3")]
pub use s3::{S3Clock, S3Settings, S3Store};

/// A place for objects. Both ends of a transfer are files, so that an attempt can be repeated.
pub trait ObjectStore: Debug + Send + Sync {
    /// Returns the address for messages; it contains no secret.
    fn address(&self) -> &str;

    /// Stores the content of `file` in `from` under `name`. Does nothing if there is such an object.
    fn put(&self, name: &str, from: &Directory, file: &str) -> Result<(), ObjectError>;

    /// Copies an object to `file` in `into`, which is complete or absent afterwards.
    fn get(&self, name: &str, into: &Directory, file: &str) -> Result<(), ObjectError>;

    fn contains(&self, name: &str) -> Result<bool, ObjectError>;

    /// Deletes an object. Succeeds if there is none.
    fn delete(&self, name: &str) -> Result<(), ObjectError>;
}

/// Writes, reads and deletes a small object, to show that the store can be used. `unique` is part of its name.
pub fn probe(store: &dyn ObjectStore, work: &Directory, unique: u64) -> Result<(), ObjectError> {
    const MOST_BYTES: u64 = 1024;
    let content = format!("acreta doctor {unique:016x}\n");
    let name = format!("probe/{unique:016x}");
    let folder = scratch(work, "probe")?;
    let folder = folder.directory();
    folder.replace("out", content.as_bytes())?;
    store.put(&name, folder, "out")?;
    let read = store
        .get(&name, folder, "back")
        .and_then(|()| Ok(folder.read("back", MOST_BYTES)?));
    // The object is deleted even if it could not be read.
    let deleted = store.delete(&name);
    let read = read?;
    deleted?;
    if read != content.as_bytes() {
        return Err(ObjectError::Damaged {
            store: store.address().to_owned(),
            name,
        });
    }
    Ok(())
}

/// Opens a folder that must exist.
fn existing(path: &camino::Utf8Path) -> Result<Directory, FsError> {
    Directory::open(path, NoFaults::shared())
}
