//! A copy of a memory that a person edits, in a scratch folder outside of memory.

use acreta_fs::{Directory, NoFaults, Scratch};
use acreta_store::{MEMORY_BYTES, Memory};
use camino::Utf8PathBuf;

use crate::{Context, Failure};

/// Removed when dropped.
pub struct Copy {
    folder: Scratch,
    name: String,
}

impl Copy {
    pub fn of(memory: &Memory, context: &Context) -> Result<Self, Failure> {
        let scratch =
            Directory::open_or_create_private(&context.home.scratch(), NoFaults::shared())?;
        let folder = acreta_fs::scratch(&scratch, "edit")?;
        let name = memory.path.file_name().unwrap_or("memory.md").to_owned();
        let directory = Directory::open(folder.path(), NoFaults::shared())?;
        directory.append(&name, memory.text.as_bytes())?;
        Ok(Self { folder, name })
    }

    pub fn path(&self) -> Utf8PathBuf {
        self.folder.path().join(&self.name)
    }

    /// The text as it is now.
    pub fn read(&self) -> Result<String, Failure> {
        let directory = Directory::open(self.folder.path(), NoFaults::shared())?;
        Ok(directory.read_to_string(&self.name, MEMORY_BYTES)?)
    }
}
