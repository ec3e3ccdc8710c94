//! Reads and writes text files that a person names on the command line.

use acreta_fs::{Directory, NoFaults};
use camino::{Utf8Path, Utf8PathBuf};

use crate::{Failure, Kind};

/// Reads the text of a file, up to a number of bytes.
pub fn read_text(file: &Utf8Path, max_bytes: u64) -> Result<String, Failure> {
    let (folder, name) = split(file)?;
    Ok(Directory::open(&folder, NoFaults::shared())?.read_to_string(name, max_bytes)?)
}

/// Writes a file atomically, and creates its folder if needed.
pub fn write_text(file: &Utf8Path, text: &str) -> Result<(), Failure> {
    let (folder, name) = split(file)?;
    let folder = Directory::open_or_create(&folder, NoFaults::shared())?;
    Ok(folder.replace(name, text.as_bytes())?)
}

/// Splits a path into folder and file name.
pub(crate) fn split(file: &Utf8Path) -> Result<(Utf8PathBuf, &str), Failure> {
    let Some(name) = file.file_name() else {
        return Err(Failure::new(
            Kind::Usage,
            format!("`{file}` is not the path of a file"),
        ));
    };
    let folder = file.parent().filter(|folder| !folder.as_str().is_empty());
    Ok((folder.unwrap_or(Utf8Path::new(".")).to_owned(), name))
}
