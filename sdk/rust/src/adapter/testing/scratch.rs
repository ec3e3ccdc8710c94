//! A session file that a test writes and reads.

use std::marker::PhantomData;
use std::path::PathBuf;

use super::{ReadResult, START, only_session, put, read};
use crate::adapter::Adapter;

/// One file in a temporary folder, deleted at the end of the test.
pub struct Scratch<A> {
    folder: tempfile::TempDir,
    name: &'static str,
    adapter: PhantomData<A>,
}

impl<A: Adapter> Scratch<A> {
    /// # Panics
    /// If no temporary folder can be created.
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
    /// If the file cannot be written.
    pub fn write(&self, text: &str) {
        put(&self.path(), text);
    }

    /// Writes this text and reads all of it.
    ///
    /// # Panics
    /// If the adapter fails, or does not find exactly one session.
    pub fn told(&self, text: &str) -> ReadResult {
        self.write(text);
        read::<A>(&only_session::<A>(&self.path()), &START).0
    }
}
