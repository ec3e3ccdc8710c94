//! A session file that a test writes on the spot and reads.

use std::marker::PhantomData;
use std::path::PathBuf;

use super::{START, Told, only_session, put, read};
use crate::adapter::Adapter;

/// One file in a folder of its own, gone when the test is over.
pub struct Scratch<A> {
    folder: tempfile::TempDir,
    name: &'static str,
    adapter: PhantomData<A>,
}

impl<A: Adapter> Scratch<A> {
    /// # Panics
    /// When there is no place for it.
    pub fn new(name: &'static str) -> Self {
        match tempfile::tempdir() {
            Ok(folder) => Self {
                folder,
                name,
                adapter: PhantomData,
            },
            Err(error) => panic!("no scratch folder: {error}"),
        }
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join(self.name)
    }

    /// # Panics
    /// When it cannot be written.
    pub fn write(&self, text: &str) {
        put(&self.path(), text);
    }

    /// What a whole read of this text tells.
    ///
    /// # Panics
    /// When the adapter fails, or finds another number of sessions than one.
    pub fn told(&self, text: &str) -> Told {
        self.write(text);
        read::<A>(&only_session::<A>(&self.path()), &START).0
    }
}
