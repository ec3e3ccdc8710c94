//! A text that a person edits, in a scratch folder outside of memory.

use acreta_fs::{Directory, NoFaults, Scratch};
use acreta_store::MEMORY_BYTES;
use camino::Utf8PathBuf;

use crate::{Context, Failure};

/// Removed when dropped.
pub struct Copy {
    folder: Scratch,
    name: String,
}

impl Copy {
    pub fn of(name: &str, text: &str, context: &Context) -> Result<Self, Failure> {
        let scratch =
            Directory::open_or_create_private(&context.home.scratch(), NoFaults::shared())?;
        let folder = acreta_fs::scratch(&scratch, "edit")?;
        let directory = Directory::open(folder.path(), NoFaults::shared())?;
        directory.append(name, text.as_bytes())?;
        Ok(Self {
            folder,
            name: name.to_owned(),
        })
    }

    pub fn path(&self) -> Utf8PathBuf {
        self.folder.path().join(&self.name)
    }

    /// Returns the current text.
    pub fn read(&self) -> Result<String, Failure> {
        let directory = Directory::open(self.folder.path(), NoFaults::shared())?;
        Ok(directory.read_to_string(&self.name, MEMORY_BYTES)?)
    }
}
